"""Paths as people write them. It imports very little, because hooks wait for it."""

import os
from pathlib import Path


def expanded(path: str) -> Path:
    """The path with a person's home in place of ``~``. It stays as it is if nobody has that name or that home, where
    ``Path.expanduser`` and ``Path.home`` raise.
    """
    return Path(os.path.expanduser(path))  # noqa: PTH111 (`Path.expanduser` raises)
