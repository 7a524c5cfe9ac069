"""Names and their meaning: their words and forms, and the known entity that a name means. Pure.

A wrong link is worse than a missing one: if a name could mean two entities, it means neither.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from sandbox.extensions.memory.authority import is_users_word
from sandbox.extensions.memory.lexicon import by_language, pattern, texts, words
from sandbox.extensions.memory.text.words import name_key, stop_words
from sandbox.support.trust import Trust

UNKNOWN = "concept"
"""The type of an entity whose type was not told; any other type replaces it."""


# a product of people can have any of these types under one name
_ALIKE = frozenset({"project", "organization", "tool"})


def titles() -> frozenset[str]:
    """Words that may come before a name, and are no part of it."""
    return words("names", "titles")


class Mention(NamedTuple):
    """An entity in a text, under its fullest name, with its other explicit names."""

    name: str
    type: str = UNKNOWN
    aliases: tuple[str, ...] = ()

    def trusted_as(self, trust: Trust) -> "Mention":
        """The mention as a speaker of this trust makes it: only the user may give other names, because they join two
        entities.
        """
        return self if is_users_word(trust) else self._replace(aliases=())


class KnownNames(NamedTuple):
    """The names of an entity: its ``name`` and all its ``names`` as keys, and how often it was mentioned."""

    id: int
    type: str
    name: str
    names: frozenset[str]
    mentions: int = 0
    is_described: bool = False  # whether its only name is its relation to somebody ("the user's sister")


class Decision(NamedTuple):
    """The entity that is meant (None: an unknown one), others that are the same one, and whether only an alias led to
    it.
    """

    entity: int | None
    same: tuple[int, ...] = ()
    by_alias: bool = False


def decide(wanted: Mention, known: Sequence[KnownNames]) -> Decision:
    """The entity that a mention means: one with this name; one with this name in another inflection; the only person
    for whom it can be short (``Anna``, ``Dr. Chen``); one with this alias. An entity whose own name is given as an
    alias is the same one.
    """
    fitting = sorted((each for each in known if compatible(wanted.type, each.type)), key=lambda each: each.id)
    key, also = name_key(wanted.name), other_names(wanted)
    meant = (
        _bearing(key, also, fitting)
        or _only(each for each in fitting if any(is_form_of(key, name) for name in each.names))
        or _only(each for each in fitting if each.type == "person" and is_short_for(wanted, each))
    )
    by_alias = meant is None
    meant = meant or _only(each for each in fitting if _telling(wanted, each) & each.names)
    if meant is None:
        return Decision(None)
    namesakes = [
        [each for each in fitting if each.name == alias and alias in _telling(wanted, each)] for alias in sorted(also)
    ]
    same = (found[0] for found in namesakes if len(found) == 1 and compatible(meant.type, found[0].type))
    return Decision(meant.id, tuple(dict.fromkeys(each.id for each in same if each.id != meant.id)), by_alias)


def compatible(one: str, other: str) -> bool:
    """Whether an entity of one type may be the same as one of another type."""
    return one == other or UNKNOWN in (one, other) or {one, other} <= _ALIKE


def other_names(wanted: Mention) -> frozenset[str]:
    """Aliases, as keys, that say more than the name; a part of the name could be anybody's."""
    words = name_key(wanted.name).split()
    return frozenset(key for alias in wanted.aliases if (key := name_key(alias)) and not _is_part(key.split(), words))


def is_description(name: str) -> bool:
    """Whether a name is only a relation to another; two people can be that, such as two sisters."""
    words = name_key(name).split()
    related = any(map(pattern("names", "users").match, words))
    return related or not is_capital(name) or (len(words) > 1 and words[0] in stop_words())


def is_form_of(form: str, name: str) -> bool:
    """Whether a name may be a Russian inflection of another, both as keys, and is not a name of its own: ``Анны`` is a
    form of ``Анна``, but ``Александра`` may be a woman.
    """
    return form != name and may_be_form_of(form, name) and not _is_her_name(form.split(), name.split())


def may_be_form_of(form: str, name: str) -> bool:
    """Whether a name may be another one, both as keys, unchanged or in a Russian inflection."""
    written, words = form.split(), name.split()
    return len(written) == len(words) and all(
        form == word or form in _cases(word) for form, word in zip(written, words, strict=True)
    )


def is_capital(name: str) -> bool:
    """Whether a name begins with a capital like a person's."""
    return name.lstrip()[:1].isupper()


def short_words(name: str) -> list[str]:
    """The words by which a fuller name is found: the first and the last, without titles."""
    words = _bare(name_key(name).split())
    return list(dict.fromkeys((words[0], words[-1]))) if words else []


def _bearing(key: str, also: Collection[str], fitting: Sequence[KnownNames]) -> KnownNames | None:
    """The entity whose own name it is; of several the one with most common aliases, then the most mentioned. Otherwise
    the only one with this alias.
    """
    own = [each for each in fitting if key == each.name]
    if own:
        return max(own, key=lambda each: (len(each.names & set(also)), each.mentions, -each.id))
    return _only(each for each in fitting if key in each.names)


def _telling(wanted: Mention, known: KnownNames) -> frozenset[str]:
    """The aliases that identify an entity. A description identifies only an entity that has no name."""
    described = {name_key(alias) for alias in wanted.aliases if is_description(alias)}
    return other_names(wanted) - (frozenset() if known.is_described else described)


def _only(found: Iterable[KnownNames]) -> KnownNames | None:
    each = list(found)
    return each[0] if len(each) == 1 else None


def is_short_for(wanted: Mention, known: KnownNames) -> bool:
    """Whether a person with a fuller name may be meant; a surname with a title may also be known before the full
    name.
    """
    if not is_capital(wanted.name):
        return False
    words = name_key(wanted.name).split()
    return any(_shortens(words, name.split()) for name in known.names)


def _shortens(words: Sequence[str], name: Sequence[str]) -> bool:
    mine, theirs = _bare(words), _bare(name)
    if not mine or not theirs or (_titles(words) and _titles(name) and _titles(words) != _titles(name)):
        return False
    surname = bool(_titles(name)) and len(theirs) == 1 and theirs[0] == mine[-1]
    return mine == theirs or _is_part(mine, theirs) or surname


def _is_part(words: Sequence[str], name: Sequence[str]) -> bool:
    """Whether a name begins or ends with some words, and has more."""
    return 0 < len(words) < len(name) and list(words) in (list(name[: len(words)]), list(name[-len(words) :]))


def _bare(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in titles()]


def _titles(words: Sequence[str]) -> frozenset[str]:
    return titles().intersection(words)


def _cases(word: str) -> Iterator[str]:
    """The endings of a name in its other cases, in a language that inflects names."""
    for ending, others in _endings("cases"):
        base = word.removesuffix(ending)
        fits = word.endswith(ending) if ending else word[-1:] in _consonants()
        if fits and len(base) > 1:
            yield from (base + other for other in others.split())


def _is_her_name(form: Sequence[str], name: Sequence[str]) -> bool:
    """Whether an inflected man's name is also a woman's name (``Александра``, ``Евгения``)."""
    pairs = [(form, name) for form, name in zip(form, name, strict=True) if form != name]
    return all(
        any(name.endswith(his) and form == name.removesuffix(his) + hers for his, hers in _endings("feminine"))
        for form, name in pairs
    )


@cache
def _endings(name: str) -> tuple[tuple[str, str], ...]:
    """Endings of names, each with its other forms; the empty ending is for names that end with a consonant."""
    return tuple(each for found in by_language("names", name).values() for each in found.items())


@cache
def _consonants() -> frozenset[str]:
    return frozenset("".join(texts("names", "consonants")))
