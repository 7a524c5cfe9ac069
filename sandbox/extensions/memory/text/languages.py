"""The language of a text, by its script and its function words; a few words may not be enough. Pure."""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache

from sandbox.extensions.memory.lexicon import by_language
from sandbox.extensions.memory.text.words import statement_words

_FEWEST = 2  # function words that identify a language
_CLEARLY = 1.5  # times as many as in any other language
_SPOKEN = 0.2  # of the words of the main language; with more, another language is spoken in the text, too


def language(text: str) -> str | None:
    """The main language of a text; for a script other than Latin, the script; None if it is unclear."""
    written = script(text)
    if written not in (None, "LATIN"):
        return written
    (best, most), (_, second) = _counted(text).most_common(2)
    return best if most >= _FEWEST and most >= _CLEARLY * second else None


def is_spoken(name: str, text: str) -> bool:
    """Whether a part of a text is in a language, or may be."""
    own = language(text)
    if own is None or own == name:
        return True
    counted = _counted(text)
    return counted[name] >= max(_FEWEST, _SPOKEN * counted[own])


def script(text: str) -> str | None:
    """The script of most letters of a text, by its Unicode name; Han, kana and Hangul are ``CJK``."""
    found = scripts(text).most_common(1)
    return found[0][0] if found else None


def scripts(text: str) -> Counter[str]:
    """The number of letters of each script in a text."""
    names = (unicodedata.name(sign, "").split(" ")[0] for sign in text if sign.isalpha())
    return Counter("CJK" if name in ("HIRAGANA", "KATAKANA", "HANGUL") else name for name in names)


def _counted(text: str) -> Counter[str]:
    """The number of function words of each language in a text."""
    words = Counter(statement_words(text))
    return Counter(
        {
            name: sum(count for word, count in words.items() if word in known)
            for name, known in _function_words().items()
        }
    )


@cache
def _function_words() -> Mapping[str, frozenset[str]]:
    names, tells = by_language("identification", "name"), by_language("identification", "tells")
    return {names[code]: frozenset(tells[code].split()) for code in names}
