"""One language: its words, its forms and its frames, read from its folder in ``languages/``.

``words.yaml`` holds classes of words, ``frames.yaml`` the frames with their claims, and ``forms.py`` the inflection, if
there is any.
"""

import importlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any, Literal, TypeVar, get_args

from sandbox.extensions.memory.claims import Modality
from sandbox.extensions.memory.lexicon import FOLDER, read_data
from sandbox.extensions.memory.parse.pattern import (
    Node,
    compiled,
    first_words,
    longest_words,
    may_stand,
    needs,
    single_words,
    slots,
)
from sandbox.extensions.memory.parse.tokens import DIGIT
from sandbox.extensions.memory.text.words import terms

Case = Literal["nom", "gen", "dat", "acc", "ins", "loc", "indef"]
"""A case of a noun; ``indef``: after *a* or a similar article."""

Key = TypeVar("Key")

_NONE: frozenset[str] = frozenset()
_FREE = frozenset(("text", "phrase", "matter"))

_SECTIONS: Mapping[str, tuple[Modality, bool, str]] = {  # and the wording that it needs
    "": ("fact", True, "say"),  # the patterns right under the predicate
    "ends": ("fact", False, "deny"),
    "plans": ("plan", True, "plan"),
    "was": ("past", True, "past"),
}
CHANGES = ("called_off", "parted", "puts_right", "resumed", "not", "no_word", "over", "permitted", "revoked")
"""Classes of words in a report of a change: what is over, who is gone, another value or time, again, not, no, no more,
what is allowed, and a wish that no longer counts.
"""


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
    return kind, as_case(name)


def as_case(name: str | None) -> Case | None:
    """The case of a name; None if it is none."""
    return next((case for case in get_args(Case) if case == name), None)


@dataclass(frozen=True, slots=True)
class Kin:
    """A relation to the user: its predicate, and the gender (m, f or unknown; p for plural)."""

    predicate: str
    gender: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """One way to say something: a pattern that matches a whole clause, and the claims it makes. A clause that matches
    has a word of each of its ``needs``.
    """

    predicate: str
    nodes: Sequence[Node]
    modality: Modality
    is_affirmed: bool
    needs: Sequence[frozenset[str]]
    also: Mapping[str, str]  # other predicates, and the slot that holds the value of each


class Language:
    """The words and frames of a language, read from its folder."""

    def __init__(self, code: str) -> None:
        words = read_data(code, "words")
        self.code = code
        self.forms = _forms(code)
        self.kin: Mapping[str, Kin] = {
            word: Kin(predicate, gender)
            for predicate, genders in words["kin"].items()
            for gender, listed in genders.items()
            for word in listed.split()
        }
        # words that tell one of several relatives, by those that mean the same
        # words for one relative, with the word that claims use
        self.same_kin = {word: first for first, listed in words["same_kin"].items() for word in listed.split()}
        self.which_kin = {
            word: which for which, listed in words["which_kin"].items() for word in (which, *listed.split())
        }
        listed_in = dict(words["classes"])
        stop_words = read_data(code, "function_words")["stop_words"]
        listed_in["function"] = listed_in["function"].replace("stop_words", stop_words)
        self.classes: Mapping[str, frozenset[tuple[str, ...]]] = {
            **{name: _phrases(listed) for name, listed in listed_in.items()},
            "kin": frozenset((word,) for word in self.kin),
            "pet_word": frozenset(tuple(word.split("_")) for word, kin in self.kin.items() if kin.predicate == "pet"),
        }
        # by class, its phrases of one word; by such a word, its classes
        self.alone = {name: single_words(phrases) for name, phrases in self.classes.items()}
        self.classes_of = _by_word(self.alone)
        self.telling = self.alone["function"] | self.alone.get("telling", _NONE)  # words that show the language
        denies, but = ("|".join(sorted(self.alone[name])) for name in ("not", "but"))
        # *not the 4th but the 14th of May*: what is before the second number
        self.denied_number = re.compile(rf"\b(?:{denies}) (?:\w+ )?\d\S* (?:{but}) (?=(?:\w+ )?\d)", re.I)
        self.contractions = {short: full.split() for short, full in _swapped(words["contractions"])}
        for key, listed in words.get("endings", {}).items():
            full, ending = key.split()
            for word in listed.split():
                for short in (word + ending, word + ending.replace("'", "")):
                    self.contractions[short] = [word, full]
        # words for the speaker -> words for the subject of a report
        self.persons = dict(_swapped(words.get("persons", {})))
        # words for the user in memories -> words in the first person
        self.third_person = [(re.compile(rf"\b{said}\b", re.I), me) for said, me in words["third_person"].items()]
        self.times: Mapping[str, Any] = words["times"]
        # a noun for somebody of the user, in memories: *die Frau des Nutzers*
        articles = "|".join(f"{each} " for each in sorted(self.alone.get("articles", ())))
        whose = self.times.get("self", {}).get("gen", "(?!)")
        which = "|".join(self.which_kin)
        self.kin_of_user = re.compile(rf"(?:\b(?:{articles}))?\b((?:(?:{which}) )?)(\w+) {whose}\b", re.I)
        # search terms of nouns for what a predicate claims: *the flight*; of words for changes
        self.spoken_of = {name: frozenset(terms(listed)) for name, listed in words["spoken_of"].items()}
        listed = (listed_in[each] for each in ("called_off", "puts_right", "function"))
        self.change_terms = frozenset(terms(" ".join(listed)))
        listed = (listed_in.get(each, "") for each in ("permitted", "revoked", "now", "resumed", "over", "any"))
        self.revoking_terms = frozenset(terms(" ".join(listed))) | self.spoken_of["wish"]
        # what phrases such as *new job* end
        self.renewed = {name: _phrases(listed) for name, listed in words["renewed"].items()}
        self.renewed_by = _by_word({name: longest_words(each) for name, each in self.renewed.items()})  # their keys
        # words and phrases one of which a report of a change has, beside a time
        self._tells_change = frozenset[tuple[str, ...]]().union(
            *map(self.classes.__getitem__, CHANGES), *self.renewed.values()
        )
        # kinds of slots, by pattern; those that hold a speaker's own words
        self.kinds = {name: compiled(pattern) for name, pattern in words["kinds"].items()}
        self.free = _FREE | {name for name, nodes in self.kinds.items() if any(s.kind in _FREE for s in slots(nodes))}
        # subjects that can be left out, and the words they may be before
        self.left_out = [(tuple(said.split()), _phrases(listed)) for said, listed in words.get("left_out", {}).items()]

    @cached_property
    def _rows(self) -> Mapping[str, Any]:
        """What ``frames.yaml`` says of each predicate."""
        rows: Mapping[str, Any] = read_data(self.code, "frames")
        return rows

    @cached_property
    def wordings(self) -> Mapping[str, Mapping[str, str]]:
        """How each predicate is said."""
        rows = self._rows.items()
        return {name: {key: said for key, said in row.items() if isinstance(said, str)} for name, row in rows}

    @cached_property
    def never(self) -> Mapping[str, Sequence[str]]:
        """Phrases that must not be read as a predicate."""
        return {name: row.get("never", ()) for name, row in self._rows.items()}

    @cached_property
    def frames(self) -> Sequence[Frame]:
        """All frames, in their order."""
        return [frame for name, row in self._rows.items() for frame in self._framed(name, row)]

    @cached_property
    def _frames_by(self) -> Mapping[str, frozenset[int]]:
        return _by_word({at: frame.needs[0] for at, frame in enumerate(self.frames)})

    @cached_property
    def behind_unsaid(self) -> frozenset[str]:
        """The first words of clauses that may leave their subject out."""
        return frozenset[str]().union(*(first_words(phrases) for _, phrases in self.left_out))

    @cached_property
    def unsaid(self) -> frozenset[str]:
        """The words of subjects that can be left out."""
        omitted = chain(*(said for said, _ in self.left_out), *self.classes["i_am"])
        return frozenset(each for word in omitted for each in (word, *self.forms.lemmas(word)))

    @cached_property
    def articles_for_no(self) -> frozenset[str]:
        """The words that may stand in place of *no* if what it denies were so: *I have a cat*."""
        return frozenset(chain(*self.classes["article_for_no"]))

    def frames_for(self, words: Set[str]) -> list[Frame]:
        """The frames that may match some words, with all words that these may be forms of, in their order."""
        some = {at for word in self._frames_by.keys() & words for at in self._frames_by[word]}
        return matching(map(self.frames.__getitem__, sorted(some)), words)

    def may_tell_change(self, words: set[str]) -> bool:
        """Whether a sentence with some words, and all words that these may be forms of, may report a change, although
        it names no time.
        """
        return DIGIT in words or may_stand(self._tells_change, words)

    def has(self, name: str, word: str) -> bool:
        """Whether a word, in lower case, is in a class."""
        return word in self.alone.get(name, _NONE)

    def speaks_of(self, names: Collection[str], words: Collection[str]) -> bool:
        """Whether one of some words, or of the words they may be forms of, is in one of some classes."""
        return any(not self.alone.get(name, _NONE).isdisjoint(words) for name in names)

    def _framed(self, predicate: str, row: Mapping[str, Any]) -> Iterator[Frame]:
        """The frames of a predicate."""
        for section, (modality, is_affirmed, wording) in _SECTIONS.items():
            patterns = row.get(section, ()) if section else [key for key in row if "{" in key]
            if patterns and wording not in row and predicate != "kin":
                raise ValueError(f"{predicate}: {section or 'patterns'} need a wording {wording!r}")
            for pattern in patterns:
                nodes = compiled(f"{pattern} [{{tail}}]" if row.get("tail") else pattern)
                needed = needs(nodes, self.classes, self.kinds)
                yield Frame(predicate, nodes, modality, is_affirmed, needed, row.get("also", {}))


def matching(frames: Iterable[Frame], words: Set[str]) -> list[Frame]:
    """Those of some frames that may match some words, with all words that these may be forms of."""
    return [frame for frame in frames if not any(map(words.isdisjoint, frame.needs))]


@cache
def language_of(code: str) -> Language:
    """A language by its code."""
    return Language(code)


def _by_word(words_of: Mapping[Key, frozenset[str]]) -> Mapping[str, frozenset[Key]]:
    found: defaultdict[str, set[Key]] = defaultdict(set)
    for key, words in words_of.items():
        for word in words:
            found[word].add(key)
    return {word: frozenset(keys) for word, keys in found.items()}


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
