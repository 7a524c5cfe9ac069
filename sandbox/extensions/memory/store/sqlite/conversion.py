"""Encrypt or decrypt a database in place: copy, compare, replace in one step, and overwrite the old file."""

import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from errno import ENOSPC
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from sandbox.extensions.memory.errors import (
    CopyDiffers,
    DatabaseReadOnly,
    DiskFailed,
    DiskFull,
    EncryptionUnchanged,
    InUse,
    KeyMissing,
)
from sandbox.extensions.memory.store.sqlite.connection import (
    KEY_NAME,
    cipher,
    driver,
    errors,
    is_encrypted,
    key_of,
    mark_encrypted,
    mark_of,
    open_file,
    translate,
    unlock,
)
from sandbox.extensions.memory.store.sqlite.database_file import sync
from sandbox.support import keys, private
from sandbox.support.sqlite import Failure, failure_of

_FOLDER = ".encrypting-"
_AT_ONCE = 1 << 20


def encrypt(path: Path) -> None:
    """Encrypt the database. Without a key, it makes one and puts it into the keyring. Raises ``EncryptionUnchanged``,
    ``InUse``, ``KeyMissing``, ``MissingPackage``, ``CopyDiffers``, ``DiskFailed``, ``DiskFull``, ``DatabaseReadOnly``.
    """
    clear(path.parent)
    if is_encrypted(path) and not _is_plain(path):
        raise EncryptionUnchanged(path=path, state="encrypted already")
    _ensure_key(path)
    with _beside(path) as made:
        mark_encrypted(made)
        with _alone(path, "") as opened:
            _copy(opened.connection, made, key_of(made))
            opened.let_go_on_windows()
            _put(made, path)


def decrypt(path: Path) -> None:
    """Decrypt the database. Raises ``EncryptionUnchanged``, ``InUse``, ``KeyMissing``, ``KeyRefused``,
    ``CopyDiffers``, ``DiskFailed``, ``DiskFull``, ``DatabaseReadOnly``.
    """
    clear(path.parent)
    if not is_encrypted(path):
        raise EncryptionUnchanged(path=path, state="not encrypted")
    if not _is_plain(path):
        with _beside(path) as made, _alone(path, key_of(path)) as opened:
            _copy(opened.connection, made, "")
            opened.let_go_on_windows()
            _put(made, path)
    mark_of(path).unlink()


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A place for the copy, in a folder that is removed at the end. What fails there says nothing of the database."""
    try:
        with TemporaryDirectory(prefix=_FOLDER, dir=path.parent) as folder:
            yield Path(folder) / path.name
    except errors() as error:
        raise DiskFailed(path=path, problem="it could not be copied") from error
    except OSError as error:
        if error.errno == ENOSPC:
            raise DiskFull(path=path) from error
        raise DatabaseReadOnly(path=path, problem=error.strerror or type(error).__name__) from error


def _ensure_key(path: Path) -> None:
    if keys.find(KEY_NAME):
        return
    with suppress(Exception):  # no keyring, a locked one, or no package
        keys.keep(KEY_NAME, secrets.token_urlsafe(32))
    if not keys.find(KEY_NAME):
        raise KeyMissing(path=path, name=KEY_NAME)


def _is_plain(path: Path) -> bool:
    """Whether it opens without a key, as after a conversion that was cut off."""
    try:
        with closing(cipher().connect(path)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except errors():
        return False
    return True


class _Alone(NamedTuple):
    connection: Any
    opened: ExitStack

    def let_go_on_windows(self) -> None:
        """On Windows, close the file, because an open file cannot be replaced there. Elsewhere it stays locked."""
        if os.name == "nt":
            self.opened.close()


@contextmanager
def _alone(path: Path, key: str) -> Iterator[_Alone]:
    """A SQLCipher connection while nobody else has the database open, with all data in the one file.

    A build of SQLite knows only the files that it opened in this process itself. So, without a key, the build that
    opens such memories checks first.
    """
    with ExitStack() as opened:
        if not key:
            _claim(opened.enter_context(closing(driver().module.connect(path, isolation_level=None, timeout=2))), path)
        connection = opened.enter_context(closing(cipher().connect(path, isolation_level=None, timeout=2)))
        if key:
            unlock(connection, key)
            _claim(connection, path)
        yield _Alone(connection, opened)


def _claim(connection: Any, path: Path) -> None:
    """Lock the file for this connection until it is closed. Raises ``InUse``."""
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
    except errors() as error:
        if failure_of(error) is Failure.BUSY:
            raise InUse(path=path) from None
        raise translate(error, path) from None
    if mode != "delete":
        raise InUse(path=path)


def _copy(connection: Any, made: Path, key: str) -> None:
    """Copy everything, and compare the copy with its source. Raises ``CopyDiffers``."""
    os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    connection.execute("ATTACH ? AS made KEY ?", (str(made), key))
    connection.execute("SELECT sqlcipher_export('made')")
    for name in ("application_id", "user_version"):
        connection.execute(f"PRAGMA made.{name} = {connection.execute(f'PRAGMA main.{name}').fetchone()[0]}")
    connection.execute("DETACH made")
    with closing(open_file(made, read_only=True)) as copy:
        sound = copy.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
        if not sound or _contents(copy.execute) != _contents(connection.execute):
            raise CopyDiffers(path=made.name)


def _contents(execute: Callable[[str], Any]) -> list[tuple[str, str | None, int]]:
    """The schema, and the number of rows of each table."""
    found = execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
    return [
        (name, sql, execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] if _is_table(type_, sql) else 0)
        for type_, name, sql in found
    ]


def _is_table(type_: str, sql: str | None) -> bool:
    return type_ == "table" and not (sql or "").upper().startswith("CREATE VIRTUAL")


def _put(made: Path, path: Path) -> None:
    """Move the copy and its mark, if it has one, to the place of the database, and overwrite the old file."""
    with made.open("rb+") as file:
        private.sync(file.fileno())
    old = made.with_name("old")
    try:
        os.link(path, old)
    except OSError as error:
        state = f"on a disk where a file cannot have two names ({error.strerror}), so move the folder to another disk"
        raise EncryptionUnchanged(path=path, state=state) from error
    if is_encrypted(made):
        mark_of(made).replace(mark_of(path))
    made.replace(path)
    sync(path.parent)  # otherwise a loss of power could leave the database its old, overwritten file
    _wipe(old)


def _wipe(path: Path) -> None:
    """Remove a file, and overwrite its content, unless it has another name: it is still the database, or a backup."""
    if path.stat().st_nlink == 1:
        with path.open("rb+") as file:
            for start in range(0, size := path.stat().st_size, _AT_ONCE):
                file.write(bytes(min(_AT_ONCE, size - start)))
            file.flush()
            private.sync(file.fileno())
    path.unlink()


def clear(folder: Path) -> None:
    """Overwrite and remove the remains of a conversion that was cut off."""
    for left in folder.glob(f"{_FOLDER}*"):
        for file in left.iterdir():
            _wipe(file)
        shutil.rmtree(left, ignore_errors=True)
