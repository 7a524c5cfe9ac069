"""Patterns over words, as frames are written in::

    {who} [just] live|reside in {v:place}

A word matches a form of it, ``=word`` only itself, ``a|b`` one of some words, ``@name`` a word or phrase of a class,
``(a b|c)`` one of some sequences, ``[a b]`` an optional part, ``{who}`` the subject of the clause, ``{name:kind}`` a
slot, ``{when}`` a time that the clause names anywhere. A pattern matches a clause from its first word to its last.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from sandbox.extensions.memory.parse.tokens import DIGIT, Token

_PIECE = re.compile(r"\{[^{}]+\}|[\[\]()]|[^\s\[\](){}|]+(?:\|[^\s\[\](){}|]+)*|\|")
_DROPPED = frozenset(("/1", "/past"))  # marks of verbs whose subject, the speaker, may be left out
_MOST_WORDS = 4  # of a phrase
LIST = "+"
"""The mark of a kind of slot that takes one value or several: ``{v:tool+}``."""

TIMED = {role: f"{{{role}}}" for role in ("when", "since", "until", "from")}
"""The need of a slot for a time."""


@dataclass(frozen=True, slots=True)
class Word:
    """One of some words; ``exact``: no other form of it."""

    forms: frozenset[str]
    exact: bool = False


@dataclass(frozen=True, slots=True)
class OfClass:
    """A word or phrase of a class."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some sequences."""

    ways: tuple[tuple["Node", ...], ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """A captured part, with its name and kind."""

    name: str
    kind: str


Node = Word | OfClass | Choice | Slot
Found = tuple[tuple[str, object], ...]
"""The captured values, by the names of slots."""

Classes = Mapping[str, frozenset[tuple[str, ...]]]
"""Phrases, as words, by class."""

Fill = Callable[[Slot, int], Iterator[tuple[int, object]]]
"""The possible ends of a slot that begins at a word, each with its value; the longest first."""


def compiled(pattern: str) -> tuple[Node, ...]:
    """A pattern as nodes. Raises ``ValueError`` for an invalid one."""
    pieces = list(_pieces(pattern))
    nodes, rest = _sequence(pieces)
    if rest:
        raise ValueError(f"the pattern {pattern!r} has a bracket too many")
    return nodes


def _pieces(pattern: str) -> Iterator[str]:
    """Words, slots and brackets. Inside brackets a bar separates sequences, elsewhere words."""
    depth = 0
    for piece in _PIECE.findall(pattern):
        depth += (piece in "([") - (piece in ")]")
        if depth and piece[0] not in "{([" and "|" in piece[:-1]:
            for number, word in enumerate(piece.split("|")):
                yield from ("|", word) if number else (word,)
        else:
            yield piece


def _sequence(pieces: Sequence[str]) -> tuple[tuple[Node, ...], Sequence[str]]:
    nodes: list[Node] = []
    while pieces and pieces[0] not in (")", "]", "|"):
        piece, pieces = pieces[0], pieces[1:]
        if piece in ("(", "["):
            ways, pieces = _ways(pieces, ")" if piece == "(" else "]")
            nodes.append(Choice((*ways, ()) if piece == "[" else ways))
        elif piece.startswith("{"):
            name, _, kind = piece[1:-1].partition(":")
            nodes.append(Slot(name, kind or name))
        elif piece.startswith("@"):
            nodes.append(OfClass(piece[1:]))
        else:
            exact = piece.startswith("=")
            nodes.append(Word(frozenset(piece.removeprefix("=").lower().split("|")), exact))
    return tuple(nodes), pieces


def _ways(pieces: Sequence[str], close: str) -> tuple[tuple[tuple[Node, ...], ...], Sequence[str]]:
    ways: list[tuple[Node, ...]] = []
    while True:
        way, pieces = _sequence(pieces)
        ways.append(way)
        if not pieces:
            raise ValueError(f"{close!r} is missing in a pattern")
        end, pieces = pieces[0], pieces[1:]
        if end == close:
            return tuple(ways), pieces


def needs(nodes: Sequence[Node], classes: Classes, kinds: Mapping[str, Sequence[Node]]) -> tuple[frozenset[str], ...]:
    """Sets of words: a clause that matches contains a word of each. ``DIGIT`` and ``TIMED`` stand for numbers and
    times. The set with the fewest and rarest words comes first.
    """
    found = {words for node in nodes for words in _needed(node, classes, kinds) if words}
    common = first_words(classes.get("common", frozenset()) | classes["self"])
    return tuple(sorted(found, key=lambda words: (not words.isdisjoint(common), len(words), min(words))))


def _needed(node: Node, classes: Classes, kinds: Mapping[str, Sequence[Node]]) -> Iterable[frozenset[str]]:
    if isinstance(node, Word):
        return (node.forms,)
    if isinstance(node, OfClass):
        return (longest_words(classes[node.name]),)
    if isinstance(node, Choice):
        ways = [next(iter(needs(way, classes, kinds)), frozenset[str]()) for way in node.ways]
        return (frozenset().union(*ways) if all(ways) else frozenset(),)
    kind = node.kind.partition("/")[0].removesuffix(LIST)
    if kind in kinds:
        return needs(kinds[kind], classes, kinds)
    if kind == "me":
        return (first_words(classes["self"]) | _DROPPED if "dropped" in classes else first_words(classes["self"]),)
    if kind in TIMED:
        return (frozenset((TIMED[kind],)),)
    if kind in ("age", "number"):
        return (frozenset((DIGIT,)) | (longest_words(classes["numbers"]) if kind == "number" else frozenset()),)
    return (longest_words(classes.get(kind, frozenset())),)


def match(
    nodes: Sequence[Node],
    said: Sequence[Token],
    at: int,
    classes: Classes,
    fill: Fill,
) -> Iterator[tuple[int, Found]]:
    """The possible ends of a match of the nodes from a word on, with the values of their slots."""
    for place, node in enumerate(nodes):
        if not isinstance(node, Word):
            rest = nodes[place + 1 :]
            for end, captured in _one(node, said, at, classes, fill):
                for last, others in match(rest, said, end, classes, fill) if rest else ((end, ()),):
                    yield last, (*captured, *others)
            return
        if at >= len(said) or (
            said[at].lower not in node.forms if node.exact else node.forms.isdisjoint(said[at].lemmas)
        ):
            return
        at += 1
    yield at, ()


def _one(
    node: OfClass | Choice | Slot, said: Sequence[Token], at: int, classes: Classes, fill: Fill
) -> Iterable[tuple[int, Found]]:
    if isinstance(node, OfClass):
        return [(end, ()) for end in phrase_ends(classes[node.name], said, at)]
    if isinstance(node, Slot):
        return [(end, ((node.name, held),)) for end, held in fill(node, at)]
    return chain.from_iterable(match(way, said, at, classes, fill) for way in node.ways)


def stands_in(phrases: frozenset[tuple[str, ...]], said: Sequence[Token], words: set[str]) -> bool:
    """Whether one of the phrases is in a sentence; ``words`` are all words that its words may be forms of."""
    return may_stand(phrases, words) and any(phrase_ends(phrases, said, at) for at in range(len(said)))


def may_stand(phrases: frozenset[tuple[str, ...]], words: set[str]) -> bool:
    """Whether all words of one of the phrases are among some words."""
    found = longest_words(phrases) & words
    return bool(found) and any(words.issuperset(each) for word in found for each in _by_longest_word(phrases)[word])


def phrase_ends(phrases: frozenset[tuple[str, ...]], said: Sequence[Token], at: int) -> list[int]:
    """The ends of phrases of a class that begin at a word, the longest first."""
    if at >= len(said):
        return []
    first, found = said[at], []
    if first.lower in first_words(phrases):
        words = tuple(token.lower for token in said[at : at + _MOST_WORDS])
        found = [at + length for length in range(len(words), 0, -1) if words[:length] in phrases]
    if at + 1 not in found and not single_words(phrases).isdisjoint(first.lemmas):
        found.append(at + 1)
    return found


@cache
def first_words(phrases: frozenset[tuple[str, ...]]) -> frozenset[str]:
    """The first words of some phrases."""
    return frozenset(phrase[0] for phrase in phrases)


@cache
def single_words(phrases: frozenset[tuple[str, ...]]) -> frozenset[str]:
    """Those of some phrases that are one word."""
    return frozenset(phrase[0] for phrase in phrases if len(phrase) == 1)


@cache
def longest_words(phrases: frozenset[tuple[str, ...]]) -> frozenset[str]:
    """The longest word of each phrase."""
    return frozenset(_by_longest_word(phrases))


@cache
def _by_longest_word(phrases: frozenset[tuple[str, ...]]) -> Mapping[str, Sequence[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        found.setdefault(max(phrase, key=len), []).append(phrase)
    return found


def slots(nodes: Sequence[Node]) -> Iterator[Slot]:
    """The slots of a pattern, including those inside its choices."""
    for node in nodes:
        if isinstance(node, Slot):
            yield node
        elif isinstance(node, Choice):
            for way in node.ways:
                yield from slots(way)
