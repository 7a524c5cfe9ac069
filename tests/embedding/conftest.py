"""One model and one server for each test."""

from collections.abc import AsyncIterator, Iterator

import pytest

from sandbox.extensions.embedding import OpenAIEmbedder, WordLlamaEmbedder
from sandbox.extensions.embedding.testing import FakeEmbeddingServer


@pytest.fixture
def wordllama() -> WordLlamaEmbedder:
    return WordLlamaEmbedder()


@pytest.fixture
def server() -> Iterator[FakeEmbeddingServer]:
    with FakeEmbeddingServer(dimensions=8) as running:
        yield running


@pytest.fixture
async def embedder(server: FakeEmbeddingServer) -> AsyncIterator[OpenAIEmbedder]:
    created = OpenAIEmbedder("any", base_url=server.base_url, timeout=2)
    yield created
    await created.close()
