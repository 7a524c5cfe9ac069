"""What a selective filter lets through, found at once: few are then ranked, rather than all looked at one by one."""

import numpy as np

from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.scored import Ids
from sandbox.extensions.memory.store.snapshot import Snapshot

_SQL = load("narrowing")

_TIME = {"after", "before"}
_FEW = 2_000  # nodes; of more, the candidates are asked for as far as they are looked at


def selected(snapshot: Snapshot, filter_: Filter) -> Ids | None:
    """Every node that a filter lets through, where it asks for something particular and these are few; else None. A
    time alone lets many through, or those that stand together: they are asked for as they come.
    """
    if filter_.allowed is None and not filter_.only.keys() - _TIME:
        return None
    condition, parameters = filter_.condition()
    kind = "1" if filter_.sees_turns else "n.type <> 'episodic'"  # as the indexes of knowledge have it
    sql = _SQL.selected.replace("{condition}", condition).replace("{kind}", kind)
    ids = np.array([row[0] for row in snapshot.plain(sql, {**parameters, "most": _FEW + 1})], np.int64)
    return ids if len(ids) <= _FEW else None
