"""Whether the memory works in coding agents, for `memory doctor`."""

import json
from datetime import datetime, timedelta
from pathlib import Path

from sandbox.extensions.memory_hooks import client
from sandbox.extensions.memory_hooks.log import LOG, troubles
from sandbox.support.diagnosis import Check

_RECENT = timedelta(days=1)


def checks(home: Path) -> list[Check]:
    """The process that keeps the memory open, and what stood in the way of hooks since yesterday."""
    return [_resident(home), _hooks(home)]


def _resident(home: Path) -> Check:
    try:
        told = json.loads(client.ask(home, {"do": "ping"}))
    except client.NoResident:
        return Check("resident process", True, "not there; the first prompt starts it")
    since = datetime.fromtimestamp(told["since"]).isoformat(" ", "minutes")
    learning = ", learning" if told["learning"] else ""
    return Check("resident process", True, f"{told['pid']}, since {since}, {told['answered']:,} answers{learning}")


def _hooks(home: Path) -> Check:
    recent = [line for line in troubles(home) if _is_recent(line)]
    if not recent:
        return Check("hooks", True, "nothing stood in their way since yesterday")
    times, _, last = recent[-1].partition(" ")
    told = f"{len(recent):,} times something stood in their way since yesterday, last {times}: {last}"
    return Check("hooks", False, told, f"agents went on without the memory; all of it is in {home / LOG}")


def _is_recent(line: str) -> bool:
    try:
        at = datetime.fromisoformat(line.partition(" ")[0])
    except ValueError:
        return False
    return datetime.now(at.tzinfo) - at < _RECENT
