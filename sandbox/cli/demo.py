"""`memory demo`: two weeks of conversations and the weeks after them, played through the kernel by a simulated clock.

Messages, replies, sessions, the context before each reply and the nights are the kernel's; the assistant saves,
corrects and confirms through ``Memory``, as its tools do. ``demo_data`` holds the story, ``demo_output.py`` prints it.
"""

import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import repeat
from pathlib import Path
from typing import Literal, cast

from sandbox.cli.script import Prompt, Saved, Script
from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.main import MemoryExtension
from sandbox.extensions.memory.model import Explanation, Hit, Record
from sandbox.extensions.memory.opening import make_folder
from sandbox.kernel import Kernel
from sandbox.protocols import Context, Turn
from sandbox.settings import CONFIG
from sandbox.support import private
from sandbox.testing import FakeClock, ScriptedResponder
from sandbox.turn import Exchange

BUDGET = 350  # tokens of a block: half a screen, and a third of the default
SETTINGS = f"""\
# of the demo: blocks that fit on half a screen, and what a night puts away stays to be looked at
memory:
  context_token_budget: {BUDGET}
  purge_days: 0
"""

Finding = Literal["said", "saved", "missing"]
"""How an expected turn is in a block: as itself, as a statement that was saved from it, or not at all."""


# --- the played story -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Intake:
    """What was stored. ``masked`` are turns whose stored text differs from the message."""

    turns: int
    conversations: int
    statements: int
    first: datetime
    last: datetime
    masked: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """A turn that a good answer needs, and whether the block has it."""

    turn: Message
    finding: Finding


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt and its block; empty if nothing was relevant."""

    at: datetime
    prompt: str
    context: str
    expected: tuple[Expected, ...]

    @property
    def found(self) -> int:
        """How many of the expected turns the block has."""
        return sum(each.finding != "missing" for each in self.expected)


@dataclass(frozen=True, slots=True)
class Corrected:
    """A statement that was wrong, and the prompt that was asked again."""

    at: datetime
    said: str
    id: str
    before: str
    after: str
    again: Asked


@dataclass(frozen=True, slots=True)
class Fate:
    """The later state of a statement; ``shown`` is when a block last had it."""

    memory: Record
    shown: datetime | None


@dataclass(frozen=True, slots=True)
class Later:
    """The weeks after, with few prompts."""

    weeks: int
    until: datetime
    meanwhile: tuple[Asked, ...]
    kept: tuple[Fate, ...]
    faded: tuple[Fate, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """Everything that the demo did, with the results. ``home`` is the folder of the memory, if it was kept."""

    intake: Intake
    asked: tuple[Asked, ...]
    corrected: Corrected
    explained: Explanation
    confirmed: Record
    later: Later
    home: str | None


# --- playing ----------------------------------------------------------------------------------------------------------


async def play(keep: str | None = None) -> Story:
    """Play the demo in a temporary folder, or in ``keep``. Raises ``InvalidArgument`` if that holds a memory."""
    script = Script.load()
    clock = FakeClock(min(message.at for message in script.history if message.at))
    assistant = _Assistant(script.history, clock)
    async with _opened(keep, clock, assistant) as kernel:
        player = _Player(kernel, clock, script)
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
async def _opened(keep: str | None, clock: FakeClock, assistant: "_Assistant") -> AsyncIterator[Kernel]:
    with tempfile.TemporaryDirectory(prefix="memory-demo-") as temporary:
        home = _unused(keep) if keep else Path(temporary)
        private.make_file(home / CONFIG)
        (home / CONFIG).write_text(SETTINGS, encoding="utf-8")
        responder = ScriptedResponder(repeat(assistant.reply), "assistant")
        async with Kernel.open(home, responder=responder, clock=clock) as kernel:
            await kernel.work()
            yield kernel


def _unused(keep: str) -> Path:
    """A folder of which nothing can be overwritten."""
    folder = Path(keep).expanduser()
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise InvalidArgument(argument="--keep", value=keep, expected="name a new folder, or an empty one")
    return make_folder(folder)


@dataclass(frozen=True, slots=True)
class _Assistant:
    """Replies with the history's replies at their time, and with nothing to later prompts."""

    history: tuple[Message, ...]
    clock: FakeClock

    async def reply(self, turn: Turn, _: str) -> str | None:
        place = next((place for place, said in enumerate(self.history) if said.key == turn.id), None)
        following = self.history[place + 1 : place + 2] if place is not None else ()
        if not following or following[0].role != "assistant" or following[0].at is None:
            return None
        self.clock.moment = following[0].at
        return following[0].content


@dataclass(slots=True)
class _Player:
    """Plays the person, the assistant's tools and the nights."""

    kernel: Kernel
    clock: FakeClock
    script: Script
    ids: dict[int, str] = field(default_factory=dict)  # of saved statements, by their index in the script
    shown: dict[str, datetime] = field(default_factory=dict)  # when a block last had a statement

    async def live(self) -> Intake:
        """The two weeks: messages and saved statements, each at its time."""
        happenings: list[tuple[datetime, int, Message | Saved]] = [
            *((message.at, -1, message) for message in self.script.history if message.at and message.role == "user"),
            *((saved.at, place, saved) for place, saved in enumerate(self.script.statements)),
        ]
        for at, place, happening in sorted(happenings, key=lambda each: each[:2]):
            self.clock.moment = at
            if isinstance(happening, Message):
                await self._say(happening.content, happening.key)
            else:
                self.ids[place] = await self._remember(happening)
        return await self._intake()

    async def ask(self, prompt: Prompt) -> Asked:
        """Ask the prompt in a new conversation."""
        self.clock.moment = prompt.at
        await self._conversation.begin()
        context = await self._say(prompt.prompt)
        self.shown.update({id: prompt.at for id in self.ids.values() if id in context})
        return Asked(prompt.at, prompt.prompt, context, tuple(await self._expected(prompt, context)))

    async def correct(self) -> Corrected:
        """The person says that something was wrong; the assistant corrects it, and the prompt is asked again."""
        correction = self.script.correction
        self.clock.moment = correction.at
        id = self.ids[correction.of]
        before = (await self._memory.explain(id)).memory.content
        await self._say(correction.said)
        await self._memory.correct(id, correction.to)
        await self._memory.wait_until_embedded()
        again = self.script.prompts[correction.again]
        asked = await self.ask(replace(again, at=correction.at + timedelta(minutes=1)))
        return Corrected(correction.at, correction.said, id, before, correction.to, asked)

    async def explain(self) -> Explanation:
        """Ask the memory for an explanation."""
        return await self._memory.explain(self.ids[self.script.explain])

    async def confirm(self) -> Record:
        """The person confirms a statement."""
        id = self.ids[self.script.confirm]
        await self._memory.confirm(id, by_person=True)
        return (await self._memory.explain(id)).memory

    async def live_on(self) -> Later:
        """The weeks after: few prompts, and every night runs."""
        asked, begin = [], self.clock.moment
        for night in range(1, 7 * self.script.weeks + 1):
            for each in self.script.meanwhile:
                if night == 7 * each.week:
                    asked.append(await self.ask(Prompt(each.prompt, each.expects, begin + timedelta(days=night))))
            self.clock.moment = begin + timedelta(days=night)
            await self.kernel.scheduler.run_due()
        fates = await self._fates()
        kept = [fate for fate in fates if fate.memory.retired_by is None]
        faded = [fate for fate in fates if fate.memory.retired_by is not None]
        return Later(self.script.weeks, self.clock.moment, tuple(asked), tuple(kept), tuple(faded))

    @property
    def _extension(self) -> MemoryExtension:
        return cast("MemoryExtension", self.kernel.extension("memory"))

    @property
    def _memory(self) -> Memory:
        return self._extension.memory

    @property
    def _conversation(self) -> Exchange:
        person = next(message.speaker for message in self.script.history if message.role == "user")
        return self.kernel.conversation("demo", speaker=person)

    async def _say(self, text: str, key: str | None = None) -> str:
        """Send a message; return the context for it."""
        parts = [part async for part in self._conversation.say(text, key=key)]
        await self.kernel.settled()
        await self._extension.settled()
        await self._memory.wait_until_embedded()
        return next(part.text for part in parts if isinstance(part, Context))

    async def _remember(self, saved: Saved) -> str:
        turns = await self._turns()
        id = await self._memory.remember(
            saved.content,
            type=saved.type,
            category=saved.category,
            subject=saved.subject,
            at=saved.at,
            source=saved.source,
            rests_on=[turns[key].id for key in saved.saved_from],
        )
        await self._memory.wait_until_embedded()
        return id

    async def _intake(self) -> Intake:
        """The stored turns, compared with the messages."""
        stored = await self._turns()
        masked = [
            replace(message, content=stored[message.key].content)
            for message in self.script.history
            if message.key and stored[message.key].content != message.content
        ]
        times = [hit.event_time for hit in stored.values()]
        sessions = {hit.session for hit in stored.values()}
        return Intake(len(stored), len(sessions), len(self.ids), min(times), max(times), tuple(masked))

    async def _turns(self) -> dict[str, Hit]:
        """The stored turns of the history, by its keys."""
        keys = self.script.keys
        stored = await self._memory.search("", limit=2 * len(keys), types=["episodic"], reinforce=False)
        return {keys[hit.key]: hit for hit in stored if hit.key in keys}

    async def _expected(self, prompt: Prompt, context: str) -> Iterable[Expected]:
        """The expected turns; one is found if its text, or a statement that rests on it, is in the block."""
        stored = await self._turns()
        shown = [self.script.statements[place] for place, id in self.ids.items() if id in context]
        saved = {key for statement in shown for key in statement.saved_from}
        by_key = {message.key: message for message in self.script.history}
        return [Expected(by_key[key], _finding(stored[key].content in context, key in saved)) for key in prompt.expects]

    async def _fates(self) -> list[Fate]:
        records = [(await self._memory.explain(self.ids[place])).memory for place in sorted(self.ids)]
        return [Fate(record, self.shown.get(record.id)) for record in records]


def _finding(is_said: bool, is_saved: bool) -> Finding:
    return "said" if is_said else "saved" if is_saved else "missing"
