"""Check whether turns support a model's proposal: its words, figures, dates, names and meaning. Pure.

A paraphrase may use other words, but not other names or numbers.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from sandbox.extensions.memory.claims.compare import identity, typed
from sandbox.extensions.memory.consolidate.extraction import Turn
from sandbox.extensions.memory.lexicon import by_language, form, texts, words
from sandbox.extensions.memory.parse import claims_of, read as parse
from sandbox.extensions.memory.text.languages import script as script_of
from sandbox.extensions.memory.text.timewords import larger, rows, symbols, telling
from sandbox.extensions.memory.text.words import SMALL, fold, is_denied, name_candidates, stemmed_name, terms
from sandbox.support.embedder import Vector

EXPRESSLY = 0.5
"""Share of a statement's words from which it counts as the speaker's own words."""

FEW = 0.3
"""Share of a statement's words below which its meaning has to be near to a turn."""

MARGIN = 0.12
"""How much nearer to a turn than to small talk it has to be. With the shipped embedder this accepts 12 of 13 fair
paraphrases and conclusions in English, and 2 of 10 statements without support.
"""

MARGIN_OF_ORDERS = MARGIN / 2
"""The same for a wish, if the user gives an order: "keep it short" for "wants concise replies"."""

_SENTENCE = re.compile(r"[^.!?…。！？]++[.!?…。！？]?")
# second group: the number of a step, or a German day
_FIGURE = re.compile(r"(?<!\w)(\d++(?:[.,:]\d++)*)([.)] ?[^\W\d])?")
_THOUSANDS = re.compile(r"(?<=\d)[,. '’](?=\d{3}\b)")
_THOUSAND = r"\b(\d+(?:[.,]\d+)?) ?{learnt.thousand words}\b"
_AFTERNOON = re.compile(r"\b(\d{1,2})((?::\d\d)?) ?p\.?m\b")
_NAME = re.compile(rf"(?<=[^\W_]|[,;)»”]) [«“(\"']?([^\W\d{SMALL}_][^\W_]+)")
_ALIKE = 4  # first letters that a name and a word have in common: Portugal, Portuguese


@cache
def nobody() -> frozenset[str]:
    """Search terms of the words for a speaker, in every language."""
    return frozenset(terms(" ".join(words("function_words", "roles"))))


class Doubtful(NamedTuple):
    """A statement, its words that were not said, its turns' texts, and how near to them it has to be."""

    content: str
    words: str
    said: Sequence[str]
    margin: float


def is_hearsay(content: str, cited: Iterable[Turn], people: Iterable[str]) -> bool:
    """Whether a statement speaks of the user or of one of some people, and rests only on the words of an assistant
    without a name: what it suggests, supposes or drafts. What the assistant did itself it may tell.
    """
    if any(turn.role == "user" or turn.speaker for turn in cited):
        return False
    stated, assistant = set(terms(content)), set(terms(" ".join(texts("function_words", "assistant"))))
    is_of_person = not set(map(stemmed_name, people)).isdisjoint(name_candidates(content))
    return stated.isdisjoint(assistant) and (is_of_person or not stated.isdisjoint(nobody()))


def support(content: str, cited: Sequence[Turn], beside: Iterable[str] = ()) -> float:
    """The share of a statement's content words that occur in its turns. Words for speakers do not count, nor do dates
    and names of ``beside`` that are added to make it self-contained.
    """
    speakers = {term for turn in cited for term in terms(turn.who)}
    added = {term for text in (*beside, *_date().findall(fold(content))) for term in terms(text)}
    there = {term for turn in cited for term in terms(turn.text)}
    wanted = set(terms(content)) - nobody() - speakers
    wanted -= added - there
    return len(wanted & there) / len(wanted) if wanted else 0.0


def says(turn: Turn, content: str) -> bool:
    """Whether a person's turn says a statement explicitly: it makes the same claims in any words, or one of its
    sentences has the same content words, is no question, and has a negation if the statement has one.
    """
    return _claims(turn, content) or _words(turn, content)


def _claims(turn: Turn, content: str) -> bool:
    wanted = {identity(claim) for claim in typed(claims_of(content, turn.at))}
    if not wanted:
        return False
    found = parse([(turn.who, turn.text, turn.at)], {turn.who: turn.speaker or ""}).statements
    return wanted <= {identity(claim) for each in found for claim in each.claims}


def _words(turn: Turn, content: str) -> bool:
    nobodys = nobody().union(terms(turn.who))
    wanted = set(terms(content)) - nobodys
    stated = [each for each in _SENTENCE.findall(turn.text) if not each.endswith(("?", "\uff1f"))]
    return any(wanted == set(terms(each)) - nobodys and is_denied(each) == is_denied(content) for each in stated)


def other_words(content: str, cited: Sequence[Turn]) -> str:
    """A statement without the words of its turns: the part that only its meaning can support."""
    there = {term for turn in cited for term in terms(turn.text)}
    return " ".join(word for word in content.split() if there.isdisjoint(terms(word)))


def unsaid(content: str, cited: Sequence[Turn], restated: Sequence[str]) -> list[str]:
    """Figures and dates of a statement that are not in its turns nor in the known memory it restates, and cannot be
    computed from them.
    """
    texts = [fold(text) for text in (*(turn.text for turn in cited), *restated)]
    said = {figure for text in texts for figure in _said(text)}
    days = [turn.at for turn in cited]
    tells_time = any(symbols(text) is not None for text in texts)

    def is_dated(figure: str) -> bool:
        if len(figure) < 4:
            return tells_time or figure in said or any(int(figure) in (day.month, day.day) for day in days)
        away = [abs(day.year - int(figure)) for day in days]
        is_said = figure in said or figure[2:] in said  # *since '98*
        return is_said or any(years < 2 or str(years) in said for years in away)

    text = fold(content)
    dates = [date for date in _date().findall(text) if not all(map(is_dated, map(_plain, re.findall(r"\d+", date))))]
    left = _plain(_date().sub(" ", text))
    return dates + [figure for figure, counts in _FIGURE.findall(left) if not counts and figure not in said]


def unnamed(content: str, names: Iterable[str]) -> list[str]:
    """Words with a capital letter inside a sentence of a statement that nobody said; ``names`` are the stems of all
    words that were said. Not for languages that capitalise every noun.
    """
    known = set(names)
    begun = {name[:_ALIKE] for name in known if len(name) >= _ALIKE}
    found = [
        name for name in _NAME.findall(content) if not name.isupper() and fold(name).removesuffix("s") not in telling()
    ]
    return [
        name for name in found if not known.issuperset(stemmed_name(name).split()) and fold(name)[:_ALIKE] not in begun
    ]


def margin(content: Vector, said: Vector, nothing: Vector) -> float:
    """How much nearer a statement is to the nearest turn than to small talk; unit vectors."""
    return float(np.max(said @ content) - np.mean(nothing @ content))


def small_talk(script: str | None) -> tuple[str, ...]:
    """Small talk in a language of some script."""
    every = by_language("learnt", "small_talk").values()
    return tuple(next((said for said in every if said and script_of(said[0]) == script), next(iter(every))))


def _said(text: str) -> Iterable[str]:
    """The figures of a folded text, and numbers in words; thousands and an hour of the afternoon in both forms."""
    plain = _plain(text)
    yield from re.findall(r"\d+(?:[.,:]\d+)*", plain)
    yield from re.findall(r"\d+", plain)
    known = _figures_in_words()
    yield from (known[word] for word in re.findall(r"[^\W\d_]+", text) if word in known)
    yield from (number for number, phrase in _amounts() if phrase.search(text))
    yield from (f"{1000 * float(number.replace(',', '.')):.0f}" for number in form(_THOUSAND).findall(plain))
    for hour, minutes in _AFTERNOON.findall(plain):
        yield f"{int(hour) % 12 + 12}{minutes}"


def _plain(text: str) -> str:
    """A figure without separators of thousands, leading zeros, and the minutes of full hours."""
    return re.sub(r"(?<![\d.,:])0+(?=\d)|(?<=\d):00(?![\d:])", "", _THOUSANDS.sub("", text))


@cache
def _date() -> re.Pattern[str]:
    month = "|".join(sorted(" ".join(rows("months")).split(), key=len, reverse=True))
    day = r"\d{1,2}(?:st|nd|rd|th)?"
    return re.compile(
        rf"\b(?:\d{{4}}-\d\d(?:-\d\d)?|{day}\.?(?: of)? (?:{month})(?:,? \d{{4}})?|(?:{month}),? {day}(?:,? \d{{4}})?"
        rf"|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}|(?:{month}),? \d{{4}}|(?:19|20)\d\d)\b"
    )


@cache
def _amounts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Numbers, and what means them without naming them: half an hour is 30 minutes."""
    every = by_language("learnt", "amounts").values()
    rows = ((number, "|".join(phrases)) for found in every for number, phrases in found.items())
    return tuple((str(number), re.compile(rf"\b(?:{phrases})\b")) for number, phrases in rows)


@cache
def _figures_in_words() -> Mapping[str, str]:
    counted = (*enumerate(rows("numbers"), 1), *enumerate(rows("ordinals"), 1))
    small = {word: number for number, words in counted for word in words.split()}
    return {word: str(number) for word, number in {**small, **larger()}.items()}
