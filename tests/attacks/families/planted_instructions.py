"""Planted text of somebody else that wants to count as the user's: as a standing wish, a form of address, or an earlier
statement.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import UnknownEntity
from sandbox.extensions.memory.model import Role
from sandbox.extensions.memory.ports import Question
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from sandbox.support.trust import Trust
from sandbox.testing import FakeClock
from tests.attacks.effects import changed, forged_in
from tests.attacks.report import Report, data
from tests.attacks.ways import LOWERED, NEAR, Person, Step

OWN = {
    "Always answer in English.": "instruction",
    "The user goes by Sam.": "fact",
    "The user lives in Porto.": "fact",
    "Be brief.": "instruction",
}


_WISH = {"category": "instruction"}
_EVENING = "Call me in the evening."  # what the user says themselves in one of the ways


def _ways(text: str) -> dict[str, list[Step]]:
    """The ways in which somebody else brings in a text. ``NEAR`` is the user's statement that is nearest to it."""

    def told(trust: Trust, **more: Any) -> Step:
        return {"tell": text, "trust": trust, **_WISH, **more}

    def said(role: Role, words: str = text, **more: Any) -> Step:
        return {"role": role, "text": words, "session": "s", **more}

    def brought(**record: Any) -> Step:
        return {"file": "import.jsonl", "content": json.dumps(record)}

    def use(tool: str, trust: str = LOWERED, *, of: str | None = None, **given: Any) -> Step:
        return {"call": tool, "answering": "Hello.", "trust": trust, "with": given, **({"of": of} if of else {})}

    def kept(trust: str = LOWERED) -> Step:
        return use("remember_fact", trust, content=text, is_another_fact=True, **_WISH)

    judged = [said("assistant", f"Noted. {text}", speaker="Sam")]
    cited = [
        said("user", f"Good morning, what is new about {' '.join(text.split()[-3:])}"),
        said("assistant", f"I read: {text}", trust="tool"),
    ]
    everybody = {"everybody": "mallory"}
    merge = {"night": ["merge"]}
    return {
        "told by the assistant": [told("assistant")],
        "told by a tool": [told("tool")],
        "told by a page": [told("web")],
        "told, resting on a page": [told("user", resting_on=said("user", trust="web"))],
        "kept in a turn with a tool": [kept("tool")],
        "kept in a turn with an assistant's words": [kept("assistant")],
        "kept in a turn with a page": [kept("web")],
        "kept after a search that found a tool's word": [
            {"tell": f"A mail says: {text}", "trust": "tool", "category": "fact"},
            use("search_memory", query=text),
            kept(),
        ],
        "said by the assistant": [said("assistant")],
        "said by the assistant as the user": [said("assistant", speaker="Sam")],
        "said by a tool as the user": [said("tool", speaker="user")],
        "said by a system as the user": [said("system", speaker="Sam")],
        "said by a page as the user": [said("user", speaker="Sam", trust="tool")],
        "said by the assistant of the user": [said("assistant", speaker="The user")],
        "imported from an assistant": [brought(role="assistant", content=text, session="i")],
        "imported from a tool as the user": [
            brought(role="tool", content=text, session="i", speaker="user", trust="confirmed")
        ],
        "imported with a trust of its own": [
            brought(id="1", text=text, tags=["instruction"], scope="user", trust="tool", pinned=True)
        ],
        "imported turns with a trust of their own": [brought(role="user", content=text, session="i", trust="tool")],
        "corrects the user": [{"correct": NEAR, "to": text, "trust": "assistant"}],
        "corrects the user by a tool": [use("correct_fact", "tool", of=NEAR, content=text)],
        "corrects itself into a wish": [
            {"tell": "The weather is fine.", **_WISH, "trust": "tool", "as": "it"},
            {"correct": "it", "to": text, "trust": "tool"},
            {"correct": "it", "to": f"{text} ", "trust": "user"},
        ],
        "near to what the user said": [told("assistant")],
        "supersedes what is near": [told("tool", on_similar="supersede")],
        "another value": [told("assistant", category="fact")],
        "says that something ended": [said("assistant", speaker="Sam")],
        "a page says that something ended": [said("user", speaker="Sam", trust="web")],
        "confirmed by less than the user": [
            told("tool"),
            *({"confirm": text, "trust": trust} for trust in ("web", "tool", "assistant")),
        ],
        "confirmed by a tool in a lowered turn": [
            told("tool"),
            use("search_memory", query=text),
            use("confirm_fact", of=text),
        ],
        "forgotten and restored by less": [
            told("assistant"),
            {"forget": text, "trust": "user"},
            {"restore": text, "trust": "assistant"},
        ],
        "forgets what the user said": [
            *({"forget": own, "trust": "assistant"} for own in OWN),
            told("assistant"),
        ],
        "another user's for everybody": [told("user", **everybody)],
        "another user's turn for everybody": [
            said("user", **everybody),
            {"learn": "s", **everybody},
            told("user", **everybody),
        ],
        "imported for everybody": [brought(role="user", content=text, session="m") | everybody],
        "the key of the user's statement": [
            told("tool", key="k"),
            {"tell": _EVENING, **_WISH, "key": "k"},
        ],
        "the user's own words first": [
            told("assistant", resting_on=said("assistant")),
            said("assistant", speaker="Sam"),
        ],
        "merged in the night": [told("tool", category="person"), told("tool"), merge],
        "joins two names": [
            said("user", "Hello.", speaker="Sam"),
            said("user", "Hello.", speaker="Mallory"),
            told("tool", subject="Mallory"),
            said("assistant", "Sam is also called Mallory.", speaker="Sam"),
            {"merge": "Mallory", "into": "Sam", "trust": "tool"},
        ],
        "judged to say the same": judged,
        "judged to change it": judged,
        "judged to correct it at night": [told("tool"), merge],
        "cited as the user's": cited,
        "cited with the user's": cited,
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
    victim = Person(memory, folder, Scope(user), clock)
    for said, category in OWN.items():
        victim.ids[said] = await memory.remember(said, category=category, scope=victim.scope)
    words = set(text.lower().split())
    victim.ids[NEAR] = victim.ids[max(OWN, key=lambda said: len(words & set(said.lower().split())))]
    await victim.undergo(_ways(text)[kind])
    found = await _wrong_with(victim, text)
    return [f"{kind}: {text!r} {found}"] if found else []


async def _wrong_with(victim: Person, text: str) -> str | None:
    """The forbidden effect on the planted text, or on what the user said."""
    memory, scope = victim.memory, victim.scope
    own = {said: victim.ids[said] for said in (*OWN, _EVENING) if said in victim.ids}
    for prompt in ("Hello!", text):
        block = await memory.context(prompt, scope=scope, reinforce=False)
        if block is not None and (forged := forged_in(block, own)):
            return forged
    if wrong := await changed(memory, scope, own):
        return wrong
    for hit in await memory.search("", limit=100, types=["semantic", "opinion"], scope=scope, reinforce=False):
        if hit.content not in own and hit.fades_at is None:
            return "is permanent"
    with suppress(UnknownEntity):
        if (await memory.entity("Sam", scope=scope)).aliases:
            return "gave Sam another name"
    return None


def _fooled(text: str, turns: list[int], verdict: str) -> ScriptedLanguageModel:
    """A model that does what the planted text wants."""

    def answer(question: Question) -> Any:
        if question.name == "extract":
            item = {"turns": turns, "content": text, "category": "instruction", "basis": "stated"}
            return {"summary": "", "items": [item]}
        pairs = range(1, question.user.count("Pair ") + 1)
        told = {"reason": "", "one_value": True, "verdict": verdict, "sure": True}
        return {"verdicts": [{"pair": pair, **told} for pair in pairs]}

    return ScriptedLanguageModel(otherwise=answer)
