"""Encrypted databases: their marks, their key, and the build of SQLite that reads them (SQLCipher).

A file beside the database says that it is encrypted, and holds the salt; without this file the memory is lost. The key
comes from the environment or the system's keyring and is stored nowhere else.
"""

import hashlib
import json
import secrets
import sys
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from sandbox.extensions.memory.errors import KeyMissing
from sandbox.support import keys, private
from sandbox.support.errors import MissingPackage

NAME = "MEMORY_KEY"  # the environment variable, and the entry in the keyring
_MODULE = "sqlcipher3.dbapi2"
_MEMORY = 64 * 1024 * 1024  # bytes that the derivation may use; it uses half of them


def mark_of(path: Path) -> Path:
    """The file that marks a database as encrypted."""
    return path.with_name(f"{path.stem}.encryption.json")


def is_encrypted(path: Path) -> bool:
    """Whether the database at this path needs a key."""
    try:
        return mark_of(path).exists()
    except OSError:  # opening the database reports an unreadable folder
        return False


def mark(path: Path) -> None:
    """Mark the database at this path, which does not exist yet, as encrypted, with a new salt."""
    private.make_file(mark_of(path))
    mark_of(path).write_text(json.dumps({"cipher": "SQLCipher 4", "salt": secrets.token_hex(16)}))


def cipher() -> Any:
    """The driver that reads encrypted databases. Raises ``MissingPackage``."""
    try:
        return import_module(_MODULE)
    except ImportError:
        raise MissingPackage("An encrypted memory", "encrypted") from None


def errors() -> tuple[type[Exception], ...]:
    """The base class of that driver's errors; empty if it was not loaded."""
    module = sys.modules.get(_MODULE)
    return (module.Error,) if module else ()


def unlock(connection: Any, key: str) -> None:
    """Give a connection its key, before anything else. A wrong key raises an error later."""
    connection.execute("PRAGMA cipher_log_level = NONE")  # it would write to stderr
    connection.execute(f'PRAGMA key = "{key}"')


def key_of(path: Path) -> str:
    """The key in SQLCipher's form. Raises ``KeyMissing``."""
    secret = keys.find(NAME)
    if not secret:
        raise KeyMissing(path=path, name=NAME)
    return f"x'{_derived(secret, json.loads(mark_of(path).read_text())['salt'])}'"


@lru_cache(maxsize=8)
def _derived(secret: str, salt: str) -> str:
    """Derive a key once per process, in about 0.1 s; the derivation is slow so that passphrases are hard to guess (RFC
    7914).
    """
    return hashlib.scrypt(secret.encode(), salt=bytes.fromhex(salt), n=2**15, r=8, p=1, maxmem=_MEMORY, dklen=32).hex()
