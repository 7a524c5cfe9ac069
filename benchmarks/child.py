"""What only a fresh process can show. ``run`` starts one; started as a program, this is what it does.

Everything is imported before the clock starts, but no model is read and no file is open.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from sandbox.extensions.memory import Memory

_ROOT = Path(__file__).parents[1]
_LATER = 10  # questions asked once everything is loaded


def run(task: str, folder: Path, **arguments: Any) -> dict[str, Any]:
    """What a task answers from a process of its own. Raises ``RuntimeError``."""
    given = json.dumps({"folder": str(folder.resolve()), **arguments})
    command = [sys.executable, "-m", "benchmarks.child", task]
    done = subprocess.run(command, input=given, capture_output=True, text=True, cwd=_ROOT)
    if done.returncode:
        raise RuntimeError(f"{task} failed in its process: {done.stderr.strip()[-500:]}")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


async def first_context(folder: str, question: str, config: dict[str, Any]) -> dict[str, Any]:
    """Open a store and make one block."""
    model_was_read = "sandbox.extensions.embedding.wordllama" in sys.modules
    clock = time.perf_counter()
    async with Memory.open(folder, config=config) as memory:
        opened = time.perf_counter()
        block = await memory.context(question)
        ready = time.perf_counter()
    return {
        "seconds": ready - clock,
        "open_seconds": opened - clock,
        "items": len(block.items) if block else 0,
        "model_was_read": model_was_read,
    }


async def memory_in_use(folder: str, questions: list[str], config: dict[str, Any]) -> dict[str, Any]:
    """Ask, let everything load, ask some more, and see how much memory that takes."""
    from benchmarks.measure import resident, settled  # none of the other tasks is to pay for it

    empty, _ = resident()
    async with Memory.open(folder, config=config) as memory:
        for question in questions:
            await memory.context(question)
        await memory.wait_until_embedded()
        await settled()
        for question in questions[:_LATER]:
            await memory.context(question)
        now, most = resident()
    return {"resident": now, "most": most, "imported": empty}


async def questions_once(folder: str, questions: list[str], config: dict[str, Any]) -> dict[str, Any]:
    """Open a store and make a block for each question, one after the other."""
    seconds = []
    async with Memory.open(folder, config=config) as memory:
        processor = time.process_time()
        for question in questions:
            clock = time.perf_counter()
            await memory.context(question)
            seconds.append(time.perf_counter() - clock)
        processor = time.process_time() - processor
    return {"seconds": seconds, "processor_seconds": processor}


async def first_search(folder: str, started: float, question: str, config: dict[str, Any]) -> dict[str, Any]:
    """Open a store and search once, ``started`` being when the process was."""
    async with Memory.open(folder, config=config) as memory:
        await memory.search(question)
        ready = time.time()
    return {"process_seconds": ready - started}


async def kernel_start(folder: str, started: float) -> dict[str, Any]:
    """Open a kernel over the folder and let it take up what was left undone; ``started`` as above."""
    from sandbox.kernel import Kernel  # as above

    clock = time.perf_counter()
    async with Kernel.open(folder) as kernel:
        opened = time.perf_counter()
        await kernel.work()
        ready, now = time.perf_counter(), time.time()
    return {"seconds": ready - clock, "open_seconds": opened - clock, "process_seconds": now - started}


_TASKS: dict[str, Callable[..., Awaitable[dict[str, Any]]]] = {
    task.__name__: task for task in (first_context, memory_in_use, questions_once, first_search, kernel_start)
}

if __name__ == "__main__":
    print(json.dumps(asyncio.run(_TASKS[sys.argv[1]](**json.load(sys.stdin)))))  # type: ignore[arg-type]
