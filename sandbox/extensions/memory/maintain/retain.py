"""Record which memories have faded. Put away unused memories of little importance, report it, and purge them some weeks
later.

A faded memory counts as faded whether or not this is recorded; if an earlier night retired memories because its clock
was ahead, they are believed again. Memories that were put away can be restored until they are purged. Those that are
pinned, important, told on purpose or never fade stay.
"""

from collections.abc import Sequence
from functools import partial

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.maintain.step import NIGHT, Night, Tally, each_user
from sandbox.extensions.memory.store import erasing, maintenance, nodes
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction

_AT_ONCE = 500  # memories in one transaction
_BYTES = "bytes of what was purged"


async def retain(night: Night, tally: Tally) -> None:
    """Purge memories that are due, then put away unused ones, and those above the limit."""
    await _purge(night, tally)
    days = night.runtime.config.unused_days
    unused = await night.store.read(lambda snapshot: erasing.unused(snapshot, days, night.now))
    await _expire(night, tally, "unused", unused)
    if (most := night.runtime.config.max_total) is not None:
        async for user_id in each_user(night):
            found = await night.store.read(partial(erasing.beyond, user_id=user_id, most=most, now=night.now))
            await _expire(night, tally, "too many", [each for each in found if not (night.dry_run and each in unused)])


async def _expire(night: Night, tally: Tally, why: str, ids: Sequence[int]) -> None:
    tally.counts[why] += len(ids)
    if night.dry_run:
        return
    purge_at = night.now + night.runtime.config.purge_days * DAY if night.runtime.config.purge_days else None
    for first in range(0, len(ids), _AT_ONCE):
        expire = partial(erasing.expire, ids=ids[first : first + _AT_ONCE], purge_at=purge_at, actor=NIGHT)
        tally.ids += await night.store.write(expire)


async def _purge(night: Night, tally: Tally) -> None:
    """Purge, and write the file anew. If that fails, the next night does it."""
    if night.dry_run:
        tally.counts["purged"] = len(await night.store.read(lambda snapshot: erasing.due(snapshot, night.now, -1)))
        return
    while gone := await night.store.write(lambda tx: _purge_some(tx, night.now)):
        tally.counts["purged"] += gone
    if await night.store.read(lambda snapshot: maintenance.mark(snapshot, maintenance.EVERYBODY, _BYTES).position):
        await night.store.forget_bytes()
        await night.store.write(lambda tx: maintenance.set_mark(tx, maintenance.EVERYBODY, _BYTES, 0, night.now))


def _purge_some(tx: Transaction, now: int) -> int:
    due = erasing.due(tx, now, _AT_ONCE)
    if due:
        erasing.purge(tx, due)
        maintenance.set_mark(tx, maintenance.EVERYBODY, _BYTES, 1, now)
    return len(due)


async def prune(night: Night, tally: Tally) -> None:
    """Retire memories below the threshold."""
    if night.dry_run:
        faded = await night.store.read(lambda snapshot: nodes.by_ids(snapshot, nodes.faded(snapshot, night.now, -1)))
        tally.ids += [node.public_id for node in faded.values()]
    else:
        while again := await night.store.write(lambda tx: nodes.believe_again(tx, _AT_ONCE)):
            tally.counts["believed again"] += again
        while batch := await night.store.write(lambda tx: _retire_some(tx, night.now)):
            tally.ids += batch
    tally.counts["faded"] = len(tally.ids)


def _retire_some(tx: Transaction, now: int) -> list[str]:
    found = nodes.by_ids(tx, nodes.faded(tx, now, _AT_ONCE))
    for node in found.values():
        nodes.retire(tx, node, by="decayed", event="pruned", actor=NIGHT)
    return [node.public_id for node in found.values()]
