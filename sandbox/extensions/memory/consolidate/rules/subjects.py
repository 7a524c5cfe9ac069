"""Whom an English clause is about: the speaker, somebody of theirs, somebody named, the project. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.english import Setting
from sandbox.extensions.memory.consolidate.rules.statements import NotLearnt, Subject
from sandbox.extensions.memory.consolidate.rules.wordforms import Word, grammar, mid

_NOUNS = words_of.KIN | words_of.PETS | words_of.ATTRIBUTES | words_of.THINGS | words_of.HAPPENINGS | words_of.SYSTEMS
_NO_NAME = frozenset(
    """i we you he she they it my our your his her their the this that these those there here what who how why when
    where if but and or so not no yes a an some any all every each everyone everything nothing nobody most many much
    one two three let thanks thank please hope good great nice sure maybe just never always today tomorrow yesterday
    monday tuesday wednesday thursday friday saturday sunday wow hey hi hello oh well people life home god""".split()
)
_PERSONAL = frozenset(
    """
    lives works moved got married studies speaks joined left prefers likes loves hates is was has graduated bought
    adopted started quit owns plays drives became turned broke lost teaches retired runs manages uses eats drinks
    does went visited
""".split()
)


def subject(words: Sequence[Word], setting: Setting) -> tuple[Subject, int]:
    """Whom a clause is about, and where its predicate begins."""
    first = words[0].low
    if first in ("i", "we"):
        return replace(setting.speaker, is_team=first == "we"), 1
    if first in ("he", "she", "they"):
        if setting.last is None or (setting.last.pronoun and setting.last.pronoun != first) or first == "they":
            raise NotLearnt("not self-contained")
        return setting.last, 1
    end = next((index for index in range(1, min(len(words), 8)) if _is_finite(words, index)), 0)
    if not end:
        raise NotLearnt("no statement")
    if first in ("my", "our"):
        return _mine([word for word in words[1:end] if word.text != ","], setting), end
    if first in ("the", "this") and _heads(words[1:end])[0] in words_of.SYSTEMS | words_of.HAPPENINGS and end <= 6:
        name = " ".join(word.text for word in words[1:end])
        return Subject(f"The {name}", f"the {name}", is_thing=True), end
    named = words[:end]
    if (
        end <= 3
        and all(word.text[0].isupper() and word.text[0].isalpha() for word in named)
        and _NO_NAME.isdisjoint(word.low for word in named)
    ):
        name = " ".join(word.text for word in named)
        if end == 1 and name not in setting.people and (first.endswith("ing") or words[1].low not in _PERSONAL):
            raise NotLearnt("no statement")
        return setting.people.get(name) or Subject(name, name), end
    raise NotLearnt("no statement")


def _is_finite(words: Sequence[Word], index: int) -> bool:
    """A verb that agrees with what stands before it; of several the base form does."""
    plural = words[index - 1].low in words_of.PLURAL
    past = (
        index > 1
        and words[0].low in ("my", "our")
        and (words[index].low in verbs_of.PAST or words[index].low.endswith("ed"))
    )
    return words[index].low in grammar().finite or past or (plural and words[index].low in grammar().states)


_BESIDE = re.compile(r"^(?:to|in|with|for|at|of|on)$")


def _heads(noun: Sequence[Word]) -> tuple[str, Sequence[Word]]:
    """The noun itself, without what is joined to it: ``flight`` of ``flight to Oslo``; and the words up to it."""
    end = next((index for index, word in enumerate(noun) if _BESIDE.match(word.low)), len(noun))
    lower = [word for word in noun[:end] if word.text[0].islower() or word.low in _NOUNS]
    return (lower[-1].low if lower else ""), lower


def _mine(noun: Sequence[Word], setting: Setting) -> Subject:
    """``my sister``, ``my sister Ana``, ``my sister's dog``: of the speaker."""
    owner = f"{setting.speaker.name}'s"
    head, lower = _heads(noun)
    rest = noun[len(lower) :]
    if (
        not lower
        or noun[: len(lower)] != lower
        or any(word.low in words_of.PRONOUNS or word.low == "and" for word in noun)
    ):
        raise NotLearnt("no statement")
    favourite = any(
        word.low in ("favorite", "favourite", "preferred", "native", "first", "best", "current") for word in lower[:-1]
    )
    if head not in _NOUNS and not favourite:
        raise NotLearnt("no statement")
    text = " ".join(word.text for word in lower)
    is_thing = head not in words_of.KIN | words_of.PETS
    pronoun = "she" if head in words_of.SHE else "he" if head in words_of.HE else ""
    if rest and rest[0].text[0].isupper() and not is_thing:
        return named(setting.speaker, text, " ".join(word.text for word in rest))
    known = setting.people.get(head) if not is_thing and not rest else None
    whole = " ".join(word.text for word in noun)
    about = mid(setting.speaker.name) if is_thing else f"{mid(owner)} {whole}"
    return known or Subject(
        f"{owner} {whole}", about, is_thing=is_thing, plural=head in words_of.PLURAL, pronoun=pronoun
    )


def named(speaker: Subject, noun: str, name: str) -> Subject:
    """``sister`` ``Ana`` of the speaker."""
    head = noun.split()[-1].lower()
    pronoun = "she" if head in words_of.SHE else "he" if head in words_of.HE else ""
    whose = f"{speaker.name}'s {noun}"
    return Subject(f"{whose} {name}", name, pronoun=pronoun, aliases=(mid(whose),))
