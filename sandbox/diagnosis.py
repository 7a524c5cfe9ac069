"""Whether a kernel is in order: its extensions, its journal, its turns, its tasks, its model."""

import asyncio
from collections.abc import AsyncIterator

from sandbox.kernel import AGENT, Kernel
from sandbox.loader import Loaded
from sandbox.protocols import Check

_PATIENCE = 15.0  # seconds an extension has for its checks


async def diagnose(kernel: Kernel) -> list[Check]:
    """Every check there is, those of the extensions included; what cannot be checked is a failed check."""
    extensions = [check for each in kernel.loaded async for check in _extension(each)]
    return [*extensions, await _events(kernel), await _turns(kernel), *await _tasks(kernel), _model(kernel)]


async def _extension(loaded: Loaded) -> AsyncIterator[Check]:
    name = f"extension {loaded.manifest.id}"
    if loaded.extension is None:
        yield Check(name, False, f"degraded: {loaded.problem}", "the others go on without it; mend it and start again")
        return
    yield Check(name, True, "running")
    try:
        async with asyncio.timeout(_PATIENCE):
            checks = await loaded.extension.check()
    except Exception as error:
        yield Check(name, False, f"its checks failed ({type(error).__name__})", "look at its log")
        return
    for check in checks:
        yield check


async def _events(kernel: Kernel) -> Check:
    """Events that a handler could not deal with are told; those that wait are not wrong."""
    parked = await kernel.bus.parked()
    if not parked:
        return Check("events", True, f"{await kernel.bus.pending()} waiting")
    told = ", ".join(sorted({f"{each.topic} for {each.handler} ({each.problem})" for each in parked}))
    return Check("events", False, f"{len(parked)} given up: {told}", "mend the cause, then `memory doctor --retry`")


async def _turns(kernel: Kernel) -> Check:
    """Turns that wait for a kernel to finish them are not wrong."""
    unfinished = await kernel.router.unfinished()
    return Check("turns", True, f"{unfinished} cut off, done again at the next start" if unfinished else "all done")


async def _tasks(kernel: Kernel) -> list[Check]:
    history = await kernel.scheduler.history()
    return [Check(task.task, task.outcome != "failed", str(task), "see the log of `memory run`") for task in history]


def _model(kernel: Kernel) -> Check:
    model = kernel.models.model(AGENT)
    if kernel.models.problems:
        return Check("model", False, "; ".join(kernel.models.problems), "see `models:` in config.yaml")
    return Check("model", True, f"{model.name} at {model.place}" if model else "none configured, rules and words serve")
