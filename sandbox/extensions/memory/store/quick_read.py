"""Reads of a memory that is not open: one read-only connection; nothing is kept.

This module imports very little, because a process is started for each answer.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import INSIGHT, NODE_COLUMNS, Node
from sandbox.extensions.memory.store.sql import EVERYTHING, FullText, load, quoted
from sandbox.extensions.memory.store.sqlite.migrate import APPLICATION_ID, SCHEMA_VERSION
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

_SQL, _SEARCH = load("quick_read"), load("search")


_BUSY_SECONDS = 0.2
_SCORED = 20_000  # nodes, at most, with the searched terms; a thousand take about a millisecond
_LOOKED_AT = 200  # of the best, before it is checked which may be seen


class NotReadable(Exception):
    """The memory has to be opened: it has another version, is damaged, is in use, or contains text of others that must
    not count in the search; or it is no memory.
    """


class QuickReader:
    """Reads what one filter lets through."""

    def __init__(self, snapshot: Snapshot, filter_: Filter) -> None:
        self._snapshot = snapshot
        self._filter = filter_

    def matching(self, terms: Sequence[str], limit: int, text: FullText = EVERYTHING) -> list[Node]:
        """The best nodes of a full text table for the rarest terms, as many as can be searched quickly."""
        counts = {term: self._snapshot.number(_SQL.frequency, term=term) for term in terms}
        left, rare = _SCORED, list[str]()
        for term in sorted((term for term in terms if counts[term]), key=counts.__getitem__):
            if rare and counts[term] > left:
                break
            left -= counts[term]
            rare.append(quoted(term))
        if not rare:
            return []
        found = self._snapshot.execute(text.sql(_SQL.matching), match=" OR ".join(rare), limit=_LOOKED_AT)
        return self._nodes(_SQL.allowed, self._filter, limit, ids=[row[0] for row in found])

    def wishes(self, limit: int) -> list[Node]:
        """Standing instructions and pinned memories, the most important first."""
        return self._nodes(_SEARCH.always, self._filter, limit)

    def latest(self, limit: int) -> list[Node]:
        """The user's latest statements."""
        return self._nodes(_SEARCH.everything, self._filter.among("semantic", "opinion"), limit, left_out=INSIGHT)

    def _nodes(self, sql: str, filter_: Filter, limit: int, **given: Any) -> list[Node]:
        rows = self._snapshot.select(sql.replace("{wanted}", NODE_COLUMNS), filter_.condition(), limit=limit, **given)
        return [Node._make(row) for row in rows]


@contextmanager
def quick_reader(path: Path, filter_: Filter) -> Iterator[QuickReader]:
    """A reader of the memory as it is now. Raises ``NotReadable``."""
    driver = _driver()
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with closing(driver.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)) as connection:
            marks = tuple(
                connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
            )
            if marks != (APPLICATION_ID, SCHEMA_VERSION):
                raise NotReadable
            connection.execute("BEGIN")  # one snapshot
            if connection.execute(load("word_index").of_others, {"user_id": filter_.scope.user_id}).fetchone()[0]:
                raise NotReadable
            yield QuickReader(Snapshot(connection), filter_)
    except driver.Error as error:
        raise NotReadable from error


def _driver() -> Any:
    """The newest available SQLite, because an older one may not read the full text of a newer one."""
    try:
        return import_module("pysqlite3.dbapi2")
    except ImportError:
        return sqlite3
