"""Check for `memory doctor` whether the memory works in coding agents."""

import json
import re
from datetime import datetime, timedelta
from pathlib import Path

from sandbox.extensions.memory_hooks import client
from sandbox.extensions.memory_hooks.log import LOG, PROBLEMS, troubles
from sandbox.support.diagnosis import Check, Trouble

_RECENT = timedelta(days=1)
_PATTERNS = {
    name: re.compile(rf"\A{text}\Z".replace("{", "(?P<").replace("}", ">.*)")) for name, text in PROBLEMS.items()
}


def checks(home: Path) -> list[Check]:
    """Checks of the resident process, and of the problems of hooks since yesterday."""
    return [_resident(home), _hooks(home)]


def failures(home: Path) -> list[Trouble]:
    """The problems of hooks in the log, the latest first."""
    return [trouble for line in reversed(troubles(home)) if (trouble := _trouble(line))]


def _resident(home: Path) -> Check:
    try:
        answer = json.loads(client.ask(home, {"do": "ping"}))
    except client.NoResident:
        return Check("resident process", True, "not there; the first prompt starts it", finding="no_resident")
    since, count = datetime.fromtimestamp(answer["since"]).astimezone(), answer["answered"]
    learning = ", learning" if answer["learning"] else ""
    answers = f"{count:,} {'answer' if count == 1 else 'answers'}{learning}"
    return Check(
        "resident process",
        True,
        f"{answer['pid']}, since {since:%Y-%m-%d %H:%M}, {answers}",
        finding="resident",
        values={**answer, "since": since.isoformat()},
    )


def _hooks(home: Path) -> Check:
    failed = [each for each in failures(home) if each.finding != "unknown_event"]
    recent = [each for each in failed if datetime.now(each.at.tzinfo) - each.at < _RECENT]
    if not recent:
        return Check("hooks", True, "no failure since yesterday", finding="no_troubles")
    count, last = len(recent), recent[0]
    many = f"{count:,} {'failure' if count == 1 else 'failures'} since yesterday"
    return Check(
        "hooks",
        False,
        f"{many}, the last at {last.at:%Y-%m-%d %H:%M}, {last.where}: {last.problem}",
        f"agents went on without the memory; all of it is in {home / LOG}",
        "troubles",
        {"count": count, "at": last.at.isoformat(), "where": last.where, "file": str(home / LOG)},
    )


def _trouble(line: str) -> Trouble | None:
    """A line of the log; None if it is invalid."""
    time, _, what = line.partition(" ")
    event, _, problem = what.partition(": ")
    try:
        at = datetime.fromisoformat(time)
    except ValueError:
        return None
    found = ((name, pattern.match(problem)) for name, pattern in _PATTERNS.items())
    finding, values = next((name, match.groupdict()) for name, match in found if match)
    return Trouble(at.astimezone(), event, problem, finding, values)
