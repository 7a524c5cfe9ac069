"""The sources of knowledge that the reader may see."""

from collections.abc import Sequence

from sandbox.extensions.memory.store.memories import graph, nodes
from sandbox.extensions.memory.store.reading import search
from sandbox.extensions.memory.store.reading.filters import Filter
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot


def turns_under(snapshot: Snapshot, knowledge: Sequence[int], filter_: Filter) -> dict[int, list[str]]:
    """The keys, or ids, of the visible turns that each piece of knowledge rests on."""
    edges = graph.targets(snapshot, knowledge, "derived_from") if knowledge else []
    turns = nodes.by_ids(snapshot, search.allowed(snapshot, {there for _, there in edges}, filter_)) if edges else {}
    sources: dict[int, list[str]] = {}
    for here, there in ((here, there) for here, there in edges if there in turns):
        sources.setdefault(here, []).append(turns[there].key or turns[there].public_id)
    return sources
