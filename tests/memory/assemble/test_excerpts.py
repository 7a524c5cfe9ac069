"""Excerpts of a long turn: the passages that answer the question."""

from time import process_time

import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.assemble.excerpts import GAP, excerpt
from sandbox.extensions.memory.text.words import terms
from tests.memory.hits import present

ADVICE = (
    "Here are some ideas for the garden. Start with the soil. Water it early in the morning.\n"
    "1. Roses like sun and a deep bed.\n2. Hostas like shade.\n3. Lavender needs drainage, so mix in grit.\n"
    "Cut everything back in March. Good luck with it!"
)

texts = st.text("ab .!?\n…。я", max_size=300)


def asked(question: str) -> dict[str, float]:
    return dict.fromkeys(terms(question), 1.0)


@given(texts, texts, st.integers(0, 300))
def test_an_excerpt_keeps_its_length_and_adds_nothing_to_the_text(text: str, question: str, most: int) -> None:
    said = excerpt(text, asked(question), most)
    assert len(said) <= max(most, 0)
    at = 0
    for part in said.split(GAP) if len(text) > most else [said]:
        for word in part.split():
            at = text.index(word, at) + len(word)
    assert excerpt(text, asked(question), len(text)) == text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what did you say about lavender?", "… 3. Lavender needs drainage, so mix in grit. …"),
        (
            "when do I cut the lavender back?",
            "… 3. Lavender needs drainage, so mix in grit. Cut everything back in March. …",
        ),
        ("roses and watering", "… Water it early in the morning. 1. Roses like sun and a deep bed. …"),
        ("and the engine?", "Here are some ideas for the garden. Start with the soil. …"),
    ],
)
def test_an_excerpt_has_the_passages_that_answer_the_question(question: str, expected: str) -> None:
    assert excerpt(ADVICE, asked(question), len(expected) + 8) == expected


def test_a_long_passage_is_cut_between_words() -> None:
    assert excerpt("word " * 100, {}, 30) == "word word word word word…"
    assert excerpt("word " * 50 + "end. And more.", {}, 30) == "word word word word word…"


@pytest.mark.parametrize(
    ("around", "telling", "question"),
    [
        ("and on and on we went ", "the borzoi is called Rex", "what is the borzoi called"),
        ("我们谈了很多关于旅行和天气的事情，", "我的狗叫小白，", "我的狗叫什么"),
    ],
)
def test_a_passage_is_found_in_a_text_without_sentences(around: str, telling: str, question: str) -> None:
    said = excerpt(f"{around * 200}{telling} {around * 200}", asked(question), 400)
    assert telling in said
    assert said.startswith(GAP)


LONG = {
    "sentences": "And so we went on along the river, as ever. ",
    "lines": "error: no such thing\n",
    "words": "and on and on ",
    "no end": "x" * 3_000 + " ",
    "汉字": "我们谈了很多关于旅行和天气的事情，",
}


@pytest.mark.parametrize("place", [0.0, 0.3, 0.77, 1.0])
@pytest.mark.parametrize("around", LONG)
def test_a_passage_is_found_anywhere_in_a_very_long_text(around: str, place: float) -> None:
    """Also if half of the question's words are everywhere."""
    filler = LONG[around] * (300_000 // len(LONG[around]))
    at = filler.index(LONG[around][-1], min(int(place * len(filler)), len(filler) - 1)) + 1
    told = "The borzoi on the river is called Rex. "
    said = excerpt(f"{filler[:at]}\n{told}{filler[at:]}", {"borzoi": 3.0, "river": 1.1, "call": 2.0}, 600)
    assert told.strip() in said
    assert len(said) <= 600


@pytest.mark.parametrize("around", [*LONG.values(), " ", "\n", ". ", "…", "。", "a.", "é "])
def test_the_time_grows_as_the_text(around: str) -> None:
    """For a text that is ten times as long it may take twenty times as long."""
    wanted = {"borzoi": 3.0, "river": 1.1, "error": 1.0}

    def seconds(size: int) -> float:
        text = around * (size // len(around)) + "x"
        begun = process_time()
        excerpt(text, wanted, 600)
        return process_time() - begun

    assert seconds(1_000_000) < 20 * max(seconds(100_000), 0.05)


def test_a_gap_marks_the_unread_rest_of_a_text() -> None:
    assert excerpt(f"{'word ' * 20}word. " * 700, {}, 55_000).endswith(f" {GAP}")


async def test_a_turn_too_long_for_a_block_is_shown_in_part(embedded: Memory) -> None:
    long = ADVICE + " And so on, as ever, with more of it." * 60
    await embedded.observe("assistant", long, session="s1", speaker="assistant", key="long")
    await embedded.observe("user", "Lavender grows beside the gate.", session="s1", speaker="Ann", key="short")
    block = present(await embedded.context("how does lavender grow?", session="s2", budget=200))
    assert block.tokens <= 200
    shown = {item.key: item for item in block.items}
    assert "Lavender needs drainage" in shown["long"].content
    assert not shown["long"].whole
    assert len(shown["long"].content) < len(long) / 3
    assert shown["short"].whole
    assert shown["long"].content in block.text


async def test_passages_denser_than_their_turn_are_cut_once_more(embedded: Memory) -> None:
    plain = "Plain words stand here for a long time and say nothing. " * 40
    long = plain + "\n".join(f"Ключ сада: 0x{number:08x}-9f3a/{number}ё≠ю." for number in range(40))
    await embedded.observe("assistant", long, session="s1", key="long")
    for number in range(3):
        await embedded.observe("user", f"The garden сада has {number} roses.", session=f"s{number}", key=str(number))
    block = present(await embedded.context("garden сада ключ", session="s2", budget=100))
    assert block.tokens <= 100
    assert [item.key for item in block.items] == ["long"]
