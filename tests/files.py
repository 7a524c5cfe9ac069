"""The bytes of folders. Other processes read them, because this one would give up the locks of SQLite's open files."""

import subprocess
from pathlib import Path


def bytes_of(folder: Path) -> bytes:
    """All bytes of the files in a folder and in those below it, in small letters."""
    return subprocess.run(["cat", *_files(folder)], check=True, capture_output=True).stdout.lower()


def files_with(folder: Path, text: str) -> set[str]:
    """The names of the files in a folder and in those below it that contain a text."""
    grep = ["grep", "--files-with-matches", "--text", "--fixed-strings", "--regexp", text, "--", *_files(folder)]
    ran = subprocess.run(grep, check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert ran.returncode in (0, 1), ran.stderr
    return {Path(line).name for line in ran.stdout.splitlines()}


def _files(folder: Path) -> list[str]:
    return sorted(str(each) for each in folder.rglob("*") if each.is_file())
