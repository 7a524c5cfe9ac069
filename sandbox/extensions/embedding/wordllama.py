"""The tokens of texts by their words (adr/0015), each tokenised once. Many texts are embedded in half the time, but
with the interpreter's lock throughout; a block is counted in a third of it.
"""

import asyncio
import importlib.util
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from sandbox.extensions.embedding.byte_pairs import WHOLE, BytePairs
from sandbox.extensions.embedding.errors import InvalidSetting, ModelUnreadable
from sandbox.extensions.embedding.texts import MAX_CHARACTERS, batches, embeddable, pieces, well_formed
from sandbox.support.embedder import Vector, unit

Encode = Callable[[list[str]], Sequence[Sequence[int]]]
"""The tokens of each text, without special ones."""

_KEPT, _LONGEST = 30_000, 32  # words, and characters of one; about 6 MB

_MODEL = "l2_supercat"
DIMENSIONS = (256, 128, 64)  # a Matryoshka model (arXiv 2205.13147): the first components are a smaller model
# under 0.5 ms on the event loop; switching to a thread costs 0.1 ms and the wait for a free one
_DIRECT_CHARACTERS = 2_000
_SLICE_TEXTS = 64  # 2 ms of one core, less than half of it with the interpreter's lock
_SLICE_CHARACTERS = 16_000
_BULK_TEXTS = 500  # as many texts at once are an import, where throughput matters
_LIVELY_TEXTS = 8  # fewer come from a running conversation, which must not wait for the interpreter's lock
_SUMS_KEPT = 8_000  # words of questions; 8 MB


class WordTokens:
    """Tokens of words, remembered. Safe to use from any thread."""

    def __init__(self, encode: Encode) -> None:
        self._encode = encode
        self._known: dict[str, Sequence[int]] = {}

    def of(self, texts: Sequence[str]) -> list[list[int]]:
        """Tokens of each text, exactly those of the text as a whole; more than 8,000 characters without a place to
        divide them are cut into pieces, and may have one token too many for each cut.
        """
        words = _words(texts)
        if len(self._known) > _KEPT:
            self._known = {}
        known = self._known  # the same dictionary to the end, even if another thread starts a new one
        fresh = list(set(chain.from_iterable(words)).difference(known))
        met = dict(zip(fresh, self._encode(fresh), strict=True))
        known.update((word, tokens) for word, tokens in met.items() if len(word) <= _LONGEST)
        tokens = known if met.keys() <= known.keys() else {**known, **met}
        return [list(chain.from_iterable(map(tokens.__getitem__, each))) for each in words]


def _words(texts: Sequence[str]) -> list[list[str]]:
    """The words of a text. No token crosses a single space, so a text has the tokens of its words; if more than single
    spaces separate the words, the text is one word.
    """
    together = "\n".join(texts)  # few texts have a mark, so all are searched at once
    marks = [mark for mark in WHOLE if mark in together]
    split = [text.split(" ") for text in texts]
    words = [
        [text] if "" in words or (marks and any(mark in text for mark in marks)) else words
        for text, words in zip(texts, split, strict=True)
    ]
    if len(together) > MAX_CHARACTERS:
        words = [list(chain.from_iterable(map(pieces, each))) for each in words]
    return words


_loading = threading.Lock()


@dataclass(frozen=True)
class Model:
    """Tokens, and one vector for each in half precision; both are safe to use from any thread."""

    pairs: BytePairs
    half: "np.ndarray[Any, np.dtype[np.float16]]"
    dimensions: int  # the first components of each vector
    sums: dict[str, Vector] = field(default_factory=dict, repr=False, compare=False)  # of words of questions
    words: WordTokens = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", WordTokens(self.pairs.tokens))

    @cached_property
    def weights(self) -> Vector:
        """The vectors in single precision. They cost 20 ms and 33 MB, and save 6 µs per text, which is worth it for
        many texts.
        """
        return np.ascontiguousarray(self.half[:, : self.dimensions], np.float32)

    def weighted(self, words: list[str], weights: Sequence[float]) -> Vector:
        """Unit vector of shape ``(d,)``: the weighted sum of the words."""
        fresh = [word for word in dict.fromkeys(words) if word not in self.sums]
        met = dict(zip(fresh, self._sums(self.pairs.tokens(fresh)), strict=True)) if fresh else {}
        if len(self.sums) < _SUMS_KEPT:
            self.sums.update(met)
        sums = np.stack([met[word] if word in met else self.sums[word] for word in words])
        vector: Vector = unit(np.asarray(weights, np.float32)[None, :] @ sums)[0]
        return vector

    def vectors(self, texts: list[str]) -> Vector:
        """Unit vectors of shape ``(len(texts), d)``; the sum of token vectors has the direction of their mean."""
        return unit(self._sums(self.pairs.tokens(texts)))

    def vectors_by_words(self, texts: list[str]) -> Vector:
        """The same in less time, but with the interpreter's lock throughout."""
        return unit(self._sums(self.words.of(texts)))

    def _sums(self, tokens: Sequence[list[int]]) -> Vector:
        sums = np.zeros((len(tokens), self.dimensions), np.float32)
        table = self.weights if len(tokens) > _LIVELY_TEXTS else self.half
        for row, ids in zip(sums, tokens, strict=True):
            if ids:
                rows = table.take(ids, axis=0, mode="clip")[:, : self.dimensions]
                rows.astype(np.float32, copy=False).sum(axis=0, out=row)
        return sums


def load(folder: Path, dimensions: int) -> Model:
    """The model in the folder, read once per process; other threads wait for the first. Raises ``ModelUnreadable``."""
    with _loading:
        return _read(folder, dimensions)


@cache
def _read(folder: Path, dimensions: int) -> Model:
    try:
        pairs = BytePairs(folder / "tokenizers" / f"{_MODEL}_tokenizer_config.json")
        half = _table(folder / "weights" / f"{_MODEL}_{DIMENSIONS[0]}.safetensors")
    except (OSError, ValueError, KeyError) as error:
        raise ModelUnreadable(folder=folder, problem=f"{type(error).__name__}: {error}") from error
    return Model(pairs, half, dimensions)


def _table(file: Path) -> "np.ndarray[Any, np.dtype[np.float16]]":
    """The vectors, mapped from a file in the format safetensors: of its 16 MB a question reads a few pages."""
    with file.open("rb") as opened:
        header = opened.read(int.from_bytes(opened.read(8), "little"))
    table = json.loads(header)["embedding.weight"]
    if table["dtype"] != "F16":
        raise ValueError(f"its numbers are {table['dtype']}, not F16")
    start = 8 + len(header) + table["data_offsets"][0]
    return np.memmap(file, "<f2", "r", start, tuple(table["shape"])).view(np.ndarray)


def package_folder() -> Path:
    """Where the package `wordllama` is, without importing it. Raises ``ModelUnreadable``."""
    spec = importlib.util.find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnreadable(folder="site-packages", problem="the package is not installed")
    return Path(spec.submodule_search_locations[0])


class WordLlamaEmbedder:
    """WordLlama `l2_supercat`: 256 dimensions, or its first 128 or 64; about 15 microseconds a question.

    The model is read at the first use, in a thread; ``warm()`` does it earlier. Of a text its first 8,000 characters
    are embedded. Raises ``InvalidSetting`` for another number of dimensions.
    """

    def __init__(self, *, dimensions: int = DIMENSIONS[0], folder: str | Path | None = None) -> None:
        if dimensions not in DIMENSIONS:
            raise InvalidSetting(key="dimensions", problem=f"must be one of {DIMENSIONS} for wordllama")
        self._dimensions = dimensions
        self._folder = folder
        self._model: Model | None = None

    @property
    def model_id(self) -> str:
        """``wordllama/l2_supercat/256``."""
        return f"wordllama/{_MODEL}/{self._dimensions}"

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        return self._dimensions

    async def embed_batch(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of shape ``(len(texts), dimensions)``; a few short texts at once, many in slices in a thread."""
        model = self._model or await self.warm()
        if sum(map(len, texts)) <= _DIRECT_CHARACTERS:
            return model.vectors([embeddable(text) for text in texts])
        rows = [np.zeros((0, self._dimensions), np.float32)]
        slice_texts = _SLICE_TEXTS if len(texts) >= _BULK_TEXTS else _LIVELY_TEXTS
        for batch in batches(map(embeddable, texts), slice_texts, _SLICE_CHARACTERS):
            rows.append(await asyncio.to_thread(model.vectors, batch))
        return np.concatenate(rows)

    def embed_here(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of shape ``(len(texts), dimensions)``, computed in the caller's thread. Reads the model at the
        first use. Raises ``ModelUnreadable``.
        """
        model = self._model = self._model or self._load()
        return model.vectors_by_words([embeddable(text) for text in texts])

    def embed_words(self, words: Sequence[str], weights: Sequence[float]) -> Vector | None:
        """Unit vector of shape ``(dimensions,)``, the weighted sum of some words; None before the model is read."""
        if self._model is None:
            return None
        return self._model.weighted([embeddable(word) for word in words], weights)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Llama 2 tokens of each whole text, without special ones; an estimate for other models.

        Exact up to 8,000 characters, and beyond if single spaces separate the words; otherwise perhaps one token more
        per 8,000. Reads the model at the first use, in the caller's thread.
        """
        model = self._model = self._model or self._load()
        return list(map(len, model.words.of([well_formed(text) for text in texts])))

    async def warm(self) -> Model:
        """Read the model now, in a thread. Raises ``ModelUnreadable``."""
        self._model = await asyncio.to_thread(self._load)
        return self._model

    async def close(self) -> None:
        """Do nothing: the model belongs to the process."""

    def _load(self) -> Model:
        folder = package_folder() if self._folder is None else Path(self._folder)
        return load(folder, self._dimensions)
