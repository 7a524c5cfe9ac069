"""Decide whether a text gives an assistant orders; if the text is not the user's word, the memory then treats it as
data. Pure.

The forms of orders are in ``languages/*/injection.yaml``. A text is read as a model reads it: without invisible
characters and marks of emphasis, and with letters of other scripts as the letters they resemble. Only the surroundings
of a word that every form has are examined, so that the time grows with the length of the text.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from sandbox.extensions.memory.lexicon import pattern, words
from sandbox.extensions.memory.text.words import fold
from sandbox.support.characters import visible

_KINDS = ("unlearn", "addressed", "unsaid", "lasting", "owed", "asked", "sent")
# words around a key word of an order that are examined, and words skipped until the next one
_BEFORE, _AFTER, _APART = 10, 20, 6
_LONGEST = 40  # letters; a longer run of letters is no word
_HINT = 5  # letters of a word that are compared
_STOP, _LINE = ".", "\n"
_EMPHASIS = re.compile(r"[*`~]+")
_SIGNS = re.compile(r"[^\w\s'@]+|(?<!\w)'|'(?!\w)")
_LATIN = re.compile(r"[a-z]")
_BLANK = re.compile(r"[^\S\n]+")
_STOPS = re.compile(r"\.(?: \.)+")


def gives_orders(text: str) -> bool:
    """Whether a text contains an order to an assistant, or imitates markup that only the assistant's maker writes."""
    folded = fold(visible(text))
    return pattern("injection", "marks", re.MULTILINE).search(folded) is not None or _is_ordered(_words(folded))


@cache
def _orders() -> Mapping[str, Sequence[re.Pattern[str]]]:
    """The forms to look for around a word, by its first letters."""
    found = defaultdict[str, list[re.Pattern[str]]](list)
    for kind in _KINDS:
        for hint in sorted({word[:_HINT] for word in words("injection", f"{kind}_hints")}):
            found[hint].append(pattern("injection", kind))
    return found


def _words(folded: str) -> list[str]:
    """The words; a full stop stands for any sign between them, a line break for itself."""
    plain = _SIGNS.sub(f" {_STOP} ", _EMPHASIS.sub("", folded).replace("_", " ").replace("+", " "))
    found = [word[:_LONGEST] for word in _BLANK.split(plain.replace(_LINE, f" {_LINE} "))]
    return found if folded.isascii() else [_in_one_script(word) for word in found]


def _in_one_script(word: str) -> str:
    """A word in mixed scripts, with Latin letters in place of those that look like them."""
    return word if word.isascii() or not _LATIN.search(word) else word.translate(_lookalikes())


@cache
def _lookalikes() -> dict[int, str]:
    """Letters of other scripts, and the Latin letters they look like."""
    return {ord(pair[0]): pair[1] for pair in words("injection", "lookalikes")}


def _is_ordered(found: list[str]) -> bool:
    """Whether a key word has an order around it; a line break may or may not end a sentence."""
    orders, following = _orders(), dict[re.Pattern[str], int]()
    for at, word in enumerate(found):
        for form in orders.get(word[:_HINT], ()):
            if at < following.get(form, 0):
                continue
            following[form] = at + _APART
            if any(map(form.search, _around(found, at))):
                return True
    return False


def _around(found: list[str], at: int) -> Iterator[str]:
    begin = max(0, at - _BEFORE)
    part = " ".join(found[begin : at + _AFTER])
    part = part if begin else f"{_STOP} {part}"
    yield _STOPS.sub(_STOP, part.replace(_LINE, _STOP))
    if _LINE in part:
        yield _STOPS.sub(_STOP, part.replace(f"{_LINE} ", ""))
