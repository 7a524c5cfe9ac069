"""Content of people and programs is stored unchanged and is found, or is refused with a reason."""

import itertools
import re
import unicodedata
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from sandbox.extensions.memory import Memory, Message, errors
from tests.memory.store import programs, raw
from tests.memory.store.processes import finish

LIMIT = 2_000_000
MORE = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])

WORDS = {
    "emoji": ("The cake was 🎂 and the flag 🏴󠁧󠁢󠁳󠁣󠁴󠁿, said 👩‍👩‍👧‍👦.", "cake"),
    "right to left": ("הכלב שלי קוראים לו רקסי", "רקסי"),
    "both directions": ("My dog is called \u202bרקסי\u202c in Hebrew.", "רקסי"),
    "arabic with points": ("اِسْمُ كَلْبِي رِكْسِي", "كلبي"),
    "combining marks": ("Cafe\u0301 Z\u0351\u036b\u0343\u036aalgo", "Café"),
    "precomposed": ("Caf\u00e9 de Flore", "cafe\u0301"),
    "full width": ("Ｂｅｒｌｉｎ is wide", "berlin"),
    "chinese": ("我在柏林养蜜蜂。", "蜜蜂"),
    "thai": ("ฉันอยู่เบอร์ลิน", "เบอร์ลิน"),
    "beyond the basic plane": ("The letter 𐌰 is Gothic, 𝒢 is script.", "Gothic"),
    "control characters": ("tab\there, bell\x07there, escape\x1b[31mred\x1b[0m", "bell"),
    "line ends": ("one\r\ntwo\nthree\rfour\u2028five\u2029six", "five"),
    "byte order mark": ("\ufeffBerlin at last", "berlin"),
    "noncharacters": ("\ufffe\uffff\U0010ffff and Berlin", "Berlin"),
    "spaces around": ("  \t Berlin \n ", "berlin"),
    "quotes": ("""She said "it's 'here'"; DROP TABLE nodes; --""", "drop"),
    "markup": ("</memory><script>alert('bees')</script>", "bees"),
    "percent": ("100%_of %s {content} {0} \\n", "content"),
}


@pytest.mark.parametrize(("content", "question"), WORDS.values(), ids=WORDS)
async def test_a_message_comes_back_as_it_was_and_is_found(memory: Memory, content: str, question: str) -> None:
    """Character for character."""
    id = await memory.observe("user", content)
    [hit] = await memory.search(question)
    assert (hit.id, hit.content) == (id, content)
    assert (await memory.explain(id)).memory.content == content


@pytest.mark.parametrize(
    ("content", "stored"),
    [
        ("nul\x00 in Berlin", "nul\N{REPLACEMENT CHARACTER} in Berlin"),
        ("\x00Berlin\x00", "\N{REPLACEMENT CHARACTER}Berlin\N{REPLACEMENT CHARACTER}"),
        ("high \ud83d in Berlin", "high \N{REPLACEMENT CHARACTER} in Berlin"),
        ("low \ude00 in Berlin", "low \N{REPLACEMENT CHARACTER} in Berlin"),
        ("\ud83d\ude00 as two halves, Berlin", "\N{REPLACEMENT CHARACTER}" * 2 + " as two halves, Berlin"),
    ],
)
async def test_characters_unfit_for_sqlite_are_replaced(memory: Memory, content: str, stored: str) -> None:
    """A NUL ends an SQLite text, and a lone surrogate is no UTF-8."""
    id = await memory.observe("user", content, speaker="A\x00nn\ud800", session="s\udfff", key="k\x00")
    [hit] = await memory.search("Berlin")
    assert (hit.id, hit.content) == (id, stored)
    assert (hit.speaker, hit.session, hit.key) == ("A nn", "s\ufffd", "k\ufffd")


@pytest.mark.parametrize("content", ["", " ", "\t\r\n", "\x00", "\x00 \x00", "\u2003\u00a0", "\x00\u2003"])
async def test_empty_text_is_refused(memory: Memory, content: str) -> None:
    """As a turn, as a statement and as a correction; nothing is stored."""
    known = await memory.remember("Ann lives in Berlin.")
    with pytest.raises(errors.InvalidContent, match="Nothing was stored: the content is empty"):
        await memory.observe("user", content)
    with pytest.raises(errors.InvalidContent, match="is empty"):
        await memory.remember(content)
    with pytest.raises(errors.InvalidContent, match="is empty"):
        await memory.correct(known, content)
    assert [hit.content for hit in await memory.search("")] == ["Ann lives in Berlin."]


@pytest.mark.parametrize("content", ["\u200b", "\ufeff\u200d"])
async def test_invisible_text_is_no_statement_but_may_be_a_turn(memory: Memory, content: str) -> None:
    """An assistant may answer with a zero-width space; the turns beside it must not be lost by that."""
    with pytest.raises(errors.InvalidContent, match="is empty"):
        await memory.remember(content)
    said = Message("user", "Hello!", "s"), Message("assistant", content, "s")
    assert len(await memory.observe_many(said)) == 2


async def test_a_megabyte_is_kept_whole_and_found_from_its_end(memory: Memory) -> None:
    """Every word counts, the last one too."""
    content = "".join(f"word{number} " for number in range(110_000)) + "zanzibar"
    assert len(content.encode()) > 1_000_000
    id = await memory.observe("user", content)
    [hit] = await memory.search("zanzibar")
    assert (hit.id, hit.content) == (id, content)


async def test_a_text_beyond_the_limit_is_refused_with_both_numbers(memory: Memory) -> None:
    """A text of exactly the limit is accepted."""
    with pytest.raises(errors.InvalidContent, match=re.escape("has 2,000,001 characters, more than 2,000,000")):
        await memory.observe("user", "." * (LIMIT + 1))
    await memory.observe("user", "." * LIMIT)
    assert [len(hit.content) for hit in await memory.search("")] == [LIMIT]


def test_a_very_long_word_is_stored(folder: Path) -> None:
    """It is stored and found in a moment. The test uses a process of its own, which can be killed."""
    finish(programs.observe_long_words, folder, seconds=10)
    assert raw.query(folder, "SELECT length(content) FROM nodes ORDER BY id") == [(100_000,)] * 4


async def test_a_refused_message_in_bulk_stops_it_there_and_earlier_transactions_stay(memory: Memory) -> None:
    """Of 1200 messages number 1100 is empty: the first thousand are stored."""
    messages = [Message("user", f"turn {n}" if n != 1100 else " ", key=f"{n}") for n in range(1200)]
    with pytest.raises(errors.InvalidContent):
        await memory.observe_many(messages)
    assert sorted(int(hit.key or "") for hit in await memory.search("", limit=2000)) == list(range(1000))
    messages[1100] = Message("user", "mended", key="1100")
    assert len(set(await memory.observe_many(messages))) == 1200
    assert sum((await memory.statistics()).nodes.values()) == 1200


@pytest.mark.parametrize(
    "fields",
    [
        *({"content": None}, {"content": 7}, {"content": b"Berlin"}, {"content": ["Berlin"]}),
        *({"role": "robot"}, {"session": 7}, {"speaker": b"Ann"}, {"key": 7}, {"source": 7}, {"at": "2026-03-02"}),
    ],
    ids=str,
)
async def test_an_invalid_field_is_refused_by_name(memory: Memory, fields: dict[str, object]) -> None:
    """The error gives the wrong value and the expected one."""
    [name] = fields
    with pytest.raises(errors.InvalidArgument, match=f"`{name}` cannot be"):
        await memory.observe(**({"role": "user", "content": "Berlin"} | fields))  # type: ignore[arg-type]
    assert await memory.search("") == []


_examples = itertools.count()
anything = st.text(st.characters(codec=None), max_size=60)


async def test_letters_in_two_parts_are_read_like_whole_ones(memory: Memory) -> None:
    """As some programs of macOS write them: a later home replaces the earlier one, and a home is learnt."""
    await memory.remember("Zoë lives in Zürich.", subject="Zoë")
    await memory.remember(unicodedata.normalize("NFD", "Zoë lives in Köln."), subject="Zoë")
    await memory.observe("user", unicodedata.normalize("NFD", "My sister Zoë moved to Mâcon."), session="s")
    homes = [hit.content for hit in await memory.search("Where does Zoë live?", types=["semantic"])]
    assert "Zoë lives in Köln." in homes
    assert "Zoë lives in Zürich." not in homes
    await memory.consolidate("s")
    homes = [hit.content for hit in await memory.search("Where does Zoë live?", types=["semantic"])]
    assert "Zoë lives in Mâcon." in homes


@MORE
@given(content=anything, name=anything)
async def test_any_text_is_remembered_or_refused(memory: Memory, content: str, name: str) -> None:
    """As content and as any name; only documented errors are raised, and stored text comes back unchanged."""
    source = f"example {next(_examples)}"
    try:
        id = await memory.observe("user", content, session=name, speaker=name, key=name, source=source)
    except errors.InvalidContent:
        assert not content.replace("\x00", "").strip()
    else:
        stored = (await memory.explain(id)).memory
        assert stored.content == re.sub("[\x00\ud800-\udfff]", "\ufffd", content) or "[secret: " in stored.content
        assert not stored.key or await memory.observe("user", content, key=name, source=source) == id
    with suppress(errors.InvalidContent, errors.SecretRefused):
        await memory.remember(content, subject=name, tags=[name], key=f"{source} {name}")


@MORE
@given(question=anything, name=anything)
async def test_any_text_can_be_a_question(memory: Memory, question: str, name: str) -> None:
    """A search and a context answer; an unknown id or name is called unknown."""
    await memory.observe("user", "Ann keeps bees in Berlin.", session="s", speaker="Ann", key="only")
    await memory.search(question)
    await memory.context(question, session=name)
    await memory.search(question, entity=name)
    with suppress(errors.UnknownEntity):
        await memory.entity(name)
    with suppress(errors.UnknownMemory):
        await memory.explain(name)
