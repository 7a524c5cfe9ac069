"""Folders and ZIP archives: their files, with the names that their owner knows.

Nothing is unpacked to the disk. Dangerous archives are refused: an archive that would become far larger than it is,
that names files outside itself, or that is encrypted.
"""

import os
import stat
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO, cast
from zipfile import BadZipFile, LargeZipFile, ZipFile, ZipInfo, is_zipfile

from sandbox.extensions.memory.ingest.importers.files import File
from sandbox.support.characters import composed

# errors of reading an archive; `zipfile` raises the last one for a compression that it does not know
DAMAGED = (BadZipFile, LargeZipFile, zlib.error, EOFError, NotImplementedError)

_MOST_FILES = 200_000
_SWELLS = 200  # times the size of the archive; DEFLATE makes text ten times smaller, and a bomb a thousand times
_SMALL = 64 * 1024 * 1024  # bytes; content of at most this size is never refused
_ENCRYPTED = 0x1
_ZIP = b"PK\x03\x04"


class ContainerRefused(Exception):
    """A folder or an archive is not read; the message says why."""


def is_archive(path: Path) -> bool:
    """Whether the file is a ZIP archive. Raises :class:`ContainerRefused` if it is the first part of a divided one."""
    if is_zipfile(path):
        return True
    with path.open("rb") as file:
        if file.read(len(_ZIP)) == _ZIP:
            raise ContainerRefused("it is a ZIP archive that is not whole; get it once more")
    return False


def in_folder(folder: Path) -> Iterator[File]:
    """The visible files in a folder with subfolders and archives, by name. Raises :class:`ContainerRefused`."""
    count = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_hidden(name))
        for name in sorted(names):
            path = Path(parent, name)
            if _is_hidden(name) or path.is_symlink() or not path.is_file():
                continue
            count += 1
            if count > _MOST_FILES:
                raise ContainerRefused(f"it holds more than {_MOST_FILES:,} files; name the folders in it that matter")
            inside = path.relative_to(folder).as_posix()
            if path.suffix.lower() == ".zip" and is_archive(path):
                yield from in_archive(path, f"{inside}/")
            else:
                yield File.at(path, inside)


def in_archive(path: Path, prefix: str = "") -> Iterator[File]:
    """The files in a ZIP archive, by name, without hidden ones. Raises :class:`ContainerRefused`."""
    try:
        with ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
    except DAMAGED as error:
        raise ContainerRefused(f"it is a damaged ZIP archive ({error})") from None
    _check(members, path.stat().st_size)
    for member in sorted(members, key=lambda each: each.filename):
        parts = PurePosixPath(member.filename).parts
        if not any(map(_is_hidden, parts)) and not stat.S_ISLNK(member.external_attr >> 16):
            yield File(
                composed(prefix + member.filename),
                member.file_size,
                _modified(member),
                partial(_opened, path, member.filename),
            )


def _check(members: list[ZipInfo], size: int) -> None:
    if len(members) > _MOST_FILES:
        raise ContainerRefused(f"it holds more than {_MOST_FILES:,} files")
    for member in members:
        name = PureWindowsPath(member.filename)  # it splits at both kinds of slashes
        if ".." in name.parts or name.anchor:
            raise ContainerRefused("it names a file outside itself, which no export does")
        if member.flag_bits & _ENCRYPTED:
            raise ContainerRefused("it is locked with a password; unlock it first")
    whole = sum(member.file_size for member in members)
    if whole > _SMALL and whole > size * _SWELLS:
        raise ContainerRefused(
            f"it would become {whole:,} bytes, {whole // max(size, 1):,} times its size, as no export does"
        )


def _opened(path: Path, name: str) -> BinaryIO:
    """A file in an archive, which stays open as long as the file. It gives no more bytes than its entry declares."""
    with ZipFile(path) as archive:
        return cast(BinaryIO, archive.open(name))  # it keeps the archive's file open until it is closed


def _modified(member: ZipInfo) -> datetime | None:
    try:
        return datetime(*member.date_time, tzinfo=UTC)
    except ValueError:
        return None


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "__MACOSX"))
