"""`memory search`, `list`, `context`, `contexts`, `explain`, `entity`, `profile` and `sessions`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from sandbox.cli.arguments import Id, Limit, moment, spoken
from sandbox.cli.invocation import Invocation, complain
from sandbox.cli.registry import FIND, command

if TYPE_CHECKING:
    from sandbox.extensions.memory import Block, Hit, Memory
    from sandbox.extensions.memory.listings import MemoryContext
    from sandbox.extensions.memory.model import EntityProfile


@command(FIND, narrows=True)
def search(
    invocation: Invocation,
    question: str = typer.Argument(
        ..., metavar="QUESTION", help='A question or some words; "" finds the latest memories.'
    ),
    limit: int | None = typer.Option(
        None, min=1, metavar="N", help="Find N at most. Without it 5, or 20 for a complex question."
    ),
    threshold: float | None = typer.Option(
        None, min=0, max=1, metavar="N", help="Leave out memories of less similarity, for example 0.5."
    ),
    order: str = typer.Option(
        "relevance", metavar="ORDER", help="relevance, newest, oldest, most_used, most_important or fading_first."
    ),
    reinforce: bool = typer.Option(True, help="Whether a memory lasts longer because it was found."),
    explain: bool = typer.Option(False, "--explain", help="Say why each memory was found."),
    full: bool = typer.Option(
        False, "--full", help="Show the whole text of long memories, not only the passages that fit the question."
    ),
    *,
    wanted: dict[str, Any],
) -> None:
    """Find memories for a question, the best first.

    If nothing is found, the exit code is still 0. A memory must match every option.

    \b
    memory search "where does Ann live?"
    memory search "the move" --entity Ann --after 2026-03-01
    memory search "imports" --category convention --tag python
    memory search "where does Ann live?" --as-of 2025-12-31
    memory search "where does Ann live?" --explain
    """
    found: list[Hit] = invocation.ask_quickly(
        "search",
        question,
        limit=limit,
        threshold=threshold,
        order=order,
        reinforce=reinforce,
        scope=invocation.scope,
        **wanted,
    )
    from sandbox.cli import output

    nothing = "" if found else _nothing(invocation, output.NOTHING_FOUND)
    invocation.show(found, lambda page: output.hits(page, found, nothing, explain=explain, full=full))


@command(FIND, narrows=True)
def list_(
    invocation: Invocation,
    limit: Limit = 50,
    cursor: str | None = typer.Option(
        None, metavar="CURSOR", help="Continue after a page, with the cursor from its end."
    ),
    order: str = typer.Option(
        "newest", metavar="ORDER", help="newest, oldest, most_used, most_important or fading_first."
    ),
    *,
    wanted: dict[str, Any],
) -> None:
    """List memories, page by page, the newest first.

    Without --type it lists knowledge; with --type episodic also turns of conversations. A memory must match
    every option.

    \b
    memory list
    memory list --category preference --tag food
    memory list --order fading_first --limit 10
    memory list --state forgotten
    """
    if not wanted.keys() & {"types", "role"}:
        wanted = {**wanted, "types": ["semantic", "procedural", "opinion"]}
    found = invocation.ask(
        lambda memory: memory.list(limit=limit, cursor=cursor, order=order, scope=invocation.scope, **wanted)  # type: ignore[arg-type]
    )
    from sandbox.cli import overviews

    nothing = "" if found.items else _nothing(invocation, overviews.NOTHING_LISTED)
    invocation.show(found, lambda page: overviews.memories(page, found, nothing))


@command(FIND, narrows=True)
def context(
    invocation: Invocation,
    prompt: str = typer.Argument(..., metavar="PROMPT", help="The prompt to answer; - reads it from stdin."),
    budget: int | None = typer.Option(
        None, min=1, metavar="TOKENS", help="Use TOKENS at most. Without it the prompt decides: 1,000 or 3,000."
    ),
    session_id: str | None = typer.Option(
        None,
        "--session",
        metavar="ID",
        help="The conversation of the prompt. A memory that is shown twice in it counts as used once.",
    ),
    reinforce: bool = typer.Option(True, help="Whether a memory lasts longer because it was shown."),
    *,
    wanted: dict[str, Any],
) -> None:
    """Print the memories that an assistant should see before it answers a prompt.

    Only this block goes to stdout, and nothing if no memory is relevant. In a pipe, lines are not wrapped.

    \b
    memory context "Write to Ann about the weekend" --budget 500
    cat prompt.txt | memory context -
    """
    text = spoken(prompt)
    wanted |= {"session": session_id, "scope": invocation.scope}
    found: Block | None = invocation.ask_quickly("context", text, budget=budget, reinforce=reinforce, **wanted)
    from sandbox.cli import output

    invocation.show(found, lambda page: output.block(page, found))
    if found is None:
        weighed = invocation.ask_quickly("explain_context", text, **wanted)
        nothing = output.NOTHING_RELEVANT
        if weighed.needed is not None:
            nothing = output.NOTHING_FITS.format(budget=budget or weighed.budget, needed=weighed.needed)
        complain(f"Note: {_nothing(invocation, nothing)}")


@command(FIND)
def explain(invocation: Invocation, id: Id) -> None:
    """Show where a memory comes from: its time, its turns, its versions, the memories that it replaced.

    \b
    memory explain k3Xy9aBc
    """
    found = invocation.ask(lambda memory: memory.explain(id, scope=invocation.scope))
    from sandbox.cli import output

    invocation.show(found, lambda page: output.explanation(page, found))


@command(FIND)
def entity(
    invocation: Invocation,
    name: str | None = typer.Argument(
        None, metavar="NAME", help="A name or alias, in any case, or an id; without it, list them."
    ),
    merge: str | None = typer.Option(None, metavar="OTHER", help="Join this name or id with NAME: both mean the same."),
    split: bool = typer.Option(False, "--split", help="Undo the last merge into NAME: the names do not mean the same."),
    as_of: str | None = typer.Option(None, metavar="WHEN", help="Show what was known on that day."),
    limit: Limit = 50,
) -> None:
    """Show what is known about a person, project, place or thing; join two names, or separate them.

    \b
    memory entity
    memory entity Ann
    memory entity "Ann Smith" --merge Annie
    memory entity "Ann Smith" --split
    memory entity Ann --as-of 2025-12-31
    """

    then = moment(as_of, "--as-of", at_end=True) if as_of else None

    async def changed(memory: "Memory", name: str) -> "EntityProfile":
        if merge is not None:
            await memory.merge_entities(merge, name, scope=invocation.scope)
        if split:
            await memory.split_entity(name, scope=invocation.scope)
        return await memory.entity(name, as_of=then, scope=invocation.scope)

    if sum((merge is not None, split, as_of is not None)) > 1:
        raise typer.BadParameter("give one of --merge, --split and --as-of")
    if name is None and (merge is not None or split or then is not None):
        raise typer.BadParameter("name the person or thing")
    from sandbox.cli import overviews

    if name is None:
        known = invocation.ask(lambda memory: memory.entities(limit=limit, scope=invocation.scope))
        invocation.show(known, lambda page: overviews.entities(page, known))
        return
    found = invocation.ask(lambda memory: changed(memory, name))
    invocation.show(found, lambda page: overviews.profile(page, found))


@command(FIND)
def contexts(
    invocation: Invocation,
    name: str | None = typer.Argument(
        None, metavar="NAME", help="A group to change, or to make; without it, only list."
    ),
    priority: float | None = typer.Option(
        None, min=0, max=1, metavar="N", help="0 to 1: its memories are found before others that fit as well."
    ),
    description: str | None = typer.Option(None, metavar="TEXT", help="What the group is for."),
) -> None:
    """List the groups of memories, the highest priority first; or change one.

    `memory remember TEXT --context NAME` puts a memory into a group, and `--context NAME` finds the memories of a
    group.

    \b
    memory contexts
    memory contexts "Go style" --priority 0.8 --description "How we write Go"
    memory list --context "Go style"
    """
    if name is None and (priority, description) != (None, None):
        raise typer.BadParameter("name the context to change")

    async def changed(memory: "Memory") -> "Sequence[MemoryContext]":
        if name is not None:
            await memory.set_context(name, priority=priority, description=description, scope=invocation.scope)
        return await memory.contexts(scope=invocation.scope)

    found = invocation.ask(changed)
    from sandbox.cli import overviews

    invocation.show(found, lambda page: overviews.contexts(page, found))


@command(FIND)
def profile(invocation: Invocation) -> None:
    """Show who the user is: name, pronouns, city, language, tone, goals.

    A value changes with its memory: correct or forget that, by the id shown.

    \b
    memory profile
    """
    found = invocation.ask(lambda memory: memory.profile(scope=invocation.scope))
    from sandbox.cli import overviews

    invocation.show(found, lambda page: overviews.user_profile(page, found))


@command(FIND)
def sessions(
    invocation: Invocation,
    limit: Limit = 20,
    offset: int = typer.Option(0, min=0, metavar="N", help="Leave out the N latest."),
) -> None:
    """List conversations with their ids and first words, the latest first.

    `memory end` and `memory erase` take these ids.

    \b
    memory sessions
    memory sessions --limit 20 --offset 20
    memory sessions --all-projects
    """
    found = invocation.ask(lambda memory: memory.sessions(limit=limit, offset=offset, scope=invocation.scope))
    from sandbox.cli import overviews

    following = offset + limit if len(found) == limit else None
    elsewhere = "" if found else invocation.elsewhere
    invocation.show(found, lambda page: overviews.sessions(page, found, following, elsewhere))


def _nothing(invocation: Invocation, found: str) -> str:
    """Say why nothing was found; if the folder has no memory, name it, because another one may be meant."""
    anything = invocation.ask_quickly("search", "", limit=1, history=True, reinforce=False, scope=invocation.scope)
    from sandbox.cli import output

    whose = [f" for {invocation.user}" if invocation.user else "", " in that project" if invocation.project else ""]
    message = found if anything else output.NOTHING_YET.format(whose="".join(whose), home=invocation.folder)
    return message + invocation.elsewhere
