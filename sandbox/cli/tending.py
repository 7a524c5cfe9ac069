"""`memory weak`, `stats`, `maintain` and `doctor`."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from sandbox.cli.arguments import Limit
from sandbox.cli.invocation import REFUSED, Invocation
from sandbox.cli.registry import TEND, command

if TYPE_CHECKING:
    from pathlib import Path

    from sandbox.extensions.memory import Memory, Scope
    from sandbox.extensions.memory.model import MaintenanceReport, Record
    from sandbox.protocols import Check

_PRUNED_SHOWN = 20


@command(TEND)
def weak(invocation: Invocation, limit: Limit = 20) -> None:
    """List what fades next, unless it is used or confirmed.

    \b
    memory weak --limit 5
    """
    found = invocation.ask(lambda memory: memory.weak(limit=limit, scope=invocation.scope))
    from sandbox.cli import output

    invocation.show(found, lambda page: output.weak(page, found))


@command(TEND)
def stats(invocation: Invocation) -> None:
    """Count what is held.

    \b
    memory stats
    """
    found = invocation.ask(lambda memory: memory.statistics(scope=invocation.scope))
    from sandbox.cli import output

    invocation.show(found, lambda page: output.statistics(page, found))


@command(TEND)
def maintain(
    invocation: Invocation,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")] = False,
) -> None:
    """Do what a night does: retire what has faded, and tidy up. Running it twice changes nothing.

    \b
    memory maintain --dry-run
    """

    async def maintained(memory: "Memory") -> "tuple[MaintenanceReport, list[Record]]":
        report = await memory.maintain(dry_run=dry_run)
        return report, await _known(memory, report.pruned[:_PRUNED_SHOWN], invocation.scope)

    report, pruned = invocation.ask(maintained)
    from sandbox.cli import output

    invocation.show(report, lambda page: output.maintenance(page, report, pruned))


async def _known(memory: "Memory", ids: "Sequence[str]", scope: "Scope") -> "list[Record]":
    """The memories that the scope may see; a night sees to everybody's."""
    from sandbox.extensions.memory.errors import UnknownMemory

    records = []
    for id in ids:
        with suppress(UnknownMemory):
            records.append((await memory.explain(id, scope=scope)).memory)
    return records


@command(TEND)
def doctor(
    invocation: Invocation,
    retry: Annotated[
        bool, typer.Option("--retry", help="First deliver what waits, and what was given up, once more.")
    ] = False,
) -> None:
    """Check everything: the file and what is derived from it, embedding, extensions, events, nights, the model.

    The exit code is 1 where something is wrong.

    \b
    memory doctor
    """
    import asyncio

    from sandbox.cli import output

    home, checks = str(invocation.folder), asyncio.run(_checks(invocation.folder, retry=retry))
    healthy = all(check.ok for check in checks)
    invocation.show({"home": home, "ok": healthy, "checks": checks}, lambda page: output.diagnosis(page, home, checks))
    if not healthy:
        raise typer.Exit(REFUSED)


async def _checks(home: "Path", *, retry: bool) -> "Sequence[Check]":
    from sandbox.diagnosis import diagnose
    from sandbox.kernel import Kernel

    async with Kernel.open(home) as kernel:
        if retry:
            await kernel.bus.start()
            await kernel.settled()
        return await diagnose(kernel)
