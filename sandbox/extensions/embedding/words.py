"""The tokens of texts by their words (adr/0015), each tokenised once. Many texts are embedded in half the time, but
with the interpreter's lock throughout; a block is counted in a third of it.
"""

from collections.abc import Callable, Sequence
from itertools import chain

from sandbox.extensions.embedding.texts import MAX_CHARACTERS, pieces

Encode = Callable[[list[str]], Sequence[Sequence[int]]]
"""The tokens of each text, without special ones."""

_KEPT, _LONGEST = 30_000, 32  # words, and characters of one; about 6 MB
_WHOLE = ("\u2581", "<s>", "</s>", "<unk>")  # the sign for a space, and special tokens


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
    marks = [mark for mark in _WHOLE if mark in together]
    split = [text.split(" ") for text in texts]
    words = [
        [text] if "" in words or (marks and any(mark in text for mark in marks)) else words
        for text, words in zip(texts, split, strict=True)
    ]
    if len(together) > MAX_CHARACTERS:
        words = [list(chain.from_iterable(map(pieces, each))) for each in words]
    return words
