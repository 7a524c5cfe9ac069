"""What other processes do in these tests; each function is one program, started by ``processes.running``."""

from itertools import count
from pathlib import Path

from sandbox.extensions.memory import Memory
from tests.memory.store.processes import Journal, program


@program
async def name_for_ever(folder: Path, journal_path: Path, run: int) -> None:
    """Store turns that name an earlier speaker, until the process is killed."""
    journal = Journal(journal_path)
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "Hello.", speaker="Ann", key="first")
        for number in count():
            await memory.observe("user", f"Then Ann said {number}.", key=f"run{run}turn{number}")
            journal.add(number)
