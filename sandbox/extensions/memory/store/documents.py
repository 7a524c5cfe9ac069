"""Documents: data that programs keep beside the memory under a place and a key, unchanged."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.ports import Embedded
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.support.embedder import Vector
from sandbox.support.times import from_ms

_SQL = load("documents")
_HALF = re.compile(r"[\ud800-\udfff]")

SESSIONS = "sessions"
"""The first part of the place of a conversation's items; the second part is its name."""


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON value under a key at a place."""

    id: int
    place: tuple[str, ...]
    key: str
    value: Any
    created_at: datetime
    updated_at: datetime
    lasts: int | None


@dataclass(frozen=True, slots=True)
class Shelf:
    """The documents of a scope's user and project, inside one transaction."""

    _in: Snapshot
    scope: Scope
    now: int

    def get(self, place: Sequence[str], key: str) -> Document | None:
        """The document under a key at a place."""
        return next(iter(self._found(_SQL.one, place=_text(place), key=key)), None)

    def under(self, place: Sequence[str] = ()) -> list[Document]:
        """Documents at a place or below it, the one that was written last first."""
        return self._found(_SQL.under, start=_start(place))

    def last(self, place: Sequence[str], count: int | None = None) -> list[Document]:
        """So many documents at a place, or all of them, whose keys are the last, in the order of their keys."""
        return self._found(_SQL.last, place=_text(place), count=-1 if count is None else count)[::-1]

    def places(self) -> list[tuple[str, ...]]:
        """The places of documents."""
        return [tuple(json.loads(row[0])) for row in self._in.execute(_SQL.places, self._home())]

    def put(
        self, place: Sequence[str], key: str, value: Any, *, lasts: int | None = None, found_by: Embedded | None = None
    ) -> None:
        """Store a value. It ``lasts`` so many milliseconds after its last reading, and is ``found_by`` texts."""
        parameters = {**self._home(), "place": _text(place), "key": key, "value": _json(value), "lasts": lasts}
        id = self._in.execute(_SQL.put, parameters).fetchone()[0]
        self._in.execute(_SQL.drop_vectors, {"id": id})
        for vector in found_by.vectors if found_by else ():
            blob = np.asarray(vector, "<f4").tobytes()
            self._in.execute(_SQL.add_vector, {"id": id, "model": found_by.model if found_by else "", "vector": blob})

    def delete(self, place: Sequence[str], key: str) -> None:
        """Delete a document."""
        self._in.execute(_SQL.delete, {**self._home(), "place": _text(place), "key": key})

    def touch(self, ids: Iterable[int]) -> None:
        """Restart the time that documents last, after they were read."""
        self._in.execute(_SQL.touch, {"now": self.now, "ids": ids})

    def sweep(self) -> None:
        """Delete documents whose time is over."""
        self._in.execute(_SQL.sweep, {"now": self.now})

    def closeness(self, ids: Iterable[int], model: str, question: Vector) -> dict[int, float]:
        """The cosine of the nearest text of each document that has texts."""
        nearest: dict[int, float] = {}
        for id, blob in self._in.execute(_SQL.vectors, {"model": model, "ids": ids}):
            cosine = float(np.frombuffer(blob, "<f4") @ question)
            nearest[id] = max(cosine, nearest.get(id, -1.0))
        return nearest

    def _found(self, sql: str, **parameters: Any) -> list[Document]:
        return [
            Document(id, tuple(json.loads(at)), name, json.loads(value), from_ms(created), from_ms(updated), lasts)
            for id, at, name, value, created, updated, lasts in self._in.execute(sql, {**self._home(), **parameters})
        ]

    def _home(self) -> dict[str, Any]:
        return {"user_id": self.scope.user_id, "project_id": self.scope.project_id or "", "now": self.now}


def erase_session(tx: Transaction, home: Mapping[str, Any]) -> None:
    """Delete the items of a conversation that is erased, wholly or in part."""
    start = _start((SESSIONS, str(home["session_id"])))
    tx.execute(_SQL.drop_under, {**home, "project_id": home["project_id"] or "", "start": start})


def _text(place: Sequence[str]) -> str:
    """``["a","b"]``."""
    return _json(list(place))


def _start(place: Sequence[str]) -> str:
    """``["a","b"``: how this place and those below it begin, and no other; a comma or a bracket follows."""
    return _text(place).removesuffix("]")


def _json(value: Any) -> str:
    """A value as text that SQLite can store: half of a surrogate pair is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if text.isascii() else _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
