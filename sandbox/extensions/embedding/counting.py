"""The number of tokens of a text for a Llama tokenizer, by its lines and words (adr/0015).

No token crosses a line break or a single space. So a text has as many tokens as its parts together (the first word of
each line with the break before it, and the rest of the line), and a part as many as its words.
"""

from collections.abc import Callable, Iterator, Sequence, Sized
from itertools import chain, islice

from sandbox.extensions.embedding.texts import pieces

Encode = Callable[[list[str]], Sequence[Sized]]
"""The tokens of each text, without special ones."""

_KEPT = 200_000  # parts and words; about 20 MB
WHOLE = ("\u2581", "<s>", "</s>", "<unk>")  # the sign for a space, and special tokens
_RUN = "  "  # several spaces have tokens of their own


class Counting:
    """Counts tokens and remembers the counts under hashes, without the text. Safe to use from any thread."""

    def __init__(self, encode: Encode) -> None:
        self._encode = encode
        self._known: dict[int, int] = {}

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text. A part of more than 8,000 characters is counted in pieces, and may have one token too
        many for each cut.
        """
        cut = [[] if _is_whole(text) else list(_parts(text)) for text in texts]
        counts = iter(self._counts(list(chain.from_iterable(cut))))
        return [
            sum(islice(counts, len(parts))) if parts else self._tokens([list(pieces(text))])[0]
            for text, parts in zip(texts, cut, strict=True)
        ]

    def _counts(self, parts: Sequence[str]) -> list[int]:
        """Tokens of parts of texts, remembered."""
        keys = list(map(hash, parts))
        found = list(map(self._known.get, keys))
        fresh = {key: part for key, part, count in zip(keys, parts, found, strict=True) if count is None}
        met = dict(zip(fresh, self._counted(list(fresh.values())), strict=True)) if fresh else {}
        if len(self._known) + len(met) > _KEPT:
            self._known.clear()
        self._known.update(met)
        return [met[key] if count is None else count for key, count in zip(keys, found, strict=True)]

    def _counted(self, parts: Sequence[str]) -> list[int]:
        """Tokens of new parts: by their words, if single spaces separate them."""
        split = [part.split(" ") if _has_words(part) else [] for part in parts]
        words = iter(self._counts(list(chain.from_iterable(split))))
        others = iter(self._encoded([part for part, found in zip(parts, split, strict=True) if not found]))
        return [sum(islice(words, len(found))) if found else next(others) for found in split]

    def _encoded(self, parts: Sequence[str]) -> list[int]:
        """Tokens of parts in their place: after a space or a break, unless they begin their text."""
        behind = [part[:1] == "\n" or not part for part in parts]
        texts = [f"a{part or ' '}" if other else part for part, other in zip(parts, behind, strict=True)]
        counts = self._tokens([list(pieces(text)) for text in texts])
        return [count - other for count, other in zip(counts, behind, strict=True)]

    def _tokens(self, texts: Sequence[list[str]]) -> list[int]:
        """Tokens of texts that are divided into pieces."""
        found = iter(self._encode(list(chain.from_iterable(texts))))
        return [sum(map(len, islice(found, len(text)))) for text in texts]


def _is_whole(text: str) -> bool:
    """Whether a text can only be counted as a whole."""
    return not text or text[0] == " " or any(mark in text for mark in WHOLE)


def _parts(text: str) -> Iterator[str]:
    """The first word of each line, from the second line on with the break before it, and the rest of the line."""
    start = ""
    for line in text.split("\n"):
        head, space, tail = line.partition(" ")
        yield start + head
        if space:
            yield tail
        start = "\n"


def _has_words(part: str) -> bool:
    return " " in part and part[0] != " " and _RUN not in part
