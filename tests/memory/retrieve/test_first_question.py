"""What the first question of a process waits for."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import asyncio, sys
from sandbox.extensions.memory import Memory

async def ask():
    async with Memory.open(sys.argv[1], embedder=None) as memory:
        await memory.search("where does Ann live?")
        await memory.context("where does Ann live?")
    print({f"sandbox.extensions.memory.{each}" for each in ("parse", "consolidate", "maintain")} & set(sys.modules))

asyncio.run(ask())
"""


def test_a_question_imports_no_module_for_learning(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path)], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
