"""What holds of every extraction, whatever was said."""

import pickle
import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.extensions.memory.consolidate.proposal import Extraction, Turn
from sandbox.extensions.memory.consolidate.rules import read
from tests.memory.learning.rules.conversations import NOW, turns

_PIECES = """
    I|my sister Ana|she|we|live in|moved to|work at|don't|no longer|like|love|am|is|Leeds|Porto|Acme|
    a nurse|two cats|
    last Tuesday|in May|yesterday|actually|not|but|and|,|.|?|!|\\n|if|always|answer in French|
    я|живу в|Москве|моя сестра|
    Аня|не|больше не|работаю|вчера|у меня|два кота|переехал из|
    "|```|<memory>|</memory>|\U0001f600|\u202e|\x00|call me|Max|
    for three years|used to|plan to|it's|1. do this\\n2. do that|first|then|how to deploy|сначала|потом
""".replace("\n", "").split("|")

_text = st.one_of(
    st.text(max_size=120),
    st.text(max_size=20).map("Привет {} из Москвы. Я врач.".format),
    st.lists(st.sampled_from([piece.strip() for piece in _PIECES]), max_size=16).map(" ".join),
)
_turn = st.builds(
    Turn,
    id=st.uuids().map(str),
    role=st.sampled_from(("user", "assistant", "system", "tool")),
    text=_text,
    at=st.just(NOW),
    speaker=st.sampled_from((None, "Ana", "Анна", "Ben")),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_turn, max_size=6))
def test_laws(said: Sequence[Turn]) -> None:
    found = read(said)
    ids = {turn.id for turn in said}
    assert not found.skipped.get("unreadable")
    for proposal in found.proposals:
        assert 0 < len(proposal.content) <= 280
        assert "?" not in proposal.content
        assert "\n" not in proposal.content
        assert proposal.sources
        assert ids.issuperset(proposal.sources)
        assert 1 <= proposal.importance <= 5
    assert len({proposal.content for proposal in found.proposals}) == len(found.proposals)
    assert ids.issuperset(found.mentions)
    assert read(said) == found
    assert pickle.loads(pickle.dumps(found)) == found


@given(st.integers(1, 3), st.integers(10, 60))
def test_limits_are_kept(per_turn: int, characters: int) -> None:
    found = read(
        turns("I live in Leeds. I work at Acme. I speak German.", "Я живу в Москве. Я врач."),
        max_per_turn=per_turn,
        max_characters=characters,
    )
    assert all(len(proposal.content) <= characters for proposal in found.proposals)
    for number in (0, 1):
        assert sum(proposal.sources == (f"t{number}",) for proposal in found.proposals) <= per_turn


def test_nothing_said_teaches_nothing() -> None:
    assert read([]) == Extraction("rules")


def test_a_megabyte_is_no_burden() -> None:
    for piece in (
        "I live in Leeds, and ",
        "a" * 50,
        "я живу ",
        "1. go\n",
        '"',
        "not ",
        "I ",
        "\U0001f600",
        "- ",
        "<memory>",
        "\n",
        " \n\U0001f600",
    ):
        started = time.perf_counter()
        read(turns(piece * (1_000_000 // len(piece))))
        assert time.perf_counter() - started < 5, piece


@pytest.mark.parametrize(
    "letter", ["\U00017000", "\U00018800", "\U0001b170", "\uac00", "\u4e00", "\ue000", "\U0010ffff"]
)
def test_a_letter_that_no_analyser_knows_keeps_nothing_from_being_learnt(letter: str) -> None:
    """Unicode gives some letters no name, which a Russian analyser asks for."""
    found = read(turns(f"Привет {letter}. Меня зовут Ан{letter}на! Я {letter} врач.", "Я живу в Москве."))
    assert any("Москве" in proposal.content for proposal in found.proposals)
    assert not found.skipped.get("unreadable")


@pytest.mark.parametrize(
    "text",
    [
        "Plans changed, I now plan to visit " + "A" * 400 + "!",
        "I plan to visit Leeds instead of Porto " + "Aa" * 200 + " -",
        "I now plan to visit " + "A " * 200 + "a",
    ],
)
def test_names_in_a_row_are_read_at_once(text: str) -> None:
    before = time.perf_counter()
    read(turns("I plan to visit Porto.", text))
    assert time.perf_counter() - before < 2
