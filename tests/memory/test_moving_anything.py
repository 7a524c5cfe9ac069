"""Any history, exported and imported: everything that can be seen is the same, and it comes once."""

import tempfile
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import AsOf, Memory, Scope
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.testing import FakeClock
from tests.memory.histories import ANN, change, seen, steps

EVERYBODY = Scope(administrator=True)
SCOPES = (ANN, ANN, Scope("ann", session_id="s", visibility="session"), Scope("ann", project_id="p"))


async def now_and_then(memory: Memory, moments: list[datetime]) -> list[Any]:
    """What each scope sees now, with its conversations and counts, and what was believed at some moments."""
    found: list[Any] = [await seen(memory, exactly=True)]
    for scope in SCOPES[1:]:
        counts = await memory.statistics(scope=scope)
        counts.database_bytes = 0
        found += [counts, await memory.sessions(scope=scope), await memory.list(limit=200, scope=scope)]
        for moment in moments:
            found.append(await memory.list(limit=200, as_of=AsOf(believed=moment), scope=scope))
    return found


def rows(file: Path) -> list[str]:
    """The lines of an export, without the first, which tells its time."""
    return file.read_text(encoding="utf-8").splitlines()[1:]


@settings(max_examples=8)
@given(steps)
@example([("inferred", 6, 6), ("remember", 0, 4), ("erase", 2, 3)])  # a proposal, and the last memory erased
async def test_any_history_is_imported_whole_and_once(history: list[tuple[str, int, int]]) -> None:
    """A file of half of it and then one of all of it bring nothing twice, and what is told later has its own past."""
    with tempfile.TemporaryDirectory() as name:
        folder, clock = Path(name), FakeClock()
        async with (
            Memory.open(folder / "old", embedder=HashEmbedder(), clock=clock) as old,
            Memory.open(folder / "new", embedder=HashEmbedder(), clock=clock) as new,
            Memory.open(folder / "used", embedder=None, clock=clock) as used,
        ):
            ids, moments = [await old.remember("I live in Bergen.", scope=ANN)], []
            for number, (what, one, two) in enumerate(history):
                moments.append(clock.advance(minutes=7))
                with suppress(MemoryExtensionError):  # such as a change of a forgotten memory
                    await change(old, clock, what, one, two, ids, SCOPES[(one + two) % len(SCOPES)])
                if number == len(history) // 2:
                    await old.export(folder / "half", scope=EVERYBODY)
            await old.wait_until_embedded()
            await old.export(folder / "whole", scope=EVERYBODY)

            await new.import_file(folder / "whole", scope=EVERYBODY)
            await new.wait_until_embedded()
            assert await now_and_then(new, moments) == await now_and_then(old, moments)
            await new.export(folder / "again", scope=EVERYBODY)
            assert rows(folder / "again") == rows(folder / "whole")

            await used.import_file(folder / "half", scope=EVERYBODY)
            await used.import_file(folder / "whole", scope=EVERYBODY)
            both = await now_and_then(used, moments)
            assert (await used.import_file(folder / "whole", scope=EVERYBODY)).new == 0
            assert await now_and_then(used, moments) == both

            for memory in (new, used):
                later = await memory.remember("Bert plays the violin.", scope=ANN)
                assert [each.event for each in (await memory.explain(later, scope=ANN)).changes] == ["created"]
