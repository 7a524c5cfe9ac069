"""Changes of other programs' files: planned, shown, made as a whole or not at all, and undone to the byte.

Removing the memory from a file mostly gives its former text. Otherwise the former text is kept in the home, under
``installed``, and restored unless somebody changed the file since.
"""

import difflib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import yaml

from sandbox.extensions.memory_hooks.install.clients import Edit
from sandbox.extensions.memory_hooks.install.jsonc import NotJson
from sandbox.support import private

_FOLDER = "installed"


class CannotChange(Exception):
    """A file cannot be read, understood or written; the message says which one, and why."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file's text before and after (None: no file); ``undone`` is the text after removing the change again."""

    path: Path
    before: str | None
    after: str | None
    undone: str | None = None

    def diff(self) -> Iterator[str]:
        """The change as a unified diff."""
        old, new = (self.before or "").splitlines(), (self.after or "").splitlines()
        was, becomes = ("/dev/null" if text is None else str(self.path) for text in (self.before, self.after))
        return difflib.unified_diff(old, new, was, becomes, lineterm="")


def planned(edits: Sequence[Edit], home: Path, *, remove: bool) -> list[FileChange]:
    """The necessary changes; files that need none are left out. Raises ``CannotChange``."""
    changes = []
    for edit in edits:
        path = edit.path.resolve() if edit.path.is_symlink() else edit.path
        before = _read(path)
        after = _removed(edit, path, before, home) if remove else _understood(edit.add, path, before or "")
        if after != before:
            undone = None if remove else _understood(edit.remove, path, after or "")
            changes.append(FileChange(path, before, after, undone))
    return changes


def made(changes: Sequence[FileChange], home: Path, *, remove: bool) -> None:
    """Make the changes, and keep the former texts. Raises ``CannotChange``."""
    for change in changes:
        if not remove:
            _keep(change, home)
        try:
            _write(change.path, change.after)
        except OSError as error:
            raise CannotChange(f"{change.path} cannot be written: {error.strerror}") from error
        if remove:
            _record(change.path, home).unlink(missing_ok=True)


def _removed(edit: Edit, path: Path, before: str | None, home: Path) -> str | None:
    if before is None:
        return None
    kept = _kept(path, home)
    if kept is not None and kept["after"] == before:
        return kept["before"]
    return _understood(edit.remove, path, before)


def _understood(change: Callable[[str], str], path: Path, text: str) -> str:
    from tomlkit.exceptions import TOMLKitError

    try:
        return change(text)
    except (NotJson, TOMLKitError, yaml.YAMLError, RecursionError) as error:
        raise CannotChange(f"{path} was left as it is: {error}") from error


def _keep(change: FileChange, home: Path) -> None:
    """Keep the text from before the first setup."""
    known = _kept(change.path, home)
    if known is None and change.undone == change.before:
        return
    first = known["before"] if known is not None and known["after"] == change.before else change.before
    private.make_folder(home / _FOLDER)
    file = _record(change.path, home)
    private.make_file(file)
    record = {"path": str(change.path), "before": first, "after": change.after}
    file.write_text(json.dumps(record), encoding="utf-8")


def _kept(path: Path, home: Path) -> dict[str, str | None] | None:
    try:
        record = json.loads(_record(path, home).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) and {"before", "after"} <= record.keys() else None


def _record(path: Path, home: Path) -> Path:
    return home / _FOLDER / f"{sha256(str(path).encode(errors='replace')).hexdigest()[:24]}.json"


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CannotChange(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CannotChange(f"{path} was left as it is: it is not UTF-8") from error


def _write(path: Path, text: str | None) -> None:
    """Write a file as a whole or not at all, with its former mode."""
    if text is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    private.make_file(beside)
    beside.write_bytes(text.encode())
    beside.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
    beside.replace(path)
