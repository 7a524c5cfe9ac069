"""A sentence as words with their lemmas."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sandbox.extensions.memory.parse.language import Language

CODE_SPACE = "\ue000"
"""A space within code (*`make lint`*), which is one word; the character is of the private use area."""

_TECHNICAL = "|".join(  # what begins with a sign, or has one that ends no clause
    (
        rf"`[^`{CODE_SPACE}]*{CODE_SPACE}[^`]*`",
        r"https?://(?:[^\s`.,;:!?)]|[.,;:!?)](?=[^\s`]))+",
        r"(?<!\w)(?:~|\.{1,2})?/(?=[\w@*.])(?:[\w@*/-]|\.(?=\w))+",  # /etc/hosts, ~/.zshrc
        r"(?<![\w.@/*-])(?:[\w.@-]+/)*\*{1,2}[./][\w.*/-]*[\w*]",  # src/**/made, *.py
        r"(?<!\w)-[A-Za-z]{1,2}(?!\w)|(?<!\w)--[A-Za-z][\w-]*(?:=[\w.,:/@-]+)?",  # -x, --no-verify
        r"(?<!\w)\$[^\W\d_]\w*|(?<!\w)@[\w.-]+/[\w./-]*\w|\b[A-Z_]{2,}=[\w./:-]*\w",  # $HOME, @acme/ui, DEBUG=1
        r"(?<![\w.])[^\W\d][\w.]*\(\)|[<>=~]=?\d[\w.]*",  # foo(), >=3.11
    )
)
_TOKEN = re.compile(
    rf"{_TECHNICAL}"
    r"|(?<!\d)\d++(?:[.,:/]\d++(?:[.,:/-]\d++)*|(?:-\d++)+)"
    r"|St\.(?!\w)|[^\W_]+(?:['’.\-/_@&][^\W_]+)*(?:\+\+|#(?!\w)|(?<=\w\w)/(?!\w))?|[^\w\s`]"
)
DIGIT = "/digit"  # among its lemmas, marks a word that begins with a digit
_POSSESSIVE = "'s"
_LONG = 40  # characters of a text that is not kept; it hardly comes again


class Token(NamedTuple):
    """A word or a punctuation mark: as in the sentence, in lower case, and with the words it may be a form of."""

    text: str
    lower: str
    start: int
    end: int
    lemmas: frozenset[str]
    is_word: bool  # not a mark
    classes: frozenset[str]  # classes of the word as it is
    kinds: frozenset[str]  # classes of the word and of those it may be a form of

    def at(self, place: int) -> "Token":
        """The same token, moved by so many places."""
        text, lower, start, end, lemmas, is_word, classes, kinds = self
        moved = text, lower, start + place, end + place, lemmas, is_word, classes, kinds
        return tuple.__new__(Token, moved)  # twice as fast as its constructor


def tokens(text: str, language: "Language") -> list[Token]:
    """The words and marks of a sentence, with contractions split: ``I'm`` is two words, and so is ``Anna's``."""
    found: list[Token] = []
    at = 0
    for written in text.split():
        at = text.index(written, at)
        read = _between_spaces if len(written) < _LONG else _between_spaces.__wrapped__
        found += [each.at(at) for each in read(written, language)]
        at += len(written)
    return found


@lru_cache(maxsize=1 << 14)
def _between_spaces(written: str, language: "Language") -> tuple[Token, ...]:
    """The tokens of some text without spaces, as if it began a sentence."""
    return tuple(each.at(match.start()) for match in _TOKEN.finditer(written) for each in _read(match[0], language))


def _read(written: str, language: "Language") -> tuple[Token, ...]:
    """A written word as tokens, as if it began a sentence."""
    if written[0] == "-" and len(written) > 1 and language.has("function", written.lstrip("-").lower()):  # *-no joke*
        return token("-", "-", 0, 1, language), *(each.at(1) for each in _read(written[1:], language))
    lower, size = written.lower().replace("’", "'"), len(written)
    if (full := language.contractions.get(lower)) is not None:
        return tuple(token(each, each, 0, size, language) for each in full)
    if lower.endswith(_POSSESSIVE) and len(lower) > len(_POSSESSIVE):
        ends, stem = size - len(_POSSESSIVE), lower[: -len(_POSSESSIVE)]
        possessive = token(_POSSESSIVE, _POSSESSIVE, ends, size, language)
        return token(written[:ends], stem, 0, ends, language, is_counted=False), possessive
    return (token(written, lower, 0, size, language),)


def token(written: str, lower: str, start: int, end: int, language: "Language", *, is_counted: bool = True) -> Token:
    """A token, with what its language knows of it; ``is_counted``: a token that begins with a digit gets the mark for
    that.
    """
    lemmas = language.forms.lemmas(lower)
    if is_counted and lower[0].isdecimal():
        lemmas |= {DIGIT}
    is_word = written[0].isalnum() or len(written) > 1
    kinds = frozenset[str]().union(*(language.classes_of.get(each, ()) for each in lemmas | {lower}))
    written = written.replace(CODE_SPACE, " ")
    return Token(written, lower, start, end, lemmas, is_word, language.classes_of.get(lower, frozenset()), kinds)


def forms(said: Sequence[Token]) -> set[str]:
    """All words that some words may be forms of, with themselves."""
    return {token.lower for token in said}.union(*(token.lemmas for token in said))


def is_between_clauses(token: Token, behind: Token) -> bool:
    """Whether a word ends a clause and the next one begins another: *so*, *and she*."""
    return "breaks" in token.classes or ("and" in token.classes and "begins_clause" in behind.classes)
