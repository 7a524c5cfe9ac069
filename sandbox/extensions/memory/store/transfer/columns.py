"""The JSON Schema of an export's rows, made of the tables of a new database."""

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sandbox.extensions.memory.store.sqlite import migrate
from sandbox.extensions.memory.store.sqlite.connection import open_file
from sandbox.extensions.memory.store.transfer import dump

_KINDS = {"INTEGER": "integer", "REAL": "number", "TEXT": "string"}
_BYTES = {
    "type": "object",
    "properties": {dump.BYTES: {"type": "string", "contentEncoding": "base64"}},
    "required": [dump.BYTES],
    "additionalProperties": False,
}


def tables() -> dict[str, dict[str, Any]]:
    """The schema of a row of each exported table. A row leaves out columns without a value."""
    with (
        TemporaryDirectory(prefix="memory-schema-") as folder,
        closing(open_file(Path(folder) / "made.db")) as connection,
    ):
        migrate.migrate(connection, 0, Path(folder) / "made.db")
        return {table: _row(connection, table) for table in dump.TABLES}


def _row(connection: Any, table: str) -> dict[str, Any]:
    columns = connection.execute(f"SELECT name, type, \"notnull\" FROM pragma_table_info('{table}')").fetchall()
    return {
        "type": "object",
        "properties": {name: _column(kind) for name, kind, _ in columns},
        "required": [name for name, _, is_required in columns if is_required],
        "additionalProperties": False,
    }


def _column(kind: str) -> dict[str, Any]:
    return {"type": _KINDS[kind]} if kind in _KINDS else _BYTES if kind == "BLOB" else {}
