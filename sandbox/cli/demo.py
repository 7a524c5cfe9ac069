"""`memory demo`: plays two weeks of conversations, and the weeks after them, through the public ``Memory``.

Here is what an assistant would do: observe turns, save statements, ask for context, correct, confirm, let nights pass.
What is played is in ``demo_data``; what is printed about it is in ``telling.py``.
"""

import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from sandbox.cli.script import Prompt, Saved, Script
from sandbox.extensions.memory import Block, Memory, Message
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.model import Explanation, Record

BUDGET = 300  # tokens of a block: half a screen, and a third of what an assistant is given unless told otherwise

Finding = Literal["said", "saved", "missing"]
"""How an expected turn is in a block: itself, in a statement that was saved from it, or not at all."""


# --- the story, as it turned out --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Intake:
    """What went in. ``masked`` are turns as they were stored, where that is not as they were said."""

    turns: int
    conversations: int
    statements: int
    first: datetime
    last: datetime
    masked: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """A turn that a good answer needs, and whether the block brings it."""

    turn: Message
    finding: Finding


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt, and what was put before the assistant for it."""

    at: datetime
    prompt: str
    block: Block | None
    expected: tuple[Expected, ...]

    @property
    def found(self) -> int:
        """How many of the expected turns the block brings."""
        return sum(each.finding != "missing" for each in self.expected)


@dataclass(frozen=True, slots=True)
class Corrected:
    """A statement that turned out to be wrong, and the prompt that was asked again."""

    at: datetime
    said: str
    id: str
    before: str
    after: str
    again: Asked


@dataclass(frozen=True, slots=True)
class Explained:
    """How a statement is known."""

    explanation: Explanation


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a statement; ``shown`` is when it was last put before the assistant."""

    memory: Record
    shown: datetime | None


@dataclass(frozen=True, slots=True)
class Later:
    """The weeks after, in which little was asked."""

    weeks: int
    until: datetime
    meanwhile: tuple[Asked, ...]
    kept: tuple[Fate, ...]
    faded: tuple[Fate, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """Everything the demo did and what came of it. ``home`` is where the memory is, if it was kept."""

    intake: Intake
    asked: tuple[Asked, ...]
    corrected: Corrected
    explained: Explained
    confirmed: Record
    later: Later
    home: str | None


# --- playing it -------------------------------------------------------------------------------------------------------


class SimulatedClock:
    """Tells the time that it was set to."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        """The simulated moment."""
        return self.moment


async def play(keep: str | None = None) -> Story:
    """Play the demo in a temporary folder, or in ``keep``; ``InvalidArgument`` where a memory is there already."""
    script = Script.load()
    clock = SimulatedClock(min(message.at for message in script.history if message.at))
    async with _opened(keep, clock) as memory:
        player = _Player(memory, clock, script)
        return Story(
            intake=await player.live(),
            asked=tuple([await player.ask(prompt) for prompt in script.prompts]),
            corrected=await player.correct(),
            explained=await player.explain(),
            confirmed=await player.confirm(),
            later=await player.live_on(),
            home=keep,
        )


@asynccontextmanager
async def _opened(keep: str | None, clock: SimulatedClock) -> AsyncIterator[Memory]:
    with tempfile.TemporaryDirectory(prefix="memory-demo-") as temporary:
        async with Memory.open(_unused(keep) if keep else temporary, clock=clock) as memory:
            yield memory


def _unused(keep: str) -> Path:
    folder = Path(keep).expanduser()
    if (folder / "memory.db").exists():
        raise InvalidArgument(argument="--keep", value=keep, expected="name a folder without a memory in it")
    return folder


@dataclass(slots=True)
class _Player:
    """Plays the parts of the person, the assistant and the nights."""

    memory: Memory
    clock: SimulatedClock
    script: Script
    ids: dict[int, str] = field(default_factory=dict)  # of saved statements, by their place in the script
    turns: dict[str, str] = field(default_factory=dict)  # ids of turns, by their key in the history
    shown: dict[str, datetime] = field(default_factory=dict)  # when a memory was last put before the assistant

    async def live(self) -> Intake:
        """The two weeks: what was said and what was saved, each in its time."""
        happenings: list[tuple[datetime, int, Message | Saved]] = [
            *((message.at, -1, message) for message in self.script.history if message.at),
            *((saved.at, place, saved) for place, saved in enumerate(self.script.saved)),
        ]
        for at, place, happening in sorted(happenings, key=lambda each: each[:2]):
            self.clock.moment = at
            if isinstance(happening, Message):
                await self._observe(happening)
            else:
                self.ids[place] = await self._remember(happening)
        await self.memory.wait_until_embedded()
        return await self._intake()

    async def ask(self, prompt: Prompt) -> Asked:
        """A new conversation begins with the prompt."""
        self.clock.moment = prompt.at
        block = await self.memory.context(prompt.text, budget=BUDGET, session=f"{prompt.at:%Y-%m-%d %H:%M}")
        if block is not None:
            self.shown.update(dict.fromkeys((item.id for item in block.items), prompt.at))
        return Asked(prompt.at, prompt.text, block, tuple(self._expected(prompt, block)))

    async def correct(self) -> Corrected:
        """The person says that something was wrong; the assistant corrects it and is asked again."""
        correction = self.script.correction
        self.clock.moment = correction.at
        id = self.ids[correction.of]
        before = (await self.memory.explain(id)).memory.content
        await self._observe(
            Message("user", correction.said, f"{correction.at:%Y-%m-%d}-a", correction.at, self._person)
        )
        await self.memory.correct(id, correction.to)
        await self.memory.wait_until_embedded()
        again = self.script.prompts[correction.again]
        asked = await self.ask(Prompt(again.text, correction.at + timedelta(minutes=1), again.expects))
        return Corrected(correction.at, correction.said, id, before, correction.to, asked)

    async def explain(self) -> Explained:
        """How something is known, asked of the memory."""
        return Explained(await self.memory.explain(self.ids[self.script.explain]))

    async def confirm(self) -> Record:
        """The person says that something is right."""
        id = self.ids[self.script.confirm]
        await self.memory.confirm(id, by_person=True)
        return (await self.memory.explain(id)).memory

    async def live_on(self) -> Later:
        """The weeks after: nearly nothing is asked, and every night does its work."""
        asked, begin = [], self.clock.moment
        for night in range(1, 7 * self.script.weeks + 1):
            week, is_end_of_week = divmod(night, 7)
            if not is_end_of_week and week in self.script.meanwhile:
                prompt = self.script.meanwhile[week]
                asked.append(await self.ask(Prompt(prompt.text, begin + timedelta(days=night), prompt.expects)))
            self.clock.moment = begin + timedelta(days=night)
            await self.memory.maintain()
        fates = await self._fates()
        kept = [fate for fate in fates if fate.memory.retired_by is None]
        faded = [fate for fate in fates if fate.memory.retired_by is not None]
        return Later(self.script.weeks, self.clock.moment, tuple(asked), tuple(kept), tuple(faded))

    @property
    def _person(self) -> str | None:
        return next(message.speaker for message in self.script.history if message.role == "user")

    async def _observe(self, message: Message) -> None:
        (stored,) = await self.memory.observe_many([message])
        if message.key is not None:
            self.turns[message.key] = stored

    async def _remember(self, saved: Saved) -> str:
        said = saved.statement
        return await self.memory.remember(
            said.content,
            type=said.type,
            category=said.category,
            subject=said.subject,
            at=said.at,
            source=said.source,
            rests_on=[self.turns[key] for key in saved.saved_from],
        )

    async def _intake(self) -> Intake:
        """What is stored now, read back from the memory and compared with what was said."""
        history = self.script.history
        stored = await self.memory.search("", limit=len(history), types=["episodic"], reinforce=False)
        contents = {hit.key: hit.content for hit in stored}
        masked = [
            _with(message, contents[message.key]) for message in history if contents[message.key] != message.content
        ]
        times = [hit.event_time for hit in stored]
        sessions = {hit.session for hit in stored}
        return Intake(len(stored), len(sessions), len(self.ids), min(times), max(times), tuple(masked))

    def _expected(self, prompt: Prompt, block: Block | None) -> Iterable[Expected]:
        items = block.items if block else ()
        keys = {item.key for item in items}
        saved = {source for item in items for source in item.sources}
        for turn in self._turns(prompt.expects):
            yield Expected(turn, "said" if turn.key in keys else "saved" if turn.key in saved else "missing")

    def _turns(self, keys: Iterable[str]) -> list[Message]:
        by_key = {message.key: message for message in self.script.history}
        return [by_key[key] for key in keys]

    async def _fates(self) -> list[Fate]:
        records = [(await self.memory.explain(self.ids[place])).memory for place in sorted(self.ids)]
        return [Fate(record, self.shown.get(record.id)) for record in records]


def _with(message: Message, content: str) -> Message:
    """The message with other content."""
    return Message(message.role, content, message.session, message.at, message.speaker, message.key)
