"""The provider for OpenAI and every server with its `/v1/embeddings`."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sandbox.extensions.embedding import settings
from sandbox.extensions.embedding.answer import read_vectors
from sandbox.extensions.embedding.errors import (
    DimensionsUnknown,
    EmbedderClosed,
    NoAnswer,
    Refused,
    Unreachable,
    UnusableAnswer,
    WrongDimensions,
)
from sandbox.extensions.embedding.texts import batches, embeddable
from sandbox.support.embedder import Vector
from sandbox.support.errors import MissingPackage
from sandbox.support.openai_server import OPENAI_URL, connect, meaning, place_of, withheld

if TYPE_CHECKING:
    from openai import AsyncOpenAI

RETRIES = 2  # by the openai package, after 0.5 and 1 s minus up to a quarter, or after the time in Retry-After
REQUEST_CHARACTERS = 100_000  # OpenAI takes 300,000 tokens a request, and few characters have more than 3 tokens
NATIVE_DIMENSIONS = {
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
    learnt from the first answer (``health_check()`` asks for one); until then ``dimensions`` and ``model_id`` raise
    ``DimensionsUnknown``. ``timeout`` is in seconds and for one request with its retries; ``batch_size`` is the largest
    number of texts in one request. A blank text gives zeros and is not sent; of other texts the first 8,000 characters
    are sent.

    The key is in the environment variable ``api_key_env``. OpenAI itself needs one, by default in ``OPENAI_API_KEY``;
    to a server at another ``base_url`` a key is sent only if the variable is named.

    Raises:
        InvalidSetting: a value of the wrong type or range.
        MissingKey: the environment variable is not set.
        MissingPackage: the extra `openai` is not installed.
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
        self._dimensions = self._requested or NATIVE_DIMENSIONS.get(model)
        self._timeout = read["timeout"]
        self._batch_size = read["batch_size"]
        address = read.get("base_url", OPENAI_URL)
        self._place = place_of(address)
        key = settings.api_key(api_key_env, is_needed=base_url is None)
        self._client = client(address, key, self._timeout)
        self._headers = withheld(address, key)

    @property
    def model_id(self) -> str:
        """``openai/<model>/<dimensions>``.

        Raises:
            DimensionsUnknown: there was no answer yet.
        """
        return f"openai/{self._model}/{self.dimensions}"

    @property
    def dimensions(self) -> int:
        """Length of every vector.

        Raises:
            DimensionsUnknown: there was no answer yet.
        """
        if self._dimensions is None:
            raise DimensionsUnknown(model=self._model)
        return self._dimensions

    async def embed(self, text: str) -> Vector:
        """Unit vector of shape ``(dimensions,)``; zeros for a blank text.

        Raises:
            NotNow: a subclass says why.
            EmbedderClosed: after ``close()``.
        """
        vector: Vector = (await self.embed_batch([text]))[0]
        return vector

    async def embed_batch(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of shape ``(len(texts), dimensions)``, by as many requests as necessary, all or none.

        Raises:
            NotNow: a subclass says why.
            EmbedderClosed: after ``close()``.
        """
        sent = {place: embeddable(text) for place, text in enumerate(texts) if not _is_blank(text)}
        answers = [await self._request(part) for part in batches(sent.values(), self._batch_size, REQUEST_CHARACTERS)]
        if self._dimensions is None:
            await self._request(["how many dimensions"])
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        if answers:
            vectors[list(sent)] = np.concatenate(answers)
        return vectors

    async def health_check(self) -> bool:
        """Whether the server embeds a word within ``timeout``; never raises."""
        try:
            await self.embed("health")
        except Exception:
            return False
        return True

    async def close(self) -> None:
        """Close the connections; later calls raise an error."""
        await self._client.close()

    async def _request(self, texts: list[str]) -> Vector:
        body = await self._ask(texts)
        try:
            vectors = read_vectors(body, len(texts))
        except ValueError as problem:
            raise UnusableAnswer(model=self._model, place=self._place, problem=str(problem)) from None
        found, expected = vectors.shape[1], self._dimensions or vectors.shape[1]
        if found != expected:
            raise WrongDimensions(model=self._model, place=self._place, found=found, expected=expected)
        self._dimensions = found
        return vectors

    async def _ask(self, texts: list[str]) -> bytes:
        if self._client.is_closed():
            raise EmbedderClosed(model=self._model)
        return await answered(self._post(texts), self._model, self._place, self._timeout)

    async def _post(self, texts: list[str]) -> bytes:
        from openai import omit

        answer = await self._client.embeddings.with_raw_response.create(
            input=texts, model=self._model, dimensions=self._requested or omit, extra_headers=self._headers
        )
        return answer.content


def _is_blank(text: str) -> bool:
    return not text or text.isspace()


async def answered(request: Awaitable[bytes], model: str, place: str, seconds: float) -> bytes:
    """The body of a server's answer. The package's errors quote it, and perhaps the key, so they end here."""
    import openai

    try:
        async with asyncio.timeout(seconds):
            return await request
    except (TimeoutError, openai.APITimeoutError):
        raise NoAnswer(model=model, place=place, seconds=seconds) from None
    except openai.APIStatusError as error:
        status = error.status_code
        raise Refused(model=model, place=place, status=status, meaning=meaning(status, MEANINGS)) from None
    except openai.OpenAIError:
        raise Unreachable(model=model, place=place) from None


def client(address: str, key: str | None, seconds: float) -> "AsyncOpenAI":
    """A client for the server at an address. Raises ``MissingPackage``."""
    try:
        return connect(address, key, timeout=seconds, retries=RETRIES)
    except ImportError:
        raise MissingPackage("An embedding or a reranker from a server", "openai") from None
