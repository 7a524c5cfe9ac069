"""Fill the profile from memories that were stored before the profile existed (adr/0025)."""

from collections.abc import Sequence
from functools import partial

from sandbox.extensions.memory.claims.compare import Kept
from sandbox.extensions.memory.ingest.cleaning import clean_claims
from sandbox.extensions.memory.ingest.profile_extraction import fillings
from sandbox.extensions.memory.maintain.step import Night, Tally, each_user
from sandbox.extensions.memory.parse import claims_of
from sandbox.extensions.memory.profile import Filling
from sandbox.extensions.memory.store import maintenance
from sandbox.extensions.memory.store.memories import claims
from sandbox.extensions.memory.store.memories.claims import Before
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.store.sqlite.writer import Transaction
from sandbox.support.times import from_ms

_STEP = "profile"
_AT_ONCE = 500  # memories read in one transaction


async def fill(night: Night, tally: Tally) -> None:
    """Fill the profiles of all users once, and replace nothing: of several values the later one counts."""
    async for user_id in each_user(night):
        if night.dry_run:
            planned = await night.store.read(partial(_planned, user_id=user_id, now=night.now))
            tally.counts["filled"] += planned
            continue
        filled: int | None = 0
        while filled is not None:
            tally.counts["filled"] += filled
            filled = await night.store.write(partial(_fill_some, user_id=user_id, now=night.now), low_priority=True)


def _planned(snapshot: Snapshot, user_id: str, now: int) -> int:
    known = claims.profile_before(snapshot, user_id, 0, now, -1)
    return len(_filling(snapshot, known))


def _fill_some(tx: Transaction, user_id: str, now: int) -> int | None:
    """How many of the next memories fill a field; None if none is left."""
    mark = maintenance.mark(tx, user_id, _STEP)
    known = claims.profile_before(tx, user_id, mark.position if mark else 0, now, _AT_ONCE)
    if not known:
        return None
    found = _filling(tx, known)
    for node_id, fills in found:
        tx.yield_to_waiting()
        claims.fill_profile(tx, node_id, user_id, fills)
    maintenance.set_mark(tx, user_id, _STEP, known[-1].id, now)
    return len(found)


def _filling(snapshot: Snapshot, known: Sequence[Before]) -> list[tuple[int, Sequence[Filling]]]:
    """The memories that fill fields, with their values."""
    claimed = claims.of_nodes(snapshot, [each.id for each in known])
    read = [(each.id, _fills(each, claimed.get(each.id, ()))) for each in known]
    return [(node_id, fills) for node_id, fills in read if fills]


def _fills(known: Before, kept: Sequence[Kept]) -> Sequence[Filling]:
    own = () if known.own is None else (known.own,)
    claimed = [each.claim for each in kept] or clean_claims(claims_of(known.content, from_ms(known.valid_from)), own)
    return fillings(known.content, claimed)
