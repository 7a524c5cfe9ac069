"""`memory export`: to a file or to standard output."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from sandbox.cli.page import Page
from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.reports import ExportReport
from sandbox.support.characters import printable


async def export_to(
    memory: Memory, file: str, scope: Scope, *, markdown: bool, wanted: Mapping[str, Any]
) -> ExportReport:
    """Write the memory, or the wanted part of it. A person who can read the files of a home gets all of its content."""
    owner = replace(scope, administrator=True)
    return await memory.export(file, format="markdown" if markdown else "jsonl", scope=owner, **wanted)


def printed(export: Callable[[str], ExportReport]) -> None:
    """Print an export by way of a private file, which is then removed."""
    with NamedTemporaryFile() as file:
        report = export(file.name)
        with Path(report.file).open(encoding="utf-8") as written:
            for line in written:
                print(printable(line.removesuffix("\n")))


def summary(page: Page, report: ExportReport) -> None:
    """What was written."""
    page.line(f"{report.file}: {report.lines:,} lines, {report.bytes:,} bytes")
