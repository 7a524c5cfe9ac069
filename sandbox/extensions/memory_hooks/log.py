"""Problems of hooks for `memory doctor`, a line each: time, event and kind, never the text of a conversation."""

import os
import time
from contextlib import suppress
from pathlib import Path

LOG = "hooks.log"

PROBLEMS = {
    "late": "no answer within {seconds} seconds",
    "transcript": "the transcript could not be taken in: {error}",
    "not_open": "the memory could not be kept open: {error}",
    "not_answered": "not answered: {error}",
    "unknown_event": "it is left alone",
    "failed": "{error}",
}
"""The problems by the name under which a program knows them; the last one is any other."""
_LARGEST = 100_000  # bytes; if it grows beyond this, the older half is removed


def note(home: Path, event: str, problem: str) -> None:
    """Add a line. If the home cannot be written, nothing is logged."""
    file = home / LOG
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {event}: {' '.join(problem.split())[:300]}\n"
    with suppress(OSError):
        _make_room(file)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w", encoding="utf-8") as opened:
            opened.write(line)


def troubles(home: Path) -> list[str]:
    """The lines, the oldest first."""
    try:
        return (home / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _make_room(file: Path) -> None:
    if file.exists() and file.stat().st_size > _LARGEST:
        kept = file.read_text(encoding="utf-8", errors="replace").splitlines()
        file.write_text("\n".join(kept[len(kept) // 2 :]) + "\n", encoding="utf-8")
