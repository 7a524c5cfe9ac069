"""Questions that count time from an event: "two weeks after the wedding", «до переезда в Берлин». Pure.

The words are data, ``anchors.yaml`` in the folder of each language. The memory finds the time of the event; then the
same grammar reads the question with that time in its place.
"""

import re
from datetime import datetime
from functools import cache
from typing import NamedTuple

from sandbox.extensions.memory.lexicon import either
from sandbox.extensions.memory.text.period import Period, joined
from sandbox.extensions.memory.text.spans import Span
from sandbox.extensions.memory.text.words import terms

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
        return joined(self.before, self.side, happened, self.after, now)


def anchor(text: str) -> Anchor | None:
    """The event from which a question counts; None, quickly, if the form of the question names none."""
    found = _anchored().search(text[:_READ])
    if found is None or _joins_none().search(text[: found.start()]):
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


@cache
def _joins_none() -> re.Pattern[str]:
    return re.compile(either("anchors", "else"), re.IGNORECASE)
