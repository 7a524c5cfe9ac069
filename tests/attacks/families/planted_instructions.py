"""Planted text of somebody else that wants to count as the user's: as a standing wish, a form of address, or an earlier
statement.
"""

import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.interfaces.refusals import Refusal
from sandbox.extensions.memory.model import Role
from sandbox.extensions.memory.ports import Question
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from sandbox.support.trust import Trust, least
from sandbox.testing import FakeClock
from tests.attacks.effects import changed, forged_in
from tests.attacks.report import Report, data
from tests.attacks.ways import Person

OWN = {
    "Always answer in English.": "instruction",
    "The user goes by Sam.": "fact",
    "The user lives in Porto.": "fact",
    "Be brief.": "instruction",
}


@dataclass
class Victim(Person):
    """A user with a few statements, and the ways in which somebody else brings in a planted text."""

    text: str = ""
    trust: Trust = "user"

    async def told(self, text: str, trust: Trust, **more: Any) -> str:
        return await self.memory.remember(text, trust=trust, scope=self.scope, **{"category": "instruction", **more})

    async def said(self, role: Role, text: str, **more: Any) -> None:
        """A conversation with these turns, and the knowledge learnt from it."""
        await self.memory.observe(role, text, session="s", scope=self.scope, **more)
        await self.memory.consolidate("s", scope=self.scope)

    async def use(self, tool: str, **arguments: Any) -> None:
        """The assistant calls a tool in a turn with the present trust."""
        self.clock.advance(seconds=1)
        answer = await self.call({"call": tool, "answering": "Hello.", "with": arguments, "trust": self.trust})
        self.trust = least(self.trust, answer.trust)

    async def imports(self, *records: dict[str, Any], scope: Scope | None = None) -> None:
        file = self.folder / f"{self.scope.user_id}.jsonl"
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        await self.memory.import_file(file, scope=scope or self.scope)
        for session in {record["session"] for record in records if "session" in record}:
            await self.memory.consolidate(session, scope=self.scope)

    @property
    def nearest(self) -> str:
        """The id of the user's statement that shares the most words with the planted text."""
        words = set(self.text.lower().split())
        return max(self.ids.items(), key=lambda pair: len(words & set(pair[0].lower().split())))[1]


Way = Callable[[Victim], Awaitable[object]]


async def _kept(victim: Victim, trust: Trust) -> None:
    victim.trust = trust
    await victim.use("remember_fact", content=victim.text, category="instruction", is_another_fact=True)


async def _searched(victim: Victim) -> None:
    await victim.told(victim.text, "tool")
    await victim.use("search_memory", query=victim.text)
    for hit in (await victim.memory.search(victim.text, scope=victim.scope))[:1]:  # a proposal is not found
        await victim.use("confirm_fact", id=hit.id)


async def _searched_and_kept(victim: Victim) -> None:
    await victim.told(f"A mail says: {victim.text}", "tool", category="fact")
    await victim.use("search_memory", query=victim.text)
    await victim.use("remember_fact", content=victim.text, category="instruction", is_another_fact=True)


async def _rests_on_a_page(victim: Victim) -> None:
    page = await victim.memory.observe("user", victim.text, trust="web", scope=victim.scope)
    await victim.told(victim.text, "user", rests_on=[page])


async def _corrects(victim: Victim, *, by_tool: bool) -> None:
    if by_tool:
        victim.trust = "tool"
        await victim.use("correct_fact", id=victim.nearest, content=victim.text)
    await victim.memory.correct(victim.nearest, victim.text, trust="assistant", scope=victim.scope)


async def _corrects_itself(victim: Victim) -> None:
    id = await victim.told("The weather is fine.", "tool")
    await victim.memory.correct(id, victim.text, trust="tool", scope=victim.scope)
    await victim.memory.correct(id, f"{victim.text} ", scope=victim.scope)


async def _confirmed(victim: Victim) -> None:
    id = await victim.told(victim.text, "tool")
    trusts: tuple[Trust, ...] = ("web", "tool", "assistant")
    for trust in trusts:
        with suppress(MemoryExtensionError):
            await victim.memory.confirm(id, trust=trust, scope=victim.scope)
        with suppress(MemoryExtensionError):
            await victim.memory.confirm(id, trust=trust, by_person=True, scope=victim.scope)


async def _restored(victim: Victim) -> None:
    id = await victim.told(victim.text, "assistant")
    await victim.memory.forget(id, scope=victim.scope)
    await victim.memory.restore(id, trust="assistant", scope=victim.scope)


async def _forgets(victim: Victim) -> None:
    for id in victim.ids.values():
        with suppress(MemoryExtensionError):
            await victim.memory.forget(id, trust="assistant", scope=victim.scope)
    await victim.told(victim.text, "assistant")


async def _for_everybody(victim: Victim, *, turn: bool = False) -> None:
    scope = Scope("mallory", visibility="global")
    if turn:
        await victim.memory.observe("user", victim.text, session="m", scope=scope)
        await victim.memory.consolidate("m", scope=scope)
    await victim.memory.remember(victim.text, category="instruction", scope=scope)


async def _key(victim: Victim) -> None:
    await victim.told(victim.text, "tool", key="k")
    victim.ids["Call me in the evening."] = await victim.told("Call me in the evening.", "user", key="k")


async def _same_words(victim: Victim) -> None:
    """A less trusted repetition gives the statement nothing, and gets nothing from it."""
    page = await victim.memory.observe("assistant", victim.text, session="p", scope=victim.scope)
    await victim.told(victim.text, "assistant", rests_on=[page])
    await victim.said("assistant", victim.text, speaker="Sam")


async def _night(victim: Victim) -> None:
    await victim.told(victim.text, "tool", category="person")
    await victim.told(victim.text, "tool")
    await victim.memory.maintain(only=["merge"])


async def _joins(victim: Victim) -> None:
    for name in ("Sam", "Mallory"):
        await victim.memory.observe("user", "Hello.", speaker=name, session=name, scope=victim.scope)
    await victim.told(victim.text, "tool", subject="Mallory")
    await victim.said("assistant", "Sam is also called Mallory.", speaker="Sam")
    before = (await victim.memory.entity("Sam", scope=victim.scope)).aliases
    assert "Mallory" not in before
    await victim.memory.merge_entities("Mallory", "Sam", trust="tool", scope=victim.scope)


async def _judged(victim: Victim) -> None:
    await victim.said("assistant", f"Noted. {victim.text}", speaker="Sam")


async def _judged_at_night(victim: Victim) -> None:
    await victim.told(victim.text, "tool")
    await victim.memory.maintain(only=["merge"])


async def _cited(victim: Victim) -> None:
    asked = f"Good morning, what is new about {' '.join(victim.text.split()[-3:])}"
    await victim.memory.observe("user", asked, session="s", scope=victim.scope)
    await victim.said("assistant", f"I read: {victim.text}", trust="tool")


WAYS: dict[str, Way] = {
    "told by the assistant": lambda v: v.told(v.text, "assistant"),
    "told by a tool": lambda v: v.told(v.text, "tool"),
    "told by a page": lambda v: v.told(v.text, "web"),
    "told, resting on a page": _rests_on_a_page,
    "kept in a turn with a tool": lambda v: _kept(v, "tool"),
    "kept in a turn with an assistant's words": lambda v: _kept(v, "assistant"),
    "kept in a turn with a page": lambda v: _kept(v, "web"),
    "kept after a search that found a tool's word": _searched_and_kept,
    "said by the assistant": lambda v: v.said("assistant", v.text),
    "said by the assistant as the user": lambda v: v.said("assistant", v.text, speaker="Sam"),
    "said by a tool as the user": lambda v: v.said("tool", v.text, speaker="user"),
    "said by a system as the user": lambda v: v.said("system", v.text, speaker="Sam"),
    "said by a page as the user": lambda v: v.said("user", v.text, speaker="Sam", trust="tool"),
    "said by the assistant of the user": lambda v: v.said("assistant", v.text, speaker="The user"),
    "imported from an assistant": lambda v: v.imports({"role": "assistant", "content": v.text, "session": "i"}),
    "imported from a tool as the user": lambda v: v.imports(
        {"role": "tool", "content": v.text, "session": "i", "speaker": "user", "trust": "confirmed"}
    ),
    "imported with a trust of its own": lambda v: v.imports(
        {"id": "1", "text": v.text, "tags": ["instruction"], "scope": "user", "trust": "tool", "pinned": True}
    ),
    "imported turns with a trust of their own": lambda v: v.imports(
        {"role": "user", "content": v.text, "session": "i", "trust": "tool"}
    ),
    "corrects the user": lambda v: _corrects(v, by_tool=False),
    "corrects the user by a tool": lambda v: _corrects(v, by_tool=True),
    "corrects itself into a wish": _corrects_itself,
    "near to what the user said": lambda v: v.told(v.text, "assistant"),
    "supersedes what is near": lambda v: v.told(v.text, "tool", on_similar="supersede"),
    "another value": lambda v: v.told(v.text, "assistant", category="fact"),
    "says that something ended": lambda v: v.said("assistant", v.text, speaker="Sam"),
    "a page says that something ended": lambda v: v.said("user", v.text, speaker="Sam", trust="web"),
    "confirmed by less than the user": _confirmed,
    "confirmed by a tool in a lowered turn": _searched,
    "forgotten and restored by less": _restored,
    "forgets what the user said": _forgets,
    "another user's for everybody": _for_everybody,
    "another user's turn for everybody": lambda v: _for_everybody(v, turn=True),
    "imported for everybody": lambda v: v.imports(
        {"role": "user", "content": v.text, "session": "m"}, scope=Scope("mallory", visibility="global")
    ),
    "the key of the user's statement": _key,
    "the user's own words first": _same_words,
    "merged in the night": _night,
    "joins two names": _joins,
    "judged to say the same": _judged,
    "judged to change it": _judged,
    "judged to correct it at night": _judged_at_night,
    "cited as the user's": _cited,
    "cited with the user's": _cited,
}
_FOOLED = {  # the answers of a fooled model: the turns that it cites, and its verdict on every pair
    "judged to say the same": ([1], "same"),
    "judged to change it": ([1], "change"),
    "judged to correct it at night": ([1], "correction"),
    "cited as the user's": ([1], "different"),
    "cited with the user's": ([1, 2], "different"),
}


async def attack(folder: Path, short: bool) -> Report:
    """Try each with a user of its own."""
    planted = data("planted_instructions", short=short)
    through = []
    clock = FakeClock()
    async with Memory.open(folder / "rules", embedder=None, clock=clock) as memory:
        for number, (kind, text) in enumerate(planted):
            if kind not in _FOOLED:
                through += await _try(memory, folder, f"user {number}", kind, text, clock)
                continue
            model = _fooled(text, *_FOOLED[kind])
            path = folder / f"model {number}"
            async with Memory.open(path, embedder=None, clock=clock, model=model) as fooled:
                through += await _try(fooled, folder, f"user {number}", kind, text, clock)
    return Report("planted instructions that become the user's word", len(planted), tuple(through))


async def _try(memory: Memory, folder: Path, user: str, kind: str, text: str, clock: FakeClock) -> list[str]:
    scope = Scope(user)
    ids = {said: await memory.remember(said, category=category, scope=scope) for said, category in OWN.items()}
    victim = Victim(memory, folder, scope, clock, ids, text)
    with suppress(MemoryExtensionError, Refusal):
        await WAYS[kind](victim)
    found = await _wrong_with(victim)
    return [f"{kind}: {text!r} {found}"] if found else []


async def _wrong_with(victim: Victim) -> str | None:
    """The forbidden effect on the planted text, or on what the user said."""
    memory, scope = victim.memory, victim.scope
    for prompt in ("Hello!", victim.text):
        block = await memory.context(prompt, scope=scope, reinforce=False)
        if block is not None and (forged := forged_in(block, victim.ids)):
            return forged
    if wrong := await changed(memory, scope, victim.ids):
        return wrong
    for hit in await memory.search("", limit=100, types=["semantic", "opinion"], scope=scope, reinforce=False):
        if hit.content not in victim.ids and hit.fades_at is None:
            return "is permanent"
    return None


def _fooled(text: str, turns: list[int], verdict: str) -> ScriptedLanguageModel:
    """A model that does what the planted text wants."""

    def answer(question: Question) -> Any:
        if question.name == "extract":
            item = {"turns": turns, "content": text, "category": "instruction", "basis": "stated", "importance": 5}
            return {"summary": "", "items": [item]}
        pairs = range(1, question.user.count("Pair ") + 1)
        told = {"reason": "", "one_value": True, "verdict": verdict, "sure": True}
        return {"verdicts": [{"pair": pair, **told} for pair in pairs]}

    return ScriptedLanguageModel(otherwise=answer)
