"""Being recalled strengthens a memory: counted beside the answer, never in its way."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from sandbox.extensions.memory.errors import StoreClosed
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store import inspect, nodes
from sandbox.extensions.memory.store.database import Store
from sandbox.extensions.memory.store.writer import Transaction

_GATHER = 1.0  # seconds in which recalls gather: the fewer the writes, the fewer questions meet one


class RecallCounter:
    """Gathers recalls and counts them in one write. What is lost in a crash is at most the last moment's counts."""

    def __init__(self, store: Store, threshold: float) -> None:
        self._store = store
        self._threshold = threshold
        self._gathered: list[Callable[[Transaction], None]] = []
        self._timer: asyncio.TimerHandle | None = None

    def count(self, stage: str, found: Sequence[int], scope: Scope, now: int, once_in: str | None = None) -> None:
        """A question of some stage found these nodes at ``now``; with ``once_in``, once in that session."""

        def apply(tx: Transaction) -> None:
            nodes.reinforce(tx, found, scope, now, self._threshold, once_in=once_in)
            inspect.record_operation(tx, scope, stage, "recall", "ok" if found else "skipped", found=len(found))

        self._gathered.append(apply)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_GATHER, self.flush)

    def flush(self) -> None:
        """Queue what has gathered, as one write nobody waits for; a store that is closed counts no more."""
        gathered, self._gathered = self._gathered, []
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if gathered:
            with contextlib.suppress(StoreClosed):
                self._store.submit(lambda tx: [apply(tx) for apply in gathered], "the count of recalls")
