"""One language: its words, its forms and its frames, read from its folder in ``languages/``.

``words.yaml`` holds classes of words, ``frames.yaml`` what clauses claim, ``forms.py``, where a language inflects, how.
"""

import importlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from sandbox.extensions.memory.claims import Modality
from sandbox.extensions.memory.lexicon import read_data
from sandbox.extensions.memory.parse.pattern import Node, compiled, needs, slots
from sandbox.extensions.memory.parse.tokens import Token
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
    needs: tuple[frozenset[str], ...] = ()
    is_anywhere: bool = False  # whether it reads some words within a sentence, and not a clause whole
    examples: tuple[str, ...] = ()

    def may_match(self, lemmas: set[str]) -> bool:
        """Whether every word that it needs is among some lemmas."""
        return not any(map(lemmas.isdisjoint, self.needs))


@dataclass(frozen=True, slots=True)
class Language:
    """The words and frames of a language."""

    code: str
    classes: Mapping[str, frozenset[tuple[str, ...]]]
    alone: Mapping[str, frozenset[str]]  # of each class the phrases of one word
    contractions: Mapping[str, tuple[str, ...]]
    persons: Mapping[str, str]  # words of who speaks -> of whom is spoken
    kin: Mapping[str, Kin]
    wordings: Mapping[str, Mapping[str, str]]
    times: Mapping[str, Any]
    frames: Mapping[str, tuple[Frame, ...]]  # by a word that none of them matches without; "" for any
    anywhere: tuple[Frame, ...]  # those that read a few words wherever they stand
    left_out: Sequence[
        tuple[tuple[str, ...], frozenset[tuple[str, ...]]]
    ]  # subjects, and before which words they may be
    unsaid: frozenset[str]  # the words of those subjects, and what they may be forms of
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

    def is_a(self, name: str, token: Token) -> bool:
        """Whether a word or what it is a form of is in a class."""
        found = self.alone.get(name, _NONE)
        return token.lower in found or not found.isdisjoint(token.lemmas)

    def speaks_of(self, names: Collection[str], words: Collection[str]) -> bool:
        """Whether some words, with all that they may be forms of, have one of some classes."""
        return any(not self.alone.get(name, _NONE).isdisjoint(words) for name in names)

    def candidates(self, lemmas: set[str]) -> list[Frame]:
        """The frames that may match where there are these lemmas, in the order of the file."""
        found = {frame.order: frame for lemma in self.frames.keys() & {"", *lemmas} for frame in self.frames[lemma]}
        return [frame for _, frame in sorted(found.items()) if frame.may_match(lemmas)]


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
    indexed: defaultdict[str, list[Frame]] = defaultdict(list)
    kinds = {name: compiled(pattern) for name, pattern in (words.get("kinds") or {}).items()}
    framed = [replace(frame, needs=needs(frame.nodes, classes, kinds)) for frame in _frames(frames)]
    for frame in framed:
        for anchor in () if frame.is_anywhere else frame.needs[0] if frame.needs else ("",):
            indexed[anchor].append(frame)
    return Language(
        code,
        classes,
        {name: frozenset(each[0] for each in phrases if len(each) == 1) for name, phrases in classes.items()},
        {short: tuple(full.split()) for short, full in (words.get("contractions") or {}).items()},
        words.get("persons") or {},
        kin,
        {name: {key: row[key] for key in row if isinstance(row[key], str)} for name, row in frames.items()},
        words["times"],
        {anchor: tuple(found) for anchor, found in indexed.items()},
        tuple(frame for frame in framed if frame.is_anywhere),
        [(tuple(said.split()), _phrases(listed)) for said, listed in words.get("left_out", {}).items()],
        frozenset(
            each for said in words.get("left_out", {}) for word in said.split() for each in (word, *forms.lemmas(word))
        ),
        kinds,
        _FREE | {name for name, nodes in kinds.items() if any(slot.kind in _FREE for slot in slots(nodes))},
        {name: tuple(row.get("never", ())) for name, row in frames.items()},
        frozenset(terms(" ".join(words["classes"][each] for each in ("called_off", "puts_right")))),
        {name: _phrases(listed) for name, listed in words.get("renewed", {}).items()},
        {name: frozenset(terms(listed)) for name, listed in words.get("spoken_of", {}).items()},
        [(re.compile(rf"\b{said}\b", re.I), first) for said, first in words.get("third_person", {}).items()],
        forms,
    )


def _frames(rows: Mapping[str, Any]) -> Iterable[Frame]:
    order = 0
    for predicate, row in rows.items():
        for section, (modality, is_affirmed, wording) in _SECTIONS.items():
            if row.get(section) and wording not in row and predicate != "kin":
                raise ValueError(f"{predicate}: {section} need a wording {wording!r}")
            for pattern, examples in (row.get(section) or {}).items():
                order += 1
                loose = section == "anywhere"
                nodes = compiled(f"{pattern} [{{tail}}]" if row.get("tail") and not loose else pattern)
                yield Frame(predicate, pattern, nodes, modality, is_affirmed, order, (), loose, tuple(examples or ()))


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
