"""The parts of an analysed question, and the kind of answer that it wants: why, when, who, what, or general. The words
that tell it are data: ``questions.yaml`` in the folder of each language.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple, TypeVar

from sandbox.extensions.memory.lexicon import pattern
from sandbox.extensions.memory.model import CognitiveType, Intent
from sandbox.extensions.memory.text.period import Anchor, Period, anchor, period
from sandbox.extensions.memory.text.words import content_words, names_in_question, terms
from sandbox.support.embedder import Vector

_INTENTS: tuple[Intent, ...] = ("why", "when", "who", "what")
"""The intents that have question words; the first one with a word in the question applies."""

_SIMPLE_WORDS = 12  # a longer question, or several at once, is complex

T = TypeVar("T")
_READ = 8_000  # characters of a question; the middle of a longer prompt is mostly pasted
_MOST_TERMS = 48  # of a pasted page; more terms cost time and do not improve the ranking
_NAME_CHARACTERS = 600  # of a question, in which names are looked for
SHOWN_ALWAYS: tuple[CognitiveType, ...] = ("semantic", "opinion")
"""The types that are shown for every question; procedures only on demand."""

# Hops along the graph, and the number of memories; a complex question asks for more than one thing.
DEPTH_SIMPLE, DEPTH_COMPLEX = 2, 4
LIMIT_SIMPLE, LIMIT_COMPLEX = 5, 20


def intent_of(question: str) -> Intent:
    """The intent, by the question words of every language; takes less than a millisecond."""
    folded = question.casefold()
    return next((each for each in _INTENTS if _says(each, folded)), "general")


def is_complex(question: str) -> bool:
    """Whether a question wants much: it is long, or several, or asks for several things or a comparison."""
    folded = question.casefold()
    is_long = len(folded.split()) > _SIMPLE_WORDS or folded.count("?") > 1
    return is_long or _says("complex", folded) or _says("several", folded)


def asks_about_user(question: str) -> bool:
    """Whether it asks for all that is known of the user: "who am I?", "what do you know about me?"."""
    return _says("about_user", question.casefold())


def asks_about_own_life(question: str) -> bool:
    """Whether it asks for something that the user has mostly said: "what is my dog called?", but neither "what did you
    recommend to me?" nor "why do I get this error?", which assistants explain.
    """
    intent, folded = intent_of(question), question.casefold()
    is_question = "?" in question or intent != "general"
    return is_question and intent != "why" and not _says("how_to", folded) and _says("own_life", folded)


def _says(name: str, folded: str) -> bool:
    return bool(pattern("questions", name).search(folded))


class Query(NamedTuple):
    """A question, analysed once. ``asked`` is all of it in the form that would be stored, ``text`` the part that is
    read. ``words`` are its content words, each with its terms. ``shown`` are the types of knowledge that a block may
    show: procedures only if the question asks how. ``vector`` is None without an embedding; ``period`` is None if the
    question names no time, or the current time (``now``) is unknown. ``anchor`` is an event from which the question
    counts, if it names no other time.
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
        """Whether it asks what happened, recently or in a time: "what happened in May?", "what's new?"."""
        return _says("what_happened", self.text.casefold())

    @property
    def depth(self) -> int:
        """The number of hops along the graph."""
        return DEPTH_COMPLEX if self.is_complex else DEPTH_SIMPLE

    @property
    def limit(self) -> int:
        """The default number of memories."""
        return LIMIT_COMPLEX if self.is_complex else LIMIT_SIMPLE


class ResolvedQuery(NamedTuple):
    """A question with what it means in one memory: the entities it names, each with all its names, stemmed; the number
    of the model whose vectors answer, None for words alone; the question's vector with more weight for rare words; and
    whether the user has any knowledge beside turns (``has_knowledge``).
    """

    query: Query
    entities: Mapping[int, frozenset[str]]
    model: int | None
    vector: Vector | None
    has_knowledge: bool
    user_id: str


def both_ends(text: str, most: int = _READ) -> str:
    """A text of at most ``most`` characters; a longer one is cut to its beginning and its end."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}\n{text[-half:]}"


def _few(found: list[T]) -> tuple[T, ...]:
    """A limited number of words from both ends, because a question comes before or after pasted text."""
    half = _MOST_TERMS // 2
    return tuple(found if len(found) <= _MOST_TERMS else [*found[:half], *found[-half:]])


def analyse(asked: str, vector: Vector | None = None, now: datetime | None = None) -> Query:
    """The query for a question: its different terms and possible names, both limited in number."""
    text = both_ends(asked)
    found = _few(list(dict.fromkeys(terms(text))))
    words = _few(content_words(text))
    runs = tuple(names_in_question(text[:_NAME_CHARACTERS]))
    spoken_of = None if now is None else period(text, now)
    event = None if now is None or spoken_of is not None else anchor(text)
    shown = (*SHOWN_ALWAYS, "procedural") if _says("how_to", text.casefold()) else SHOWN_ALWAYS
    wanted = (intent_of(text), is_complex(text), shown)
    return Query(asked, text, found, words, runs, *wanted, vector, spoken_of, event, now)
