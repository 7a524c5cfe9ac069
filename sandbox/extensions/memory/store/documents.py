"""Documents: data that programs keep beside the memory under a place and a key, unchanged."""

import json
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
        return next(iter(self._found(place, key)), None)

    def under(self, place: Sequence[str] = ()) -> list[Document]:
        """Documents at a place or below it, the one that was written last first."""
        return self._found(place, None)

    def places(self) -> list[tuple[str, ...]]:
        """The places of documents."""
        return [tuple(json.loads(row[0])) for row in self._in.execute(_SQL.places, self._home())]

    def put(
        self, place: Sequence[str], key: str, value: Any, *, lasts: int | None = None, found_by: Embedded | None = None
    ) -> None:
        """Store a value. It ``lasts`` so many milliseconds after its last reading, and is ``found_by`` texts."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        parameters = {**self._home(), "place": _text(place), "key": key, "value": text, "lasts": lasts}
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

    def _found(self, place: Sequence[str], key: str | None) -> list[Document]:
        whole = _text(place)
        start = whole if key is not None else whole.removesuffix("]")
        parameters = {**self._home(), "start": start, "place": whole, "key": key}
        return [
            Document(id, tuple(json.loads(at)), name, json.loads(value), from_ms(created), from_ms(updated), lasts)
            for id, at, name, value, created, updated, lasts in self._in.execute(_SQL.under, parameters)
        ]

    def _home(self) -> dict[str, Any]:
        return {"user_id": self.scope.user_id, "project_id": self.scope.project_id or "", "now": self.now}


def erase_session(tx: Transaction, home: Mapping[str, Any]) -> None:
    """Delete the items of a conversation that is erased, wholly or in part."""
    whole = _text((SESSIONS, str(home["session_id"])))
    project = home["project_id"] or ""
    tx.execute(_SQL.drop_under, {**home, "project_id": project, "place": whole, "start": whole.removesuffix("]")})


def _text(place: Sequence[str]) -> str:
    """``["a","b"]``. A label ends with a quote, so that only places below a place begin like it."""
    return json.dumps(list(place), ensure_ascii=False, separators=(",", ":"))
