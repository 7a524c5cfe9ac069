"""An agent's files under `/memories`, with the operations of Anthropic's memory tool."""

from collections.abc import Sequence
from posixpath import dirname
from typing import NoReturn
from urllib.parse import unquote

from sandbox.extensions.memory.ingest.documents import Document, Shelf, refuse_secrets

ROOT = "/memories"

_PLACE = ("files",)
_LONGEST = 999_999  # lines
_WIDTH = len(str(_LONGEST))
_DEPTH = 2  # levels of subfolders that are shown


class FileProblem(Exception):
    """A problem with a file; the message is for the model."""


class Files:
    """The files of one user, inside one transaction. A folder exists while it contains a file."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def view(self, path: str, lines: Sequence[int] | None = None) -> str:
        """A file, or a range of it, with line numbers; or the content of a folder."""
        path = _checked(path)
        if (file := self._shelf.get(_PLACE, path)) is not None:
            return f"Here's the content of {path} with line numbers:\n{_numbered(path, file.value, lines)}"
        below = self._below(path)
        if not below and path != ROOT:
            _missing(path)
        return _folder(path, below)

    def create(self, path: str, text: str) -> str:
        """Create a file."""
        path = _checked(path)
        if path == ROOT or self._is_there(path):
            raise FileProblem(f"File {path} already exists")
        self._check_above(path)
        self._write(path, text)
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old: str, new: str) -> str:
        """Replace a text that occurs in a file once."""
        path = _checked(path)
        text = self._read(path)
        count = text.count(old) if old else 0
        if count == 0:
            problem = f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
            raise FileProblem(problem)
        if count > 1:
            places = ", ".join(str(text[:start].count("\n") + 1) for start in _starts(text, old))
            problem = f"Multiple occurrences of old_str `{old}` in lines: {places}. Please ensure it is unique"
            raise FileProblem(f"No replacement was performed. {problem}")
        line = text[: text.find(old)].count("\n")
        changed = text.replace(old, new)
        self._write(path, changed)
        shown = _numbered(path, changed, (max(1, line - 1), min(len(changed.split("\n")), line + 3)))
        return f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{shown}"

    def insert(self, path: str, line: int, text: str) -> str:
        """Insert a text after a line; 0 is the beginning."""
        path = _checked(path)
        lines = self._read(path).split("\n")
        if lines[-1] == "":
            lines.pop()
        if not 0 <= line <= len(lines):
            problem = f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}]."
            raise FileProblem(problem)
        lines.insert(line, text.rstrip("\n"))
        made = "\n".join(lines)
        self._write(path, made if made.endswith("\n") else f"{made}\n")
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        """Delete a file, or a folder with its content."""
        path = _checked(path)
        if path == ROOT:
            raise FileProblem(f"Cannot delete the {ROOT} directory itself")
        if not self._is_there(path):
            raise FileProblem(f"The path {path} does not exist")
        for file in self._of(path):
            self._shelf.delete(_PLACE, file.key)
        return f"Successfully deleted {path}"

    def rename(self, old: str, new: str) -> str:
        """Move a file, or a folder with its content."""
        old, new = _checked(old), _checked(new)
        if old == ROOT:
            raise FileProblem(f"Cannot rename the {ROOT} directory itself")
        if new == ROOT or self._is_there(new):
            raise FileProblem(f"The destination {new} already exists")
        if not self._is_there(old):
            raise FileProblem(f"The path {old} does not exist")
        if new.startswith(f"{old}/"):
            raise FileProblem(f"Cannot move {old} into itself")
        self._check_above(new)
        for file in self._of(old):
            self._shelf.delete(_PLACE, file.key)
            self._write(new + file.key.removeprefix(old), file.value)
        return f"Successfully renamed {old} to {new}"

    def clear(self) -> str:
        """Delete every file."""
        for file in self._below(ROOT):
            self._shelf.delete(_PLACE, file.key)
        return "All memory cleared"

    def _read(self, path: str) -> str:
        file = self._shelf.get(_PLACE, path)
        if file is not None:
            return str(file.value)
        if path == ROOT or self._below(path):
            raise FileProblem(f"The path {path} is not a file.")
        return _missing(path)

    def _write(self, path: str, text: str) -> None:
        refuse_secrets([path, text])
        self._shelf.put(_PLACE, path, text.encode(errors="replace").decode())  # no halves of surrogate pairs

    def _check_above(self, path: str) -> None:
        """Check that no folder above has the path of a file."""
        above = dirname(path)
        while above != ROOT:
            if self._shelf.get(_PLACE, above) is not None:
                raise FileProblem(f"The path {above} is a file, and nothing can be in it.")
            above = dirname(above)

    def _of(self, path: str) -> list[Document]:
        file = self._shelf.get(_PLACE, path)
        return [file] if file is not None else self._below(path)

    def _is_there(self, path: str) -> bool:
        return bool(self._of(path))

    def _below(self, path: str) -> list[Document]:
        return [each for each in self._shelf.under(_PLACE) if each.key.startswith(f"{path}/")]


def _checked(path: str) -> str:
    """The path, if it is under the root in every reading."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise FileProblem(f"Path must start with {ROOT}, got: {path}")
    if "\x00" in path or "\\" in path or ".." in unquote(path).replace("\\", "/").split("/"):
        raise FileProblem(f"Path {path} would escape {ROOT} directory")
    return "/".join(part for index, part in enumerate(path.split("/")) if index == 0 or part not in ("", "."))


def _missing(path: str) -> NoReturn:
    raise FileProblem(f"The path {path} does not exist. Please provide a valid path.")


def _numbered(path: str, text: str, lines: Sequence[int] | None) -> str:
    every = text.split("\n")
    if len(every) > _LONGEST:
        raise FileProblem(f"File {path} exceeds maximum line limit of {_LONGEST:,} lines.")
    first, last = lines if lines and len(lines) == 2 else (1, -1)
    first = max(1, first)
    shown = every[first - 1 : len(every) if last == -1 else last]
    return "\n".join(f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(shown, first))


def _folder(path: str, below: Sequence[Document]) -> str:
    """Files and folders down to the second level, without hidden ones, with their sizes."""
    sizes: dict[str, int] = {}
    for file in below:
        parts = file.key.removeprefix(f"{path}/").split("/")
        size = len(str(file.value).encode())
        for depth in range(1, min(len(parts), _DEPTH) + 1):
            if any(part.startswith(".") for part in parts[:depth]):
                break
            name = "/".join(parts[:depth]) + ("/" if depth < len(parts) else "")
            sizes[name] = sizes.get(name, 0) + size
    total = sum(len(str(file.value).encode()) for file in below)
    head = f"Here're the files and directories up to {_DEPTH} levels deep in {path}, excluding hidden items:"
    lines = [f"{_size(size)}\t{path}/{name}" for name, size in sorted(sizes.items())]
    return "\n".join([head, f"{_size(total)}\t{path}", *lines])


def _size(count: int) -> str:
    value, unit = float(count), "B"
    for unit in "BKMG":
        if value < 1024 or unit == "G":
            break
        value /= 1024
    return f"{int(value)}{unit}" if value == int(value) else f"{value:.1f}{unit}"


def _starts(text: str, part: str) -> list[int]:
    found, start = list[int](), text.find(part)
    while start != -1:
        found.append(start)
        start = text.find(part, start + 1)
    return found
