"""One language: its words, its forms and its frames, read from its folder in ``languages/``.

``words.yaml`` holds classes of words, ``frames.yaml`` the frames with their claims, and ``forms.py`` the inflection, if
there is any.
"""

import importlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from importlib.resources import files
from operator import attrgetter, or_
from typing import Any, Literal, get_args

from sandbox.extensions.memory.claims import Modality
from sandbox.extensions.memory.lexicon import read_data
from sandbox.extensions.memory.parse.pattern import Node, compiled, first_words, needs, slots
from sandbox.extensions.memory.parse.tokens import DIGIT
from sandbox.extensions.memory.text.words import terms

Case = Literal["nom", "gen", "dat", "acc", "ins", "loc", "indef"]
"""A case of a noun; ``indef``: behind *a* or its like."""

_NONE: frozenset[str] = frozenset()
_FREE = frozenset(("text", "phrase", "matter"))

_SECTIONS: Mapping[str, tuple[Modality, bool, str]] = {  # and the wording it needs
    "frames": ("fact", True, "say"),
    "ends": ("fact", False, "deny"),
    "plans": ("plan", True, "plan"),
    "was": ("past", True, "past"),
    "anywhere": ("fact", True, "say"),
}


class Forms:
    """How a language inflects; this one does not."""

    def lemmas(self, word: str) -> frozenset[str]:
        """What a word in small letters may be a form of, itself among them."""
        return frozenset((word,))

    def inflect(self, phrase: str, case: Case) -> str:  # noqa: ARG002  what an inflected language needs
        """A phrase in a case."""
        return phrase

    def may_name(self, word: str, kind: str) -> bool:  # noqa: ARG002  what a language that capitalises nouns needs
        """Whether a word with a capital may begin a ``name`` or a ``place``."""
        return True

    def base(self, phrase: str, case: Case | None = None) -> str:  # noqa: ARG002  the case that it is in
        """A phrase in its dictionary form; ``case`` is the one that it is in, where that is known."""
        return phrase

    def gender(self, name: str) -> str:  # noqa: ARG002  what a language whose names tell it needs
        """Whether a name is a man's (m) or a woman's (f); nothing where it does not tell."""
        return ""

    def is_imperative(self, word: str) -> bool:  # noqa: ARG002  what a language whose verbs tell it needs
        """Whether a word is most likely a verb by which somebody is told what to do."""
        return False

    def third(self, phrase: str) -> str:
        """What the speaker says of themselves, as it is said of them; nothing where that cannot be."""
        return phrase

    def tidy(self, sentence: str) -> str:
        """A sentence whose words suit their neighbours."""
        return sentence

    def of_several(self, sentence: str, label: str) -> str:  # noqa: ARG002  what a language whose verbs agree needs
        """A sentence about somebody under a label, where they are several."""
        return sentence


def split_case(kind: str) -> tuple[str, Case | None]:
    """A kind of slot as *thing/acc*: the kind, and the case that its words are in."""
    kind, _, name = kind.partition("/")
    return kind, next((case for case in get_args(Case) if case == name), None)


@dataclass(frozen=True, slots=True)
class Kin:
    """What somebody is to the user: the predicate, their gender (m, f or nothing; p where they are several)."""

    predicate: str
    gender: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """One way to say something: a pattern that a clause matches whole, and what it then claims."""

    predicate: str
    pattern: str
    nodes: Sequence[Node]
    modality: Modality
    is_affirmed: bool
    order: int = 0
    needs: int = 0  # of what it matches, as bits of ``Language.bits``
    anchor: int = 0  # the one of them that the fewest clauses have
    is_anywhere: bool = False  # whether it reads some words within a sentence, and not a clause whole


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """The words and frames of a language."""

    code: str
    classes: Mapping[str, frozenset[tuple[str, ...]]]
    alone: Mapping[str, frozenset[str]]  # of each class the phrases of one word
    classes_of: Mapping[str, frozenset[str]]  # of each of these words its classes
    contractions: Mapping[str, tuple[str, ...]]
    persons: Mapping[str, str]  # words of who speaks -> of whom is spoken
    kin: Mapping[str, Kin]
    wordings: Mapping[str, Mapping[str, str]]
    times: Mapping[str, Any]
    bits: Mapping[str, int]  # which needs of patterns a word meets
    frames: Mapping[int, tuple[Frame, ...]]  # by their anchor
    anchors: int  # all of these
    anywhere: tuple[Frame, ...]  # those that read a few words wherever they stand
    left_out: Sequence[
        tuple[tuple[str, ...], frozenset[tuple[str, ...]]]
    ]  # subjects, and before which words they may be
    unsaid: int  # the needs that the words of those subjects meet
    begins_unsaid: int  # a need: to have a first word of those that they may be before
    tells_change: int  # a need: to have a word without which nothing is said of a change, but a time
    kinds: Mapping[str, Sequence[Node]]  # of slots, by pattern
    free: frozenset[str]  # kinds of slots that hold a speaker's own words
    never: Mapping[str, tuple[str, ...]]  # what must not be read as a predicate
    change_terms: frozenset[str]  # search terms of words that tell of a change
    renewed: Mapping[str, frozenset[tuple[str, ...]]]  # phrases that tell of another value without it: *new job*
    spoken_of: Mapping[str, frozenset[str]]  # search terms of nouns that mean what a predicate claims: *the flight*
    third_person: Sequence[tuple[re.Pattern[str], str]]  # the user, as memories name them, and in the first person
    forms: Forms

    def lemmas(self, word: str) -> frozenset[str]:
        """What a word may be a form of."""
        return self.forms.lemmas(word)

    def has(self, name: str, word: str) -> bool:
        """Whether a word, in small letters, is in a class."""
        return word in self.alone.get(name, _NONE)

    def speaks_of(self, names: Collection[str], words: Collection[str]) -> bool:
        """Whether some words, with all that they may be forms of, have one of some classes."""
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
    return [frame for frame in frames if frame.needs & met == frame.needs]


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
    framed = [_indexed(frame, needs(frame.nodes, classes, kinds), needed) for frame in _frames(frames)]
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
    unsaid = {each for said, _ in left_out for word in said for each in (word, *forms.lemmas(word))}
    return Language(
        code,
        classes,
        alone,
        _by_word(alone),
        {short: tuple(full.split()) for short, full in (words.get("contractions") or {}).items()},
        words.get("persons") or {},
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
        frozenset(terms(" ".join(words["classes"][each] for each in ("called_off", "puts_right")))),
        renewed,
        {name: frozenset(terms(listed)) for name, listed in words.get("spoken_of", {}).items()},
        [(re.compile(rf"\b{said}\b", re.I), first) for said, first in words.get("third_person", {}).items()],
        forms,
    )


class _Needs:
    """Sets of words, a bit each: which of them a word is in."""

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
        """The sets that some words are in."""
        return reduce(or_, (self.of_word.get(word, 0) for word in words), 0)


def _indexed(frame: Frame, needed: Sequence[frozenset[str]], all_needs: _Needs) -> Frame:
    bits = [all_needs.bit(words) for words in needed]
    return replace(frame, needs=sum(bits), anchor=bits[0] if bits else 0)


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
                yield Frame(predicate, pattern, nodes, modality, is_affirmed, order, is_anywhere=loose)


def _phrases(listed: str) -> frozenset[tuple[str, ...]]:
    """Words by spaces; phrases of several words by commas, where there is one."""
    parts = listed.split(",") if "," in listed else listed.split()
    return frozenset(tuple(part.split()) for part in parts if part.strip())


def _forms(code: str) -> Forms:
    module = f"sandbox.extensions.memory.languages.{code}.forms"
    if files("sandbox.extensions.memory.languages").joinpath(code, "forms.py").is_file():
        found: Forms = importlib.import_module(module).FORMS
        return found
    return Forms()
