"""A hit names the edges of the graph that led to it, and their seeds."""

from sandbox.extensions.memory import Hit, Memory, Message
from sandbox.extensions.memory.model import GraphPath
from sandbox.testing import FakeClock


async def found(memory: Memory, question: str) -> dict[str, Hit]:
    """The hits of a question, by content."""
    return {hit.content: hit for hit in await memory.search(question)}


async def said(memory: Memory, *turns: tuple[str, str]) -> list[str]:
    """The ids of turns of one conversation, each with its speaker."""
    return await memory.observe_many(Message("user", content, "s", speaker=speaker) for speaker, content in turns)


async def test_an_answer_is_found_through_its_question(memory: Memory) -> None:
    question, _, _ = await said(
        memory, ("A", "Where did you grow up?"), ("B", "In a small town near Leeds."), ("A", "Nice, nice indeed.")
    )
    hits = await found(memory, "where did he grow up?")
    assert hits["Where did you grow up?"].edges == ()
    assert hits["In a small town near Leeds."].edges == (GraphPath("temporal", question),)
    assert hits["Nice, nice indeed."].edges == (GraphPath("temporal", question, 2),)


async def test_a_hit_found_by_words_names_no_weak_edge(memory: Memory) -> None:
    await said(memory, ("A", "The staging server listens on port 5432."), ("B", "A port? That is entirely fine."))
    hits = await found(memory, "which port does the staging server listen on?")
    assert hits["The staging server listens on port 5432."].edges == ()


async def test_a_replacement_names_its_predecessor(memory: Memory, clock: FakeClock) -> None:
    old = await memory.remember("Ann lives in Berlin.", subject="Ann")
    clock.advance(days=30)
    await memory.remember("Ann lives in Potsdam.", subject="Ann")
    hits = {hit.content: hit for hit in await memory.search("Ann lives in Berlin?", history=True)}
    assert GraphPath("supersedes", old) in hits["Ann lives in Potsdam."].edges
    assert all(edge.relation != "supersedes" for edge in hits["Ann lives in Berlin."].edges)


async def test_a_named_person_is_shown_with_the_role(memory: Memory) -> None:
    await memory.observe("user", "The budget is too small.", speaker="Ann")
    await memory.observe("user", "The budget is fine.", speaker="Bob")
    hits = await found(memory, "what does Ann say of the budget?")
    assert hits["The budget is too small."].edges == (GraphPath("speaker", "Ann"),)
    assert hits["The budget is fine."].edges == ()
