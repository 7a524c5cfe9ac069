"""A folder with evaluation data: sets of JSON Lines, each in a folder of its own."""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


class DataMissing(Exception):
    """A file of a set cannot be read."""


@dataclass(frozen=True)
class DataFolder:
    """Sets by name; ``root`` may also be the folder of the one set that is wanted. ``sha256`` is of every file read."""

    root: Path
    sha256: dict[str, str] = field(default_factory=dict)

    def rows(self, of: str, name: str) -> list[dict[str, Any]]:
        """The rows of a file. Raises ``DataMissing``."""
        lines = self.file(of, name).read_text(encoding="utf-8").split("\n")
        return [json.loads(line) for line in lines if line.strip()]

    def file(self, of: str, name: str) -> Path:
        """A file of a set, its digest noted. Raises ``DataMissing``."""
        path = (self.root / of if (self.root / of).is_dir() else self.root) / name
        try:
            self.sha256[f"{of}/{name}"] = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            raise DataMissing(f"{self.root / of / name} cannot be read ({error.strerror})") from error
        return path


def moment(written: str | None) -> datetime | None:
    """A time of the data, which are in UTC."""
    return None if written is None else datetime.fromisoformat(written).replace(tzinfo=UTC)
