"""Of whom or what a statement speaks, and whether that is clear without knowing the rest of the conversation. Pure."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from sandbox.extensions.memory.ingest.conflicts.relations import HAPPENINGS, HOLDERS, QUALITIES, SEVERAL, UNIQUE, stems
from sandbox.extensions.memory.ingest.conflicts.wording import Word
from sandbox.extensions.memory.text.words import stem

_CYRILLIC = re.compile("[а-я]")
_ADJECTIVE = re.compile("(?:ый|ий|ой|ая|яя|ое|ее|ым|им|ей|ую|юю)$")

_MINE = {"my": "i", "our": "we", "your": "you"}
_MINE |= dict.fromkeys("мой моя мое моего моей моим моему".split(), "я")
_MINE |= dict.fromkeys("наш наша наше нашего нашей нашим".split(), "мы")
THEIRS = frozenset("his her its their его ее их".split())
_PRONOUNS = THEIRS | set("he she it they this that these those there here what who он она оно они это".split())
_ANY = frozenset(
    """a an one some any every each many most several other another no
    один одна некоторые многие каждый другой""".split()
)
_NO_NOUN = _ANY | _PRONOUNS | {"is", "are", "was", ":", ";"}
_NOT_YET = frozenset(
    """to may might could would should will can must used who which that
    хочет хочу может могу будет буду бы который которая которое""".split()
)
_JOINING = frozenset("of for in at on that where who which to with behind about from by near".split())
_OF_NOW = stems("new current present новый нынешний текущий")  # the same boss, whether or not called the current one
_USER = "user"  # of the assistant: always the same


class Noun(NamedTuple):
    """A definite noun with the words that describe it, and whose it is: ``best friend`` of ``ann``."""

    words: tuple[str, ...]
    owner: tuple[str, ...]

    @property
    def lasting(self) -> tuple[str, ...]:
        """The words without what only says that it is the one of today."""
        return tuple(word for word in self.words if stem(word) not in _OF_NOW)

    @property
    def stems(self) -> tuple[str, ...]:
        """The same as they are compared, inflected or not."""
        return tuple(map(stem, self.lasting))

    @property
    def is_unique(self) -> bool:
        """Whether it is said to be the only one: ``best friend``."""
        return not UNIQUE.isdisjoint(map(stem, self.words))

    @property
    def is_one(self) -> bool:
        """Whether there is one of it."""
        return self.is_unique or self.stems[-1] in HOLDERS or self.stems[-1] in QUALITIES

    @property
    def is_several(self) -> bool:
        """Whether there may be more than one of it."""
        return not self.is_unique and self.stems[-1] in SEVERAL

    @property
    def is_happening(self) -> bool:
        """Whether it may be another one each time."""
        return not self.is_unique and self.stems[-1] in HAPPENINGS

    @property
    def is_russian(self) -> bool:
        """Whether it has no article to tell that it is definite."""
        return bool(_CYRILLIC.search(self.words[-1]))


def who(words: Sequence[Word], about: tuple[str, ...]) -> tuple[tuple[str, ...] | None, bool]:
    """The subject before a verb, and whether it is clear who or what that is; None where it is nobody in particular,
    or the verb is no statement about it. ``about`` is the subject given with the statement.
    """
    folded = tuple(word.folded for word in words if word.folded not in (",", "the"))
    if not folded or folded[0] in _PRONOUNS:
        return (*about, *folded[1:]) if about else folded, bool(about)
    if folded[-1] in _NOT_YET or folded[0] in _ANY:
        return None, False
    found = noun(words, about)
    several = found is not None and (found.is_several or found.is_happening)
    bare = words[0].folded == "the" and len(folded) == 1 and folded[0] != _USER and not about
    return folded, not several and not bare


def noun(words: Sequence[Word], about: tuple[str, ...], *, bare: bool = False) -> Noun | None:
    """A definite noun, taken apart. ``bare``: it needs no article, as in ``Favourite colour: blue``."""
    folded = [word.folded for word in words]
    if not folded or folded[0] in _ANY:
        return None
    found = _russian(folded) if _CYRILLIC.search("".join(folded)) else _english(folded, bare)
    if found is None or not found.stems:
        return None
    theirs = not found.owner or found.owner[0] in THEIRS
    return Noun(found.words, about) if about and theirs else found


def _english(folded: list[str], bare: bool) -> Noun | None:
    """``the`` noun ``of`` owner, owner ``'s`` noun, ``my`` noun; what else belongs to it goes with the owner."""
    joint = next((index for index, word in enumerate(folded) if word in _JOINING and index), len(folded))
    rest = folded[joint + 1 :] if folded[joint : joint + 1] == ["of"] else folded[joint:]
    first = folded[0]
    if "'s" in folded[:joint]:
        end = joint - folded[:joint][::-1].index("'s")
        words, owner = folded[end:joint], folded[: end - 1]
    elif first in _MINE or first in THEIRS:
        words, owner = folded[1:joint], [_MINE.get(first, first)]
    elif first == "the" or (bare and _NO_NOUN.isdisjoint(folded)):
        words, owner = folded[first == "the" : joint], []
    else:
        return None
    if words and words[0] in _ANY:
        return None
    return Noun(tuple(words), tuple(word for word in (*owner, *rest) if word != "the"))


def _russian(folded: list[str]) -> Noun | None:
    """Adjectives before the noun describe it, what comes after it says whose it is."""
    first = folded[0]
    owner = [_MINE.get(first, first)] if first in _MINE or first in THEIRS else []
    rest = folded[len(owner) :]
    for index, word in enumerate(rest):
        if not _ADJECTIVE.search(word) or _is_noun(word):
            whose = (*owner, *rest[index + 1 :])
            return Noun(tuple(rest[: index + 1]), whose) if whose or _is_noun(word) else None
    return None


def _is_noun(word: str) -> bool:
    stemmed = stem(word)
    return any(stemmed in nouns for nouns in (HOLDERS, QUALITIES, SEVERAL, HAPPENINGS))
