"""The subject of a statement, and whether it is clear without the rest of the conversation. Pure."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from sandbox.extensions.memory.ingest.conflicts.relations import stems_of, words_of
from sandbox.extensions.memory.ingest.conflicts.wording import Word
from sandbox.extensions.memory.lexicon import by_language
from sandbox.extensions.memory.text.words import CYRILLIC, stem

_CYRILLIC = re.compile(f"[{CYRILLIC}]")
_NO_NOUN = frozenset(("is", "are", "was", ":", ";"))
_USER = "user"  # the user of the assistant is always the same person


class Noun(NamedTuple):
    """A definite noun, the words that describe it, and its owner: ``best friend`` of ``ann``."""

    words: tuple[str, ...]
    owner: tuple[str, ...]

    @property
    def lasting(self) -> tuple[str, ...]:
        """The words without those that only mean "the present one"."""
        return tuple(word for word in self.words if stem(word) not in stems_of("of_now"))

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of these words, for comparisons."""
        return tuple(map(stem, self.lasting))

    @property
    def is_unique(self) -> bool:
        """Whether its words say that there is only one: ``best friend``."""
        return not stems_of("unique").isdisjoint(map(stem, self.words))

    @property
    def is_one(self) -> bool:
        """Whether its owner has one of it."""
        return self.is_unique or self.stems[-1] in stems_of("holders") or self.stems[-1] in stems_of("qualities")

    @property
    def is_several(self) -> bool:
        """Whether its owner may have several."""
        return not self.is_unique and self.stems[-1] in stems_of("several")

    @property
    def is_happening(self) -> bool:
        """Whether it may be a different one each time."""
        return not self.is_unique and self.stems[-1] in stems_of("happenings")

    @property
    def is_russian(self) -> bool:
        """Whether it is Russian, and so has no article that makes it definite."""
        return bool(_CYRILLIC.search(self.words[-1]))


def who(words: Sequence[Word], about: tuple[str, ...]) -> tuple[tuple[str, ...] | None, bool]:
    """The subject before a verb, and whether it is clear without context. None if the subject is indefinite, or the
    verb says nothing about it. ``about`` is the subject that was given with the statement.
    """
    folded = tuple(word.folded for word in words if word.folded not in (",", "the"))
    if not folded or _is_pronoun(folded[0]):
        return (*about, *folded[1:]) if about else folded, bool(about)
    if folded[-1] in words_of("not_yet") or folded[0] in words_of("any"):
        return None, False
    found = noun(words, about)
    several = found is not None and (found.is_several or found.is_happening)
    bare = words[0].folded == "the" and len(folded) == 1 and folded[0] != _USER and not about
    return folded, not several and not bare


def noun(words: Sequence[Word], about: tuple[str, ...], *, bare: bool = False) -> Noun | None:
    """Parse a definite noun. With ``bare`` it needs no article, as in ``Favourite colour: blue``."""
    folded = [word.folded for word in words]
    if not folded or folded[0] in words_of("any"):
        return None
    found = _russian(folded) if _CYRILLIC.search("".join(folded)) else _english(folded, bare)
    if found is None or not found.stems:
        return None
    theirs = not found.owner or found.owner[0] in words_of("theirs")
    return Noun(found.words, about) if about and theirs else found


def _english(folded: list[str], bare: bool) -> Noun | None:
    """``the`` noun ``of`` owner, owner ``'s`` noun, ``my`` noun; the other words belong to the owner."""
    joint = next((index for index, word in enumerate(folded) if word in words_of("joining") and index), len(folded))
    rest = folded[joint + 1 :] if folded[joint : joint + 1] == ["of"] else folded[joint:]
    first = folded[0]
    if "'s" in folded[:joint]:
        end = joint - folded[:joint][::-1].index("'s")
        words, owner = folded[end:joint], folded[: end - 1]
    elif first in _mine() or first in words_of("theirs"):
        words, owner = folded[1:joint], [_mine().get(first, first)]
    elif first == "the" or (bare and _NO_NOUN.isdisjoint(folded) and not any(map(_is_indefinite, folded))):
        words, owner = folded[first == "the" : joint], []
    else:
        return None
    if words and words[0] in words_of("any"):
        return None
    return Noun(tuple(words), tuple(word for word in (*owner, *rest) if word != "the"))


def _russian(folded: list[str]) -> Noun | None:
    """Adjectives before the noun describe it; the words after it are its owner."""
    first = folded[0]
    owner = [_mine().get(first, first)] if first in _mine() or first in words_of("theirs") else []
    rest = folded[len(owner) :]
    for index, word in enumerate(rest):
        if not word.endswith(_adjectives()) or _is_noun(word):
            whose = (*owner, *rest[index + 1 :])
            return Noun(tuple(rest[: index + 1]), whose) if whose or _is_noun(word) else None
    return None


def _is_noun(word: str) -> bool:
    stemmed = stem(word)
    return any(stemmed in stems_of(name) for name in ("holders", "qualities", "several", "happenings"))


def _is_pronoun(word: str) -> bool:
    return word in words_of("theirs") or word in words_of("pronouns")


def _is_indefinite(word: str) -> bool:
    return word in words_of("any") or _is_pronoun(word)


@cache
def _mine() -> Mapping[str, str]:
    """The owner that a word before the noun means."""
    said = (each for found in by_language("statements", "mine").values() for each in found.items())
    return {word: who for who, words in said for word in words.split()}


@cache
def _adjectives() -> tuple[str, ...]:
    return tuple(words_of("adjectives"))
