"""Record which memories have faded, and remove entities without a mention.

A faded memory counts as faded whether or not this is recorded. If an earlier night retired memories because its clock
was ahead, they are believed again.
"""

from collections.abc import Collection

from sandbox.extensions.memory.consolidate.mentions import is_name
from sandbox.extensions.memory.maintain.step import NIGHT, Night, Tally
from sandbox.extensions.memory.store.entities import identity
from sandbox.extensions.memory.store.memories import nodes
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

_AT_ONCE = 500  # memories retired in one transaction


async def prune(night: Night, tally: Tally) -> None:
    """Retire memories below the threshold, and remove entities whose name is only a function word ("But")."""
    if night.dry_run:
        tally.ids += await night.store.read(lambda snapshot: _faded(snapshot, night.now))
    else:
        while again := await night.store.write(lambda tx: nodes.believe_again(tx, _AT_ONCE)):
            tally.counts["believed again"] += again
        while batch := await night.store.write(lambda tx: _retire_some(tx, night.now)):
            tally.ids += batch
    tally.counts["faded"] = len(tally.ids)
    tally.counts["no names"] = await _forget_nobodies(night)


def _faded(snapshot: Snapshot, now: int) -> list[str]:
    return [node.public_id for node in nodes.by_ids(snapshot, nodes.faded(snapshot, now, -1)).values()]


def _retire_some(tx: Transaction, now: int) -> list[str]:
    found = nodes.by_ids(tx, nodes.faded(tx, now, _AT_ONCE))
    for node in found.values():
        nodes.retire(tx, node, by="decayed", event="pruned", actor=NIGHT)
    return [node.public_id for node in found.values()]


async def _forget_nobodies(night: Night) -> int:
    """How many were, or would be, removed. A model may create them."""
    words = await night.store.read(
        lambda snapshot: [id_ for id_, name in identity.names(snapshot).items() if not is_name(name)]
    )
    if night.dry_run or not words:
        return len(await night.store.read(lambda snapshot: identity.mere_names(snapshot, words)))
    return await night.store.write(lambda tx: _forget(tx, words))


def _forget(tx: Transaction, words: Collection[int]) -> int:
    mere = identity.mere_names(tx, words)
    identity.remove(tx, mere)
    return len(mere)
