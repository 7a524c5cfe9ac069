"""Open SQLite: choose the driver and the settings, unlock an encrypted file, and translate errors.

Pythons without loadable extensions (pyenv's, macOS's) get SQLite from the ``pysqlite3`` wheels. Without these wheels
the standard module serves, and vectors are searched without ``vec0``. An encrypted database has a small file beside it
with its salt; the key comes from the environment or the keyring and is stored nowhere else.
"""

import asyncio
import hashlib
import json
import os
import secrets
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from sandbox.extensions.memory.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseReadOnly,
    DiskFailed,
    DiskFull,
    KeyMissing,
    KeyRefused,
    NotADatabase,
)
from sandbox.extensions.memory.store.sql import EVERYTHING, KNOWLEDGE
from sandbox.extensions.memory.store.sqlite.migrate import APPLICATION_ID, SCHEMA_VERSION, check_version
from sandbox.support import keys, private
from sandbox.support.errors import MissingPackage
from sandbox.support.sqlite import BUSY_SECONDS, Connection, Failure, failure_of, name_of

_CACHE_KIB = 32 * 1024

KEY_NAME = "MEMORY_KEY"  # the environment variable, and the entry in the keyring
_CIPHER = "sqlcipher3.dbapi2"
_KEY_MEMORY = 64 * 1024 * 1024  # bytes that the derivation may use; it uses half of them


class Driver(NamedTuple):
    """A DB-API module over SQLite and whether it can load ``vec0``."""

    name: str
    module: Any
    has_vec: bool


@cache
def driver() -> Driver:
    """The best SQLite here: one that loads ``vec0``, if possible, and ``pysqlite3`` before ``sqlite3``."""
    candidates = [candidate for name in ("pysqlite3", "sqlite3") if (candidate := _probe(name))]
    return max(candidates, key=lambda candidate: candidate.has_vec)


def _probe(name: str) -> Driver | None:
    try:
        module = import_module(name)
    except ImportError:
        return None
    with closing(module.connect(":memory:")) as connection:
        return Driver(name, module, _load_vec(connection))


def _load_vec(connection: Any) -> bool:
    try:
        import sqlite_vec

        connection.enable_load_extension(True)
        sqlite_vec.load(connection)
        connection.enable_load_extension(False)
    except Exception:  # any failure, from a missing wheel to a refused dlopen, means that there is no vec0
        return False
    return True


def check_header(path: Path) -> int:
    """The version of the schema; 0 if there is none. It refuses a file that is no memory database, or has a newer
    schema, before anything is written to it.

    SQLite reads the header, so that no file appears beside a refused one. Reading it with ``open`` would release all
    locks of this process on the file (https://sqlite.org/howtocorrupt.html, section 2.2).
    """
    if is_encrypted(path):
        cipher()  # this makes its errors known
    try:
        if not is_empty(_beside(path, "journal")):
            _roll_back(path)
        if is_empty(path):
            return 0
    except OSError as error:
        raise DatabaseReadOnly(path=path, problem=error.strerror or "it cannot be opened") from error
    if not path.is_file():
        raise NotADatabase(path=path)
    application, version = _header(path)
    if application != APPLICATION_ID:
        raise NotADatabase(path=path)
    check_version(version, SCHEMA_VERSION, path)
    return version


def is_empty(path: Path) -> bool:
    """Whether there is no such file, or an empty one."""
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def _header(path: Path) -> tuple[int, int]:
    """Application id and schema version. Without a write-ahead log the file is read as immutable, without locks; if it
    then looks damaged, others may be writing it, and it is read again with locks.
    """
    if is_empty(_beside(path, "wal")):
        with suppress(*unusable()):
            return _read_header(path, "&immutable=1")
    try:
        return _read_header(path)
    except unusable() as error:
        raise translate(error, path) from None


def _read_header(path: Path, how: str = "") -> tuple[int, int]:
    with closing(connected(path, f"?mode=ro{how}")) as connection:
        pragmas = ("application_id", "user_version")
        application, version = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas)
        return application, version


def _roll_back(path: Path) -> None:
    """Let SQLite roll back half-finished writes of a killed process; it waits for one that writes."""
    try:
        with closing(connected(path)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except unusable() as error:
        raise translate(error, path) from None


def _beside(path: Path, kind: str) -> Path:
    """The ``wal`` or the ``journal`` of a database."""
    return path.with_name(f"{path.name}-{kind}")


async def connect(path: Path, *, read_only: bool = False) -> Connection:
    """An open connection, configured for this program. Raises the matching ``StoreError``."""
    try:
        opened = await asyncio.to_thread(open_file, path, read_only=read_only)
    except unusable() as error:
        raise translate(error, path) from None
    return await Connection.over(opened)


def open_file(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection of the driver, configured for this program. Raises the driver's errors."""
    if not read_only:
        return _opened(path)
    is_folded = is_empty(_beside(path, "wal"))  # nobody is writing
    if not is_folded or (os.access(path.parent, os.W_OK) and os.access(path, os.W_OK)):
        try:
            return _opened(path, "?mode=ro")
        except errors() as error:
            if not is_folded or not isinstance(translate(error, path), DiskFailed | DiskFull):
                raise
    # SQLite cannot or should not create its shared memory here: the folder is write-protected, or the disk is full
    return _opened(path, "?mode=ro&immutable=1")


def _opened(path: Path, how: str = "") -> sqlite3.Connection:
    connection = connected(path, how, isolation_level=None, check_same_thread=False, cached_statements=256)
    try:
        _set_up(connection, read_only=bool(how))
    except BaseException:
        connection.close()
        raise
    return connection


def connected(path: Path, how: str = "", **options: Any) -> sqlite3.Connection:
    """A connection of the driver, unlocked if the database is encrypted; ``how`` is the end of the URI."""
    encrypted = is_encrypted(path)
    module = cipher() if encrypted else driver().module
    connection: sqlite3.Connection = module.connect(
        path.absolute().as_uri() + how, uri=True, timeout=BUSY_SECONDS, **options
    )
    connection.row_factory = module.Row
    if encrypted:
        try:
            unlock(connection, key_of(path))
        except BaseException:
            connection.close()
            raise
    return connection


def _set_up(connection: sqlite3.Connection, *, read_only: bool) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # on macOS, another sync does not empty the cache of the disk
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    connection.execute("PRAGMA wal_autocheckpoint = 0")  # the writer acknowledges first and checkpoints after
    if driver().has_vec:
        _load_vec(connection)
    for table in (EVERYTHING.table, KNOWLEDGE.table):
        connection.execute(f"CREATE VIRTUAL TABLE temp.{table}_places USING fts5vocab (main, {table}, instance)")
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if read_only:
        connection.execute("PRAGMA query_only = ON")


def fault_in_file(execute: Callable[[str], Any]) -> str | None:
    """The first thing that is wrong in a file, in SQLite's words; None if it is sound. The quick check of SQLite before
    3.41 finds NULL in tables without rowids that are sound, so the whole check has to find something, too.
    """
    found = ""
    for check in ("quick_check", "integrity_check"):
        found = execute(f"PRAGMA {check}(1)").fetchone()[0]
        if found == "ok":
            return None
    return found


def errors() -> tuple[type[Exception], ...]:
    """The base classes of the errors of all drivers that were loaded."""
    return tuple(module.Error for module in (driver().module, sys.modules.get(_CIPHER)) if module)


def unusable() -> tuple[type[Exception], ...]:
    """The errors of reading a damaged or unreadable file. Their messages may quote stored text."""
    return *errors(), UnicodeDecodeError, json.JSONDecodeError


def translate(error: Exception, path: Path) -> Exception:
    """The memory's error for an error of the driver, or for text that cannot be decoded; any other error unchanged."""
    if not isinstance(error, unusable()):
        return error
    name = name_of(error)
    match failure_of(error):
        case Failure.BUSY:
            return DatabaseBusy(path=path, seconds=BUSY_SECONDS)
        case Failure.FULL:
            return DiskFull(path=path)
        case Failure.ACCESS:
            if _has_all_its_files(path.parent):
                return DiskFull(path=path)
            is_unreadable = os.path.exists(path) and not os.access(path, os.R_OK)  # noqa: PTH110 (`Path` may raise)
            return DatabaseReadOnly(path=path, used="read" if is_unreadable else "written", problem=str(error))
        case Failure.FOREIGN:
            return KeyRefused(path=path, name=KEY_NAME) if is_encrypted(path) else NotADatabase(path=path)
        case Failure.DISK:
            return DiskFailed(path=path, problem=name)
    return DatabaseDamaged(path=path, problem=name or f"something in it cannot be read, {type(error).__name__}")


def _has_all_its_files(folder: Path) -> bool:
    """Whether the disk of a folder holds as many files as it can; some set no limit."""
    with suppress(OSError, AttributeError):  # Windows does not tell
        disk = os.statvfs(folder)
        return disk.f_files > 0 and disk.f_favail == 0
    return False


def mark_of(path: Path) -> Path:
    """The file that marks a database as encrypted."""
    return path.with_name(f"{path.stem}.encryption.json")


def is_encrypted(path: Path) -> bool:
    """Whether the database at this path needs a key."""
    try:
        return mark_of(path).exists()
    except OSError:  # opening the database reports an unreadable folder
        return False


def mark_encrypted(path: Path) -> None:
    """Mark the database at this path, which does not exist yet, as encrypted, with a new salt."""
    private.make_file(mark_of(path))
    mark_of(path).write_text(json.dumps({"cipher": "SQLCipher 4", "salt": secrets.token_hex(16)}))


def cipher() -> Any:
    """The driver that reads encrypted databases. Raises ``MissingPackage``."""
    try:
        return import_module(_CIPHER)
    except ImportError:
        raise MissingPackage("An encrypted memory", "encrypted") from None


def unlock(connection: Any, key: str) -> None:
    """Give a connection its key, before anything else. A wrong key raises an error later."""
    connection.execute("PRAGMA cipher_log_level = NONE")  # it would write to stderr
    connection.execute(f'PRAGMA key = "{key}"')


def key_of(path: Path) -> str:
    """The key in SQLCipher's form. Raises ``KeyMissing``."""
    secret = keys.find(KEY_NAME)
    if not secret:
        raise KeyMissing(path=path, name=KEY_NAME)
    return f"x'{_derived(secret, json.loads(mark_of(path).read_text())['salt'])}'"


@lru_cache(maxsize=8)
def _derived(secret: str, salt: str) -> str:
    """Derive a key once per process, in about 0.1 s: slowly, against guesses of passphrases (RFC 7914)."""
    return hashlib.scrypt(
        secret.encode(), salt=bytes.fromhex(salt), n=2**15, r=8, p=1, maxmem=_KEY_MEMORY, dklen=32
    ).hex()
