"""One language: its words, its forms and its frames, read from its folder in ``languages/``.

``words.yaml`` holds classes of words, ``frames.yaml`` the frames with their claims, and ``forms.py`` the inflection, if
there is any.
"""

import importlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from itertools import chain
from operator import attrgetter, or_
from typing import Any, Literal, get_args

from sandbox.extensions.memory.claims import Modality
from sandbox.extensions.memory.lexicon import FOLDER, read_data
from sandbox.extensions.memory.parse.pattern import Classes, Node, choices, compiled, first_words, needs, slots
from sandbox.extensions.memory.parse.tokens import DIGIT
from sandbox.extensions.memory.text.words import terms

Case = Literal["nom", "gen", "dat", "acc", "ins", "loc", "indef"]
"""A case of a noun; ``indef``: after *a* or a similar article."""

_NONE: frozenset[str] = frozenset()
_FREE = frozenset(("text", "phrase", "matter"))

_SECTIONS: Mapping[str, tuple[Modality, bool, str]] = {  # and the wording that it needs
    "frames": ("fact", True, "say"),
    "ends": ("fact", False, "deny"),
    "plans": ("plan", True, "plan"),
    "was": ("past", True, "past"),
    "anywhere": ("fact", True, "say"),
}


class Forms:
    """The inflection of a language; this one has none."""

    def lemmas(self, word: str) -> frozenset[str]:
        """The words that a word in lower case may be a form of, with itself."""
        return frozenset((word,))

    def inflect(self, phrase: str, case: Case) -> str:  # noqa: ARG002  what an inflected language needs
        """A phrase in a case."""
        return phrase

    def may_name(self, word: str, kind: str) -> bool:  # noqa: ARG002  what some languages need
        """Whether a capitalised word may begin a ``name`` or a ``place``."""
        return True

    def base(self, phrase: str, case: Case | None = None) -> str:  # noqa: ARG002  the case that it is in
        """A phrase in its dictionary form; ``case`` is its present case, if known."""
        return phrase

    def gender(self, name: str) -> str:  # noqa: ARG002  what a language whose names tell it needs
        """Whether a name is a man's (m) or a woman's (f); empty if it does not show."""
        return ""

    def is_imperative(self, word: str) -> bool:  # noqa: ARG002  what a language whose verbs tell it needs
        """Whether a word is most likely an imperative."""
        return False

    def third(self, phrase: str) -> str:
        """A phrase in the first person, put into the third; empty if that is not possible."""
        return phrase

    def tidy(self, sentence: str) -> str:
        """A sentence in which words agree with their neighbours."""
        return sentence

    def of_several(self, sentence: str, label: str) -> str:  # noqa: ARG002  what a language whose verbs agree needs
        """A sentence whose subject, under a label, is in the plural."""
        return sentence


@cache
def split_case(kind: str) -> tuple[str, Case | None]:
    """The kind of a slot such as *thing/acc*: the kind, and the case of its words."""
    kind, _, name = kind.partition("/")
    return kind, next((case for case in get_args(Case) if case == name), None)


@dataclass(frozen=True, slots=True)
class Kin:
    """A relation to the user: its predicate, and the gender (m, f or unknown; p for plural)."""

    predicate: str
    gender: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """One way to say something: a pattern that matches a whole clause, and the claims it makes."""

    predicate: str
    pattern: str
    nodes: Sequence[Node]
    modality: Modality
    is_affirmed: bool
    order: int = 0
    needs: int = 0  # needs of its pattern, as bits of ``Language.bits``
    ways: tuple[tuple[int, ...], ...] = ()  # for each choice in it, the needs of its ways
    anchor: int = 0  # the need that the fewest clauses meet
    is_anywhere: bool = False  # whether it matches words anywhere in a sentence, not a whole clause
    also: Mapping[str, str] = field(default_factory=dict)  # other predicates, and the slot that holds the value of each


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """The words and frames of a language."""

    code: str
    classes: Mapping[str, frozenset[tuple[str, ...]]]
    alone: Mapping[str, frozenset[str]]  # by class, its phrases of one word
    classes_of: Mapping[str, frozenset[str]]  # by such a word, its classes
    contractions: Mapping[str, tuple[str, ...]]
    persons: Mapping[str, str]  # words for the speaker -> words for the subject of a report
    kin: Mapping[str, Kin]
    wordings: Mapping[str, Mapping[str, str]]
    times: Mapping[str, Any]
    bits: Mapping[str, int]  # the needs of patterns that a word meets
    frames: Mapping[int, tuple[Frame, ...]]  # by their anchors
    anchors: int  # all anchors
    anywhere: tuple[Frame, ...]  # frames that match words anywhere
    left_out: Sequence[
        tuple[tuple[str, ...], frozenset[tuple[str, ...]]]
    ]  # subjects that can be left out, and the words they may be before
    unsaid: int  # the needs that these subjects meet
    begins_unsaid: int  # the need for a first word that such a subject may be before
    tells_change: int  # the need for a word that a report of a change has, beside a time
    kinds: Mapping[str, Sequence[Node]]  # kinds of slots, by pattern
    free: frozenset[str]  # kinds of slots that hold a speaker's own words
    never: Mapping[str, tuple[str, ...]]  # phrases that must not be read as a predicate
    change_terms: frozenset[str]  # search terms of words for changes
    renewed: Mapping[str, frozenset[tuple[str, ...]]]  # what phrases such as *new job* end: see ``words.yaml``
    spoken_of: Mapping[str, frozenset[str]]  # search terms of nouns for what a predicate claims: *the flight*
    third_person: Sequence[tuple[re.Pattern[str], str]]  # words for the user in memories -> words in the first person
    forms: Forms

    def lemmas(self, word: str) -> frozenset[str]:
        """The words that a word may be a form of."""
        return self.forms.lemmas(word)

    def has(self, name: str, word: str) -> bool:
        """Whether a word, in lower case, is in a class."""
        return word in self.alone.get(name, _NONE)

    def speaks_of(self, names: Collection[str], words: Collection[str]) -> bool:
        """Whether one of some words, or of the words they may be forms of, is in one of some classes."""
        return any(not self.alone.get(name, _NONE).isdisjoint(words) for name in names)

    def met(self, words: Iterable[str]) -> int:
        """The needs that some words meet."""
        found = 0
        for word in words:
            found |= self.bits.get(word, 0)
        return found

    def candidates(self, met: int) -> list[Frame]:
        """The frames that may match where these needs are met, in the order of the file."""
        found, left = list(self.frames.get(0, ())), met & self.anchors
        while left:
            anchor = left & -left
            left ^= anchor
            found += self.frames[anchor]
        return sorted(matching(found, met), key=_ORDER)


def matching(frames: Iterable[Frame], met: int) -> list[Frame]:
    """Those of some frames that may match where these needs are met."""
    return [
        frame
        for frame in frames
        if frame.needs & met == frame.needs and all(any(way & met == way for way in ways) for ways in frame.ways)
    ]


_ORDER = attrgetter("order")


@cache
def language(code: str) -> Language:
    """A language by its code."""
    words, frames, forms = read_data(code, "words"), read_data(code, "frames"), _forms(code)
    classes = {name: _phrases(listed) for name, listed in words["classes"].items()}
    kin = {
        word: Kin(predicate, gender)
        for predicate, genders in words["kin"].items()
        for gender, listed in genders.items()
        for word in listed.split()
    }
    classes["kin"] = frozenset((word,) for word in kin)
    kinds = {name: compiled(pattern) for name, pattern in (words.get("kinds") or {}).items()}
    needed = _Needs()
    framed = [_indexed(frame, classes, kinds, needed) for frame in _frames(frames)]
    by_anchor: defaultdict[int, list[Frame]] = defaultdict(list)
    for frame in framed:
        if not frame.is_anywhere:
            by_anchor[frame.anchor].append(frame)
    left_out = [(tuple(said.split()), _phrases(listed)) for said, listed in words.get("left_out", {}).items()]
    begins_unsaid = needed.bit(frozenset[str]().union(*(first_words(phrases) for _, phrases in left_out)))
    renewed = {name: _phrases(listed) for name, listed in words.get("renewed", {}).items()}
    changes = (*(classes[name] for name in ("called_off", "parted", "puts_right", "not")), *renewed.values())
    tells_change = needed.bit(frozenset((DIGIT,)).union(*map(first_words, changes)))
    alone = {name: frozenset(each[0] for each in phrases if len(each) == 1) for name, phrases in classes.items()}
    omitted = chain(*(said for said, _ in left_out), *classes["i_am"])
    unsaid = {each for word in omitted for each in (word, *forms.lemmas(word))}
    return Language(
        code,
        classes,
        alone,
        _by_word(alone),
        {short: tuple(full.split()) for short, full in _swapped(words.get("contractions", {}))},
        dict(_swapped(words.get("persons", {}))),
        kin,
        {name: {key: row[key] for key in row if isinstance(row[key], str)} for name, row in frames.items()},
        words["times"],
        needed.of_word,
        {anchor: tuple(found) for anchor, found in by_anchor.items()},
        sum(by_anchor),
        tuple(frame for frame in framed if frame.is_anywhere),
        left_out,
        needed.met(unsaid),
        begins_unsaid,
        tells_change,
        kinds,
        _FREE | {name for name, nodes in kinds.items() if any(slot.kind in _FREE for slot in slots(nodes))},
        {name: tuple(row.get("never", ())) for name, row in frames.items()},
        frozenset(terms(" ".join(words["classes"][each] for each in ("called_off", "puts_right", "function")))),
        renewed,
        {name: frozenset(terms(listed)) for name, listed in words.get("spoken_of", {}).items()},
        [(re.compile(rf"\b{said}\b", re.I), first) for said, first in words.get("third_person", {}).items()],
        forms,
    )


class _Needs:
    """Sets of words with a bit each, to find the sets that a word is in."""

    def __init__(self) -> None:
        self.of_word: defaultdict[str, int] = defaultdict(int)
        self._bits: dict[frozenset[str], int] = {}

    def bit(self, words: frozenset[str]) -> int:
        """The bit of a set."""
        if words not in self._bits:
            self._bits[words] = 1 << len(self._bits)
            for word in words:
                self.of_word[word] |= self._bits[words]
        return self._bits[words]

    def met(self, words: Iterable[str]) -> int:
        """The sets that contain one of the words."""
        return reduce(or_, (self.of_word.get(word, 0) for word in words), 0)


def _indexed(frame: Frame, classes: Classes, kinds: Mapping[str, Sequence[Node]], all_needs: _Needs) -> Frame:
    bits = [all_needs.bit(words) for words in needs(frame.nodes, classes, kinds)]
    ways = [
        tuple(sum({all_needs.bit(words) for words in way if words}) for way in each)
        for each in choices(frame.nodes, classes, kinds)
        if all(each) and any(len(way) > 1 for way in each)  # otherwise ``needs`` has them
    ]
    return replace(frame, needs=sum(bits), anchor=bits[0] if bits else 0, ways=tuple(ways))


def _by_word(alone: Mapping[str, frozenset[str]]) -> Mapping[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, words in alone.items():
        for word in words:
            found[word].add(name)
    return {word: frozenset(names) for word, names in found.items()}


def _frames(rows: Mapping[str, Any]) -> Iterable[Frame]:
    order = 0
    for predicate, row in rows.items():
        for section, (modality, is_affirmed, wording) in _SECTIONS.items():
            if row.get(section) and wording not in row and predicate != "kin":
                raise ValueError(f"{predicate}: {section} need a wording {wording!r}")
            for pattern in row.get(section) or ():
                order += 1
                loose = section == "anywhere"
                nodes = compiled(f"{pattern} [{{tail}}]" if row.get("tail") and not loose else pattern)
                also = row.get("also", {})
                yield Frame(predicate, pattern, nodes, modality, is_affirmed, order, is_anywhere=loose, also=also)


def _swapped(rows: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """The phrases that stand for another, each with that other."""
    return ((" ".join(each), full) for full, listed in rows.items() for each in _phrases(listed))


def _phrases(listed: str) -> frozenset[tuple[str, ...]]:
    """Words separated by spaces; phrases of several words separated by commas. A possessive is two words."""
    parts = listed.replace("'s ", " 's ").replace("'s,", " 's,").split(",") if "," in listed else listed.split()
    return frozenset(tuple(part.split()) for part in parts if part.strip())


def _forms(code: str) -> Forms:
    module = f"sandbox.extensions.memory.languages.{code}.forms"
    if (FOLDER / code / "forms.py").is_file():
        found: Forms = importlib.import_module(module).FORMS
        return found
    return Forms()
