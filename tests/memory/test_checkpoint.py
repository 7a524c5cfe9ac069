"""Opening during or after a partial checkpoint of the write-ahead log."""

import shutil
from pathlib import Path

from sandbox.extensions.memory import Memory, Message

_PAGE = 4096


async def test_an_interrupted_checkpoint_is_no_damage(tmp_path: Path) -> None:
    """The first page is in the file, and the others are only in the log: after a crash, or for another process that
    opens the file meanwhile.
    """
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    cut.mkdir(mode=0o700)
    async with Memory.open(whole, embedder=None) as memory:
        await memory.observe_many(Message("user", f"violin {index}") for index in range(300))
        for name in ("memory.db", "memory.db-wal"):
            shutil.copy(whole / name, cut / name)
    with (whole / "memory.db").open("rb") as folded, (cut / "memory.db").open("r+b") as file:
        file.write(folded.read(_PAGE))
    async with Memory.open(cut, embedder=None) as memory:
        assert len(await memory.search("violin", limit=500)) == 300
        assert all(check.ok for check in await memory.check())
