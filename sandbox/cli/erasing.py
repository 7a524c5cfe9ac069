"""`memory erase`: every program that holds erased text has to delete it."""

import shutil
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sandbox.cli.invocation import complain
from sandbox.cli.output import remaining
from sandbox.cli.page import Page
from sandbox.errors import RequiredExtensionFailed, SandboxError, StateFull
from sandbox.events import Erase
from sandbox.extensions.assistant.main import CONVERSATIONS
from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import DiskFull, ErasureIncomplete
from sandbox.extensions.memory.ingest.project import NOTED
from sandbox.extensions.memory.main import MemoryExtension
from sandbox.extensions.memory.memory import DATABASE
from sandbox.extensions.memory.model import Record
from sandbox.extensions.memory.reports import ErasureReport, ExportReport
from sandbox.extensions.memory_hooks import client, transcripts
from sandbox.extensions.memory_hooks.log import LOG
from sandbox.extensions.memory_hooks.resident import without_resident
from sandbox.kernel import STATE, Kernel
from sandbox.process_locks import FOLDER
from sandbox.support.characters import printable

_TYPED = "chat_history*"  # the lines that were typed, a file for each user
_FILES = (
    *(f"{name}{end}" for name in (STATE, CONVERSATIONS) for end in ("", "-wal", "-shm", "-journal")),
    LOG,
    NOTED,
    client.SOCKET,
    client.LOCK,
    client.FAILED,
)


class WouldStay(SandboxError):
    """Nothing was erased: {problems}. An extension that does not run cannot erase its copy; mend it, or take it out of
    the settings.
    """


class NotErasedYet(SandboxError):
    """Some extensions have not erased their copy yet: {who}. `memory doctor --retry` asks them again."""


async def erase_everywhere(home: Path, scope: Scope, selection: Mapping[str, Any]) -> None:
    """Erase everywhere; return when every extension has deleted the text. Everything can be erased on a full disk too.
    Raises ``WouldStay``, ``NotErasedYet``, ``StateFull``, and the errors of ``Memory.erase``.
    """
    session = selection.get("session", "")
    try:
        await _erase(home, scope, selection, session)
    except (RequiredExtensionFailed, StateFull, DiskFull, ErasureIncomplete):
        if "everything" not in selection or shutil.disk_usage(home).free > (home / DATABASE).stat().st_size:
            raise  # otherwise the disk has no room for it, and removing the files needs none
    if "everything" in selection:
        _remove(home)
        transcripts.forget_prompts(home, None, None)
    elif "id" not in selection:
        transcripts.forget_prompts(home, scope.user_id, session or None)


async def _erase(home: Path, scope: Scope, selection: Mapping[str, Any], session: str) -> None:
    async with Kernel.open(home) as kernel:
        if stopped := [f"{each.manifest.id} does not run: {each.problem}" for each in kernel.loaded if each.problem]:
            raise WouldStay(problems="; ".join(stopped).rstrip("."))
        await kernel.bus.start()
        if session:
            await kernel.erase(session, scope.user_id, scope.project_id)
        await kernel.erase_remains(scope.user_id, session)
        parked = [each for each in await kernel.bus.parked() if each.topic == Erase.topic]
        if parked:
            raise NotErasedYet(who=", ".join(sorted({f"{each.handler} ({each.problem})" for each in parked})))
        memory = kernel.extension("memory")
        if not session and isinstance(memory, MemoryExtension):
            await memory.erase(scope, **selection)


@contextmanager
def stopped_at_once() -> Iterator[None]:
    """On Ctrl-C, say what becomes of the erasing, and end without waiting for it: every part of it is one transaction,
    or is done again by the next process that opens the memory.
    """
    before = signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        complain("Stopping. What is erased stays erased, the rest stays; the same command again erases the rest.")
        raise KeyboardInterrupt

    if before is signal.default_int_handler:  # not if it is ignored
        signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def preview(would: ErasureReport, *, deletes_exports: bool) -> None:
    """Show on stderr some of what would be erased, and the files that hold it too."""
    lines = [f"  {each}" for each in would.examples]
    if more := would.turns + would.learnt - len(would.examples):
        lines.append(f"  and {more:,} more")
    if would.exports:
        what = "These exported files are deleted:" if deletes_exports else "These exported files may still hold it:"
        lines += [what, *(f"  {each.file}" for each in would.exports)]
    for line in lines:
        print(printable(line), file=sys.stderr)


def summary(
    page: Page, gone: str, sources: Sequence[Record], exports: Sequence[ExportReport], left: list[str] | None
) -> None:
    """A report of what was erased, of its ``sources``, and of what remains of a home that was erased as a whole."""
    page.line("Erased", gone)
    remaining(page, sources)
    if left is not None:
        page.line("Left in the folder", ", ".join(left) or "nothing")
    for file in exports:
        page.line("It may still be in", printable(file.file))
    page.line("Backups and other copies are not touched; delete them yourself.")


def doubts(would: ErasureReport, what: str) -> Iterator[str]:
    """The lines on texts that stay because it is in doubt whether they name somebody."""
    if would.in_doubt:
        yield f"It stays, as it is in doubt whether it names {what}; `memory erase ID` erases it:"
        yield from (f"  {printable(each)}" for each in would.doubtful)
    if (more := would.in_doubt - len(would.doubtful)) > 0:
        yield f"  and {more:,} more"


def without_exports(files: Sequence[ExportReport]) -> tuple[ExportReport, ...]:
    """Delete files that are as long as they were written; those that stay."""
    for each in files:
        with suppress(OSError):
            if Path(each.file).stat().st_size == each.bytes:
                Path(each.file).unlink()
    return tuple(each for each in files if Path(each.file).exists())


def left_in(home: Path) -> list[str]:
    """Files of a home that the memory did not make, or that hold settings."""
    return sorted(each.name for each in home.iterdir()) if home.is_dir() else []


def _remove(home: Path) -> None:
    """Remove every file of a home that the memory makes, once no resident process can write there."""
    with without_resident(home):
        recovered = [each.name for each in home.glob(f"{Path(DATABASE).stem}-recovered*{Path(DATABASE).suffix}")]
        typed = [each.name for each in home.glob(_TYPED)]
        parts = [f"transcripts/{each.name}" for each in home.glob("transcripts/*.part")]  # of a process that was killed
        for name in (*_FILES, *recovered, *typed, *parts):
            (home / name).unlink(missing_ok=True)
        shutil.rmtree(home / FOLDER, ignore_errors=True)
        Memory.remove(home)  # with the room that the others had
