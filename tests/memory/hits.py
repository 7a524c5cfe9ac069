"""What the tests of answers, of undoing and of erasing share."""

from collections.abc import Iterable
from typing import TypeVar

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.model import Block, Hit
from sandbox.extensions.memory.reports import ErasureReport, UndoReport

T = TypeVar("T")


def present(value: T | None) -> T:
    """A value that must be there."""
    assert value is not None
    return value


def contents(found: Block | Iterable[Hit] | None) -> list[str]:
    """The contents of hits, or of the memories in a block, in their order; of no block, none."""
    return [each.content for each in (found.items if isinstance(found, Block) else found or ())]


def text_of(block: Block | None) -> str:
    """The text of a block, which must be there."""
    return present(block).text


async def city(memory: Memory) -> str | None:
    """Where the user lives."""
    known = (await memory.profile()).city
    return None if known is None else known.value


async def number_of(memory: Memory, event: str, id: str) -> int:
    """The last change of a kind of a memory."""
    return [each.seq for each in (await memory.explain(id)).changes if each.event == event][-1]


async def undo_again(memory: Memory, undone: UndoReport) -> UndoReport:
    """Undo an undoing."""
    assert undone.change is not None
    return await memory.undo(undone.change)


def counted(report: ErasureReport) -> tuple[int, int, int]:
    """The numbers of turns, of memories, and of those that are valid again."""
    return report.turns, report.learnt, report.restored
