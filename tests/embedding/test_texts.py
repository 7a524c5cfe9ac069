import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sandbox.extensions.embedding.texts import MAX_CHARACTERS, batches, embeddable, pieces, well_formed
from sandbox.extensions.embedding.vectors import unit

ANY_TEXT = st.text(st.characters())  # lone surrogates and NUL included


@given(ANY_TEXT)
def test_every_text_becomes_one_that_can_be_encoded(text: str) -> None:
    assert well_formed(text).encode().decode() == well_formed(text)


@given(st.text())
def test_well_formed_text_is_not_changed(text: str) -> None:
    assert well_formed(text) == text


def test_the_halves_of_an_emoji_are_joined_and_a_lone_half_is_replaced() -> None:
    assert well_formed("\ud83d\ude00 and \ud83d") == "😀 and �"


def test_a_long_text_is_embedded_by_its_beginning_and_cut_into_pieces_without_loss() -> None:
    text = "0123456789" * 1_000
    assert embeddable(text) == text[:MAX_CHARACTERS]
    assert "".join(pieces(text)) == text


@given(st.lists(ANY_TEXT), st.integers(1, 5), st.integers(1, 20))
def test_batches_keep_order_and_limits(texts: list[str], most: int, characters: int) -> None:
    """No text is lost or moved; a batch is too large only if one text alone is too long."""
    parts = list(batches(texts, most, characters))
    assert [text for part in parts for text in part] == texts
    for part in parts:
        assert 1 <= len(part) <= most
        assert len(part) == 1 or sum(map(len, part)) <= characters


@given(arrays(np.float32, (3, 4), elements=st.floats(width=32, allow_nan=False, allow_infinity=False)))
def test_every_row_becomes_a_unit_vector_or_stays_zero(rows: np.typing.NDArray[np.float32]) -> None:
    norms = np.linalg.norm(unit(rows), axis=1)
    assert np.allclose(norms, rows.any(axis=1), atol=1e-5)
