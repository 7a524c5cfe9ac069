"""Protocols of the services that the memory needs from outside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np

from sandbox.support.embedder import Embedder, Vector

_BYTES_PER_TOKEN = 3.0  # English blocks have 3.0 to 3.9 for Llama 2; most models cut text into fewer tokens


@dataclass(frozen=True, slots=True)
class Embedded:
    """Texts, and their unit vectors by a model, of shape ``(len(texts), dimensions)``."""

    model: str
    texts: Sequence[str]
    vectors: Vector


def checked(given: object, texts: int, embedder: Embedder) -> Vector:
    """The vectors of an embedder as an array. Raises ``ValueError`` unless there is one valid vector for each text."""
    matrix: Vector = np.asarray(given, dtype=np.float32)
    expected = (texts, embedder.dimensions)
    if matrix.shape != expected or not np.isfinite(matrix).all():
        raise ValueError(f"the provider did not give {texts} finite vectors of {embedder.dimensions} dimensions")
    return matrix


def model_of(embedder: Embedder) -> str | None:
    """The model's id; None while the embedder does not know it, for example before a server's first answer."""
    try:
        return embedder.model_id
    except Exception:  # the provider is foreign code
        return None


def name_of(embedder: Embedder) -> str:
    """The model's id, for people."""
    return model_of(embedder) or "that is configured"


@runtime_checkable
class WordEmbedder(Protocol):
    """An embedder that adds up the vectors of words, so that the rare words of a question can get more weight."""

    def embed_words(self, words: Sequence[str], weights: Sequence[float]) -> Vector | None:
        """Unit vector ``(dimensions,)``, the weighted sum of the words; None while it cannot be had at once."""


class LocalEmbedder(Embedder, Protocol):
    """An embedder without a server."""

    def embed_here(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of shape ``(len(texts), dimensions)``, in order, computed in the caller's thread."""


def local(embedder: Embedder | None) -> LocalEmbedder | None:
    """The embedder if it needs no server. (``isinstance`` would ask a server's one for a model that it does not know
    before the first answer.)
    """
    return cast(LocalEmbedder, embedder) if hasattr(embedder, "embed_here") else None


@runtime_checkable
class TokenCounter(Protocol):
    """Counts tokens exactly for its own model, as an estimate for others."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text."""


class EstimatedTokens:
    """Estimates tokens, rather too many than too few, because every model cuts a text differently."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Estimated tokens of each text."""
        return [-int(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN) for text in texts]


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a language model: ``system`` is the instruction, ``user`` the material, which is data.

    The answer is one JSON value that follows ``schema`` (JSON Schema, an object at the top); ``name`` names the schema
    for the server, in letters and underscores.
    """

    name: str
    system: str
    user: str
    schema: Mapping[str, Any]
    max_tokens: int = 2000
    earlier: tuple[tuple[str, str], ...] = ()  # (answer, why it could not be read), for each try before
    strict: bool = True  # whether the schema requires every key, as some servers demand


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered, unchanged. ``finish`` is ``stop``, ``length`` (truncated), ``refusal`` or another reason
    of the server; the numbers of tokens are the server's, or an estimate if it gives none.
    """

    text: str
    finish: str
    prompt_tokens: int
    completion_tokens: int


class LanguageModel(Protocol):
    """The model that learning asks between conversations. Nothing between a prompt and its context block asks it."""

    @property
    def model_id(self) -> str:
        """The model's name in the log of its proposals."""

    async def ask(self, question: Question) -> Answer:
        """The answer. Raises ``ModelUnavailable`` if there is none after all tries."""
