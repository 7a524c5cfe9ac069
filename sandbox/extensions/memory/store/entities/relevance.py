"""Links from a memory to entities that its words do not name: ``relevant_to`` those for which it matters,
``derived_from`` those from which somebody concluded it.
"""

from sandbox.extensions.memory.errors import UnknownEntity
from sandbox.extensions.memory.store.entities import entities, node_entities
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction

DERIVED_FROM = "derived_from"


def link(tx: Transaction, node_id: int, draft: Draft, previous: Node | None = None) -> None:
    """Link a memory with the entities in its draft, and with those of its ``previous`` version. Only entities of the
    user count, because nobody may change how often a global one is mentioned. Raises ``UnknownEntity``.
    """
    for role, names in (("relevant_to", draft.relevant_to), (DERIVED_FROM, draft.derived_from)):
        node_entities.link_with(tx, node_id, draft, [_own(tx, draft, name) for name in names], role, previous)


def _own(tx: Transaction, draft: Draft, name: str) -> int:
    found = entities.bearing(tx, draft.scope, name)
    own = [id for id in found if entities.entity(tx, id)["user_id"] == draft.scope.user_id]
    if not own:
        raise UnknownEntity(name=name)
    return own[0]
