"""A conversation as a docstring writes it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from inspect import cleandoc
from itertools import groupby
from typing import cast, get_args

from sandbox.extensions.memory.model import Message, Role

_LINE = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)(?: (?P<time>\d\d:\d\d))?(?: \[(?P<session>[^]]+)\])?"
    rf" (?P<role>{'|'.join(get_args(Role))})(?: \((?P<speaker>[^)]+)\))?: (?P<text>.*)"
)


@dataclass(frozen=True, slots=True)
class Sitting:
    """Turns of one session without another between them; a session that is resumed has several."""

    session: str
    turns: tuple[Message, ...]

    @property
    def end(self) -> datetime:
        """When its last turn was said."""
        return max(turn.at for turn in self.turns if turn.at)


def read(docstring: str) -> tuple[Sitting, ...]:
    """The sittings of ``YYYY-MM-DD [HH:MM] [[session]] role [(Speaker)]: text``, in the order they stand in.

    An indented line continues the text, after ``|`` on a line of its own. A session is the turns of a day where it has
    no name; turns without a time are a minute apart, the first at noon. What stands before the first turn is a note.
    Raises ``ValueError`` for what is no turn after the first, and where there is none.
    """
    turns = list(_turns(_entries(cleandoc(docstring).splitlines())))
    if not turns:
        raise ValueError("the docstring holds no conversation")
    runs = groupby(turns, key=lambda turn: cast(str, turn.session))
    return tuple(Sitting(session, tuple(members)) for session, members in runs)


def _entries(lines: Sequence[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Each turn with its text, the lines that continue it included."""
    first: re.Match[str] | None = None
    text = ""
    for line in lines:
        begins = _LINE.match(line)
        if first is not None and line[:1].isspace():
            told = line.strip()
            text += f"\n{told[1:].removeprefix(' ')}" if told.startswith("|") else f" {told}"
        elif begins:
            if first is not None:
                yield first, text
            first, text = begins, begins["text"]
        elif line and first is not None:
            raise ValueError(f"no turn of a conversation: {line}")
    if first is not None:
        yield first, text


def _turns(entries: Iterator[tuple[re.Match[str], str]]) -> Iterator[Message]:
    at: datetime | None = None
    for place, (first, text) in enumerate(entries):
        day, time, session, role, speaker = first.group("day", "time", "session", "role", "speaker")
        begun = datetime.fromisoformat(f"{day}T{time or '12:00'}").replace(tzinfo=UTC)
        at = at + timedelta(minutes=1) if time is None and at is not None and at.date() == begun.date() else begun
        yield Message(cast(Role, role), text.strip(), session or day, at, speaker, key=f"turn {place}")
