"""Any history, and each change of it undone: everything that can be seen is as before. Undone again, it is as after."""

import tempfile

from hypothesis import given, settings

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.call_context import through
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.testing import FakeClock
from tests.memory.histories import AFTER, ANN, change, seen, steps


@settings(max_examples=8)
@given(steps)
async def test_each_undone_change_of_any_history_leaves_no_trace(history: list[tuple[str, int, int]]) -> None:
    """A merged memory, or one that a night retired, begins to fade anew, so that it is not retired again at once."""
    exactly = True
    with tempfile.TemporaryDirectory() as folder:
        clock = FakeClock()
        async with Memory.open(folder, embedder=None, clock=clock) as memory:
            ids = [await memory.remember("I live in Bergen.", scope=ANN)]
            for what, one, two in history:
                exactly = exactly and what not in ("merge", "night")
                clock.advance(minutes=7)
                before = await seen(memory, exactly=exactly)
                try:
                    with through("mcp"):
                        await change(memory, clock, what, one, two, ids)
                except MemoryExtensionError:  # such as a change of a forgotten memory
                    continue
                if what in AFTER:
                    continue
                after = await seen(memory, exactly=exactly)
                undone = await memory.undo(interface="mcp", since=clock(), scope=ANN)
                assert await seen(memory, exactly=exactly) == before
                if undone.change is not None:
                    again = await memory.undo(undone.change, scope=ANN)
                    assert await seen(memory, exactly=exactly) == after
                    assert again.change is not None
                    if one % 2:
                        await memory.undo(again.change, scope=ANN)
                        assert await seen(memory, exactly=exactly) == before
