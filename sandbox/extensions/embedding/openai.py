"""The provider for OpenAI and every server with its `/v1/embeddings`: its answers, of which nothing is trusted, and its
vectors without what all texts have in common.

In many models every two texts are alike: the cosine of unrelated turns is .84 by multilingual-e5-small, and .18 by
all-MiniLM-L6-v2. So no threshold fits both. Without the mean of some unrelated texts, unrelated texts are far from
each other in every model, and related ones stand out more (Mu and Viswanath 2018, "All-but-the-Top").
"""

import asyncio
import base64
import json
import time
from collections.abc import Awaitable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sandbox.extensions.embedding import errors, settings
from sandbox.extensions.embedding.texts import MAX_CHARACTERS, batches, embeddable
from sandbox.support.embedder import Vector, unit
from sandbox.support.errors import MissingPackage
from sandbox.support.openai_server import OPENAI_URL, connect, meaning, place_of, withheld

_RETRIES = 2  # by the openai package, after 0.5 and 1 s minus up to a quarter, or after the time in Retry-After
_MOST_CHARACTERS = 100_000  # of a request: OpenAI takes 300,000 tokens, and few characters have more than 3 tokens
# The first request is small, because a server without a graphics card reads 1,000 to 3,000 characters a second; later
# ones are twice as large while an answer takes less than this part of ``timeout``, and half as large if none comes.
_FIRST_CHARACTERS, _QUICK = 8_000, 0.2
_SHORT = 250  # characters that every model takes
_TOO_LARGE = (400, 413, 422, 500)  # answers to a text that is too long for the model; llama.cpp says 500
_UNRELATED = Path(__file__).with_name("unrelated.txt")
_NATIVE_DIMENSIONS = {
    "text-embedding-3-large": 3072,
    "text-embedding-3-small": 1536,
    "text-embedding-ada-002": 1536,
    "nomic-embed-text": 768,
    "mxbai-embed-large": 1024,
    "all-minilm": 384,
    "bge-m3": 1024,
}
MEANINGS = {
    400: "it does not take such a request; perhaps it knows no `dimensions`, or only shorter texts",
    413: "the request was too large; lower `batch_size`",
    422: "it does not take such a request; perhaps it knows no `dimensions`, or a lower `batch_size` helps",
}


class OpenAIEmbedder:
    """Embeds through the `openai` package, which retries lost connections and the statuses 408, 409, 429 and 5xx.

    ``dimensions`` is sent only if it is given. Otherwise it is that of the model: known for a few models, for others
    learnt from the first answer; until then ``dimensions`` and ``model_id`` raise ``DimensionsUnknown``. ``timeout`` is
    in seconds and for one request with its retries; ``batch_size`` is the largest number of texts in one request. A
    blank text gives zeros and is not sent; of other texts the first 8,000 characters are sent, or as many as the server
    takes.

    The key is in the environment variable ``api_key_env``. OpenAI itself needs one, by default in ``OPENAI_API_KEY``;
    to a server at another ``base_url`` a key is sent only if the variable is named. Raises ``InvalidSetting``,
    ``MissingKey``, or ``MissingPackage`` without the extra `openai`.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        dimensions: int | None = None,
        api_key_env: str | None = None,
        timeout: float = 10.0,
        batch_size: int = 96,
    ) -> None:
        given = {"model": model, "base_url": base_url, "dimensions": dimensions, "api_key_env": api_key_env}
        read = settings.read({**given, "timeout": timeout, "batch_size": batch_size})
        self._model = read["model"]
        self._requested = read.get("dimensions")
        self._dimensions = self._requested or _NATIVE_DIMENSIONS.get(model)
        self._timeout = read["timeout"]
        self._batch_size = read["batch_size"]
        address = read.get("base_url", OPENAI_URL)
        self._place = place_of(address)
        key = settings.api_key(api_key_env, is_needed=base_url is None)
        try:
            self._client = connect(address, key, timeout=self._timeout, retries=_RETRIES)
        except ImportError:
            raise MissingPackage("An embedding from a server", "openai") from None
        self._headers = withheld(address, key)
        self._characters = _FIRST_CHARACTERS  # of the next request
        self._too_long = MAX_CHARACTERS + 1  # characters of the shortest text that was refused by itself

    @property
    def model_id(self) -> str:
        """``openai/<model>/<dimensions>``. Raises ``DimensionsUnknown`` before the first answer."""
        return f"openai/{self._model}/{self.dimensions}"

    @property
    def dimensions(self) -> int:
        """Length of every vector. Raises ``DimensionsUnknown`` before the first answer."""
        if self._dimensions is None:
            raise errors.DimensionsUnknown(model=self._model)
        return self._dimensions

    async def embed_batch(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of shape ``(len(texts), dimensions)``, by as many requests as necessary, all or none. A refused
        request is repeated in halves, and a text that is refused by itself with its first half. Raises ``NotNow``,
        and ``EmbedderClosed`` after ``close()``.
        """
        sent = {place: embeddable(text) for place, text in enumerate(texts) if text.strip()}
        waiting, answers = list(sent.values()), []
        while waiting:
            part = next(batches(waiting, self._batch_size, self._characters))
            answers.append(await self._embedded(part))
            waiting = waiting[len(part) :]
        if self._dimensions is None:
            await self._request(["how many dimensions"])
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        if answers:
            vectors[list(sent)] = np.concatenate(answers)
        return vectors

    async def close(self) -> None:
        """Close the connections; later calls raise an error."""
        await self._client.close()

    async def _embedded(self, texts: list[str], *, is_part: bool = False) -> Vector:
        longest = max(map(len, texts))
        try:
            return await self._request(texts, 0 if is_part or longest >= self._too_long else _RETRIES)
        except errors.Refused as refused:
            if refused.details["status"] not in _TOO_LARGE or longest <= _SHORT:
                raise
        if len(texts) == 1:
            self._too_long = min(self._too_long, longest)
            parts = [[texts[0][: longest // 2]]]
        else:
            parts = [texts[: len(texts) // 2], texts[len(texts) // 2 :]]
        return np.concatenate([await self._embedded(part, is_part=True) for part in parts])

    async def _request(self, texts: list[str], retries: int = _RETRIES) -> Vector:
        body = await self._ask(texts, retries)
        try:
            vectors = read_vectors(body, len(texts))
        except ValueError as problem:
            raise errors.UnusableAnswer(model=self._model, place=self._place, problem=str(problem)) from None
        found, expected = vectors.shape[1], self._dimensions or vectors.shape[1]
        if found != expected:
            raise errors.WrongDimensions(model=self._model, place=self._place, found=found, expected=expected)
        self._dimensions = found
        return vectors

    async def _ask(self, texts: list[str], retries: int) -> bytes:
        if self._client.is_closed():
            raise errors.EmbedderClosed(model=self._model)
        characters, started = sum(map(len, texts)), time.monotonic()
        try:
            answer = await answered(self._post(texts, retries), self._model, self._place, self._timeout)
        except errors.NoAnswer:
            self._characters = max(min(self._characters, characters) // 2, _SHORT)
            raise
        if characters > self._characters // 2 and time.monotonic() - started < _QUICK * self._timeout:
            self._characters = min(self._characters * 2, _MOST_CHARACTERS)
        return answer

    async def _post(self, texts: list[str], retries: int) -> bytes:
        from openai import omit

        client = self._client.with_options(max_retries=retries)
        answer = await client.embeddings.with_raw_response.create(
            input=texts, model=self._model, dimensions=self._requested or omit, extra_headers=self._headers
        )
        return answer.content


async def answered(request: Awaitable[bytes], model: str, place: str, seconds: float) -> bytes:
    """The body of a server's answer. The package's errors quote it, and perhaps the key, so they end here."""
    import openai

    try:
        async with asyncio.timeout(seconds):
            return await request
    except (TimeoutError, openai.APITimeoutError):
        raise errors.NoAnswer(model=model, place=place, seconds=seconds) from None
    except openai.APIStatusError as error:
        status = error.status_code
        raise errors.Refused(model=model, place=place, status=status, meaning=meaning(status, MEANINGS)) from None
    except openai.OpenAIError:
        raise errors.Unreachable(model=model, place=place) from None


class CentredEmbedder:
    """Embeds by another embedder. With its first texts it lets that one embed sixteen short, unrelated ones, and
    subtracts the mean of these from every vector.
    """

    def __init__(self, of: OpenAIEmbedder) -> None:
        self._of = of
        self._mean: Vector | None = None

    @property
    def model_id(self) -> str:
        """That of the other one, and ``/centred``. Raises ``DimensionsUnknown`` if that one does."""
        return f"{self._of.model_id}/centred"

    @property
    def dimensions(self) -> int:
        """Length of every vector. Raises ``DimensionsUnknown`` if the other one does."""
        return self._of.dimensions

    async def embed_batch(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of shape ``(len(texts), dimensions)``. Raises the errors of the other embedder."""
        unrelated = _UNRELATED.read_text(encoding="utf-8").splitlines() if self._mean is None else []
        vectors = await self._of.embed_batch([*unrelated, *texts])
        if self._mean is None:
            self._mean = vectors[: len(unrelated)].mean(axis=0)
        vectors = vectors[len(unrelated) :]
        vectors[vectors.any(axis=1)] -= self._mean
        return unit(vectors)

    async def close(self) -> None:
        """Close the other embedder."""
        await self._of.close()


def read_vectors(body: bytes, count: int) -> Vector:
    """Unit vectors of shape ``(count, d)`` in the order of ``index``, from numbers or base64 of little-endian float32.
    Raises ``ValueError`` for a wrong answer, and quotes nothing of it.
    """
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
    items = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ValueError("it has no list `data` of objects")
    if len(items) != count:
        raise ValueError(f"its `data` has {len(items)} for {count} texts")
    by_index = {index: item for item in items if isinstance(index := item.get("index"), int)}
    if by_index.keys() != set(range(count)):
        raise ValueError(f"its `index` values are not 0 to {count - 1}")
    rows = [_numbers(by_index[index].get("embedding")) for index in range(count)]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("its vectors have different lengths")
    return unit(np.stack(rows))


def _numbers(embedding: object) -> NDArray[np.float32]:
    try:
        if isinstance(embedding, str):
            row = np.frombuffer(base64.b64decode(embedding, validate=True), "<f4").astype(np.float32)
        else:
            with np.errstate(over="ignore"):
                row = np.array(embedding, np.float64).astype(np.float32)
    except (ValueError, TypeError, OverflowError):
        raise ValueError("a vector is not a list of numbers") from None
    if row.ndim != 1 or not row.size:
        raise ValueError("a vector is not a list of numbers")
    if not np.isfinite(row).all():
        raise ValueError("a vector has a number that is not finite")
    return row
