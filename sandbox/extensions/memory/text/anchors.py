"""Questions that count time from an event: "two weeks after the wedding", «до переезда в Берлин». Pure.

When the event was is for the memory to find; then the same grammar reads the question with that time in its place.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from sandbox.extensions.memory.text.period import Period, joined
from sandbox.extensions.memory.text.spans import Span
from sandbox.extensions.memory.text.words import terms

_READ = 600  # characters of a text that are read
_MOST_TERMS = 8  # an event that takes more to tell is a story

_MARKERS = {
    "B": r"before|prior to|right before|перед тем,? как|до того,? как|прежде чем|перед",
    "F": r"after|following|после того,? как|после",
    "c": r"(?:ever )?since|с тех пор,? как|с момента|со времени",
    "U": r"until|till|up to|до",
    "i": r"during|on the day of|во время|в день",
}
_MARKER = "|".join(f"(?P<{symbol}>{words})" for symbol, words in _MARKERS.items())
_ENDS = (
    r"[?!.;:,()\n…—]|\s-\s|$"
    r"|\s(?:what|who|whom|whose|which|where|when|how|why|что|кто|кого|где|куда|когда|как|какой|какая|какие|почему)\b"
    r"|\s(?:did|do|does|was|were|is|are|have|has|had|will|would|can|could)\s(?:i|you|we|they|he|she|it|my|our|the)\b"
)
_ELSE = re.compile(  # what precedes a marker that joins no event: "how many days before", "named after"
    r"\b(?:how (?:many|much|long)|сколько|как долго)(?: [^\W\d]+){0,2}\s*$|\b(?:look\w*|named|called|takes?|took)\s*$",
    re.IGNORECASE,
)
_ANCHORED = re.compile(rf"\b(?:{_MARKER})\s+(?P<event>\S.*?)(?={_ENDS})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Anchor:
    """An event by its search ``terms``, and the question ``before`` and ``after`` it; ``side`` says as a symbol of
    ``timewords`` how the event is joined to what comes before.
    """

    terms: tuple[str, ...]
    before: str
    side: str
    after: str

    def period(self, happened: Span, now: datetime) -> Period | None:
        """The time a question speaks of, asked ``now``, where the event happened in these days."""
        return joined(self.before, self.side, happened, self.after, now)


def anchor(text: str) -> Anchor | None:
    """The event a question counts time from; None, quickly, where its form names none."""
    found = _ANCHORED.search(text[:_READ])
    if found is None or _ELSE.search(text[: found.start()]):
        return None
    event = tuple(dict.fromkeys(terms(found["event"])))
    side = next(symbol for symbol in _MARKERS if found[symbol])
    if not event or len(event) > _MOST_TERMS:
        return None
    return Anchor(event, text[: found.start()], side, text[found.end() : _READ])
