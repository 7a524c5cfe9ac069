"""Count recalls, which strengthen memories; counting never delays an answer."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from sandbox.extensions.memory.errors import StoreClosed
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store import maintenance, nodes
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction

_QUIET = 1.0  # seconds without a question before recalls are written; questions go first (adr/0031)
_LONGEST = 10.0  # seconds until recalls are written in any case
_SLICE = 10  # questions whose recalls are written together: about ten milliseconds


class RecallCounter:
    """Collects recalls and counts them together. A crash loses the counts of the last seconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._gathered: list[Callable[[Transaction], None]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._latest = 0.0  # the latest time for writing, by the loop's clock

    def count(self, stage: str, found: Sequence[int], scope: Scope, now: int, once_in: str | None = None) -> None:
        """Note that a question found these nodes at ``now``; with ``once_in``, count them once in that session."""

        def apply(tx: Transaction) -> None:
            nodes.reinforce(tx, found, scope, now, once_in=once_in)
            maintenance.record_operation(tx, scope, stage, "recall", "ok" if found else "skipped", found=len(found))

        loop = asyncio.get_running_loop()
        if self._timer is None:
            self._latest = loop.time() + _LONGEST
        else:
            self._timer.cancel()
        self._gathered.append(apply)
        self._timer = loop.call_at(min(loop.time() + _QUIET, self._latest), self.flush)

    def flush(self) -> None:
        """Queue the collected recalls as writes that nobody waits for, in small groups, so that others can write
        between them. If the store is closed, they are dropped.
        """
        gathered, self._gathered = self._gathered, []
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        with contextlib.suppress(StoreClosed):
            for first in range(0, len(gathered), _SLICE):
                self._submit(gathered[first : first + _SLICE], low_priority=len(gathered) > _SLICE)

    def _submit(self, counts: Sequence[Callable[[Transaction], None]], *, low_priority: bool) -> None:
        self._store.submit(
            lambda tx: [apply(tx) for apply in counts], "the count of recalls", low_priority=low_priority
        )
