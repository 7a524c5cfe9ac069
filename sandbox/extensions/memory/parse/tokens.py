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


def tokens(text: str, language: "Language") -> list[Token]:
    """The words and signs of a sentence, contractions in full: ``I'm`` is two words, and so is ``Anna's``."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        written, lower = match[0], match[0].lower().replace("’", "'")
        if (full := language.contractions.get(lower)) is not None:
            found += (_token(each, each, match, language) for each in full)
        elif lower.endswith("'s") and len(lower) > 2:
            ends = match.end() - 2
            found.append(Token(written[:-2], lower[:-2], match.start(), ends, language.lemmas(lower[:-2])))
            found.append(Token("'s", "'s", ends, match.end(), language.lemmas("'s")))
        else:
            found.append(_token(written, lower, match, language))
    return found


def _token(written: str, lower: str, match: re.Match[str], language: "Language") -> Token:
    lemmas = language.lemmas(lower)
    return Token(written, lower, match.start(), match.end(), lemmas | {DIGIT} if lower[0].isdecimal() else lemmas)


def forms(said: Sequence[Token]) -> set[str]:
    """Everything that some words may be forms of, themselves among them."""
    return {token.lower for token in said}.union(*(token.lemmas for token in said))


def words(found: list[Token]) -> Iterator[str]:
    """The words alone, in small letters."""
    return (each.lower for each in found if each.is_word)
