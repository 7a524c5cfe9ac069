"""`memory proposals`."""

from typing import TYPE_CHECKING, Literal

import typer

from sandbox.cli.arguments import spoken
from sandbox.cli.invocation import Invocation
from sandbox.cli.registry import KEEP, command

if TYPE_CHECKING:
    from sandbox.cli.page import Page
    from sandbox.extensions.memory.listings import Proposal

Action = Literal["list", "approve", "reject", "edit"]
_NOTHING = "Nothing waits for your consent."


@command(KEEP)
def proposals(
    invocation: Invocation,
    action: Action = typer.Argument("list", metavar="ACTION", help="list, approve, reject or edit."),
    id: str | None = typer.Argument(None, metavar="ID", help="The id of a proposal."),
    text: str | None = typer.Argument(None, metavar="TEXT", help="The right text, for edit; - reads it from stdin."),
) -> None:
    """List statements that wait for your consent, and decide.

    A statement about your name, pronouns, city, language or health that you did not make yourself is not believed
    before you approve it. It is deleted after seven days.

    \b
    memory proposals
    memory proposals approve k3Xy9aBc
    memory proposals edit k3Xy9aBc "Ann lives in Potsdam."
    memory proposals reject k3Xy9aBc
    """
    if action == "list":
        found = invocation.ask(lambda memory: memory.proposals(scope=invocation.scope))
        invocation.show(found, lambda page: _listed(page, found))
        return
    if id is None:
        raise typer.BadParameter(
            f"{action} takes the id of a proposal; `memory proposals` shows ids.", param_hint="'ID'"
        )
    if (action == "edit") != (text is not None):
        problem = f"{action} takes no text; edit does." if text else "edit takes the right text after the id."
        raise typer.BadParameter(problem, param_hint="'TEXT'")
    content, scope = None if text is None else spoken(text), invocation.scope
    if action == "reject":
        invocation.ask(lambda memory: memory.reject(id, scope=scope))
        invocation.show({"id": id, "rejected": True}, lambda page: page.line(f"Rejected  {id}"))
        return
    invocation.ask(lambda memory: memory.approve(id, content=content, scope=scope))
    record = invocation.ask(lambda memory: memory.explain(id, scope=scope)).memory
    from sandbox.cli import output

    invocation.show(record, lambda page: output.changed(page, record, "Approved"))


def _listed(page: "Page", found: "tuple[Proposal, ...]") -> None:
    from sandbox.cli import output
    from sandbox.cli.page import FAINT

    for number, each in enumerate(found):
        if number:
            page.blank()
        output.entry(page, each.memory)
        for known in each.instead_of:
            page.line(f"instead of: {known.content}", indent=2)
        page.line(f"waits until {page.day(each.until)}", indent=2)
    if found:
        page.blank()
        page.line(("`memory proposals approve ID` believes one, `memory proposals reject ID` deletes it.", FAINT))
    else:
        page.line(_NOTHING)
