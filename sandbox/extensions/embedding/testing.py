"""Fakes for tests, here and in other extensions: an embedder without a model, and a server without a model."""

import asyncio
import base64
import json
import re
from abc import abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import shake_128
from http.server import BaseHTTPRequestHandler

import numpy as np

from sandbox.extensions.embedding.errors import NotNow
from sandbox.support.embedder import Vector, unit
from sandbox.testing import LoopbackServer, Request, send_head


@lru_cache(maxsize=10_000)
def _word_vector(word: str, dimensions: int) -> Vector:
    drawn = np.frombuffer(shake_128(word.encode("utf-8", "replace")).digest(dimensions), np.uint8)
    centred: Vector = drawn.astype(np.float32) - np.float32(127.5)
    return centred


def hash_vectors(texts: Sequence[str], dimensions: int) -> Vector:
    """Unit vectors of shape ``(len(texts), dimensions)``, the same everywhere: texts that share words are near."""
    sums = np.zeros((len(texts), dimensions), np.float32)
    for row, text in zip(sums, texts, strict=True):
        for word in re.findall(r"\w+", text.casefold()):
            row += _word_vector(word, dimensions)
    return unit(sums)


@dataclass(slots=True)
class HashEmbedder:
    """Embeds hashed words. It fails unless ``available``; ``delay`` makes it slow; ``seen`` are its texts."""

    dimensions: int = 64
    available: bool = True
    delay: float = 0.0
    seen: list[str] = field(default_factory=list)

    @property
    def model_id(self) -> str:
        """``hash/words/64``."""
        return f"hash/words/{self.dimensions}"

    async def embed_batch(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of shape ``(len(texts), dimensions)``, after ``delay`` seconds. Raises ``NotNow``."""
        await asyncio.sleep(self.delay)
        if not self.available:
            raise NotNow(model=self.model_id)
        self.seen.extend(texts)
        return hash_vectors(texts, self.dimensions)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Words of each text."""
        return [len(re.findall(r"\w+", text)) for text in texts]

    async def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the fake server: by default a correct one; each field spoils it.

    ``body`` replaces the vectors; ``vectors`` and ``dimensions`` replace their correct numbers; ``shuffled`` reverses
    their order; ``cut`` ends the connection after half of the body; ``delay`` is a pause in seconds before all that.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    vectors: int | None = None
    dimensions: int | None = None
    shuffled: bool = False
    cut: bool = False
    delay: float = 0.0


class ReplyingServer(LoopbackServer):
    """A server on loopback whose ``replies`` are used up in order; then all answers are right."""

    def __init__(self) -> None:
        super().__init__()
        self.replies: deque[Reply] = deque()

    def respond(self, request: Request, to: BaseHTTPRequestHandler) -> None:
        """Send the next reply."""
        reply = self.replies.popleft() if self.replies else Reply()
        self.closing.wait(reply.delay)
        body = self.answer(request, reply) if reply.body is None else reply.body.encode()
        length = {"Content-Length": str(len(body))}
        send_head(to, reply.status, {"Content-Type": "application/json", **reply.headers, **length})
        to.wfile.write(body[: len(body) // 2] if reply.cut else body)
        to.close_connection = reply.cut

    @abstractmethod
    def answer(self, request: Request, reply: Reply) -> bytes:
        """The body of the reply."""


class FakeEmbeddingServer(ReplyingServer):
    """It speaks `/v1/embeddings` with ``hash_vectors``, as ``OpenAIEmbedder`` expects it. All texts have ``common`` in
    common: the cosine of unrelated ones. A request with more than ``longest`` characters in one text is refused, as
    llama.cpp does; each character takes ``pace`` seconds.

    For example:

        with FakeEmbeddingServer() as server:
            server.replies.append(Reply(status=429, headers={"Retry-After": "0.1"}))
            embedder = OpenAIEmbedder("any", base_url=server.base_url)
    """

    def __init__(self, dimensions: int = 64, common: float = 0.0) -> None:
        super().__init__()
        self.dimensions = dimensions
        self.common = common
        self.longest: int | None = None
        self.pace = 0.0

    def respond(self, request: Request, to: BaseHTTPRequestHandler) -> None:
        """Send the next reply, or a refusal."""
        lengths = [len(text) for text in request.body["input"]]
        if self.longest is not None and max(lengths) > self.longest:
            self.replies.appendleft(Reply(status=500, body='{"error": {"message": "the input is too large"}}'))
        elif self.pace:
            self.replies.appendleft(Reply(delay=self.pace * sum(lengths)))
        super().respond(request, to)

    def answer(self, request: Request, reply: Reply) -> bytes:
        """A vector for each text."""
        texts: list[str] = request.body["input"]
        dimensions = reply.dimensions or request.body.get("dimensions") or self.dimensions
        as_base64 = request.body.get("encoding_format") == "base64"
        rows = (1 - self.common) ** 0.5 * hash_vectors(texts, dimensions) + (self.common / dimensions) ** 0.5
        data = [_item(place, row, as_base64) for place, row in enumerate(rows)]
        data = data[: reply.vectors]
        return json.dumps({"object": "list", "data": data[::-1] if reply.shuffled else data}).encode()


def _item(index: int, vector: Vector, as_base64: bool) -> dict[str, object]:
    embedding = base64.b64encode(vector.astype("<f4").tobytes()).decode() if as_base64 else vector.tolist()
    return {"object": "embedding", "index": index, "embedding": embedding}
