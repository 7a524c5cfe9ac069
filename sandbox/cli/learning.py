"""`memory end`: end a conversation and learn from it."""

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import typer

from sandbox.cli.invocation import Invocation, complain
from sandbox.cli.registry import TEND, command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sandbox.cli.page import Page
    from sandbox.extensions.memory import Memory
    from sandbox.extensions.memory.model import Record
    from sandbox.extensions.memory.reports import LearningReport

_SHOWN = 20  # memories of each kind


@command(TEND)
def end(
    invocation: Invocation,
    session: str | None = typer.Argument(
        None, metavar="SESSION", help="The conversation; without it, all that were not learnt from yet."
    ),
    everything: bool = typer.Option(False, "--all", help="List everything that was learnt, of any length."),
) -> None:
    """End a conversation and learn from it: facts, how-tos and opinions.

    Each is stored with its source turns. A `memory chat` is over after 30 silent minutes, and the next chat or night
    then learns from it; this command does so at once.

    \b
    memory end s1
    memory end               all conversations that were not learnt from yet
    """

    from sandbox.cli.progress import bars

    async def ended(memory: "Memory") -> "tuple[LearningReport, int]":
        if session is not None:
            await memory.end_session(session, scope=invocation.scope)
        with bars() as progress:
            task = progress.add_task("learning", total=None)
            report = await memory.consolidate(
                session,
                scope=invocation.scope,
                progress=lambda done, total: progress.update(task, completed=done, total=total),
            )
        return report, len(await memory.proposals(scope=invocation.scope))

    try:
        report, proposed = invocation.ask(ended)
    except KeyboardInterrupt:
        complain("Stopped. What was learnt stays, and `memory end` learns the rest.")
        raise
    invocation.show(report, lambda page: _show(page, report, proposed, None if everything else _SHOWN))


def _show(page: "Page", report: "LearningReport", proposed: int, most: int | None) -> None:
    from sandbox.cli.imports import await_consent
    from sandbox.cli.page import FAINT, counted

    if not report.sessions and not report.waiting:
        page.line("There was nothing new to learn from.")
        return
    readers = f"read by {' and '.join(report.by)}" if report.by else ""
    page.line(counted(len(report.sessions), "conversation"), (readers, FAINT))
    new, over = ({each.id for each in some} for some in (report.learnt, report.replaced))
    _list(page, "Learnt", [each for each in report.learnt if each.id not in over], most)
    if passed := len(new & over):
        were = "was learnt and no longer holds" if passed == 1 else "were learnt and no longer hold"
        page.line(f"{passed:,} more {were}, because of what was told later", indent=2)
    if report.in_projects:
        were = counted(report.in_projects, "more is known in its project", "more are known in their projects")
        page.line(f"{were}; `memory list --all-projects` lists them", indent=2)
    _list(page, "Known already, now better founded", report.merged, most)
    ended = [each for each in report.replaced if each.id not in new]
    coming = [each for each in ended if each.valid_until is not None and each.valid_until > datetime.now(UTC)]
    _list(page, "No longer holds", [each for each in ended if each not in coming], most, "--history ")
    _list(page, "Will no longer hold", coming, most)
    if report.skipped:
        page.heading("Not learnt")
        page.rows(([f"  {reason}"], f"{count:,}") for reason, count in sorted(report.skipped.items()))
    for problem, count in Counter(report.waiting.values()).most_common():
        page.line(f"{counted(count, 'conversation waits', 'conversations wait')}: {problem}")
    if report.waiting:
        page.line(("The next night, or a later `memory end`, reads what waits.", FAINT))
    await_consent(page, proposed)
    if not (report.learnt or report.merged or ended or report.skipped or report.waiting or proposed):
        page.line("Nothing was learnt; `memory search` finds what was said, and `memory ui` tells why.")
    if report.spent.calls:
        page.line((f"{counted(report.spent.calls, 'question')}, {report.spent.tokens:,} tokens", FAINT))


def _list(page: "Page", title: str, records: "Sequence[Record]", most: int | None, options: str = "") -> None:
    from sandbox.cli import output

    output.section(page, title, records[:most])
    if most is not None and len(records) > most:
        listing = f"`memory list {options}--limit {len(records)}`"
        page.line(f"and {len(records) - most:,} more; {listing} lists what is known, the latest first", indent=2)
