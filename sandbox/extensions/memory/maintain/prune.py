"""Record which memories have faded.

A faded memory counts as faded whether or not this is recorded. If an earlier night retired memories because its clock
was ahead, they are believed again.
"""

from sandbox.extensions.memory.maintain.step import NIGHT, Night, Tally
from sandbox.extensions.memory.store import nodes
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

_AT_ONCE = 500  # memories retired in one transaction


async def prune(night: Night, tally: Tally) -> None:
    """Retire memories below the threshold."""
    if night.dry_run:
        tally.ids += await night.store.read(lambda snapshot: _faded(snapshot, night.now))
    else:
        while again := await night.store.write(lambda tx: nodes.believe_again(tx, _AT_ONCE)):
            tally.counts["believed again"] += again
        while batch := await night.store.write(lambda tx: _retire_some(tx, night.now)):
            tally.ids += batch
    tally.counts["faded"] = len(tally.ids)


def _faded(snapshot: Snapshot, now: int) -> list[str]:
    return [node.public_id for node in nodes.by_ids(snapshot, nodes.faded(snapshot, now, -1)).values()]


def _retire_some(tx: Transaction, now: int) -> list[str]:
    found = nodes.by_ids(tx, nodes.faded(tx, now, _AT_ONCE))
    for node in found.values():
        nodes.retire(tx, node, by="decayed", event="pruned", actor=NIGHT)
    return [node.public_id for node in found.values()]
