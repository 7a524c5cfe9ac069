"""The answer to a prompt while the memory is being opened: a smaller block, found by words alone.

It knows the user's standing wishes, other statements of the user, and memories that share rare words with the prompt,
within the scope. It does not know the meaning of words, the neighbours of results, or later replacements: these need an
open memory (``Memory.context``).
"""

from dataclasses import replace
from pathlib import Path

from sandbox.extensions.memory.assemble import render
from sandbox.extensions.memory.assemble.excerpts import excerpt
from sandbox.extensions.memory.authority import is_wish
from sandbox.extensions.memory.ingest.project import scope_in as scope_in
from sandbox.extensions.memory.model import Scope, Section
from sandbox.extensions.memory.opening import DATABASE
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.quick_read import NotReadable, quick_reader
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sql import KNOWLEDGE
from sandbox.extensions.memory.text.words import terms
from sandbox.support.times import system_clock, to_ms

_READ = 2_000  # characters of a prompt
_MOST_TERMS = 24
_STANDING, _KNOWN, _LATEST, _TURNS = 20, 10, 10, 20
_LONGEST_TURN = 800  # characters


def block(folder: Path, prompt: str, scope: Scope, *, session: str | None, longest: int) -> str | None:
    """The block, of at most ``longest`` bytes, without turns of its own ``session``. Empty if there is nothing to show;
    None if only an open memory can answer.
    """
    path = folder / DATABASE
    if not path.exists():
        return ""
    scope = replace(scope, session_id=session)
    filter_ = Filter(scope, to_ms(system_clock()), quarantined=False, without_turns_of=session)
    wanted = list(dict.fromkeys(terms(prompt[:_READ])))[:_MOST_TERMS]
    try:
        with quick_reader(path, filter_) as memory:
            known, turns = memory.matching(wanted, _KNOWN, KNOWLEDGE), memory.matching(wanted, _TURNS)
            found = [*memory.wishes(_STANDING), *known, *turns, *memory.latest(_LATEST)]  # the most wanted first
    except NotReadable:
        return None
    return _fitting([node for node in found if node.content != prompt], wanted, longest, filter_.now)


def _section(node: Node) -> Section:
    if node.type == "episodic":
        return "evidence"
    return "instructions" if is_wish(node.category, node.trust) else "facts"


def _fitting(offered: list[Node], wanted: list[str], longest: int, now: int) -> str:
    """As many candidates as fit, each once; of a long turn, the passages that fit the question."""
    weights, shown, left = dict.fromkeys(wanted, 1.0), list[tuple[Section, Node]](), longest - len(render.FRAME)
    for node in {node.id: node for node in offered}.values():
        if node.type == "episodic":
            node = node._replace(content=excerpt(node.content, weights, _LONGEST_TURN))
        cost = len(render.line(node).encode()) + len(render.DAY_HEADING) + 2
        if cost <= left:
            left -= cost
            shown.append((_section(node), node))
    return render.render(shown, over={node.id for _, node in shown if node.is_over(now)}) if shown else ""
