"""The provider against a real server on loopback that can misbehave."""

import time

import numpy as np
import pytest

from sandbox.extensions.embedding import OpenAIEmbedder, errors
from sandbox.extensions.embedding.testing import FakeEmbeddingServer, Reply, hash_vectors

KEY = "sk-test-5f1c0a"
SOON = {"Retry-After": "0.01"}


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an environment variable with a key in it."""
    monkeypatch.setenv("EMBEDDING_TEST_KEY", KEY)
    return "EMBEDDING_TEST_KEY"


async def test_a_batch_equals_its_texts_one_by_one(embedder: OpenAIEmbedder) -> None:
    texts = ["a dog", "", "\ud83d lone half", "\x00 nul", "😀"]
    batch = await embedder.embed_batch(texts)
    np.testing.assert_allclose(batch, np.concatenate([await embedder.embed_batch([text]) for text in texts]), atol=1e-6)


async def test_blank_texts_are_zeros_and_are_not_sent(embedder: OpenAIEmbedder, server: FakeEmbeddingServer) -> None:
    """OpenAI refuses a request that contains an empty text."""
    vectors = await embedder.embed_batch(["", "a dog", " \n"])
    assert vectors.any(axis=1).tolist() == [False, True, False]
    assert [request.body["input"] for request in server.requests] == [["a dog"]]


async def test_many_texts_are_sent_in_several_requests(server: FakeEmbeddingServer) -> None:
    """A request has a limit of texts and of characters; only the first 8,000 characters of a text are sent."""
    embedder = OpenAIEmbedder("any", base_url=server.base_url, batch_size=20)
    texts = [f"text {number}" for number in range(30)] + ["long " * 2_000] * 15
    vectors = await embedder.embed_batch(texts)
    np.testing.assert_allclose(vectors, hash_vectors(texts, 8), atol=1e-5)
    sent = [request.body["input"] for request in server.requests]
    assert [len(part) for part in sent] == [20, 10, 1, 2, 4, 8]
    assert max(len(text) for part in sent for text in part) == 8_000
    await embedder.close()


async def test_requests_to_a_quick_server_grow_to_a_hundred_thousand_characters(
    embedder: OpenAIEmbedder, server: FakeEmbeddingServer
) -> None:
    await embedder.embed_batch(["x" * 8_000] * 45)
    assert [len(request.body["input"]) for request in server.requests] == [1, 2, 4, 8, 12, 12, 6]


async def test_requests_to_a_slow_server_become_small_enough(server: FakeEmbeddingServer) -> None:
    """It would read 8,000 characters in 1.6 s, and has .5 s."""
    server.pace = 0.0002
    embedder = OpenAIEmbedder("any", base_url=server.base_url, timeout=0.5)
    for _ in range(2):
        with pytest.raises(errors.NoAnswer):
            await embedder.embed_batch(["x" * 1_000] * 12)
    assert (await embedder.embed_batch(["x" * 1_000] * 12)).any(axis=1).all()
    await embedder.close()


async def test_a_text_that_is_too_long_for_the_model_is_embedded_by_its_beginning(
    embedder: OpenAIEmbedder, server: FakeEmbeddingServer
) -> None:
    server.longest = 2_000
    texts = ["a dog", "cat " * 1_500, "income tax", "tree " * 400]
    vectors = await embedder.embed_batch(texts)
    np.testing.assert_allclose(vectors, hash_vectors(["a dog", "cat", "income tax", "tree"], 8), atol=1e-5)
    assert len(server.requests) < 12


async def test_a_server_that_refuses_every_text_is_given_up_soon(
    embedder: OpenAIEmbedder, server: FakeEmbeddingServer
) -> None:
    server.longest = 0
    with pytest.raises(errors.Refused, match="status 500"):
        await embedder.embed_batch(["cat " * 1_500] * 40)
    assert len(server.requests) < 12


async def test_dimensions_are_sent_only_when_asked_for(embedder: OpenAIEmbedder, server: FakeEmbeddingServer) -> None:
    asked = OpenAIEmbedder("any", base_url=server.base_url, dimensions=4)
    assert (await asked.embed_batch(["a dog"])).shape == (1, 4)
    assert (await embedder.embed_batch(["a dog"])).shape == (1, 8)
    assert [request.body.get("dimensions") for request in server.requests] == [4, None]
    assert asked.model_id == "openai/any/4"
    await asked.close()


async def test_native_dimensions_are_learnt_from_the_first_answer(embedder: OpenAIEmbedder) -> None:
    with pytest.raises(errors.DimensionsUnknown, match="dimensions of any is unknown"):
        _ = embedder.model_id
    await embedder.embed_batch(["a dog"])
    assert (embedder.model_id, embedder.dimensions) == ("openai/any/8", 8)


async def test_a_blank_text_has_a_vector_before_the_first_answer(embedder: OpenAIEmbedder) -> None:
    np.testing.assert_array_equal(await embedder.embed_batch([""]), np.zeros((1, 8)))
    assert (await embedder.embed_batch([])).shape == (0, 8)


async def test_native_dimensions_of_known_models_are_known_at_once(server: FakeEmbeddingServer) -> None:
    embedder = OpenAIEmbedder("text-embedding-3-small", base_url=server.base_url)
    assert embedder.model_id == "openai/text-embedding-3-small/1536"
    await embedder.close()


async def test_other_dimensions_than_before_are_an_error(embedder: OpenAIEmbedder, server: FakeEmbeddingServer) -> None:
    """Somebody serves another model under the same name."""
    await embedder.embed_batch(["a dog"])
    server.replies.append(Reply(dimensions=5))
    with pytest.raises(errors.WrongDimensions, match="vectors of 5 dimensions instead of 8"):
        await embedder.embed_batch(["a cat"])


async def test_a_busy_server_is_asked_again_when_it_says_so(
    embedder: OpenAIEmbedder, server: FakeEmbeddingServer
) -> None:
    """Retry-After is 0.1 s, then 0.01 s; the two pauses of the package itself would last at least 1.1 s."""
    server.replies.extend([Reply(status=429, headers={"Retry-After": "0.1"}), Reply(status=503, headers=SOON)])
    started = time.monotonic()
    np.testing.assert_allclose(await embedder.embed_batch(["a dog"]), hash_vectors(["a dog"], 8), atol=1e-6)
    assert 0.1 <= time.monotonic() - started < 1.1
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("replies", "error", "problem"),
    [
        ([Reply(status=401)], errors.Refused, "status 401: .*missing or was refused"),
        ([Reply(status=404)], errors.Refused, "status 404: .*no such model"),
        ([Reply(status=418)], errors.Refused, "status 418: .*problem"),
        ([Reply(status=500, headers=SOON)] * 3, errors.Refused, "status 500"),
        ([Reply(cut=True)] * 3, errors.Unreachable, r"any at 127\.0\.0\.1:\d+ cannot be reached"),
        (
            [Reply(body="<html>Welcome</html>", headers={"Content-Type": "text/html"})],
            errors.UnusableAnswer,
            "not JSON",
        ),
    ],
)
async def test_a_failing_server_is_given_up(
    embedder: OpenAIEmbedder,
    server: FakeEmbeddingServer,
    replies: list[Reply],
    error: type[errors.EmbeddingError],
    problem: str,
) -> None:
    """A refusal and a wrong answer at once, a broken server and a breaking connection after two more requests."""
    server.replies.extend(replies)
    with pytest.raises(error, match=problem):
        await embedder.embed_batch(["a dog"])
    assert len(server.requests) == len(replies)


@pytest.mark.parametrize("reply", [Reply(delay=60), Reply(status=429, headers={"Retry-After": "60"})])
async def test_a_time_limit_holds_for_a_request_with_its_retries(server: FakeEmbeddingServer, reply: Reply) -> None:
    """A server that hangs, or asks for a pause of a minute."""
    server.replies.append(reply)
    embedder = OpenAIEmbedder("any", base_url=server.base_url, timeout=0.1)
    started = time.monotonic()
    with pytest.raises(errors.NoAnswer, match=r"no answer within 0\.1 s"):
        await embedder.embed_batch(["a dog"])
    assert time.monotonic() - started < 5
    await embedder.close()


async def test_a_closed_embedder_says_so(embedder: OpenAIEmbedder) -> None:
    await embedder.close()
    with pytest.raises(errors.EmbedderClosed):
        await embedder.embed_batch(["a dog"])


def test_openai_itself_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(errors.MissingKey, match="OPENAI_API_KEY"):
        OpenAIEmbedder("text-embedding-3-small")


async def test_another_server_is_sent_a_key_only_if_one_is_named(
    server: FakeEmbeddingServer, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key for OpenAI in the environment must not go to the server that `base_url` names."""
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    with_key, without = (OpenAIEmbedder("any", base_url=server.base_url, api_key_env=name) for name in (key, None))
    for embedder in (with_key, without):
        await embedder.embed_batch(["a dog"])
        await embedder.close()
    assert [request.headers.get("authorization") for request in server.requests] == [f"Bearer {KEY}", None]
    assert not any("openai-organization" in request.headers for request in server.requests)


async def test_no_error_shows_the_key_or_the_text(server: FakeEmbeddingServer, key: str) -> None:
    """Servers quote both: "Incorrect API key provided: sk-..."."""
    server.replies.append(Reply(status=401, body=f'{{"error": {{"message": "bad key {KEY} for: my secret diary"}}}}'))
    server.replies.append(Reply(body=f"{KEY} my secret diary"))
    embedder = OpenAIEmbedder("any", base_url=server.base_url.replace("//", f"//user:{KEY}@"), api_key_env=key)
    for _ in range(2):
        with pytest.raises(errors.EmbeddingError) as caught:
            await embedder.embed_batch(["my secret diary"])
        shown = f"{caught.value} {caught.value.details}"
        assert KEY not in shown
        assert "diary" not in shown
    await embedder.close()
