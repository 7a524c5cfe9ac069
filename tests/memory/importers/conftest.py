"""Real files for the importers."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def raw_file(tmp_path: Path) -> Callable[[bytes], Path]:
    def write(content: bytes) -> Path:
        path = tmp_path / "export"
        path.write_bytes(content)
        return path

    return write


@pytest.fixture
def json_file(raw_file: Callable[[bytes], Path]) -> Callable[[object], Path]:
    return lambda document: raw_file(json.dumps(document, indent=1).encode())


@pytest.fixture
def jsonl_file(raw_file: Callable[[bytes], Path]) -> Callable[..., Path]:
    """Each argument is a line: text as it stands, other values as JSON."""

    def write(*lines: object) -> Path:
        texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
        return raw_file("".join(f"{text}\n" for text in texts).encode())

    return write
