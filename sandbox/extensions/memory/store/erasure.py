"""Erasing, which nothing undoes: unlike what is forgotten, not a word of it stays. Only hashes of the keys it came
under do, so that importing a file again does not bring it back.
"""

import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

from sandbox.extensions.memory.store import vectors
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import LEARNT, Draft
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("erasure")

_HASH_BYTES = 16

_Buried = tuple[str, str, bytes]
"""Whose, from which source, and the hash: what the rows of ``erased_keys`` are found by."""


def erase_session(tx: Transaction, user_id: str, session_id: str) -> int:
    """Every version of what was said in a session, of what was learnt from that alone, and whom nothing else speaks of;
    how many. The log keeps that it went.
    """
    whose = {"user_id": user_id, "session_id": session_id}
    gone = _of_session(tx, whose)
    parameters = {"gone": json.dumps(gone)}
    entities = [dict(row) for row in tx.execute(_SQL.mentioned, parameters)]
    for node in gone:
        tx.log("erased", node, user_id, session_id=session_id)
    _bury(tx, parameters)
    vectors.remove(tx, gone)
    for statement in (_SQL.erase_session, _SQL.erase_recalls, _SQL.erase_summaries):
        tx.execute(statement, whose)
    tx.execute(_SQL.erase, parameters)
    tx.executemany(_SQL.unmention, entities)
    tx.execute(_SQL.forget_unspoken, {"ids": json.dumps([entity["id"] for entity in entities])})
    return len(gone)


def not_erased(tx: Transaction, drafts: Sequence[Draft]) -> list[Draft]:
    """Those of some drafts that were not erased, by their key, nor as a statement that was brought under another."""
    salt = _salt(tx)
    if salt is None:
        return list(drafts)
    return [
        draft
        for draft in drafts
        if not any(tx.execute(_SQL.is_erased, row).fetchone() for row in _of_draft(salt, draft))
    ]


def unbury(tx: Transaction, drafts: Iterable[Draft]) -> None:
    """Some drafts are wanted again."""
    if (salt := _salt(tx)) is not None:
        tx.executemany(_SQL.unbury, (row for draft in drafts for row in _of_draft(salt, draft)))


def _of_session(tx: Transaction, whose: dict[str, str]) -> list[int]:
    """What is learnt may itself be learnt from: until nothing more follows."""
    gone = [row["id"] for row in tx.execute(_SQL.said_in, whose)]
    learnt = {**whose, "learnt": json.dumps(LEARNT)}
    while follows := tx.execute(_SQL.unfounded, {**learnt, "gone": json.dumps(gone)}).fetchall():
        gone += [row["id"] for row in follows]
    return gone


def _bury(tx: Transaction, parameters: dict[str, str]) -> None:
    """Keep hashes of what some nodes came under."""
    if not (named := tx.execute(_SQL.keys, parameters).fetchall()):
        return
    tx.execute(_SQL.make_salt, (secrets.token_hex(_HASH_BYTES),))
    salt = _salt(tx) or b""
    tx.executemany(_SQL.bury, ((*buried, tx.now) for row in named for buried in _hashed(salt, *row)))


def _salt(tx: Transaction) -> bytes | None:
    """The secret of this file; None where nothing was erased."""
    row = tx.execute(_SQL.salt).fetchone()
    return None if row is None else bytes.fromhex(row["value"])


def _of_draft(salt: bytes, draft: Draft) -> Iterator[_Buried]:
    return _hashed(salt, draft.scope.user_id, draft.source, draft.key, draft.fingerprint)


def _hashed(salt: bytes, user_id: str, source: str, key: str | None, said: bytes | None) -> Iterator[_Buried]:
    """Of a key, and of the fingerprint of a statement. A key may be a hash of what was said, which could be guessed
    from it: hashed with the secret, it tells nothing outside this file.
    """
    for kind, name in ((b"key", None if key is None else key.encode()), (b"said", said)):
        if name is not None:
            text = json.dumps([user_id, source]).encode() + name
            yield user_id, source, blake2b(text, digest_size=_HASH_BYTES, key=salt, person=kind).digest()
