"""The places in a text that may be names."""

from hypothesis import given
from hypothesis import strategies as st

from sandbox.extensions.memory.text.sightings import proper_terms, runs

_PARTS = ("Ann", "ann", "O'Neil", "Mc", "A1", "7", "_", "-", ".", "'", "@", "/", "\\", " ", "\n", ", ", "U.S.", "Smith")
_ANYBODY = dict.fromkeys(("ann", "o'neil", "mcann", "a1", "smith", "u.", "u.s", "7"), 2)


@given(st.lists(st.sampled_from(_PARTS) | st.text(st.characters(codec="ascii"), max_size=3)).map("".join))
def test_ascii_text_gives_the_same_finds_as_any_text(text: str) -> None:
    """A faster pattern reads ASCII; a space that is not ASCII makes the text another one."""
    assert runs(text, _ANYBODY) == runs(f"{text}\N{NO-BREAK SPACE}", _ANYBODY)
    assert proper_terms(text) == proper_terms(f"{text}\N{NO-BREAK SPACE}")


def test_runs_are_words_that_begin_like_a_name() -> None:
    found = runs("Yesterday Ann Smith met ann at O'Neil's; mail x@Ann.org", _ANYBODY)
    assert [run.text for run in found] == ["Ann", "Ann Smith", "Smith", "Smith met", "O'Neil's"]
