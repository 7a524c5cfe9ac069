"""A reranker at any server with the `/rerank` of Cohere and Jina: vLLM, Infinity, llama.cpp and others."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.extensions.embedding import settings
from sandbox.extensions.embedding.errors import EmbedderClosed, UnusableAnswer
from sandbox.extensions.embedding.openai import answered, client, items_in_order
from sandbox.extensions.embedding.texts import embeddable
from sandbox.support.openai_server import place_of, withheld

PREFIX = "rerank_"


class HttpReranker:
    """Says how well texts answer a question, by one request without retries, because a late answer is of no use.

    ``/rerank`` is appended to ``base_url``, which often ends in ``/v1`` or ``/v2``; ``timeout`` is in seconds. The key
    is in the environment variable ``key_env``; without one no key is sent.

    Raises:
        InvalidSetting: a value of the wrong type or range.
        MissingKey: the environment variable is not set.
        MissingPackage: the extra `openai` is not installed.
    """

    def __init__(self, model: str, *, base_url: str, key_env: str | None = None, timeout: float = 1.0) -> None:
        given = {"model": model, "base_url": base_url, "key_env": key_env, "timeout": timeout}
        read = settings.read(given, PREFIX)
        self._model = read["model"]
        self._timeout = read["timeout"]
        address = read["base_url"]
        self._place = place_of(address)
        key = settings.api_key(key_env, is_needed=False)
        self._client = client(address, key, self._timeout)
        self._headers = withheld(address, key)

    @property
    def model_id(self) -> str:
        """``rerank/<model>``."""
        return f"rerank/{self._model}"

    async def rerank(self, question: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, in order; a higher score is a better answer. Of each text the first 8,000 characters
        count.

        Raises:
            NotNow: a subclass says why.
            EmbedderClosed: after ``close()``.
        """
        if not texts:
            return []
        body = {"model": self._model, "query": embeddable(question), "documents": [embeddable(text) for text in texts]}
        answer = await self._ask(body)
        try:
            return _read_scores(answer, len(texts))
        except ValueError as problem:
            raise UnusableAnswer(model=self._model, place=self._place, problem=str(problem)) from None

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _ask(self, body: Mapping[str, Any]) -> bytes:
        if self._client.is_closed():
            raise EmbedderClosed(model=self._model)
        return await answered(self._post(body), self._model, self._place, self._timeout)

    async def _post(self, body: Mapping[str, Any]) -> bytes:
        from openai import HttpxBinaryResponseContent

        answer = await self._client.post(
            "/rerank",
            cast_to=HttpxBinaryResponseContent,
            body=body,
            options={"headers": self._headers, "max_retries": 0},
        )
        return answer.content


def create_reranker(found: Mapping[str, object]) -> HttpReranker | None:
    """The reranker of the settings that begin with ``rerank_``; None if there are none.

    Raises:
        InvalidSetting: a setting is missing or unknown, or its value is wrong.
        MissingKey, MissingPackage: it lacks something.
    """
    given: dict[str, Any] = {
        key.removeprefix(PREFIX): value for key, value in found.items() if key.startswith(PREFIX) and value is not None
    }
    if not given:
        return None
    settings.check_keys(given, HttpReranker, "the reranker", PREFIX)
    return HttpReranker(**given)


def _read_scores(body: bytes, count: int) -> list[float]:
    """The ``relevance_score`` of each text, in the order of ``index``. Pure.

    Raises:
        ValueError: the answer is wrong; the message quotes nothing of it.
    """
    ordered: list[Any] = [item.get("relevance_score") for item in items_in_order(body, "results", count)]
    if not all(isinstance(each, int | float) and math.isfinite(each) for each in ordered):
        raise ValueError("a `relevance_score` is no finite number")
    return [float(each) for each in ordered]
