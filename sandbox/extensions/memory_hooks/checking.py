"""Check for `memory doctor` whether the memory works in coding agents."""

import json
from datetime import datetime, timedelta
from pathlib import Path

from sandbox.extensions.memory_hooks import client
from sandbox.extensions.memory_hooks.log import LOG, troubles
from sandbox.support.diagnosis import Check, Trouble

_RECENT = timedelta(days=1)


def checks(home: Path) -> list[Check]:
    """Checks of the resident process, and of the problems of hooks since yesterday."""
    return [_resident(home), _hooks(home)]


def failures(home: Path) -> list[Trouble]:
    """The problems of hooks in the log, the latest first."""
    return [trouble for line in reversed(troubles(home)) if (trouble := _trouble(line))]


def _resident(home: Path) -> Check:
    try:
        told = json.loads(client.ask(home, {"do": "ping"}))
    except client.NoResident:
        return Check("resident process", True, "not there; the first prompt starts it")
    since = datetime.fromtimestamp(told["since"]).isoformat(" ", "minutes")
    learning = ", learning" if told["learning"] else ""
    return Check("resident process", True, f"{told['pid']}, since {since}, {told['answered']:,} answers{learning}")


def _hooks(home: Path) -> Check:
    recent = [each for each in failures(home) if datetime.now(each.at.tzinfo) - each.at < _RECENT]
    if not recent:
        return Check("hooks", True, "nothing stood in their way since yesterday")
    last = f"{recent[0].at.isoformat()} {recent[0].where}: {recent[0].problem}"
    told = f"{len(recent):,} times something stood in their way since yesterday, last {last}"
    return Check("hooks", False, told, f"agents went on without the memory; all of it is in {home / LOG}")


def _trouble(line: str) -> Trouble | None:
    """A line of the log; None if it is invalid."""
    time, _, told = line.partition(" ")
    event, _, problem = told.partition(": ")
    try:
        at = datetime.fromisoformat(time)
    except ValueError:
        return None
    return Trouble(at.astimezone(), event, problem)
