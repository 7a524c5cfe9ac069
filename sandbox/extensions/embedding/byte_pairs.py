"""The tokens of a model of byte pairs, from its file for the package ``tokenizers``.

The tokenizer takes 60 ms to read, and its vocabulary 14: a process that asks one question needs the tokens of a few
words, and joins them from the vocabulary by itself.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.extensions.embedding.errors import ModelUnreadable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_JOINED_HERE = 2_000  # words; more take longer than reading the tokenizer
_LONGEST = 100  # characters of one
_SPACE = "\u2581"
WHOLE = (_SPACE, "<s>", "</s>", "<unk>")
"""The sign for a space, and special tokens: the tokens of a text that contains one are not those of its words."""


class BytePairs:
    """The tokens of texts, without special ones; safe to use from any thread. Raises as reading a file and JSON do."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._joined = 0
        self._ids = _vocabulary(file.read_bytes())

    def tokens(self, texts: list[str]) -> list[list[int]]:
        """Those of each text."""
        if "tokenizer" not in self.__dict__:
            words = [text.split(" ") if text else [] for text in texts]
            self._joined += sum(map(len, words))
            if self._joined <= _JOINED_HERE and all(_is_plain(word) for each in words for word in each):
                return [[token for word in each for token in self._of_word(word)] for each in words]
        return [found.ids for found in self.tokenizer.encode_batch_fast(texts, add_special_tokens=False)]

    @cached_property
    def tokenizer(self) -> "Tokenizer":
        """The tokenizer itself. Raises ``ModelUnreadable``."""
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(self._file))
        except Exception as error:  # tokenizers raises nothing narrower
            raise ModelUnreadable(folder=self._file.parent, problem=f"{type(error).__name__}: {error}") from error
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def _of_word(self, word: str) -> Iterator[int]:
        """A word's characters are joined in the order of the vocabulary, until no two neighbours are a token. One that
        is no token stands as its bytes.
        """
        known = self._ids
        parts = [_SPACE]
        for sign in word:
            parts += (sign,) if sign in known else (f"<0x{byte:02X}>" for byte in sign.encode())
        while pairs := [
            (known[one + other], known[one], known[other], at)
            for at, (one, other) in enumerate(pairwise(parts))
            if one + other in known
        ]:
            at = min(pairs)[-1]
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return map(known.__getitem__, parts)


def _is_plain(word: str) -> bool:
    """Whether a word's tokens depend on nothing but its characters; an empty one is a part of several spaces."""
    return 0 < len(word) <= _LONGEST and not any(sign in word for sign in WHOLE)


def _vocabulary(content: bytes) -> Mapping[str, int]:
    """The tokens with their numbers, without reading the pairs behind them."""
    start = content.index(b"{", content.index(b'"vocab"'))
    end = content.rindex(b"}", start, content.rindex(b'"merges"'))
    found: Mapping[str, int] = json.loads(content[start : end + 1])
    return found
