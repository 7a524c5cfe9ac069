"""The fakes of the package behave as what they replace."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.extensions.embedding import EmbeddingProvider
from sandbox.extensions.embedding.errors import NotNow
from sandbox.extensions.embedding.testing import HashEmbedder, hash_vectors


@given(st.lists(st.text(st.characters()), max_size=5))
def test_vectors_are_unit_or_zero_and_the_same_each_time(texts: list[str]) -> None:
    vectors = hash_vectors(texts, 16)
    np.testing.assert_array_equal(vectors, hash_vectors(texts, 16))
    norms = np.linalg.norm(vectors, axis=1)
    assert np.all(np.isclose(norms, 1.0, atol=1e-5) | (norms == 0.0))


async def test_texts_with_shared_words_are_near() -> None:
    provider: EmbeddingProvider = (embedder := HashEmbedder())
    assert (provider.model_id, provider.dimensions) == ("hash/words/64", 64)
    dog, again, other = await embedder.embed_batch(["Rex is a dog", "a dog, Rex", "spaces over tabs"])
    assert dog @ again > 0.8 > dog @ other
    assert embedder.seen == ["Rex is a dog", "a dog, Rex", "spaces over tabs"]
    assert embedder.count_tokens(["Rex is a dog", ""]) == [4, 0]


async def test_the_fake_can_be_unavailable_and_slow() -> None:
    embedder = HashEmbedder(available=False)
    assert not await embedder.health_check()
    with pytest.raises(NotNow, match="hash/words/64"):
        await embedder.embed("a dog")
    embedder.available, embedder.delay = True, 0.05
    started = time.monotonic()
    assert (await embedder.embed("a dog")).any()
    assert time.monotonic() - started >= 0.05
    await embedder.close()
