"""What a question is made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sandbox.extensions.memory.model import Intent
from sandbox.extensions.memory.ports import Vector
from sandbox.extensions.memory.text.anchors import Anchor, anchor
from sandbox.extensions.memory.text.period import Period, period
from sandbox.extensions.memory.text.words import name_candidates, telling_words, terms

_MOST_TERMS = 48  # of a pasted page; further terms cost time and add nothing that ranks
_NAME_CHARACTERS = 600  # names are looked for in this much of a question

DEPTH_SIMPLE, DEPTH_COMPLEX = 2, 4  # hops along the graph (specification 004, *Adaptive complexity*)


@dataclass(frozen=True, slots=True)
class Query:
    """A question, analysed once. ``words`` are its telling words, each with its terms; ``vector`` is None where nothing
    can be embedded, ``period`` where no time is spoken of, or nobody said what time it is (``now``). ``anchor`` is an
    event that time is counted from, where nothing else says the time.
    """

    text: str
    terms: tuple[str, ...]
    words: tuple[tuple[str, tuple[str, ...]], ...]
    runs: tuple[str, ...]
    intent: Intent
    is_complex: bool
    vector: Vector | None
    period: Period | None = None
    anchor: Anchor | None = None
    now: datetime | None = None

    @property
    def depth(self) -> int:
        """How far the graph is walked."""
        return DEPTH_COMPLEX if self.is_complex else DEPTH_SIMPLE


@dataclass(frozen=True, slots=True)
class Meant:
    """What a question means to a memory: the entities it names, each with all it is called, stemmed; the number of the
    model whose vectors answer, None where words answer alone; the question's vector, its rare words weighing more; and
    whether it ``knows`` anything, beside turns.
    """

    query: Query
    entities: Mapping[int, frozenset[str]]
    model: int | None
    vector: Vector | None
    knows: bool


def analyse(text: str, intent: Intent, is_complex: bool, vector: Vector | None, now: datetime | None = None) -> Query:
    """The query for a question: distinct terms and possible names, both bounded."""
    found = tuple(dict.fromkeys(terms(text)))[:_MOST_TERMS]
    words = tuple(telling_words(text)[:_MOST_TERMS])
    runs = tuple(name_candidates(text[:_NAME_CHARACTERS]))
    spoken_of = None if now is None else period(text, now)
    event = None if now is None or spoken_of is not None else anchor(text)
    return Query(text, found, words, runs, intent, is_complex, vector, spoken_of, event, now)
