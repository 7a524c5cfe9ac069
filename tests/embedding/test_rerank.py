"""The reranker against a real server on loopback that can misbehave."""

import json
from collections.abc import AsyncIterator, Iterator

import pytest

from sandbox.extensions.embedding import HttpReranker, create_reranker, errors
from sandbox.extensions.embedding.testing import FakeRerankServer, Reply

TEXTS = ["nothing at all", "the dog is called Rex", "what is the dog called then"]
QUESTION = "what is the dog called"


@pytest.fixture
def server() -> Iterator[FakeRerankServer]:
    with FakeRerankServer() as started:
        yield started


@pytest.fixture
async def reranker(server: FakeRerankServer) -> AsyncIterator[HttpReranker]:
    made = HttpReranker("any", base_url=server.base_url, timeout=5)
    yield made
    await made.close()


async def test_scores_come_back_in_the_order_of_the_texts(reranker: HttpReranker, server: FakeRerankServer) -> None:
    """The server answers the best first; `index` says which score belongs to which text."""
    assert await reranker.rerank(QUESTION, []) == []  # needs no request
    assert await reranker.rerank(QUESTION, TEXTS) == [0, 4, 5]
    [request] = server.requests
    assert request.body == {"model": "any", "query": QUESTION, "documents": TEXTS}
    assert request.path == "/v1/rerank"
    assert "authorization" not in {name.lower() for name in request.headers}


@pytest.mark.parametrize(
    "answer",
    [
        "no JSON",
        "[]",
        '{"results": {}}',
        '{"results": [1, 2, 3]}',
        '{"results": [{"index": 0, "relevance_score": 1}]}',
        json.dumps({"results": [{"index": 0, "relevance_score": 1}] * 3}),
        json.dumps({"results": [{"index": index} for index in range(3)]}),
        json.dumps({"results": [{"index": index, "relevance_score": float("nan")} for index in range(3)]}),
        json.dumps({"results": [{"index": index, "relevance_score": "high"} for index in range(3)]}),
    ],
)
async def test_an_unusable_answer_is_reported(reranker: HttpReranker, server: FakeRerankServer, answer: str) -> None:
    server.replies.append(Reply(body=answer))
    with pytest.raises(errors.UnusableAnswer) as raised:
        await reranker.rerank(QUESTION, TEXTS)
    assert "dog" not in str(raised.value)


@pytest.mark.parametrize("status", [401, 503])
async def test_a_reranker_is_asked_only_once(reranker: HttpReranker, server: FakeRerankServer, status: int) -> None:
    server.replies.append(Reply(status=status))
    with pytest.raises(errors.Refused):
        await reranker.rerank(QUESTION, TEXTS)
    assert len(server.requests) == 1


async def test_a_late_answer_an_absent_server_and_a_closed_reranker_are_reported() -> None:
    with FakeRerankServer() as server:
        server.replies.append(Reply(delay=30))
        reranker = HttpReranker("any", base_url=server.base_url, timeout=0.05)
        with pytest.raises(errors.NoAnswer):
            await reranker.rerank(QUESTION, TEXTS)
    with pytest.raises(errors.Unreachable):
        await reranker.rerank(QUESTION, TEXTS)
    await reranker.close()
    with pytest.raises(errors.EmbedderClosed):
        await reranker.rerank(QUESTION, TEXTS)


async def test_the_key_is_sent_and_never_shown(server: FakeRerankServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RERANK_TEST_KEY", "sk-test-91")
    reranker = HttpReranker("any", base_url=server.base_url, key_env="RERANK_TEST_KEY", timeout=5)
    server.replies.append(Reply(status=403))
    with pytest.raises(errors.EmbeddingError) as raised:
        await reranker.rerank(QUESTION, TEXTS)
    await reranker.close()
    assert "sk-test-91" in str(server.requests[0].headers)
    assert "sk-test-91" not in str(raised.value)


def test_settings_configure_a_reranker_or_none() -> None:
    assert create_reranker({"provider": "wordllama", "rerank_model": None, "rerank_timeout": None}) is None
    made = create_reranker({"rerank_model": "m", "rerank_base_url": "http://127.0.0.1:9/v1", "rerank_timeout": 2})
    assert made is not None
    assert made.model_id == "rerank/m"


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"rerank_model": "m"}, "rerank_base_url"),
        ({"rerank_base_url": "http://127.0.0.1:9"}, "rerank_model"),
        ({"rerank_model": "m", "rerank_base_url": "127.0.0.1"}, "rerank_base_url"),
        ({"rerank_model": "m", "rerank_base_url": "http://127.0.0.1:9", "rerank_timeout": 0}, "rerank_timeout"),
        ({"rerank_model": "m", "rerank_base_url": "http://127.0.0.1:9", "rerank_size": 3}, "rerank_size"),
    ],
)
def test_an_unusable_setting_is_named(settings: dict[str, object], key: str) -> None:
    with pytest.raises(errors.InvalidSetting, match=key):
        create_reranker(settings)
