"""The answers that a server may give, and how they are read."""

import base64
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.embedding.openai import read_vectors

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["data", "index", "embedding"]), inner),
)


def answer(*items: dict[str, Any]) -> bytes:
    return json.dumps({"data": items}).encode()


def test_vectors_are_ordered_by_index_and_have_unit_length() -> None:
    body = answer({"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [3, 4]})
    np.testing.assert_allclose(read_vectors(body, 2), [[0.6, 0.8], [0.0, 1.0]], atol=1e-6)


def test_base64_and_numbers_are_both_read() -> None:
    packed = base64.b64encode(np.array([3, 4], "<f4").tobytes()).decode()
    body = answer({"index": 0, "embedding": packed}, {"index": 1, "embedding": [3, 4]})
    first, second = read_vectors(body, 2)
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"<html>Bad gateway</html>", "it is not JSON"),
        (b'{"data": [{"index": 0, "embe', "it is not JSON"),
        (b"\xff\xfe", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b'{"error": {"message": "no"}}', "it has no list `data` of objects"),
        (b'{"data": [1]}', "it has no list `data` of objects"),
        (answer(), "its `data` has 0 for 1 texts"),
        (answer({"index": 1, "embedding": [1]}), "its `index` values are not 0 to 0"),
        (answer({"index": "0", "embedding": [1]}), "its `index` values are not 0 to 0"),
        (answer({"embedding": [1]}), "its `index` values are not 0 to 0"),
        (answer({"index": 0}), "a vector is not a list of numbers"),
        (answer({"index": 0, "embedding": []}), "a vector is not a list of numbers"),
        (answer({"index": 0, "embedding": [[1]]}), "a vector is not a list of numbers"),
        (answer({"index": 0, "embedding": [{}]}), "a vector is not a list of numbers"),
        (answer({"index": 0, "embedding": "?"}), "a vector is not a list of numbers"),
        (answer({"index": 0, "embedding": "AAA="}), "a vector is not a list of numbers"),
        (answer({"index": 0, "embedding": [10**400]}), "a vector is not a list of numbers"),
        (answer({"index": 0, "embedding": [float("nan")]}), "a vector has a number that is not finite"),
        (answer({"index": 0, "embedding": [1e300]}), "a vector has a number that is not finite"),
    ],
)
def test_an_unusable_answer_says_what_is_wrong_with_it(body: bytes, problem: str) -> None:
    with pytest.raises(ValueError, match=f"^{problem}$"):
        read_vectors(body, 1)


def test_vectors_of_different_lengths_are_unusable() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        read_vectors(answer({"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}), 2)


@given(JSON, st.integers(1, 3))
def test_any_answer_is_read_or_refused(value: object, count: int) -> None:
    """The reader raises no other error; the vectors that it returns are finite and have the right count."""
    try:
        vectors = read_vectors(json.dumps({"data": value}).encode(), count)
    except ValueError:
        return
    assert len(vectors) == count
    assert np.isfinite(vectors).all()
