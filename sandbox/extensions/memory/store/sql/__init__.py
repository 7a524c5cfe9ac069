"""SQL in named files: every statement starts with ``-- name: purpose``, and ``{columns}`` are those of ``Node``."""

import itertools
import re
from functools import cache
from pathlib import Path

from sandbox.extensions.memory.store.rows import NODE_COLUMNS

_HEADER = re.compile(r"^-- (\w+): ", re.MULTILINE)


class Queries:
    """The statements of one file, as attributes."""

    def __init__(self, statements: dict[str, str]) -> None:
        self._statements = statements

    def __getattr__(self, name: str) -> str:
        try:
            return self._statements[name]
        except KeyError:
            raise AttributeError(f"no statement is named {name!r}; there are {sorted(self._statements)}") from None


@cache
def load(name: str) -> Queries:
    """The statements of ``name.sql``; each keeps its purpose as a comment, which makes traces readable."""
    text = Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8")
    text = text.replace("{columns}", NODE_COLUMNS)
    starts = [match.start() for match in _HEADER.finditer(text)] + [len(text)]
    blocks = [text[start:end].strip().rstrip(";") for start, end in itertools.pairwise(starts)]
    return Queries({match[1]: block for block in blocks if (match := _HEADER.match(block))})
