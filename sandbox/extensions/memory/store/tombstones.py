"""Hashes of what was erased, by which an import leaves it out (adr/0033)."""

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from sandbox.extensions.memory.model import CODING_AGENTS
from sandbox.extensions.memory.store.rows import Draft
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction

_SQL = load("tombstones")

_SALT = "erased_keys_salt"
_HASH_BYTES = 16
_ANY_SOURCE = ""  # a statement counts as the same from any source


def keep(tx: Transaction, nodes: Sequence[int]) -> None:
    """Store hashes of the nodes' ids and keys, and of the statements among them with their homes."""
    if named := tx.execute(_SQL.keyed, nodes=nodes).fetchall():
        if (salt := _salt(tx)) is None:
            salt = secrets.token_bytes(_HASH_BYTES)
            tx.set_meta(_SALT, salt.hex())
        tx.executemany(
            _SQL.add,
            ({**each, "at": tx.now} for row in named for each in _tombstones(salt, dict(row))),
        )


def unname(tx: Transaction, user_id: str) -> None:
    """For a user whose memories are all erased, keep only hashes that do not show the user."""
    tx.execute(_SQL.unname, user_id=user_id)


def remove(tx: Transaction, drafts: Iterable[Draft]) -> None:
    """Remove the hashes of drafts that are wanted again."""
    if (salt := _salt(tx)) is not None:
        tx.executemany(_SQL.remove, (each for draft in drafts for each in _tombstones(salt, _hashed_fields(draft))))


def not_erased(tx: Transaction, drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts that were not erased, neither by key nor as a statement under another key."""
    salt = _salt(tx)
    if salt is None:
        return list(drafts)
    return [
        draft
        for draft in drafts
        if not any(tx.execute(_SQL.is_erased, each).fetchone() for each in _tombstones(salt, _hashed_fields(draft)))
    ]


def is_erased(tx: Transaction, named: Mapping[str, Any]) -> bool:
    """Whether a record with this id or key, or this statement in this home, was erased."""
    salt = _salt(tx)
    if salt is None:
        return False
    home = {**named, "session_id": named["session_id"] if named["visibility"] == "session" else None}
    return any(tx.execute(_SQL.is_erased, each).fetchone() for each in _tombstones(salt, home))


def _salt(tx: Transaction) -> bytes | None:
    """The secret of this file; None if nothing was erased."""
    salt = tx.meta(_SALT)
    return None if salt is None else bytes.fromhex(salt)


def _hashed_fields(draft: Draft) -> dict[str, Any]:
    """The fields of a draft that the hashes are made of."""
    said = {"public_id": None, "source": draft.source, "key": draft.key, "fingerprint": draft.fingerprint}
    return {**draft.home._asdict(), **said}


def _tombstones(salt: bytes, named: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The hashes of an id, of a key in its project, and of a statement in its home. They are keyed with the file's
    secret, because a key may itself be a hash of text that can be guessed. The project of a coding agent's turn does
    not count, since a folder may be moved or deleted.
    """
    user_id, source = named["user_id"], named["source"]
    if named["public_id"] is not None:
        text = json.dumps([user_id, named["public_id"]]).encode()
        yield {"user_id": user_id, "source": _ANY_SOURCE, "hash": _hashed(salt, b"id", text)}
    if named["key"] is not None:
        project = None if source in CODING_AGENTS else named["project_id"]
        home = [user_id, source, project, named["session_id"]]
        text = json.dumps(home).encode() + named["key"].encode()
        yield {"user_id": user_id, "source": source, "hash": _hashed(salt, b"key of project", text)}
    if named["fingerprint"] is not None:
        home = [named[part] for part in ("user_id", "visibility", "project_id", "session_id")]
        text = json.dumps(home).encode() + named["fingerprint"]
        yield {"user_id": user_id, "source": _ANY_SOURCE, "hash": _hashed(salt, b"said", text)}


def _hashed(salt: bytes, kind: bytes, text: bytes) -> bytes:
    return blake2b(text, digest_size=_HASH_BYTES, key=salt, person=kind).digest()
