"""Chats that WhatsApp exports as text, on Android and on iPhones: each message has its time and its named speaker, and
each day is a conversation.

A date stands as the phone writes it. Whether the day or the month comes first, all dates of the chat tell: each must
exist, and time does not go back. What WhatsApp itself says (*Media omitted*) is no message.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from hashlib import blake2b
from itertools import islice, pairwise

from sandbox.extensions.memory.ingest.importers.records import Item, Keys
from sandbox.extensions.memory.model import Message
from sandbox.extensions.memory.reports import BrokenRecord
from sandbox.support.times import LOCAL

_MARK = "\N{LEFT-TO-RIGHT MARK}"  # begins what WhatsApp says on iPhones
_BEGINS = re.compile(
    rf"^{_MARK}?\[?(\d{{1,4}})([./-])(\d{{1,2}})\2(\d{{1,4}}),?\s(?:[^\W\d]{{1,3}}\s)?(\d{{1,2}})[:.](\d\d)(?:[:.](\d\d))?"
    r"(?:\s?([ap])\.?\s?m\.?)?(?:\]\s|\s[-\N{EN DASH}]\s)",
    re.IGNORECASE | re.MULTILINE,
)
_SPEAKER = re.compile(r"([^:\"\N{LEFT DOUBLE QUOTATION MARK}\n]{1,100}): ")
_INVISIBLE = re.compile("[\u200e\u200f\u202a-\u202e]")
_REMARK = re.compile(r"<[^<> \n]+ [^<>\n]+>$", re.MULTILINE)  # <Media omitted>, <This message was edited>
_SAMPLE = 100  # messages
_ORDERS = ("ymd", "dmy", "mdy")
_BACK = timedelta(days=1)  # a message may arrive late
_IN_DOUBT = "could be of two months each; write them like 3.2.2026, the day first, or like 2026-02-03"


def is_chat(text: str) -> bool:
    """Whether a text begins with a message, and half of its first messages name a speaker."""
    begun = list(islice(_BEGINS.finditer(text), _SAMPLE))
    named = [message for message in begun if _SPEAKER.match(text, message.end())]
    return _BEGINS.match(text) is not None and 2 * len(named) >= len(begun)


def read(text: str) -> Iterator[Item]:
    """The messages; if the order of day and month is in doubt, one broken record in place of all."""
    begun = list(_BEGINS.finditer(text))
    ends = [*(message.start() for message in begun[1:]), len(text)]
    if (days := _days(begun)) is None:
        yield BrokenRecord("the dates of the chat", _IN_DOUBT)
        return
    keys, today, session = Keys(), date.min, ""
    for number, (day, begins, end) in enumerate(zip(days, begun, ends, strict=True), 1):
        at = _moment(day, begins) if day else None
        if at is None:
            yield BrokenRecord(f"message {number}", "its time does not exist")
            continue
        speaker, said = _said(text[begins.end() : end])
        if not said:
            continue
        if at.date() != today:
            today = at.date()
            session = f"whatsapp-{today}-{blake2b(f'{speaker} {said}'.encode(), digest_size=3).hexdigest()}"
        key = keys.derived(session, at.replace(tzinfo=None), speaker, said)
        yield Message("user", said, session=session, at=at, speaker=speaker, key=key, source="whatsapp")


def _days(begun: Sequence[re.Match[str]]) -> list[date | None] | None:
    """The days in the order that fits best, None for one that does not exist; None if two orders fit as well."""
    readings = [[_day(message, order) for message in begun] for order in _ORDERS]
    wrong = {}
    for number, days in enumerate(readings):
        known = [day for day in days if day]
        wrong[number] = len(days) - len(known) + sum(later < day - _BACK for day, later in pairwise(known))
    least = min(wrong.values())
    best = [readings[number] for number, count in wrong.items() if count == least]
    return best[0] if all(each == best[0] for each in best) else None


def _day(message: re.Match[str], order: str) -> date | None:
    numbers = dict(zip(order, (message[1], message[3], message[4]), strict=True))
    is_written_so = len(message[1]) == 4 if order == "ymd" else order == "dmy" or message[2] != "."
    if not is_written_so or len(numbers["y"]) not in (2, 4):
        return None
    year = int(numbers["y"])
    try:
        return date(year if year > 99 else 2000 + year, int(numbers["m"]), int(numbers["d"]))
    except ValueError:
        return None


def _moment(day: date, message: re.Match[str]) -> datetime | None:
    hour, half = int(message[5]), (message[8] or "").lower()
    if half:
        hour = hour % 12 + 12 * (half == "p")
    try:
        return datetime.combine(day, time(hour, int(message[6]), int(message[7] or 0)), LOCAL)
    except ValueError:
        return None


def _said(message: str) -> tuple[str, str]:
    """The speaker and the text; without a text it is a line of WhatsApp itself. Below such a line may stand what the
    speaker wrote of a picture.
    """
    if (speaker := _SPEAKER.match(message)) is None:
        return "", ""
    own = "\n".join(line for line in message[speaker.end() :].split("\n") if not line.startswith(_MARK))
    said = _REMARK.sub("", _INVISIBLE.sub("", own).strip()).strip()
    return _INVISIBLE.sub("", speaker[1]).strip("~ \u202f\xa0"), said
