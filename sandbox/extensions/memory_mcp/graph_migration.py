"""Import the file of the official MCP memory server, once."""

import json
import logging
from pathlib import Path
from typing import Any

from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory_mcp.graph_shapes import Entities, Relations
from sandbox.extensions.memory_mcp.profiles.graph import create_entities, create_relations
from sandbox.extensions.memory_mcp.tooling import Call
from sandbox.support import private

logger = logging.getLogger(__name__)

VARIABLE = "MEMORY_FILE_PATH"
"""The environment variable that names the official server's file."""

MOVED = "moved-in.json"
"""In the home: the users whose files were imported, which are not imported again after deletions."""


async def move_in(file: Path, home: Path, call: Call) -> None:
    """Import a file that was not imported before. Unreadable lines are left out, and their number is logged."""
    moved, key = _moved(home), [call.scope.user_id, str(file)]
    parts = [] if key in moved else _parts(file)
    brought = [await _brought(call, part) for part in sorted(parts, key=lambda part: part.get("type") == "relation")]
    if unread := brought.count(False):
        logger.warning("%s: %d lines were left out, as no valid entities or relations", file, unread)
    if brought:
        private.make_file(home / MOVED)
        (home / MOVED).write_text(json.dumps([*moved, key]), encoding="utf-8")


def _moved(home: Path) -> list[list[str]]:
    try:
        return list(json.loads((home / MOVED).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return []


def _parts(file: Path) -> list[dict[str, Any]]:
    """The readable lines of a file; none if there is no file."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [part for line in lines if (part := _part(line)) is not None]


def _part(line: str) -> dict[str, Any] | None:
    try:
        part = json.loads(line)
    except ValueError:
        return {} if line.strip() else None
    return part if isinstance(part, dict) else {}


async def _brought(call: Call, part: dict[str, Any]) -> bool:
    try:
        if part.get("type") == "relation":
            await create_relations.run(call, Relations.model_validate({"relations": [part]}))
        else:
            await create_entities.run(call, Entities.model_validate({"entities": [part]}))
    except (ValueError, MemoryExtensionError):
        return False
    return True
