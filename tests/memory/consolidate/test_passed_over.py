"""Why nothing, or less than a turn says, was learnt from it."""

from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import UnknownSession
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from tests.memory.consolidate.test_sessions import say

PASTED = "Summarize this email:\n\n> Dear all,\n> I live in Rome and I like opera.\n> Bob"


async def why(memory: Memory, scope: Scope | None = None, **page: int) -> dict[str, tuple[str, ...]]:
    """The reasons for turns, by the beginning of each."""
    said = {each.turn.id: each.turn.content for each in (await memory.turns("s1")).turns}
    found = await memory.passed_over("s1", scope=scope or Scope(), **page)
    return {said[each.id][:12]: each.reasons for each in found}


async def test_each_turn_says_why_nothing_was_learnt_from_it(memory: Memory) -> None:
    await say(memory, "I live in Berlin.")
    await memory.observe("assistant", "A fine city.", session="s1")
    await memory.observe("tool", "exit 0", session="s1")
    for text in (
        "My password is hunter2horse!",
        "Where does my sister live? And when?",
        "If it rains tomorrow then perhaps we should think about the thing.",
        PASTED,
        "Hm, well.",
    ):
        await say(memory, text)
    assert set((await why(memory)).values()) == {("not read yet",), ("neither a person nor an assistant said it",)}
    before = await memory.changes()
    await memory.consolidate("s1")
    learnt = await memory.changes()
    found = await why(memory)
    assert "I live in Be" not in found
    assert found["A fine city."] == ("an assistant said it",)
    assert found["exit 0"] == ("neither a person nor an assistant said it",)
    assert found["Where does m"] == ("question",)
    assert found["If it rains "] == ("the rules do not know this way of saying it",)
    assert found["Summarize th"][0] == "in part somebody else's words"
    assert found["Hm, well."] == ("nothing to keep",)
    assert await memory.changes() == learnt != before
    assert list(await why(memory, offset=1, limit=2)) == list(found)[:2]
    with pytest.raises(UnknownSession):
        await why(memory, Scope("bob"))


async def test_a_forgotten_fact_is_named_beside_its_turn(memory: Memory) -> None:
    await say(memory, "I live in Berlin.")
    report = await memory.consolidate("s1")
    (fact,) = report.learnt
    assert (await why(memory), report.skipped) == ({}, {})
    await memory.forget(fact.id)
    assert await why(memory) == {"I live in Be": ("was forgotten or corrected",)}


async def test_announced_text_of_others_is_recognised_across_pages(memory: Memory) -> None:
    await say(memory, "Here is the bio of somebody else:")
    await say(memory, "I live in Rome.")
    await memory.consolidate("s1")
    assert (await why(memory))["I live in Ro"] == ("somebody else's words",)
    assert await why(memory, offset=1) == {"I live in Ro": ("somebody else's words",)}


async def test_turns_read_by_a_model_have_no_reasons_of_the_rules(folder: Path) -> None:
    model = ScriptedLanguageModel({"items": [], "summary": ""})
    async with Memory.open(folder, embedder=None, model=model) as memory:
        await say(memory, "If it rains tomorrow then perhaps we should think about the thing.")
        await say(memory, PASTED)
        await memory.consolidate("s1")
        found = await why(memory)
        assert found["If it rains "] == ("nothing to keep",)
        assert found["Summarize th"] == ("in part somebody else's words",)
