"""The time in a question: a period, "last spring", "in May 2023", «две недели назад»; or an event from which it counts,
"two weeks after the wedding", «до переезда в Берлин». Pure.

Words become symbols (``timewords``). Each rule (``time_parser``) turns a run of symbols into a span and leaves ``<0>``
in its place, so that later rules join spans: "between <0> and <1>", "since <0>", "the week before <0>".

The words before an event are data, ``anchors.yaml`` in the folder of each language. The memory finds the time of the
event; then the same grammar reads the question with that time in its place.
"""

import re
from datetime import datetime, time
from functools import cache, partial
from typing import NamedTuple

from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.lexicon import either, pattern
from sandbox.extensions.memory.text.spans import Span
from sandbox.extensions.memory.text.time_parser import Rule, TimeParser
from sandbox.extensions.memory.text.timewords import every_symbol, symbols
from sandbox.extensions.memory.text.words import terms
from sandbox.extensions.memory.times import to_ms


class Period(NamedTuple):
    """From ``after`` up to ``before``, in UTC milliseconds; and the certainty, from 0 to 1, that this is meant."""

    after: int
    before: int
    certainty: float


def period(text: str, now: datetime) -> Period | None:
    """The time that a text names, by the calendar of ``now``; None, quickly, if it names none. Without a year, it is
    the latest that has begun. Several times give their intersection, or the span from the first to the last.
    """
    said = symbols(text)
    return None if said is None else _read(said, TimeParser(now.date()), now)


def _read(said: str, reading: TimeParser, now: datetime) -> Period | None:
    for expression, rule in _rules():
        said = expression.sub(partial(reading.place, rule), said)
    found = reading.common([int(index) for index in re.findall(r"<(\d+)>", said)])
    if found is None:
        return None
    try:
        after, before = (to_ms(datetime.combine(each, time(), now.tzinfo)) for each in found.span)
    except InvalidArgument:  # outside the calendar after conversion to UTC
        return None
    return Period(after, before, found.certainty)


# --- rules, in the order in which they are applied -------------------------------------------------------------------

_OF = r"(?:i |t |um ){0,3}"
_IN_YEAR = r"(?: (?:i )?(?:t )?(?:Y(?P<Y>\d+)(?: uy)?|(?P<year>[MLTN]) uy))"
_WHICH = r"(?P<which>[MLPTN]) (?:i )?"
_AFTER = (
    # otherwise May is a verb, and June a friend
    r"(?:(?<= [ibcBFUgke] )|(?<= [ibcBFUgke] t )|(?<= um i )|(?<=> [aU] ))"
)
_NUMBER = r"(?:n(?P<n>\d+) (?:i )?)?"
_K = r"(?:t |i ){0,3}<(?P<k>\d+)>"

_PATTERNS: tuple[tuple[str, Rule], ...] = (
    # days
    (r"(?P<either>[DE])(?P<Y>\d+)\.(?P<m>\d+)\.(?P<n>\d+)", TimeParser.days),
    (r"(?<= [ibcBFaU] )(?P<either>[DE])\.(?P<m>\d+)\.(?P<n>\d+)", TimeParser.days),
    (rf"(?:[bc] (?:t )?)?[no](?P<n>\d+) [aU] (?:t )?[no](?P<to>\d+) {_OF}m(?P<m>\d+){_IN_YEAR}?", TimeParser.days),
    (rf"(?:[bc] (?:t )?)?m(?P<m>\d+) [no](?P<n>\d+) [aU] [no](?P<to>\d+){_IN_YEAR}?", TimeParser.days),
    (rf"[no](?P<n>\d+) {_OF}m(?P<m>\d+){_IN_YEAR}?", TimeParser.days),
    (rf"m(?P<m>\d+) (?:t )?[no](?P<n>\d+){_IN_YEAR}?", TimeParser.days),
    # months, seasons, years
    (rf"m(?P<m>\d+){_IN_YEAR}", TimeParser.month),
    (rf"{_WHICH}m(?P<m>\d+)", TimeParser.month),
    (rf"s(?P<s>\d){_IN_YEAR}", TimeParser.season),
    (rf"{_WHICH}s(?P<s>\d)", TimeParser.season),
    *(
        pattern
        for _ in range(2)  # the second of "March and June" follows from the first
        for pattern in (
            (rf"{_AFTER}m(?P<m>\d+)", TimeParser.month),
            (rf"{_AFTER}s(?P<s>\d)", TimeParser.season),
            (rf"{_AFTER}Y(?P<Y>\d+)(?: uy)?", TimeParser.year),
        )
    ),
    (r"Y(?P<Y>\d+) uy", TimeParser.year),
    # counted from today
    (r"(?:t )?(?P<beyond>ud [BF] )?r(?P<r>-?\d)", TimeParser.from_today),
    (r"(?P<which>[LT]) h", TimeParser.night),
    (rf"{_NUMBER}u(?P<u>[dwmy]) A", TimeParser.ago),
    (rf"V B {_NUMBER}u(?P<u>[dwmy])", TimeParser.ago),
    # beside another time
    (rf"(?:t )?{_NUMBER}u(?P<u>[dwmy]) (?P<side>[BFU]) {_K}", TimeParser.unit_beside),
    (rf"(?:L )?w(?P<w>\d) (?P<side>[BF]) {_K}", TimeParser.weekday_beside),
    (r"(?:t )?u(?P<u>[wmye]) B L", TimeParser.before_last),
    # weeks, months and years
    (rf"L u(?P<u>[dw]) i {_K}", TimeParser.last_of),
    (r"(?:t [LP]|P) (?:n(?P<n>\d+) (?:i )?)?u(?P<u>[wmy])", TimeParser.until_now),
    (r"(?:t )?[LP] n(?P<n>\d+) (?:i )?u(?P<u>[dwmy])", TimeParser.until_now),
    (r"(?P<which>[MLTN]) u(?P<u>[wmye])", TimeParser.unit),
    (r"(?:(?<= [gke] )|(?<= [gke] [it] )|(?<= [gke] i t ))u(?P<u>[wmy])", TimeParser.unit),
    (r"(?<= i )(?:t )?ue", TimeParser.weekend),
    # days of the week
    (rf"(?:t )?w(?P<w>\d) {_K}", TimeParser.weekday_within),
    (rf"{_K} i (?:t )?w(?P<w>\d)", TimeParser.weekday_within),
    (r"(?:(?P<which>[LTN]) |(?<= [ibcBFU] )(?:t )?)w(?P<w>\d)", TimeParser.weekday),
    # parts of a time, and joined times
    (rf"(?P<part>[gke]) {_K}", TimeParser.third),
    (rf"[no](?P<n>[12]) f {_K}", TimeParser.half),
    (rf"[no](?P<n>[1-5]) uw {_K}", TimeParser.week_of),
    (r"(?:[bc] )?(?:t )?<(?P<k>\d+)> [aU] (?:i )?(?:t )?<(?P<l>\d+)>", TimeParser.both),
    (rf"c {_K}", TimeParser.since),
    (rf"(?P<side>[BFU]) {_K}", TimeParser.beside),
)


@cache
def _rules() -> tuple[tuple[re.Pattern[str], Rule], ...]:
    """Compiled at the first question that names a time."""
    return tuple((re.compile(f"(?<= ){pattern}(?= )"), rule) for pattern, rule in _PATTERNS)


_READ = 600  # characters of a text that are read
_MOST_TERMS = 8  # an event with more terms is a story

_SIDES = "BFcUi"
_STOPS = r"[?!.;:,()\n…—]|\s-\s|$"


class Anchor(NamedTuple):
    """An event by its search ``terms``, with the parts of the question ``before`` and ``after`` it; ``side`` is the
    symbol (see ``timewords``) that joins the event to the part before.
    """

    terms: tuple[str, ...]
    before: str
    side: str
    after: str

    def period(self, happened: Span, now: datetime) -> Period | None:
        """The time of the question, asked at ``now``, if the event happened in these days."""
        said = f"{every_symbol(self.before)}{self.side} <0>{every_symbol(self.after)}"
        return _read(said, TimeParser(now.date(), happened), now)


def anchor(text: str) -> Anchor | None:
    """The event from which a question counts; None, quickly, if the form of the question names none."""
    found = _anchored().search(text[:_READ])
    if found is None or pattern("anchors", "else", re.IGNORECASE).search(text[: found.start()]):
        return None
    event = tuple(dict.fromkeys(terms(found["event"])))
    side = next(symbol for symbol in _SIDES if found[symbol])
    if not event or len(event) > _MOST_TERMS:
        return None
    return Anchor(event, text[: found.start()], side, text[found.end() : _READ])


@cache
def _anchored() -> re.Pattern[str]:
    """A marker, the event, and the end of the event."""
    markers = "|".join(f"(?P<{symbol}>{either('anchors', 'markers', symbol)})" for symbol in _SIDES)
    ends = f"{_STOPS}|{either('anchors', 'ends')}"
    return re.compile(rf"\b(?:{markers})\s+(?P<event>\S.*?)(?={ends})", re.IGNORECASE)
