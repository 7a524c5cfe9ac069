"""Erases the session ``gone`` of a memory, and says when it begins: `python -m tests.memory.eraser FOLDER`."""

import asyncio
import sys

from sandbox.extensions.memory import Memory, Scope


async def main() -> None:
    """Erase it."""
    async with Memory.open(sys.argv[1], embedder=None) as memory:
        await memory.erase(session="gone", scope=Scope("ann"), dry_run=True)  # imports what it needs
        print("erasing", flush=True)
        await memory.erase(session="gone", scope=Scope("ann"))


if __name__ == "__main__":
    asyncio.run(main())
