"""Whether each turn is on the disk before it is acknowledged, as the system calls of a real process show it.

A child observes turns one by one and writes a mark after each acknowledgement. Between two marks there must be writes
to the write-ahead log, and a sync of it that began after the last of them and has returned.
"""

import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks import child
from benchmarks.bench import Bench
from benchmarks.floors import floor
from benchmarks.report import Figure

_TURNS = 50
_NAME = "syncs before acknowledgement"
_STARTED = re.compile(r"^(?P<pid>\d+) +(?P<call>\w+)\(\d+<(?P<path>[^>]*)>(?P<rest>.*)$")
_RESUMED = re.compile(r"^(?P<pid>\d+) +<\.\.\. (?P<call>\w+) resumed>")
_SYNCS = ("fsync", "fdatasync")


@dataclass(frozen=True, slots=True)
class Seen:
    """How many turns were acknowledged, how many of those after a sync of all written for them, and the syncs."""

    acknowledged: int
    synced: int
    syncs: int


def measure(bench: Bench) -> list[Figure]:
    """Run the child under strace, where there is one that may trace."""
    strace = shutil.which("strace")
    if strace is None or subprocess.run([strace, "-o", "/dev/null", "true"], capture_output=True).returncode:
        return [Figure(_NAME, None, floor=floor(_NAME), note="there is no strace here that may trace")]
    trace = bench.work / "trace"
    traced = [strace, "-f", "-y", "-s", "32", "-e", "trace=fsync,fdatasync,write,pwrite64", "-o", str(trace)]
    child.run("observe", bench.fresh(), before=traced, turns=_TURNS)
    return [figure(seen(trace.read_text(errors="replace").splitlines()))]


def figure(found: Seen) -> Figure:
    """The share of acknowledgements that came after their sync."""
    share = found.synced / found.acknowledged if found.acknowledged else 0.0
    note = (
        f"{found.synced} of {found.acknowledged} acknowledged after a sync of memory.db-wal; {found.syncs} such syncs"
    )
    return Figure(_NAME, share, floor=floor(_NAME), note=note)


def seen(lines: Iterable[str]) -> Seen:
    """What a trace shows. A sync covers what was written before it began, once it has returned."""
    written = durable = told = acknowledged = synced = syncs = 0
    running: dict[str, int] = {}  # the syncs that have not returned: thread -> what they cover
    for line in lines:
        if resumed := _RESUMED.match(line):
            if resumed["call"] in _SYNCS and resumed["pid"] in running:
                durable = max(durable, running.pop(resumed["pid"]))
        elif not (call := _STARTED.match(line)):
            continue
        elif child.MARK in call["rest"]:
            acknowledged += 1
            synced += told < written == durable
            told = written
        elif not call["path"].endswith("-wal"):
            continue
        elif call["call"] not in _SYNCS:
            written += 1
        else:
            syncs += 1
            if call["rest"].endswith("<unfinished ...>"):
                running[call["pid"]] = written
            else:
                durable = written
    return Seen(acknowledged, synced, syncs)
