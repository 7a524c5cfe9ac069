"""Migrate an empty file, or an older schema, to the schema of this program.

Every step and its record commit together; no step drops a memory.
"""

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from sandbox.extensions.memory.errors import DatabaseTooNew, DatabaseTooOld
from sandbox.support import sqlite
from sandbox.support.sqlite import run_script, transaction, write_ahead

APPLICATION_ID = 0x41_4D_45_4D  # "AMEM"; PRAGMA application_id marks a file as ours
FIRST_VERSION = 11  # that of `schema.sql` and of 0.1.0
SCHEMA_VERSION = 11

_FULL_TEXT = ("nodes_fts", "knowledge_fts")
_SECURE_FULL_TEXT = (3, 42)  # the first SQLite whose full text overwrites what is deleted

_FOLDER = Path(__file__).with_name("migrations")
MIGRATIONS: Mapping[int, str] = {  # version -> SQL that leads to it; it never drops a memory
    version: (_FOLDER / f"{version}.sql").read_text(encoding="utf-8")
    for version in range(FIRST_VERSION + 1, SCHEMA_VERSION + 1)
}


def migrate(
    connection: sqlite3.Connection,
    now: int,
    path: Path,
    *,
    migrations: Mapping[int, str] = MIGRATIONS,
    target: int = SCHEMA_VERSION,
) -> None:
    """Update the schema to ``target``. Safe if several processes open one file at once: each step checks again."""
    if _version(connection) == 0:  # in one step, so that nobody finds a half-made file
        first = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")
        later = {version: migrations[version] for version in range(FIRST_VERSION + 1, target + 1)}
        _step(connection, 0, {FIRST_VERSION: first, **later}, now)
    write_ahead(connection)
    check_version(_version(connection), target, path)
    for version in range(_version(connection) + 1, target + 1):
        _step(connection, version - 1, {version: migrations[version]}, now)


def secure_full_text(connection: sqlite3.Connection) -> None:
    """Let full text search overwrite deleted text, if this SQLite can."""
    if sqlite_version(connection) < _SECURE_FULL_TEXT:
        return
    for table in _FULL_TEXT:
        if not connection.execute(f"SELECT 1 FROM {table}_config WHERE k = 'secure-delete' AND v = 1").fetchone():
            connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('secure-delete', 1)")


def rewrite(connection: sqlite3.Connection) -> bool:
    """Write the file anew without a byte of deleted rows, see ``sandbox.support.sqlite.rewrite``. Where SQLite does not
    overwrite deleted text, only the merging of all parts of the full text removes it.
    """
    if sqlite_version(connection) < _SECURE_FULL_TEXT:
        for table in _FULL_TEXT:
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
    return sqlite.rewrite(connection)


def sqlite_version(connection: sqlite3.Connection) -> tuple[int, ...]:
    """The version of the library in use, which need not be Python's own."""
    text: str = connection.execute("SELECT sqlite_version()").fetchone()[0]
    return tuple(int(part) for part in text.split("."))


def _step(connection: sqlite3.Connection, from_version: int, steps: Mapping[int, str], now: int) -> None:
    """Some migrations and their record, in one transaction; nothing if another process was faster."""
    with transaction(connection):
        if _version(connection) == from_version:
            for version, sql in steps.items():
                run_script(connection, sql)
                connection.execute("INSERT INTO migrations (version, applied_at) VALUES (?, ?)", (version, now))
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {max(steps)}")


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def check_version(found: int, known: int, path: Path) -> None:
    """Raise ``DatabaseTooNew`` or ``DatabaseTooOld`` for a schema that this program does not know; 0 is no schema."""
    if 0 < found < FIRST_VERSION:
        raise DatabaseTooOld(path=path, found=found, known=FIRST_VERSION)
    if found > known:
        raise DatabaseTooNew(path=path, found=found, known=known)
