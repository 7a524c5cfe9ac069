"""What the tests of undoing share."""

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.reports import UndoReport


async def number_of(memory: Memory, event: str, id: str) -> int:
    """The last change of a kind of a memory."""
    return [each.seq for each in (await memory.explain(id)).changes if each.event == event][-1]


async def undo_again(memory: Memory, undone: UndoReport) -> UndoReport:
    """Undo an undoing."""
    assert undone.change is not None
    return await memory.undo(undone.change)
