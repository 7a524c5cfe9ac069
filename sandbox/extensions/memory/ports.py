"""Protocols of the services that the memory needs from outside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from sandbox.support.embedder import Embedder, Vector


@dataclass(frozen=True, slots=True)
class Embedded:
    """Texts, and their unit vectors by a model, shape ``(len(texts), dimensions)``."""

    model: str
    texts: Sequence[str]
    vectors: Vector


class Reranker(Protocol):
    """Says how well texts answer a question. Any error it raises means "not now": what was found keeps its order."""

    @property
    def model_id(self) -> str:
        """Names the model."""
        ...

    async def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """A finite number for each text, in order; higher where it answers better."""
        ...


def checked(given: object, texts: int, embedder: Embedder) -> Vector:
    """What an embedder gave for so many texts, as an array. Raises ``ValueError`` where it is not their vectors."""
    matrix: Vector = np.asarray(given, dtype=np.float32)
    expected = (texts, embedder.dimensions)
    if matrix.shape != expected or not np.isfinite(matrix).all():
        raise ValueError(f"not {expected[0]} finite vectors of {expected[1]} dimensions")
    return matrix


def model_of(embedder: Embedder) -> str | None:
    """Its model's id; None while it cannot tell, as before the first answer of a server."""
    try:
        return embedder.model_id
    except Exception:  # of a provider, which is somebody else's code
        return None


@runtime_checkable
class WordEmbedder(Protocol):
    """An embedder whose texts are sums of words, so that the telling words of a question can weigh more."""

    def embed_words(self, words: Sequence[str], weights: Sequence[float]) -> Vector | None:
        """Unit vector of shape ``(dimensions,)``, each word by its weight; None while it cannot be had at once."""
        ...


@runtime_checkable
class LocalEmbedder(Embedder, Protocol):
    """An embedder that computes by itself, and so can be pickled and compute in another process."""

    def embed_here(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of shape ``(len(texts), dimensions)``, in order, made in the caller's thread."""
        ...


@runtime_checkable
class TokenCounter(Protocol):
    """Counts tokens; an estimate for any model but its own."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """What a language model is asked: ``system`` says what to do, ``user`` gives the material, which is data.

    The answer is one JSON value that follows ``schema`` (JSON Schema, an object at the top); ``name`` names it to the
    server, letters and underscores.
    """

    name: str
    system: str
    user: str
    schema: Mapping[str, Any]
    max_tokens: int = 2000
    earlier: tuple[tuple[str, str], ...] = ()  # (answer, what was wrong with it): tried before in this question
    in_shape: bool = False  # whether one of these followed the schema
    strict: bool = True  # whether the schema has every key required, as some servers want it
    again: str | None = None  # what stands for ``system`` where what an answer says is to be put right


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered, as it stands. ``finish`` is ``stop``, ``length`` (truncated), ``refusal`` or what else the
    server says; the tokens are the server's own figures, an estimate where it gives none.
    """

    text: str
    finish: str
    prompt_tokens: int
    completion_tokens: int


class LanguageModel(Protocol):
    """What learning asks between conversations; nothing on the way from a prompt to its context does."""

    @property
    def model_id(self) -> str:
        """Names the model in the log of what it proposed."""
        ...

    async def ask(self, question: Question) -> Answer:
        """Its answer. Raises ``ModelUnavailable`` where there is none now, however often it was tried."""
        ...
