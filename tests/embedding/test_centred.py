"""Models differ in how alike unrelated texts are; the memory must not notice."""

from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from sandbox.extensions.embedding import CentredEmbedder, create_embedder
from sandbox.extensions.embedding.errors import DimensionsUnknown, Refused
from sandbox.extensions.embedding.testing import FakeEmbeddingServer, Reply
from sandbox.extensions.memory import Memory

DOG, WALK, TAX = "the brown dog", "walks with the brown dog", "income tax rates"


@pytest.fixture
async def centred(server: FakeEmbeddingServer) -> AsyncIterator[CentredEmbedder]:
    """By a model that finds any two texts alike."""
    server.dimensions, server.common = 256, 0.8
    created = create_embedder({"provider": "openai", "model": "any", "base_url": server.base_url})
    assert isinstance(created, CentredEmbedder)
    yield created
    await created.close()


async def test_unrelated_texts_are_not_alike_and_related_ones_are(centred: CentredEmbedder) -> None:
    dog, walk, tax = await centred.embed_batch([DOG, WALK, TAX])
    assert dog @ tax < 0.3 < 0.5 < dog @ walk
    np.testing.assert_allclose(np.linalg.norm([dog, walk, tax], axis=1), 1, atol=1e-5)


async def test_a_text_has_the_same_vector_alone_and_among_others(centred: CentredEmbedder) -> None:
    [alone] = await centred.embed_batch([DOG])
    blank, among, _ = await centred.embed_batch(["", DOG, TAX])
    assert not blank.any()
    np.testing.assert_allclose(among, alone, atol=1e-6)


async def test_the_unrelated_texts_are_sent_once_and_not_by_themselves(
    centred: CentredEmbedder, server: FakeEmbeddingServer
) -> None:
    for text in (DOG, WALK, TAX):
        await centred.embed_batch([text])
    assert [len(request.body["input"]) for request in server.requests] == [17, 1, 1]


async def test_a_server_that_fails_first_is_asked_again(centred: CentredEmbedder, server: FakeEmbeddingServer) -> None:
    server.replies.append(Reply(status=401))
    with pytest.raises(DimensionsUnknown):
        _ = centred.model_id
    with pytest.raises(Refused):
        await centred.embed_batch([DOG])
    assert (await centred.embed_batch([DOG])).any()
    assert centred.model_id == "openai/any/256/centred"


async def test_a_block_holds_nothing_that_only_the_model_finds_alike(centred: CentredEmbedder, folder: Path) -> None:
    async with Memory.open(folder, embedder=centred) as memory:
        await memory.observe("user", "Bruno the brown dog sleeps near our stove.", session="s")
        await memory.wait_until_embedded()
        assert await memory.context("income tax rates?", session="other") is None
        assert await memory.context("brown dogs sleeping?", session="other") is not None
