"""Check a kernel: its extensions with their tasks, its journal, its turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sandbox.guarded_calls import Failed, attempt
from sandbox.kernel import Kernel
from sandbox.loader import Loaded
from sandbox.scheduler import Run
from sandbox.support.diagnosis import Check

_PATIENCE = 15.0  # seconds for the checks of an extension


@dataclass(frozen=True, slots=True)
class CheckedPart:
    """Checks of one part, under a name for people."""

    name: str
    checks: Sequence[Check]


async def diagnose(kernel: Kernel) -> list[CheckedPart]:
    """All checks, those of required extensions first; a check that raises counts as failed."""
    tasks = await _tasks(kernel)
    extensions = sorted(kernel.loaded, key=lambda each: not each.manifest.required)
    parts = [CheckedPart(each.manifest.name, await _extension(each, tasks)) for each in extensions]
    return [*parts, CheckedPart("Conversations", [await _events(kernel), await _turns(kernel)])]


async def _extension(loaded: Loaded, tasks: Mapping[str, Check]) -> list[Check]:
    if loaded.extension is None:
        return [Check("start", False, f"{loaded.problem}", "the others run without it; mend it and start again")]
    own = [check for task, check in tasks.items() if task.startswith(f"{loaded.manifest.id}/")]
    try:
        return [*await attempt(loaded.extension.check(), _PATIENCE), *own] or [Check("running", True, "yes")]
    except Failed as failed:
        return [Check("check", False, f"it {failed}", "the extension runs all the same; mend its check"), *own]


async def _events(kernel: Kernel) -> Check:
    """Report events that a handler could not process; waiting events are no problem."""
    parked = await kernel.bus.parked()
    if not parked:
        waiting = await kernel.bus.pending()
        state = f"{waiting} to be delivered by `memory run` or a chat" if waiting else "all delivered"
        return Check("events", True, state)
    given_up = ", ".join(sorted({f"{each.topic} for {each.handler} ({each.problem})" for each in parked}))
    return Check("events", False, f"{len(parked)} given up: {given_up}", "mend the cause, then `memory doctor --retry`")


async def _turns(kernel: Kernel) -> Check:
    """Turns that wait for a kernel are no problem."""
    unfinished = await kernel.router.unfinished()
    state = f"{unfinished} cut off, to be done again by `memory run` or a chat" if unfinished else "none was cut off"
    return Check("replies", True, state)


async def _tasks(kernel: Kernel) -> dict[str, Check]:
    """A check for each task, by its full name."""
    history, now = await kernel.scheduler.last_runs(), datetime.now(UTC)
    return {
        each.task: _task(each.task.partition("/")[2], each.outcome != "failed", described(each, now=now))
        for each in history
    }


def _task(name: str, ok: bool, state: str) -> Check:
    return Check(name, ok, state, None if ok else "it runs again at its next time")


def described(run: Run, *, now: datetime | None = None) -> str:
    """The last and the next run of a task, in one line; before ``now`` the next one is overdue."""
    last = ": ".join(filter(None, [_minute(run.at), run.outcome, run.said])) if run.at else "never run"
    if run.next_at is None:
        return f"{last}; never due again"
    if now is not None and run.next_at <= now:
        return f"{last}; due since {_minute(run.next_at)}, which `memory run` or a chat makes up for"
    return f"{last}; next {_minute(run.next_at)}"


def _minute(moment: datetime) -> str:
    return moment.isoformat(" ", "minutes")
