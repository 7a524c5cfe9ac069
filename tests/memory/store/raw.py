"""The database file without the memory. If the same process has the memory open, only its own SQLite may touch the
file: closing another descriptor of it gives up the locks of the whole process (https://sqlite.org/howtocorrupt.html,
section 2.2).
"""

from contextlib import closing
from pathlib import Path
from typing import Any

from sandbox.extensions.memory.memory import DATABASE
from sandbox.extensions.memory.store.sqlite.connection import driver


def connect(folder: Path) -> Any:
    """A plain connection to the database of a folder, which commits each statement."""
    return driver().module.connect(str(folder / DATABASE), isolation_level=None)


def query(folder: Path, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
    """The rows of one statement."""
    with closing(connect(folder)) as connection:
        return [tuple(row) for row in connection.execute(sql, parameters)]


def one(folder: Path, sql: str, *parameters: object) -> Any:
    """The only value of the only row."""
    [[value]] = query(folder, sql, *parameters)
    return value


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by name, as bytes. Only if nobody in this process has the database open."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def sizes(folder: Path) -> dict[str, int]:
    """Every file of a folder by name, with its length in bytes."""
    return {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file()}


def replace(folder: Path, content: bytes) -> None:
    """Make these bytes the whole database of a folder, without a write-ahead log."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    (folder / DATABASE).write_bytes(content)


def temporal_chain(folder: Path, session: str) -> list[int]:
    """The turns of a session along its temporal edges; fails unless they are one chain of all turns."""
    turns = {row[0] for row in query(folder, "SELECT id FROM nodes WHERE session_id = ?", session)}
    edges = query(
        folder,
        "SELECT source_id, target_id FROM edges JOIN nodes ON nodes.id = source_id"
        " WHERE relation = 'temporal' AND session_id = ?",
        session,
    )
    following = dict(edges)
    assert len(following) == len(edges) == len(turns) - 1, "a turn is followed by two, or by none"
    [first] = turns - set(following.values())
    chain = [first]
    while chain[-1] in following:
        chain.append(following[chain[-1]])
    assert set(chain) == turns, "turns are left out of the chain"
    return chain
