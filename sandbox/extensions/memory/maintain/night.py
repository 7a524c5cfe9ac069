"""The nightly run: what has faded is retired, the file is kept in order."""

import sqlite3
import time

from sandbox.extensions.memory.model import MaintenanceReport
from sandbox.extensions.memory.store import inspect, nodes
from sandbox.extensions.memory.store.database import Store
from sandbox.extensions.memory.store.writer import Transaction

_PRUNED_AT_ONCE = 500  # memories retired in one transaction


async def maintain(store: Store, now: int, *, dry_run: bool) -> MaintenanceReport:
    """Retire what is below the threshold at ``now``, then tidy. Running it again changes nothing."""
    started = time.monotonic()
    pruned = await (_would_prune(store, now) if dry_run else _prune(store, now))
    if not dry_run:
        await store.write(lambda tx: inspect.note_maintained(tx, now))
    waiting = await store.read(inspect.waiting)
    return MaintenanceReport(dry_run, tuple(pruned), waiting.sessions, waiting.embeddings, time.monotonic() - started)


async def _prune(store: Store, now: int) -> list[str]:
    pruned: list[str] = []
    while batch := await store.write(lambda tx: _prune_some(tx, now)):
        pruned.extend(batch)
    return pruned


async def _would_prune(store: Store, now: int) -> list[str]:
    def names(connection: sqlite3.Connection) -> list[str]:
        found = nodes.by_ids(connection, nodes.faded(connection, now, -1))
        return [node.public_id for node in found.values()]

    return await store.read(names)


def _prune_some(tx: Transaction, now: int) -> list[str]:
    found = nodes.by_ids(tx.connection, nodes.faded(tx.connection, now, _PRUNED_AT_ONCE))
    for node in found.values():
        nodes.retire(tx, node, by="decayed", event="pruned", actor="night")
    return [node.public_id for node in found.values()]
