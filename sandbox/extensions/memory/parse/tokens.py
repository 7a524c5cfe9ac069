"""A sentence as words with their lemmas."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sandbox.extensions.memory.parse.language import Language

_TOKEN = re.compile(
    r"(?<!\d)\d++(?:[.,:/]\d++(?:[.,:/-]\d++)*|(?:-\d++)+)"
    r"|[^\W_]+(?:['’.\-/_@&][^\W_]+)*(?:\+\+|#(?!\w))?|[^\w\s]"
)
DIGIT = "/digit"  # marks, among its lemmas, a word that begins with one
_POSSESSIVE = ("'s", "s'")


class Token(NamedTuple):
    """A word or a sign: as it stands in the sentence, in small letters, and what it may be a form of."""

    text: str
    lower: str
    start: int
    end: int
    lemmas: frozenset[str]

    @property
    def is_word(self) -> bool:
        """Whether it is no sign."""
        return self.text[0].isalnum() or len(self.text) > 1


Part = tuple[str, str, frozenset[str]]
"""A word as it is written, in small letters, and what it may be a form of."""


def tokens(text: str, language: "Language") -> list[Token]:
    """The words and signs of a sentence, contractions in full: ``I'm`` is two words, and so is ``Anna's``."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        parts = language.split(match[0])
        if len(parts) == 2 and parts[1][0] == "'s":
            (written, lower, lemmas), (of, _, of_lemmas) = parts
            found.append(Token(written, lower, start, end - 2, lemmas))
            found.append(Token(of, of, end - 2, end, of_lemmas))
        else:
            found += [Token(written, lower, start, end, lemmas) for written, lower, lemmas in parts]
    return found


def split(written: str, language: "Language") -> tuple[Part, ...]:
    """The words in a written one: two in a contraction and in ``Anna's``."""
    lower = written.lower().replace("’", "'")
    if (full := language.contractions.get(lower)) is not None:
        return tuple((each, each, _lemmas(each, language)) for each in full)
    if lower.endswith("'s") and len(lower) > 2:
        return ((written[:-2], lower[:-2], language.lemmas(lower[:-2])), ("'s", "'s", language.lemmas("'s")))
    return ((written, lower, _lemmas(lower, language)),)


def _lemmas(lower: str, language: "Language") -> frozenset[str]:
    lemmas = language.lemmas(lower)
    return lemmas | {DIGIT} if lower[0].isdecimal() else lemmas


def forms(said: Sequence[Token]) -> set[str]:
    """Everything that some words may be forms of, themselves among them."""
    return {token.lower for token in said}.union(*(token.lemmas for token in said))


def words(found: list[Token]) -> Iterator[str]:
    """The words alone, in small letters."""
    return (each.lower for each in found if each.is_word)
