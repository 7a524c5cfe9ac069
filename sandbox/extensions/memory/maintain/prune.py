"""What has faded is retired. That it has faded holds already, whether or not this is written down."""

import sqlite3

from sandbox.extensions.memory.maintain.step import NIGHT, Night, Tally
from sandbox.extensions.memory.store import nodes
from sandbox.extensions.memory.store.writer import Transaction

_AT_ONCE = 500  # memories retired in one transaction


async def prune(night: Night, tally: Tally) -> None:
    """Retire what is below the threshold."""
    if night.dry_run:
        tally.ids += await night.store.read(lambda connection: _faded(connection, night.now))
    else:
        while batch := await night.store.write(lambda tx: _retire_some(tx, night.now)):
            tally.ids += batch
    tally.counts["faded"] = len(tally.ids)


def _faded(connection: sqlite3.Connection, now: int) -> list[str]:
    return [node.public_id for node in nodes.by_ids(connection, nodes.faded(connection, now, -1)).values()]


def _retire_some(tx: Transaction, now: int) -> list[str]:
    found = nodes.by_ids(tx.connection, nodes.faded(tx.connection, now, _AT_ONCE))
    for node in found.values():
        nodes.retire(tx, node, by="decayed", event="pruned", actor=NIGHT)
    return [node.public_id for node in found.values()]
