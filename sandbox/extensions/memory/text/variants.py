"""Names that may be one name: a different spelling, a typing error, or a short form. Pure.

They only select candidates; alone, only a different spelling proves anything.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from sandbox.extensions.memory.lexicon import by_language
from sandbox.extensions.memory.text.words import name_key

_LEAST = 5  # letters of a word that may have a typing error; shorter words differ by one letter too often


@dataclass(frozen=True, slots=True)
class _Form:
    """A name in the form for comparisons: its words, its letters, and the letters without accents."""

    words: tuple[str, ...]
    letters: str
    bare: str


def is_same_spelling(one: str, other: str) -> bool:
    """Whether two names differ only in hyphens and spaces, or, with several words, in accents. Other signs distinguish
    names: ``C`` and ``C++``, addresses.
    """
    first, second = _form(one), _form(other)
    if first is None or second is None or first.bare != second.bare:
        return False
    return len(first.words) > 1 or first.letters == second.letters


def is_same_typed(one: str, other: str) -> bool:
    """Whether two names differ only in accents, hyphens and spaces, or in the script: ``Катя``, ``Katya``."""
    first, second = _form(one), _form(other)
    if first is None or second is None:
        return False
    is_other_script = first.bare.isascii() != second.bare.isascii()
    return first.bare == second.bare or (is_other_script and _latin(first.bare) == _latin(second.bare))


@lru_cache(maxsize=1 << 12)
def _latin(bare: str) -> str:
    """A name in Latin letters, of which those count that all ways to write Russian names share: ``katia``."""
    found = re.sub("[yj]", "i", bare.translate(_in_latin())).replace("kh", "h")
    return re.sub(r"(.)\1", r"\1", found)


@cache
def _in_latin() -> dict[int, str]:
    return str.maketrans(
        {letter: latin for found in by_language("names", "latin").values() for letter, latin in found.items()}
    )


def may_be_variant(one: str, other: str) -> bool:
    """Whether two names may be one: they differ in accents, in one letter of a long word, or by a short form of a given
    name.
    """
    first, second = _form(one), _form(other)
    if first is None or second is None:
        return False
    if first.bare == second.bare or _is_mistyped(first.words, second.words):
        return True
    return _is_short_form(first.words, second.words) or _is_short_form(second.words, first.words)


def any_variant(some: Iterable[str], others: Iterable[str]) -> bool:
    """Whether any of some names may be any of others."""
    found = list(others)
    return any(may_be_variant(one, other) for one in some for other in found)


@lru_cache(maxsize=1 << 14)
def _form(name: str) -> _Form | None:
    """None for a name with other signs than words."""
    if not any(map(str.isalpha, name)) or not all(sign.isalnum() or sign in " -‐'’" for sign in name):
        return None
    key = name_key(name)
    letters = "".join(filter(str.isalnum, key))
    bare = "".join(filter(str.isalnum, unicodedata.normalize("NFKD", key)))
    return _Form(tuple(key.split()), letters, bare)


def _is_mistyped(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether exactly one word differs, by a typing error. The ends of words distinguish people (``Petrov`` and
    ``Petrova``, ``Eric`` and ``Erica``), and so do numbers.
    """
    differing = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    if len(one) != len(other) or len(differing) != 1:
        return False
    a, b = differing[0]
    return min(len(a), len(b)) >= _LEAST and a[0] == b[0] and a[-1] == b[-1] and (a + b).isalpha() and _is_slip(a, b)


def _is_slip(one: str, other: str) -> bool:
    """Whether one letter is replaced, is missing, or is exchanged with its neighbour."""
    short, long = sorted((one, other), key=len)
    start = next((at for at, pair in enumerate(zip(short, long, strict=False)) if pair[0] != pair[1]), len(short))
    if len(long) > len(short):
        return short[start:] == long[start + 1 :]
    swapped = short[start : start + 2] == long[start : start + 2][::-1] and short[start + 2 :] == long[start + 2 :]
    return short[start + 1 :] == long[start + 1 :] or swapped


def _is_short_form(short: Sequence[str], full: Sequence[str]) -> bool:
    if not short or not full or short[0] not in _short_forms().get(full[0], ()):
        return False
    return len(short) == 1 or short[1:] == full[1:]


@cache
def _short_forms() -> Mapping[str, Collection[str]]:
    """The short forms of given names; a short form may belong to several."""
    found: dict[str, set[str]] = {}
    for names in by_language("names", "short_forms").values():
        for name, short in names.items():
            found.setdefault(name, set()).update(short.split())
    return found
