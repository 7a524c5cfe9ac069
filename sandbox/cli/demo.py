"""`memory demo`: two weeks of conversations and the weeks after them, played through the kernel by a simulated clock,
and told as they are played.

Messages, replies, sessions, the context before each reply and the nights are the kernel's; the assistant saves,
corrects and confirms through ``Memory``, as its tools do. ``demo_data`` holds the story; its files explain their keys.
"""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import repeat
from operator import itemgetter
from pathlib import Path
from typing import Any, cast

import yaml

from sandbox.cli import output
from sandbox.cli.page import BAD, FAINT, GOOD, HEADING, ID, Page, Part, counted
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.main import MemoryExtension
from sandbox.extensions.memory.model import Hit, Record
from sandbox.extensions.memory.opening import make_folder
from sandbox.kernel import Kernel
from sandbox.protocols import Context, Turn
from sandbox.router import reply_key
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

OPENING = """\
Nell Harker tunes and restores pianos in Berwick. For two weeks she talked with an assistant, a few times a day: about \
a burst pipe, a dog with an itch, a grandmother who turns ninety. An assistant forgets a conversation when it is over. \
This one has a memory.

Nell is made up. What the memory does with her is not: it was computed just now, on this machine, without a language \
model, a key or a network."""

ASKING = f"""\
The assistant starts afresh each time and has seen none of the two weeks. Before it answers, it asks the memory for \
what matters to the prompt. The memory answers with a block of text, within a budget: {BUDGET} tokens here, so that it \
can be read, and a thousand or more otherwise. Below each block stand the turns that a good answer needs: "found" in \
the block as they were said, "saved" where the block has a statement that the assistant saved of them, or "missing"."""

FORGETTING = """\
What was said never fades, nor does what the user told or wished, or confirmed. What the assistant guessed, or knows \
from elsewhere, does: day by day it loses confidence, the slower the more it is used, and one night it is retired."""

NEXT_STEPS = (
    ("memory import FILE", "bring your own: ChatGPT exports, Claude Code transcripts, ..."),
    ('memory remember "I live in Leith."', "or tell it something"),
    ('memory search "where do I live?"', "what you would ask"),
    ('memory context "Plan my weekend."', "what an assistant would be given"),
    ("memory --help", "everything else"),
)


async def play(keep: str | None) -> None:
    """Play the demo in a temporary folder, or in ``keep``. Raises ``InvalidArgument`` if that holds something."""
    history = [json.loads(line) for line in _text("history.jsonl").splitlines()]
    for said in history:
        said["at"] = datetime.fromisoformat(said["timestamp"])
    clock = FakeClock(history[0]["at"])
    with tempfile.TemporaryDirectory(prefix="memory-demo-") as temporary:
        home = _unused(keep) if keep else Path(temporary)
        private.make_file(home / CONFIG)
        (home / CONFIG).write_text(SETTINGS, encoding="utf-8")
        responder = ScriptedResponder(repeat(_Assistant(history, clock).reply), "assistant")
        async with Kernel.open(home, responder=responder, clock=clock) as kernel:
            await kernel.work()
            demo = _Demo(Page(zone=UTC), kernel, clock, history, yaml.safe_load(_text("script.yaml")))
            await demo.live()
            await demo.ask_all()
            await demo.correct()
            await demo.explain()
            await demo.confirm()
            await demo.live_on()
            demo.end(keep)


def _unused(keep: str) -> Path:
    """A folder of which nothing can be overwritten."""
    folder = Path(keep).expanduser()
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise InvalidArgument(argument="--keep", value=keep, expected="name a new folder, or an empty one")
    return make_folder(folder)


def _text(name: str) -> str:
    return (Path(__file__).with_name("demo_data") / name).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Assistant:
    """Replies with the history's replies at their time, and with nothing to later prompts."""

    history: Sequence[dict[str, Any]]
    clock: FakeClock

    async def reply(self, turn: Turn, _: str) -> str | None:
        place = next((place for place, said in enumerate(self.history) if said["key"] == turn.id), None)
        following = self.history[place + 1 : place + 2] if place is not None else ()
        if not following or following[0]["role"] != "assistant":
            return None
        self.clock.moment = following[0]["at"]
        return str(following[0]["content"])


@dataclass(slots=True)
class _Demo:
    """Plays the person, the assistant's tools and the nights, and tells of them. Its dates are in UTC, like those in
    the blocks. A statement of the script gets its ``id`` when it is saved.
    """

    page: Page
    kernel: Kernel
    clock: FakeClock
    history: Sequence[dict[str, Any]]
    script: dict[str, Any]
    shown: dict[str, datetime] = field(default_factory=dict)  # when a block last had a statement

    async def live(self) -> None:
        """The two weeks: messages and saved statements, each at its time."""
        self.page.line(("What an assistant can remember", HEADING))
        self.page.blank()
        self.page.text(OPENING, indent=0)
        said = [each for each in self.history if each["role"] == "user"]
        for each in sorted([*said, *self._statements], key=itemgetter("at")):
            self.clock.moment = each["at"]
            if "key" in each:
                await self._say(each["content"], each["key"])
            else:
                await self._remember(each)
        turns = await self._turns()
        times = [hit.event_time for hit in turns.values()]
        first, last = self.page.day(min(times)), self.page.day(max(times))
        conversations = len({hit.session for hit in turns.values()})
        self.page.heading("1. What went in")
        self.page.text(f"{len(turns)} turns of {conversations} conversations, {first} to {last}, word for word.")
        self.page.text(
            f"{len(self._statements)} statements that the assistant saved on the way: facts, wishes, a how-to."
        )
        masked = [turns[each["key"]] for each in self.history if turns[each["key"]].content != each["content"]]
        self.page.text(f"{counted(len(masked), 'turn')} held a secret. It was masked before anything reached the disk:")
        for hit in masked:
            self.page.quote(_said(hit))

    async def ask_all(self) -> None:
        """Days later, new conversations."""
        self.page.heading("2. Days later, new conversations")
        self.page.text(ASKING, indent=0)
        found = 0
        for each in self.script["prompts"]:
            self.clock.moment = each["at"]
            self.page.blank()
            found += await self._ask(each)
        needed = sum(len(each["expects"]) for each in self.script["prompts"])
        self.page.blank()
        self.page.text(
            f"In all, {found} of the {needed} turns that were needed are there, in {BUDGET} tokens a prompt.", indent=0
        )

    async def correct(self) -> None:
        """The person says that something was wrong; the assistant corrects it, and the prompt is asked again."""
        correction = self.script["correction"]
        wrong = self._statements[correction["of"]]
        self.clock.moment = correction["at"]
        await self._say(correction["said"])
        await self._memory.correct(wrong["id"], correction["to"])
        await self._memory.wait_until_embedded()
        self.page.heading("3. A correction")
        self.page.line((self._today, FAINT), (f'Nell: "{correction["said"]}"', HEADING))
        self.page.text("The assistant corrects what it had saved. The id stays, the old version is kept as history:")
        versions = (("was", wrong["content"]), ("is", correction["to"]))
        self.page.rows(([(f"    {wrong['id']}", ID), name], text) for name, text in versions)
        self.page.blank()
        self.page.text("The first question again:")
        self.clock.advance(minutes=1)
        await self._ask(self.script["prompts"][correction["again"]])

    async def explain(self) -> None:
        """Ask the memory for an explanation."""
        id = self._statements[self.script["explain"]]["id"]
        self.page.heading("4. How is that known?")
        self.page.text(f"`memory explain {id}` tells:", indent=0)
        self.page.blank()
        output.explanation(self.page, await self._memory.explain(id))

    async def confirm(self) -> None:
        """The person confirms a statement."""
        confirmed = self._statements[self.script["confirm"]]
        await self._memory.confirm(confirmed["id"], by_person=True)
        self.page.heading("5. A confirmation")
        self.page.text(f"Nell says that one thing is right, `memory confirm {confirmed['id']}`, and so it stays:")
        self.page.quote(confirmed["content"])

    async def live_on(self) -> None:
        """The weeks after: few prompts, and every night runs."""
        begin, weeks = self.clock.moment, self.script["weeks"]
        self.page.heading(f"6. {weeks} weeks later")
        self.page.text(FORGETTING, indent=0)
        self.page.blank()
        self.page.text("In these weeks, only this was asked:", indent=0)
        for night in range(1, 7 * weeks + 1):
            self.clock.moment = begin + timedelta(days=night)
            for each in self.script["meanwhile"]:
                if night == 7 * each["week"]:
                    await self._ask(each)
            await self.kernel.scheduler.run_due()
        records = [(await self._memory.explain(each["id"])).memory for each in self._statements]
        kept = [each for each in records if each.retired_by is None]
        faded = [each for each in records if each.retired_by is not None]
        self.page.blank()
        self.page.text(f"On {self._today} the assistant still believes {len(kept)} of its statements:", indent=0)
        self.page.rows(_fate(each, self._why_kept(each)) for each in kept)
        self.page.blank()
        self.page.text(f"{len(faded)} have faded; `memory restore ID` brings one back:", indent=0)
        self.page.rows(_fate(each, self._why_faded(each)) for each in faded)

    def end(self, home: str | None) -> None:
        """What to try now."""
        self.page.heading("Your turn")
        self.page.rows(([f"  {run}"], (why, FAINT)) for run, why in NEXT_STEPS)
        self.page.blank()
        if home:
            self.page.text(f'This memory is in {home}; try `memory --home {home} search "the piano"`.', indent=0)
        else:
            self.page.text("`memory demo --keep DIR` keeps this memory, to look around in it.", indent=0)

    @property
    def _extension(self) -> MemoryExtension:
        return cast("MemoryExtension", self.kernel.extension("memory"))

    @property
    def _memory(self) -> Memory:
        return self._extension.memory

    @property
    def _conversation(self) -> Exchange:
        return self.kernel.conversation("demo", speaker=self.history[0]["speaker"])

    @property
    def _statements(self) -> Sequence[dict[str, Any]]:
        return cast("Sequence[dict[str, Any]]", self.script["statements"])

    @property
    def _today(self) -> str:
        return self.page.day(self.clock.moment)

    async def _say(self, text: str, key: str | None = None) -> str:
        """Send a message; return the context for it."""
        parts = [part async for part in self._conversation.say(text, key=key)]
        await self.kernel.settled()
        await self._extension.settled()
        await self._memory.wait_until_embedded()
        return next(part.text for part in parts if isinstance(part, Context))

    async def _ask(self, prompt: dict[str, Any]) -> int:
        """Ask in a new conversation; tell the block, and whether it has each expected turn, as it was said or by a
        statement that was saved from it. The number of those that it has.
        """
        await self._conversation.begin()
        context = await self._say(prompt["prompt"])
        shown = [each for each in self._statements if each["id"] in context]
        self.shown.update({each["id"]: self.clock.moment for each in shown})
        saved = {key for each in shown for key in each["from"]}
        expected = [(key, (await self._turns())[key]) for key in prompt["expects"]]
        findings = [
            "found" if hit.content in context else "saved" if key in saved else "missing" for key, hit in expected
        ]
        found = len(findings) - findings.count("missing")
        self.page.line((self._today, FAINT), (f'Nell: "{prompt["prompt"]}"', HEADING))
        if context:
            self.page.text("The memory adds:")
            self.page.quote(context)
        else:
            self.page.text("The memory adds nothing: nothing in it is relevant.")
        self.page.text(f"Needed: {len(expected)}, there: {found}")
        for (_, hit), finding in zip(expected, findings, strict=True):
            style = BAD if finding == "missing" else GOOD
            self.page.brief((f"    {finding:7}", style), (self.page.day(hit.event_time), FAINT), _said(hit))
        return found

    async def _remember(self, saved: dict[str, Any]) -> None:
        turns = await self._turns()
        given = {name: saved[name] for name in ("type", "category", "subject", "at", "source")}
        rests_on = [turns[key].id for key in saved["from"]]
        saved["id"] = await self._memory.remember(saved["content"], rests_on=rests_on, **given)
        await self._memory.wait_until_embedded()

    async def _turns(self) -> dict[str, Hit]:
        """The stored turns of the history, by its keys; a reply has the key of its message."""
        keys = [each["key"] for each in self.history]
        stored = {
            reply_key(before) if each["role"] == "assistant" else each["key"]: each["key"]
            for before, each in zip(["", *keys], self.history, strict=False)
        }
        found = await self._memory.search("", limit=2 * len(keys), types=["episodic"], reinforce=False)
        return {stored[hit.key]: hit for hit in found if hit.key in stored}

    def _why_kept(self, memory: Record) -> str:
        if memory.trust == "confirmed":
            return "confirmed"
        if memory.fades_at is None:
            return "a standing wish" if memory.category in ("instruction", "preference") else "told on purpose"
        used = f"used on {self.page.day(self.shown[memory.id])}, " if memory.id in self.shown else ""
        return f"{used}fades on {self.page.day(memory.fades_at)}"

    def _why_faded(self, memory: Record) -> str:
        was = "only inferred, " if memory.source == "inferred" else ""
        used = f"last used on {self.page.day(self.shown[memory.id])}" if memory.id in self.shown else "never used"
        faded = f", faded on {self.page.day(memory.fades_at)}" if memory.fades_at else ""
        return f"{was}{used}{faded}"


def _fate(memory: Record, why: str) -> tuple[list[Part], str]:
    return [(f"  {memory.id}", ID)], f"{memory.content} ({why})"


def _said(hit: Hit) -> str:
    return f"{hit.speaker or hit.role}: {hit.content}"
