"""What was known before there was a profile fills it: a memory says what a field is when it is stored, and these were
stored before that was read (adr/0025).
"""

from functools import partial

from sandbox.extensions.memory.ingest.filling import filling
from sandbox.extensions.memory.maintain.step import Night, Tally
from sandbox.extensions.memory.profile import Filling
from sandbox.extensions.memory.store import marks, profiles, standing
from sandbox.extensions.memory.store.profiles import Before
from sandbox.extensions.memory.store.writer import Transaction

_STEP = "profile"
_AT_ONCE = 500  # memories read in one transaction


async def fill(night: Night, tally: Tally) -> None:
    """Read what everybody knew before, once, and replace nothing: of several values the later counts."""
    users = await night.store.read(standing.users)
    for done, user_id in enumerate(users):
        night.tell(done, len(users))
        if night.dry_run:
            known = await night.store.read(partial(profiles.before, user_id=user_id, after=0, now=night.now, limit=-1))
            tally.counts["filled"] += sum(_fills(each) is not None for each in known)
            continue
        filled: int | None = 0
        while filled is not None:
            tally.counts["filled"] += filled
            filled = await night.store.write(partial(_fill_some, user_id=user_id, now=night.now), patient=True)


def _fill_some(tx: Transaction, user_id: str, now: int) -> int | None:
    """How many of the next fill a field; None where none is left."""
    mark = marks.mark(tx.connection, user_id, _STEP)
    known = profiles.before(tx.connection, user_id, mark.position if mark else 0, now, _AT_ONCE)
    if not known:
        return None
    found = [(each.id, fills) for each in known if (fills := _fills(each))]
    for node_id, fills in found:
        tx.give_way()
        profiles.fill(tx, node_id, user_id, [fills])
    marks.set_mark(tx, user_id, _STEP, known[-1].id, now)
    return len(found)


def _fills(known: Before) -> Filling | None:
    return filling(known.content, known.subject, () if known.own is None else (known.own,))
