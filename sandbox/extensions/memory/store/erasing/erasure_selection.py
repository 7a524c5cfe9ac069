"""Select the memories to erase, the preview for the person, and the remains of their sessions."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.reports import EXAMPLES, ErasureReport
from sandbox.extensions.memory.store.entities import entities
from sandbox.extensions.memory.store.memories.nodes import quoted
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.text.words import stemmed_name, terms

_SQL = load("erasure_selection")


_LONGEST = 100  # characters of an example


class ErasureSelection(NamedTuple):
    """A person's selection of one user's memories; one field is set. With a project, only that project's memories;
    without one, those of all projects, but a ``session`` without a project. ``before`` is in milliseconds.
    """

    id: str | None = None
    session: str | None = None
    subject: str | None = None
    before: int | None = None

    @property
    def is_all(self) -> bool:
        """Whether all memories of the user are selected."""
        return (self.id, self.session, self.subject, self.before) == (None, None, None, None)


def meant(snapshot: Snapshot, scope: Scope, selection: ErasureSelection) -> list[int]:
    """The selected nodes except those of a session; of each memory every version, and memories merged into it."""
    home = {"user_id": scope.user_id, "project_id": scope.project_id}
    if selection.id is not None:
        return whole(snapshot, _ids(snapshot, _SQL.named, {**home, "id": selection.id}))
    if selection.subject is not None:
        return _about(snapshot, scope, selection.subject)
    if selection.before is not None:
        return _ids(snapshot, _SQL.before, {**home, "before": selection.before})
    return _ids(snapshot, _SQL.of_user, home) if selection.is_all else []


def whole(snapshot: Snapshot, ids: Iterable[int]) -> list[int]:
    """Every version of some memories, and of the memories merged into them."""
    return _ids(snapshot, _SQL.whole, {"ids": json.dumps(list(ids))})


def are_global(snapshot: Snapshot, gone: Sequence[int]) -> bool:
    """Whether one of the nodes is global."""
    return snapshot.execute(_SQL.everybodys, {"gone": json.dumps(gone)}).fetchone() is not None


def report(snapshot: Snapshot, gone: Sequence[int], turns: int, learnt: int, restored: int) -> ErasureReport:
    """The report about some nodes, with a few examples."""
    asked = {"gone": json.dumps(gone), "most": EXAMPLES}
    kinds = snapshot.execute(_SQL.kinds, asked).fetchone()
    examples = tuple(_short(row["content"]) for row in snapshot.execute(_SQL.examples, asked))
    return ErasureReport(turns, learnt, restored, **dict(kinds), examples=examples)


def homes(snapshot: Snapshot, scope: Scope, gone: Sequence[int]) -> list[dict[str, object]]:
    """The user's sessions in which the turns were said."""
    rows = snapshot.execute(_SQL.homes, {"gone": json.dumps(gone)}).fetchall()
    return [{"user_id": scope.user_id, "session_id": row[0], "project_id": row[1]} for row in rows]


def mend(tx: Transaction, home: dict[str, object]) -> bool:
    """Update a session to its remaining turns; False if none remains."""
    if tx.execute(_SQL.is_left, home).fetchone() is None:
        return False
    tx.execute(_SQL.drop_homes, home)
    tx.execute(_SQL.recount, home)
    tx.execute(_SQL.rejoin, {**home, "now": tx.now})
    return True


def drop_user(tx: Transaction, user_id: str) -> None:
    """Delete the other rows of a user: names, sessions, documents, the log."""
    for table in [row["name"] for row in tx.execute(_SQL.tables).fetchall()]:
        tx.execute(f"DELETE FROM {table} WHERE user_id = :user_id", {"user_id": user_id})


def users(snapshot: Snapshot) -> list[str]:
    """All users with rows in the memory."""
    return [row[0] for row in snapshot.execute(_SQL.users)]


def mark(tx: Transaction) -> None:
    """Note that erased bytes must still be overwritten; if this process dies, the next one to open the memory does
    it.
    """
    tx.set_meta("erasing", 1)


def unmark(tx: Transaction) -> None:
    """Note that they are overwritten."""
    tx.execute(_SQL.unmark)


def is_marked(snapshot: Snapshot) -> bool:
    """Whether erased bytes must still be overwritten."""
    return snapshot.meta("erasing") is not None


def _about(snapshot: Snapshot, scope: Scope, subject: str) -> list[int]:
    """Memories about a subject: those that have it, mention it, or contain one of its names, in any session."""
    found = json.dumps(entities.bearing(snapshot, scope, subject))
    names = {subject, *(row["name"] for row in snapshot.execute(_SQL.called, {"entities": found}))}
    home = {"user_id": scope.user_id, "project_id": scope.project_id}
    ids = _ids(snapshot, _SQL.about, {**home, "entities": found, "who": stemmed_name(subject)})
    spelt = [words for words in map(terms, names) if words]
    match = " OR ".join("(" + " AND ".join(map(quoted, words)) + ")" for words in spelt)
    if match:
        ids += _ids(snapshot, _SQL.saying, {**home, "match": match, "names": json.dumps(sorted(names))})
    return list(dict.fromkeys(ids))


def _ids(snapshot: Snapshot, sql: str, asked: Mapping[str, object]) -> list[int]:
    return [row[0] for row in snapshot.execute(sql, asked)]


def _short(content: str) -> str:
    line = " ".join(content.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
