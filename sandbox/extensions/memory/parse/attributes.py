"""The claim of a sentence that gives an attribute a value: *Kim's dentist is Dr. Wolf*, *the bakery is owned by Sam*,
*столица Казахстана — Астана*. Pure.

It says of a statement that somebody stores what the statement is about. Chat is not read for it. The words that it
needs are in ``statements.yaml`` of each language.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from sandbox.extensions.memory.claims import USER, Claim, predicate
from sandbox.extensions.memory.claims.attributes import is_any_of, is_name, is_number, is_value, named
from sandbox.extensions.memory.claims.registry import THE, A
from sandbox.extensions.memory.lexicon import by_language, words
from sandbox.extensions.memory.parse import clauses
from sandbox.extensions.memory.parse.language import Language
from sandbox.extensions.memory.parse.tokens import Token, tokens
from sandbox.extensions.memory.text.words import CYRILLIC, fold, is_denied

_CYRILLIC = re.compile(f"[{CYRILLIC}]")
_DASHES = frozenset("— – - :".split())
_NOBODY = "it"  # the owner that no word names
_APART = frozenset(("too", "unreal"))  # classes of words
_listed = partial(words, "statements")


class _Noun(NamedTuple):
    """A definite noun with the words that describe it, and its owner: ``best friend`` of ``Ann``."""

    said: Sequence[str]
    owner: Sequence[str]

    @property
    def is_unique(self) -> bool:
        """Whether its words say that there is only one: ``best friend``."""
        return is_any_of(self.said, "unique")

    @property
    def is_one(self) -> bool:
        """Whether its owner has one of it."""
        return self.is_unique or is_any_of(self.said[-1:], "holders", "qualities")

    def is_of(self, *lists: str) -> bool:
        """Whether some lists have it, and nothing says that there is only one."""
        return not self.is_unique and is_any_of(self.said[-1:], *lists)


class _Told(NamedTuple):
    """What a part of a sentence says: whose attribute it is, the claim's predicate, and the words of the value."""

    subject: Sequence[str]
    predicate: str
    value: Sequence[Token]


def attribute(sentence: str, about: str | None, language: Language) -> Claim | None:
    """The claim of a sentence; ``about`` is its subject, if its words do not name that. None for a sentence that asks,
    supposes, denies or adds something, or is about a day.
    """
    said = tokens(sentence, language)
    parts = clauses.segments(said, language)
    if (
        is_denied(sentence)
        or any(not _APART.isdisjoint(token.classes) for token in said)
        or not all(part.is_earnest for part in parts)
    ):
        return None
    said = [token for token in said if "skip" not in token.classes]
    if not _listed("passing").isdisjoint(map(_folded, said)):
        return None
    found = [
        _claim(_name(each.subject, language), each.predicate, value)
        for at in range(len(said))
        for read in (_of_verb, _of_noun, _of_number)
        for each in read(said, at, (about or "").split(), language)
        if is_value(value := sentence[each.value[0].start : each.value[-1].end])
    ]
    return min(found, key=lambda claim: claim.predicate.startswith(A), default=None)


def _claim(subject: str, name: str, value: str) -> Claim:
    """The claim. A predicate of the profile takes only names: *I live in a flat* tells no city."""
    is_known = predicate(name).profile is None or is_name(value)
    return Claim(subject, name if is_known else THE + name, value)


def _of_verb(said: Sequence[Token], at: int, whose: Sequence[str], _: Language) -> Iterator[_Told]:
    """``Ann | lives at | 5 Mill Lane``."""
    for phrase, name in _verbs().get(_folded(said[at]), ()):
        value = said[at + len(phrase) :]
        if value and tuple(map(_folded, said[at : at + len(phrase)])) == phrase and (found := _who(said[:at], whose)):
            subject, is_clear = found
            yield _Told(subject, name if is_clear else A + name.removeprefix(THE).removeprefix(A), value)


def _of_noun(said: Sequence[Token], at: int, whose: Sequence[str], language: Language) -> Iterator[_Told]:
    """``The capital of France | is | Paris``, in either order; ``Столица Франции | — | Париж``. A definite singular has
    one value, unless the noun is listed as having several.
    """
    verb, before, after = _folded(said[at]), said[:at], said[at + 1 :]
    if not before or not after or not (verb in _DASHES or verb in _listed("equals")):
        return
    noun, value = _noun(before, whose, is_bare=verb in _DASHES), after
    if noun is None and verb in _listed("turned") and all(token.text[0].isupper() for token in before):
        noun, value = _noun(after, whose), before
        noun = noun if noun and noun.owner and noun.is_one else None
    if noun is None or noun.is_of("several"):
        return
    noun = noun._replace(said=[language.forms.base(word) for word in noun.said])
    is_russian = bool(_CYRILLIC.search(noun.said[-1]))
    if verb in _DASHES and not noun.is_one and not is_russian:
        return
    is_owned = bool(noun.owner) and fold(noun.owner[0]) not in _listed("theirs")
    is_owned = is_owned or (noun.is_one and len(noun.said) > 1)
    is_certain = is_owned and (noun.is_one or not (noun.is_of("happenings") or is_russian))
    lasting = [word for word in noun.said if not is_any_of([word], "of_now")] or noun.said
    yield _Told(noun.owner or [_NOBODY], named(lasting, is_one=is_certain), value)


def _of_number(said: Sequence[Token], at: int, whose: Sequence[str], _: Language) -> Iterator[_Told]:
    """``Ann has | two | cats``, ``У Анны | двое | детей``, ``Peter is | 180 | cm tall``."""
    first, last, unit = _folded(said[0]), _folded(said[at - 1]), said[at + 1 :]
    who = said[1:at] if first in _listed("owner") else said[: at - 1] if last in _listed("has") else ()
    if who and unit and unit[-1].text[0].isalnum() and is_number(said[at].text) and (found := _who(who, whose)):
        subject, is_clear = found
        yield _Told(subject, named([*map(_folded, unit)], is_one=is_clear), said[at : at + 1])


def _who(before: Sequence[Token], whose: Sequence[str]) -> tuple[Sequence[str], bool] | None:
    """The subject before a verb, and whether it is clear without context. None if it is indefinite, or the verb says
    nothing about it.
    """
    said = [token.text for token in before]
    first, last = (fold(said[0]), fold(said[-1])) if said else ("", "")
    if not said or first in _listed("pronouns") or first in _listed("theirs"):
        subject = [*whose, *said[1:]] if whose else said
        return (subject, bool(whose)) if subject else None
    if last in _listed("not_yet") or first in _listed("any"):
        return None
    noun = _noun(before, whose)
    is_bare = first == "the" and len(said) == 2 and not whose
    return said, not is_bare and not (noun and noun.is_of("several", "happenings"))


def _noun(said: Sequence[Token], whose: Sequence[str], *, is_bare: bool = False) -> _Noun | None:
    """A definite noun. If ``is_bare``, it needs no article, as in ``Favourite colour: blue``."""
    texts, folded = [token.text for token in said], [*map(_folded, said)]
    if folded[0] in _listed("any"):
        return None
    is_russian = _CYRILLIC.search("".join(folded))
    found = _russian(texts, folded) if is_russian else _english(texts, folded, is_bare)
    if found is None or not found.said[-1][0].isalnum():
        return None
    is_theirs = not found.owner or fold(found.owner[0]) in _listed("theirs")
    return found._replace(owner=whose) if whose and is_theirs else found


def _english(said: list[str], folded: list[str], is_bare: bool) -> _Noun | None:
    """``the`` noun ``of`` owner, owner ``'s`` noun, ``my`` noun; the other words belong to the owner."""
    joint = next((at for at, word in enumerate(folded) if at and word in _listed("joining")), len(folded))
    rest = said[joint + (folded[joint : joint + 1] == ["of"]) :]
    first = folded[0]
    if "'s" in folded[:joint]:
        at = joint - folded[:joint][::-1].index("'s")
        noun, owner = folded[at:joint], said[: at - 1]
    elif first in _listed("mine") or first in _listed("theirs"):
        noun, owner = folded[1:joint], said[:1]
    elif first == "the" or (is_bare and _listed("pronouns").isdisjoint(folded)):
        noun, owner = folded[first == "the" : joint], []
    else:
        return None
    return _Noun(noun, [*owner, *rest]) if noun and noun[0] not in _listed("any") else None


def _russian(said: list[str], folded: list[str]) -> _Noun | None:
    """Adjectives before the noun describe it; the words after it are its owner."""
    is_mine = folded[0] in _listed("mine") or folded[0] in _listed("theirs")
    for at in range(is_mine, len(said)):
        is_noun = is_any_of([folded[at]], "holders", "qualities", "several", "happenings")
        if is_noun or not folded[at].endswith(tuple(_listed("adjectives"))):
            owner = [*said[:is_mine], *said[at + 1 :]]
            return _Noun(folded[is_mine : at + 1], owner) if owner or is_noun else None
    return None


def _name(said: Sequence[str], language: Language) -> str:
    """A subject or an owner as the subject of a claim."""
    if len(said) == 1 and fold(said[0]) in _listed("user"):
        return USER
    return language.forms.base(" ".join(said).replace(" 's", "'s").removeprefix("the ").removeprefix("The "))


def _folded(token: Token) -> str:
    return fold(token.text)


@cache
def _verbs() -> Mapping[str, Sequence[tuple[tuple[str, ...], str]]]:
    """The phrases that give an attribute a value, the longest first, and their predicates, by the first word."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for listed in by_language("statements", "relations").values():
        for name, phrases in listed.items():
            for phrase in phrases.split(","):
                said = tuple(fold(phrase).split())
                found.setdefault(said[0], []).append((said, name))
    return {first: sorted(each, key=lambda one: -len(one[0])) for first, each in found.items()}
