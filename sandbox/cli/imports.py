"""`memory import`: import files one after the other, then wait until everything has its vector."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.progress import Progress

from sandbox.cli.invocation import as_error, complain
from sandbox.cli.page import FAINT, HEADING, Page, counted, named
from sandbox.cli.progress import bars
from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import EmbedderUnavailable, UnreadableImport
from sandbox.extensions.memory.ingest.exporting import FORMAT
from sandbox.extensions.memory.model import to_plain
from sandbox.extensions.memory.reports import ImportReport
from sandbox.support.characters import printable

_BROKEN_SHOWN = 10
_LOOK = 0.2  # seconds between looks at the embedding backlog


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file with its report, or the reason why it could not be read."""

    file: str
    report: ImportReport | None = None
    error: UnreadableImport | None = None


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """The result of an import. ``embedded`` says whether every memory has its vector, ``waiting`` how many
    conversations wait to be learnt from, ``proposed`` how many statements wait for the person's consent.
    """

    files: tuple[ImportedFile, ...]
    embedded: bool
    waiting: int
    proposed: int

    @property
    def broken(self) -> int:
        """Records that were left out."""
        return sum(len(each.report.broken) for each in self.files if each.report)

    @property
    def errors(self) -> tuple[UnreadableImport, ...]:
        """The problems of files that could not be read."""
        return tuple(each.error for each in self.files if each.error)

    def plain(self) -> dict[str, Any]:
        """The form for programs; the error of the first unreadable file is in the usual place of an error."""
        error = as_error(self.errors[0]) if self.errors else {}
        files = [_plain(each) for each in self.files]
        return {"files": files, "embedded": self.embedded, "waiting": self.waiting, "proposed": self.proposed, **error}


async def import_all(memory: Memory, files: Sequence[str], scope: Scope, **how: Any) -> ImportOutcome:
    """Import the files with ``how``, the arguments of ``Memory.import_file``, and show progress on a terminal."""
    with bars() as progress:
        imported = [await _import(memory, file, scope, progress, how) for file in files]
        embedded = await _embed(memory, progress)
    in_projects = sum(sum(each.report.projects.values()) for each in imported if each.report)
    here = (await memory.statistics(scope=scope)).sessions_pending
    proposed = len(await memory.proposals(scope=scope))
    return ImportOutcome(tuple(imported), embedded, here + in_projects, proposed)


def summary(page: Page, outcome: ImportOutcome) -> None:
    """The results, file by file."""
    for each in outcome.files:
        if each.report is not None:
            _report(page, each.file, each.report)
    if outcome.waiting:
        waiting = counted(outcome.waiting, "conversation waits", "conversations wait")
        page.line((f"{waiting} to be learnt from; `memory end` does that.", FAINT))
    await_consent(page, outcome.proposed)


def await_consent(page: Page, proposed: int) -> None:
    """How many statements wait for the person's consent, if any."""
    if proposed:
        statements = counted(proposed, "statement waits", "statements wait")
        page.line(f"{statements} for your consent; `memory proposals` shows what, and who said it.")


def complaints(outcome: ImportOutcome) -> Iterator[str]:
    """The problems, one line each."""
    for error in outcome.errors:
        yield f"Error: {error}"
    if outcome.broken:
        left_out = counted(outcome.broken, "broken record was", "broken records were")
        yield f"Error: {left_out} left out; everything else is stored."


async def _import(memory: Memory, file: str, scope: Scope, progress: Progress, how: Mapping[str, Any]) -> ImportedFile:
    task = progress.add_task(printable(Path(file).name), total=None)
    try:
        report = await memory.import_file(
            file,
            **how,
            by_project=scope.project_id is None,
            scope=replace(scope, administrator=True),  # the person may write the files of the home
            progress=lambda done, total: progress.update(task, completed=done, total=total),
        )
    except UnreadableImport as error:
        progress.remove_task(task)
        return ImportedFile(file, error=error)
    return ImportedFile(file, report)


async def _embed(memory: Memory, progress: Progress) -> bool:
    """Wait until every memory has its vector. If the provider fails, say so; words are searched then."""
    waiting = (await memory.statistics()).embedding_backlog
    task = progress.add_task("embedding", total=waiting, visible=waiting > 0)
    embedding = asyncio.create_task(memory.wait_until_embedded())
    while not (await asyncio.wait({embedding}, timeout=_LOOK))[0]:
        if not progress.disable:
            progress.update(task, completed=waiting - (await memory.statistics()).embedding_backlog)
    try:
        await embedding
    except EmbedderUnavailable as error:
        complain(f"Note: {error} What waits is embedded later.")
        return False
    return True


def _report(page: Page, file: str, report: ImportReport) -> None:
    page.line((file, HEADING))
    counts = f"{report.new:,} new, {report.known:,} known already, {report.masked:,} with a secret masked"
    page.line((report.format, FAINT), counts, indent=2)
    if report.projects:
        conversations, projects = sum(report.projects.values()), counted(len(report.projects), "project")
        found = f"{counted(conversations, 'conversation')} of {projects}, found only there"
        page.line(f"{found}: {named([*report.projects])}", indent=2)
    if report.erased:
        left_out = counted(report.erased, "record was", "records were")
        page.line(f"{left_out} erased before and left out; with --erased they come back", indent=2)
    if report.changed and report.format == FORMAT:
        known = counted(report.changed, "known memory differs", "known memories differ")
        as_it_is = "a new folder takes the file as it is: `memory --home DIR import FILE`"
        page.line(f"{known} from this file, and what is here stays; {as_it_is}", indent=2)
    elif report.changed:
        known = counted(report.changed, "known record has", "known records have")
        page.line(f"{known} another text in this file; the stored text stays", indent=2)
    if report.forgotten:
        known = counted(report.forgotten, "known record stays", "known records stay")
        page.line(f"{known} forgotten; `memory restore ID` brings one back", indent=2)
    if report.taken_back:
        numbers = named([f"`memory undo {each}`" for each in report.taken_back])
        notes = counted(len(report.taken_back), "note or conversation", "notes or conversations")
        gone = f"what no longer stands in {notes} was taken back, with what was learnt from it"
        page.line(f"{gone}; {numbers} brings it back", indent=2)
    if report.left_out:
        others = counted(len(report.left_out), "file of no known format", "files of no known format")
        page.line(f"{others} left out: {named(report.left_out)}", indent=2)
    if report.broken:
        page.line(f"{counted(len(report.broken), 'broken record')} left out:", indent=2)
        page.rows(([f"    {each.place}"], each.problem) for each in report.broken[:_BROKEN_SHOWN])
        if (more := len(report.broken) - _BROKEN_SHOWN) > 0:
            page.line(f"and {more:,} more", indent=4)


def _plain(imported: ImportedFile) -> dict[str, Any]:
    outcome = as_error(imported.error) if imported.error else to_plain(imported.report)
    return {"file": imported.file, **outcome}
