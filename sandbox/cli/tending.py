"""`memory weak`, `schema`, `stats`, `maintain`, `nights`, `doctor`, `encrypt` and `decrypt`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import typer

from sandbox.cli.arguments import Limit
from sandbox.cli.ending import run_to_end
from sandbox.cli.invocation import REFUSED, Invocation, print_json
from sandbox.cli.registry import TEND, command

if TYPE_CHECKING:
    from pathlib import Path

    from sandbox.cli.diagnosis import CheckedPart
    from sandbox.errors import SandboxError
    from sandbox.extensions.memory import Memory, Scope
    from sandbox.extensions.memory.model import Record
    from sandbox.extensions.memory.reports import MaintenanceReport

_PRUNED_SHOWN = 20


@command(TEND)
def weak(invocation: Invocation, limit: Limit = 20) -> None:
    """List memories that will soon fade.

    Knowledge fades when nobody uses it: the memory becomes less sure of it, and in the end no longer believes it.
    A memory that is found in a search lasts longer, and `memory confirm ID` keeps it for good.

    \b
    memory weak --limit 5
    """
    found = invocation.ask(lambda memory: memory.weak(limit=limit, scope=invocation.scope))
    from sandbox.cli import overviews

    invocation.show(found, lambda page: overviews.weak(page, found))


@command(TEND, without=("user", "project"))
def schema(
    invocation: Invocation,  # noqa: ARG001 (it is the same everywhere)
    name: str | None = typer.Argument(None, metavar="NAME", help="One object, such as Record or Claim."),
) -> None:
    """Print the JSON Schema of the memory's objects, for programs.

    Record is a memory, Explanation its sources, Hit a search result, ExportLine a line of `memory export`,
    ExportedMemory a line of a partial export. A program may give a Claim: subject, predicate and
    value. The REST interface publishes its own at /openapi.json.

    \b
    memory schema > memory.schema.json
    memory schema Claim
    """
    from sandbox.extensions.memory import Memory
    from sandbox.extensions.memory.errors import InvalidArgument

    whole = Memory.schema()
    if name is None:
        print_json(whole)
    elif name in whole["$defs"]:
        print_json({**whole["$defs"][name], "$schema": whole["$schema"], "$defs": whole["$defs"]})
    else:
        expected = f"it is one of {', '.join(whole['$defs'])}"
        raise InvalidArgument(argument="NAME", value=name, expected=expected)


@command(TEND)
def stats(invocation: Invocation) -> None:
    """Count memories, conversations and what models cost.

    \b
    memory stats
    """
    found = invocation.ask(lambda memory: memory.statistics(scope=invocation.scope))
    from sandbox.cli import overviews

    invocation.show(found, lambda page: overviews.statistics(page, found))


@command(TEND)
def maintain(
    invocation: Invocation,
    only: list[str] | None = typer.Option(None, metavar="STEP", help="Run this step only; may be repeated."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Change nothing; show the work and its cost."),
) -> None:
    """Tidy the memory now, as it happens every night.

    A second run changes nothing. The exit code is 1 if a step failed; the others run all the same. The steps run in
    this order:

    \b
    sessions   learn from conversations that are over
    merge      make one memory of two that say the same
    identity   find two names of one person or thing
    relate     connect memories that are similar
    enrich     sum up people and things that are often mentioned
    causality  find causes and effects in conversations
    insights   conclude how a person feels (needs a language model)
    prune      retire memories that have faded
    retain     put away memories that were not used for long; delete those put away long ago

    \b
    memory maintain --dry-run
    memory maintain --only merge
    """

    async def maintained(memory: "Memory") -> "tuple[MaintenanceReport, list[Record]]":
        with _watched() as progress:
            report = await memory.maintain(only=only, dry_run=dry_run, progress=progress)
        return report, await _known(memory, report.pruned[:_PRUNED_SHOWN], invocation.scope)

    report, pruned = invocation.ask(maintained)
    from sandbox.cli import overviews

    invocation.show(report, lambda page: overviews.maintenance(page, report, pruned))
    if any(step.status == "failed" for step in report.steps):
        raise typer.Exit(REFUSED)


@command(TEND)
def nights(invocation: Invocation, limit: Limit = 20) -> None:
    """List the latest nights: when, how long, what they changed and what failed.

    The memory keeps the last 60. Runs of `memory maintain` count as nights. The changes are those of your memories.

    \b
    memory nights --limit 7
    """
    found = invocation.ask(lambda memory: memory.nights(limit=limit, scope=invocation.scope))
    from sandbox.cli import overviews

    invocation.show(found, lambda page: overviews.nights(page, found))


@contextmanager
def _watched() -> "Iterator[Callable[[str, int, int], None]]":
    """A progress bar for the running step."""
    from sandbox.cli.progress import bars

    with bars() as progress:
        task = progress.add_task("")
        yield lambda step, done, of: progress.update(task, description=step, completed=done, total=of or None)


async def _known(memory: "Memory", ids: "Sequence[str]", scope: "Scope") -> "list[Record]":
    """The memories that the scope may see; a night works for all users."""
    from sandbox.extensions.memory.errors import UnknownMemory

    records = []
    for id in ids:
        with suppress(UnknownMemory):
            records.append((await memory.explain(id, scope=scope)).memory)
    return records


@command(TEND, without=("user", "project"))
def doctor(
    invocation: Invocation,
    retry: bool = typer.Option(False, "--retry", help="First deliver again the events that could not be delivered."),
) -> None:
    """Check whether everything works: the database, embedding, nights, extensions, the model, coding agents.

    Each problem comes with advice. The exit code is 1 if something is wrong.

    \b
    memory doctor
    """
    from sandbox.cli import overviews
    from sandbox.cli.diagnosis import CheckedPart
    from sandbox.cli.logs import keep_quiet
    from sandbox.errors import SandboxError
    from sandbox.extensions.memory_hooks.checking import checks

    keep_quiet()
    home = invocation.folder
    is_new = not home.exists()
    try:
        started = run_to_end(_parts(home, retry=retry))
    except SandboxError as error:
        started = _without_kernel(invocation, error)
    parts = [*started, CheckedPart("Coding agents", checks(home)), *_settings(home)]
    healthy = all(check.ok for part in parts for check in part.checks)
    found = {"home": str(home), "is_new": is_new, "ok": healthy, "parts": parts}
    invocation.show(found, lambda page: overviews.diagnosis(page, f"{home}{', made just now' * is_new}", parts))
    if not healthy:
        raise typer.Exit(REFUSED)


def _settings(home: "Path") -> "Sequence[CheckedPart]":
    """What happened to obsolete settings of the home."""
    from sandbox.cli.diagnosis import CheckedPart
    from sandbox.loader import installed, retired
    from sandbox.settings import CONFIG, read_settings
    from sandbox.support.diagnosis import Check

    settings = read_settings(home / CONFIG)
    warnings = [Check("retired", True, each) for each in retired(installed(settings), settings)]
    return [CheckedPart("Settings", warnings)] if warnings else []


async def _parts(home: "Path", *, retry: bool) -> "Sequence[CheckedPart]":
    from sandbox.cli.diagnosis import diagnose
    from sandbox.kernel import Kernel

    async with Kernel.open(home) as kernel:
        if retry:
            await kernel.bus.start(retry=True)
            await kernel.settled()
        return await diagnose(kernel)


def _without_kernel(invocation: Invocation, problem: "SandboxError") -> "Sequence[CheckedPart]":
    """Checks of the memory alone, and of the problem itself if the memory cannot be opened either."""
    from sandbox.cli.diagnosis import CheckedPart
    from sandbox.support.diagnosis import Check

    try:
        checks = invocation.ask(lambda memory: memory.check())
    except Exception:
        raise problem from None
    advice = "`memory search` works all the same; chat, nights and extensions do not"
    return [CheckedPart("Memory", checks), CheckedPart("Conversations", [Check("start", False, str(problem), advice)])]


_ADVICE = "keep a copy of its key: `python -m keyring get assistant-memory MEMORY_KEY`, or your MEMORY_KEY"


@command(TEND, without=("user", "project"))
def encrypt(invocation: Invocation) -> None:
    """Encrypt memory.db, so that only its key opens it.

    The key is the value of the variable MEMORY_KEY, for example a passphrase, or the entry of that name in the system's
    keyring. If there is neither, the command makes a random key and puts it into the keyring. Without the key nobody
    can open the memory again: keep a copy of it. The command needs the extra `encrypted`.

    Exports, backups and the files of `memory chat` (kernel.db and its history) are not encrypted.

    \b
    memory encrypt
    read -rs MEMORY_KEY && export MEMORY_KEY && memory encrypt
    """
    _rewrite(invocation, is_encrypted=True)
    invocation.show({"encrypted": True}, lambda page: page.line("Encrypted", f"memory.db; {_ADVICE}"))


@command(TEND, without=("user", "project"))
def decrypt(invocation: Invocation) -> None:
    """Write memory.db anew without encryption.

    \b
    memory decrypt
    """
    _rewrite(invocation, is_encrypted=False)
    invocation.show({"encrypted": False}, lambda page: page.line("Decrypted", "memory.db"))


def _rewrite(invocation: Invocation, *, is_encrypted: bool) -> None:
    """Write the memory anew, encrypted or not, while no resident process has it open."""
    import asyncio

    from sandbox.extensions.memory import Memory
    from sandbox.extensions.memory_hooks.resident import without_resident

    with without_resident(invocation.folder):
        asyncio.run((Memory.encrypt if is_encrypted else Memory.decrypt)(invocation.folder))
