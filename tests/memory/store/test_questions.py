"""Questions are words, never operators."""

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import InvalidArgument, MemoryExtensionError, UnknownMemory
from sandbox.extensions.memory.model import Scope
from sandbox.testing import FakeClock

OPERATORS = [
    'bees"',
    '"bees',
    "'bees",
    '"bees" AND "wasps"',
    "bees OR NOT wasps",
    "NOT bees",
    "bees NOT bees",
    "bees*",
    "*bees",
    "NEAR(bees hives, 2)",
    "NEAR(bees",
    "NEAR bees",
    "terms:bees",
    "who:bees",
    "nothing:bees",
    "-bees",
    "- bees",
    "^bees",
    "^ bees ^",
    "bees + hives",
    "(bees",
    "bees)))",
    "((bees) AND",
    "{terms who}: bees",
    "- {terms}: bees",
    "bees; DROP TABLE nodes; --",
    "bees' OR '1'='1",
    "bees\x00hives",
    "bees \ud800",
    "bees\\",
    "%bees_",
    ":bees",
    "?1 bees",
    "$bees @bees #bees",
]


@pytest.mark.parametrize("question", OPERATORS)
async def test_operators_in_a_question_are_only_signs(memory: Memory, question: str) -> None:
    """A search and a context find the word in it."""
    await memory.remember("I keep bees.")
    await memory.observe("user", "It rained all day.")
    assert [hit.content for hit in await memory.search(question)] == ["I keep bees."]
    assert "I keep bees." in str(await memory.context(question))


@pytest.mark.parametrize(
    "question",
    [
        "what is the",
        "the of and to",
        "?",
        '"',
        "...",
        "()",
        "* - ^ :",
        "'''",
        "🎂",
        "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
        "\x00",
        "\ud800",
        "\u0301",
        "AND OR NOT",
    ],
)
async def test_a_question_without_a_word_finds_nothing(memory: Memory, question: str) -> None:
    """Stop words, punctuation, emoji, invalid characters: no error, and no unrelated result."""
    await memory.observe("user", "I keep bees.")
    assert await memory.search(question) == []
    assert await memory.context(question) is None


@pytest.mark.parametrize("question", ["", " ", "\n\t"])
async def test_an_empty_question_finds_the_latest(memory: Memory, question: str) -> None:
    """The last turn first."""
    await memory.observe("user", "I keep bees.")
    await memory.observe("user", "It rained all day.")
    assert [hit.content for hit in await memory.search(question)] == ["It rained all day.", "I keep bees."]
    assert await memory.context(question) is None


async def test_a_question_of_a_megabyte_finds_its_first_words(embedded: Memory) -> None:
    """A pasted page is a question like any other; the words behind the limit are not read."""
    await embedded.remember("I keep bees.")
    await embedded.wait_until_embedded()
    question = "bees " + "".join(f"word{number} " for number in range(90_000))
    [hit] = await embedded.search(question)
    assert hit.content == "I keep bees."
    assert "I keep bees." in str(await embedded.context(question))


@pytest.mark.parametrize("id", ["AAAAAAAA", "", "x" * 1000, "%", "\x00", "\ud800", "'; --"])
async def test_an_unknown_id_is_reported(memory: Memory, id: str) -> None:
    """For any text as an id, and for every method."""
    for attempt in (memory.explain, memory.confirm, memory.forget, memory.restore):
        with pytest.raises(UnknownMemory):
            await attempt(id)
    with pytest.raises(UnknownMemory):
        await memory.correct(id, "Ann lives in Bonn.")


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "10"])
async def test_an_invalid_limit_is_refused(memory: Memory, limit: int) -> None:
    """The error names valid values."""
    with pytest.raises(InvalidArgument, match=r"`limit` cannot be .* whole number"):
        await memory.search("bees", limit=limit)
    with pytest.raises(InvalidArgument, match="`limit`"):
        await memory.weak(limit=limit)
    with pytest.raises(InvalidArgument, match="`budget`"):
        await memory.context("bees", budget=limit)


@pytest.mark.parametrize("limit", [2**31, 2**63, 10**30])
async def test_a_very_large_limit_means_everything(memory: Memory, clock: FakeClock, limit: int) -> None:
    """The same holds for a budget."""
    await memory.observe("user", "I keep bees.")
    await memory.remember("Ann keeps bees.", source="inferred")
    clock.advance(days=50)
    assert len(await memory.weak(limit=limit)) == 1
    assert len(await memory.search("bees", limit=limit)) == 2
    assert "I keep bees." in str(await memory.context("bees", budget=limit))
    assert len(await memory.search("", limit=limit)) == 2


@pytest.mark.parametrize("name", ["\ud800", "\x00", "'; --", "🎂"])
async def test_a_scope_of_any_name_is_a_scope_of_its_own(memory: Memory, name: str) -> None:
    """Or is refused; others do not see its memories."""
    await memory.observe("user", "I keep bees.")
    scope = Scope(user_id=name, session_id=name, project_id=name)
    try:
        await memory.observe("user", "I keep wasps.", scope=scope)
        assert [hit.content for hit in await memory.search("", scope=scope)] == ["I keep wasps."]
    except MemoryExtensionError:
        pass
    assert [hit.content for hit in await memory.search("")] == ["I keep bees."]
