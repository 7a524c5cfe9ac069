"""The parts of an analysed question."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sandbox.extensions.memory.model import CognitiveType, Intent
from sandbox.extensions.memory.retrieve.intent import asks_how, asks_what_happened
from sandbox.extensions.memory.text.anchors import Anchor, anchor
from sandbox.extensions.memory.text.period import Period, period
from sandbox.extensions.memory.text.words import name_candidates, telling_words, terms
from sandbox.support.embedder import Vector

T = TypeVar("T")

_READ = 8_000  # characters of a question; of a longer prompt, what stands between its beginning and end is pasted
_MOST_TERMS = 48  # of a pasted page; further terms cost time and add nothing that ranks
_NAME_CHARACTERS = 600  # names are looked for in this much of a question

KNOWLEDGE: tuple[CognitiveType, ...] = ("semantic", "opinion")
"""What is shown unasked; procedures are fetched on demand."""

# hops along the graph, and memories of an answer: a complex question asks for more than one thing
DEPTH_SIMPLE, DEPTH_COMPLEX = 2, 4
LIMIT_SIMPLE, LIMIT_COMPLEX = 5, 20


@dataclass(frozen=True, slots=True)
class Query:
    """A question, analysed once. ``asked`` is all of it, as it would be stored, ``text`` what is read of it. ``words``
    are its telling words, each with its terms. ``shown`` are the types of knowledge that a block may show: how
    something is done only where that is asked. ``vector`` is None where nothing can be embedded, ``period`` where no
    time is spoken of, or nobody said what time it is (``now``). ``anchor`` is an event that time is counted from, where
    nothing else says the time.
    """

    asked: str
    text: str
    terms: tuple[str, ...]
    words: tuple[tuple[str, tuple[str, ...]], ...]
    runs: tuple[str, ...]
    intent: Intent
    is_complex: bool
    shown: tuple[CognitiveType, ...]
    vector: Vector | None
    period: Period | None = None
    anchor: Anchor | None = None
    now: datetime | None = None

    @property
    def asks_what_happened(self) -> bool:
        """Whether it asks what went on, lately or in a time, rather than for something particular."""
        return asks_what_happened(self.text)

    @property
    def depth(self) -> int:
        """How far the graph is walked."""
        return DEPTH_COMPLEX if self.is_complex else DEPTH_SIMPLE

    @property
    def limit(self) -> int:
        """How many memories answer it, where nobody says."""
        return LIMIT_COMPLEX if self.is_complex else LIMIT_SIMPLE


@dataclass(frozen=True, slots=True)
class ResolvedQuery:
    """What a question of a user means to a memory: the entities it names, each with all it is called, stemmed; the
    number of the model whose vectors answer, None where words answer alone; the question's vector, its rare words
    weighing more; and whether it ``knows`` anything, beside turns.
    """

    query: Query
    entities: Mapping[int, frozenset[str]]
    model: int | None
    vector: Vector | None
    knows: bool
    user_id: str


def both_ends(text: str, most: int = _READ) -> str:
    """A text of at most some ``most`` characters; of a longer one as much of its beginning as of its end."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}\n{text[-half:]}"


def _few(found: list[T]) -> tuple[T, ...]:
    """Not too many words, from both ends: what is asked stands before or behind what is pasted."""
    half = _MOST_TERMS // 2
    return tuple(found if len(found) <= _MOST_TERMS else [*found[:half], *found[-half:]])


def analyse(asked: str, intent: Intent, is_complex: bool, vector: Vector | None, now: datetime | None = None) -> Query:
    """The query for a question: distinct terms and possible names, both bounded."""
    text = both_ends(asked)
    found = _few(list(dict.fromkeys(terms(text))))
    words = _few(telling_words(text))
    runs = tuple(name_candidates(text[:_NAME_CHARACTERS]))
    spoken_of = None if now is None else period(text, now)
    event = None if now is None or spoken_of is not None else anchor(text)
    shown = (*KNOWLEDGE, "procedural") if asks_how(text) else KNOWLEDGE
    return Query(asked, text, found, words, runs, intent, is_complex, shown, vector, spoken_of, event, now)
