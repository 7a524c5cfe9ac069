"""A reranker may only change the order of the best results; if it fails, results are those without it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sandbox.extensions.embedding import HttpReranker
from sandbox.extensions.embedding.testing import FakeRerankServer
from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.retrieve.rerank import RERANKED
from tests.memory.hits import contents

SAID = ("The port of the server is 5432.", "A port is a strong sweet wine.", "We sailed into the port at night.")


@dataclass
class Last:
    """A reranker that prefers the texts in reverse alphabetical order; ``wrong`` is its answer instead."""

    wrong: object = None
    asked: list[Sequence[str]] = field(default_factory=list)
    model_id: str = "last"

    async def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:  # noqa: ARG002 (of the port)
        self.asked.append(list(texts))
        if isinstance(self.wrong, Exception):
            raise self.wrong
        order = sorted(texts)
        return self.wrong if isinstance(self.wrong, list) else [float(order.index(text)) for text in texts]


@pytest.fixture
async def plain(memory: Memory) -> Memory:
    """A memory without a reranker."""
    for place, content in enumerate(SAID):
        await memory.observe("user", content, session=f"s{place}")
    return memory


async def test_the_best_hits_come_in_the_rerankers_order(plain: Memory, folder: Path) -> None:
    async with Memory.open(folder, embedder=None, reranker=Last()) as memory:
        hits = await memory.search("port", reinforce=False)
        block = await memory.context("port", reinforce=False)
    assert contents(hits) == sorted(SAID, reverse=True)
    assert [hit.legs["rerank"] for hit in hits] == [1, 2, 3]
    assert sorted(hit.score for hit in hits) == sorted(hit.score for hit in await plain.search("port", reinforce=False))
    assert contents(block) == sorted(SAID, reverse=True)


async def test_the_number_of_reranked_hits_is_limited(folder: Path) -> None:
    reranker = Last()
    async with Memory.open(folder, embedder=None, reranker=reranker) as memory:
        await memory.observe_many(Message("user", f"The port of server {index}") for index in range(RERANKED + 5))
        found = contents(await memory.search("port", limit=RERANKED + 5, reinforce=False))
    (asked,) = reranker.asked
    assert len(asked) == RERANKED
    assert found[:RERANKED] == sorted(asked, reverse=True)
    assert not set(found[RERANKED:]) & set(asked)
    assert len(found) == RERANKED + 5


async def test_a_replaced_memory_stays_behind(folder: Path) -> None:
    async with Memory.open(folder, embedder=None, reranker=Last()) as memory:
        old = await memory.remember("Zoe lives in Zagreb.", subject="Zoe")
        await memory.remember("Zoe lives in Berlin.", subject="Zoe")
        hits = await memory.search("where does Zoe live?", history=True)
    assert [hit.id == old for hit in hits] == [False, True]


@pytest.mark.parametrize("wrong", [RuntimeError("no"), [1.0], [float("nan")] * 3, []])
async def test_a_failing_reranker_changes_nothing_and_is_paused(plain: Memory, folder: Path, wrong: object) -> None:
    reranker = Last(wrong)
    async with Memory.open(folder, embedder=None, reranker=reranker) as memory:
        for _ in range(2):
            found, expected = [await each.search("port", reinforce=False) for each in (memory, plain)]
            assert contents(found) == contents(expected)
    assert len(reranker.asked) == 1


@pytest.mark.usefixtures("plain")
async def test_a_question_reaches_the_reranker_without_secrets(folder: Path) -> None:
    secret = "sk-proj-" + "a1B2" * 12
    with FakeRerankServer() as server:
        reranker = HttpReranker("any", base_url=server.base_url, timeout=5)
        async with Memory.open(folder, embedder=None, reranker=reranker) as memory:
            await memory.search(f"port {secret}")
        await reranker.close()
    assert secret not in str(server.requests[0].body)
