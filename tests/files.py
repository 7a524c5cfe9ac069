"""The bytes of folders. Other processes read them, because this one would give up the locks of SQLite's open files."""

import subprocess
from pathlib import Path


def bytes_of(folder: Path) -> bytes:
    """All bytes of the files of a folder, in small letters."""
    files = map(str, sorted(each for each in folder.iterdir() if each.is_file()))
    return subprocess.run(["cat", *files], check=True, capture_output=True).stdout.lower()


def files_with(folder: Path, text: str) -> set[str]:
    """The names of the files of a folder that contain a text."""
    files = map(str, sorted(each for each in folder.iterdir() if each.is_file()))
    grep = ["grep", "--files-with-matches", "--text", "--fixed-strings", "--regexp", text, "--", *files]
    ran = subprocess.run(grep, check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert ran.returncode in (0, 1), ran.stderr
    return {Path(line).name for line in ran.stdout.splitlines()}
