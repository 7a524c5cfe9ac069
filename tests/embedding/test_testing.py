"""The fakes of the package behave as what they replace."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sandbox.extensions.embedding import EmbeddingProvider
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
