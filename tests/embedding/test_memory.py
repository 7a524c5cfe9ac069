"""A memory whose vectors come from a server that knows no more than it must."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sandbox.extensions.embedding import create_embedder
from sandbox.extensions.embedding.create import EmbeddingProvider
from sandbox.extensions.embedding.testing import FakeEmbeddingServer, Reply
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import EmbedderUnavailable


@pytest.fixture
async def by_server(server: FakeEmbeddingServer) -> AsyncIterator[EmbeddingProvider]:
    """The model's dimensions are not known before its first answer."""
    created = create_embedder({"provider": "openai", "model": "any", "base_url": server.base_url, "timeout": 3})
    yield created
    await created.close()


def chat(folder: Path, texts: list[str]) -> Path:
    """A file of messages."""
    file = folder / "chat.jsonl"
    file.write_text("".join(json.dumps({"role": "user", "content": text}) + "\n" for text in texts))
    return file


@pytest.mark.parametrize(
    ("longest", "texts"),
    [
        (None, ["The spare key is at Olga's place."]),
        (2_000, [f"{number} " + "word " * 100 * number for number in range(15)]),
    ],
    ids=["a model that is not known yet", "texts too long for the model among others"],
)
async def test_every_imported_turn_gets_its_vector(
    by_server: EmbeddingProvider, server: FakeEmbeddingServer, tmp_path: Path, longest: int | None, texts: list[str]
) -> None:
    server.longest = longest
    async with Memory.open(tmp_path, embedder=by_server) as memory:
        report = await memory.import_file(chat(tmp_path, texts))
        await memory.wait_until_embedded()
        assert report.new == len(texts)
        assert (await memory.statistics()).embedding_backlog == 0


async def test_vectors_of_a_slow_server_are_stored_as_they_come(
    by_server: EmbeddingProvider, server: FakeEmbeddingServer, tmp_path: Path
) -> None:
    """It reads 20,000 characters a second: 96 texts in four, and a request may take three."""
    server.pace = 0.00005
    async with Memory.open(tmp_path, embedder=by_server) as memory:
        await memory.import_file(chat(tmp_path, [f"{number} " + "word " * 160 for number in range(96)]))
        while (await memory.statistics()).embedding_backlog == 96:
            pass
        assert (await memory.statistics()).embedding_backlog > 0
        await memory.wait_until_embedded()


async def test_documents_are_refused_clearly_while_the_server_was_never_there(
    by_server: EmbeddingProvider, server: FakeEmbeddingServer, folder: Path
) -> None:
    server.replies.extend([Reply(status=401)] * 3)
    async with Memory.open(folder, embedder=by_server) as memory:
        with pytest.raises(EmbedderUnavailable):
            await memory.documents.embed(["The spare key is at Olga's place."])
