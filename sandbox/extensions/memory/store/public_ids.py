"""Public ids: random, and new among those of a user."""

import json
import os
import string
from collections.abc import Callable, Iterable

from sandbox.extensions.memory.store.sqlite.snapshot import Transaction

_ALPHABET = (string.ascii_letters + string.digits).encode()
_CHARACTERS = bytes(_ALPHABET[byte % len(_ALPHABET)] for byte in range(256))
_UNEVEN = bytes(range(256 - 256 % len(_ALPHABET), 256))  # bytes that would make the first letters more likely
_PUBLIC_ID_LENGTH = 8  # 62^8 = 2e14: short, for prompts


def public_ids(count: int) -> list[str]:
    """Random public ids, every character equally likely. Only the database can check that they are unique."""
    drawn, length = "", _PUBLIC_ID_LENGTH * count
    while len(drawn) < length:
        drawn += os.urandom(2 * length).translate(_CHARACTERS, _UNEVEN).decode()
    return [drawn[start : start + _PUBLIC_ID_LENGTH] for start in range(0, length, _PUBLIC_ID_LENGTH)]


def free_ids(
    tx: Transaction, table: str, user_id: str, count: int, generate: Callable[[int], Iterable[str]] = public_ids
) -> list[str]:
    """``count`` public ids that are new among a user's rows of a table; a collision draws again."""
    sql = f"SELECT public_id FROM {table} WHERE user_id = ? AND public_id IN (SELECT value FROM json_each(?))"
    free: dict[str, None] = {}
    while len(free) < count:
        drawn = set(generate(count - len(free)))
        taken = {row["public_id"] for row in tx.execute(sql, (user_id, json.dumps(list(drawn))))}
        free.update(dict.fromkeys(drawn - taken))
    return list(free)
