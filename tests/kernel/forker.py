"""A program that imports everything once and then forks. Each child is a kernel that talks until it is killed. Lines
in: ``FIRST LAST``. Lines out: ``pid N``; from the child ``taken N`` when a message is acknowledged, ``replied N`` when
its reply was shown, ``end`` after the last message; ``gone`` when the child is dead.
"""

import asyncio
import os
import sys
import traceback
from contextlib import aclosing
from importlib import import_module
from pathlib import Path

from sandbox.extensions.assistant.agent import preload
from sandbox.extensions.embedding.wordllama import DIMENSIONS, load, package_folder
from sandbox.kernel import Kernel
from sandbox.protocols import Context, Reply


async def talk(home: Path, base_url: str, first: int, last: int) -> None:
    models = {"default": {"model": "scripted", "base_url": base_url}}
    async with Kernel.open(home, models=models) as kernel:
        await kernel.work()
        conversation = kernel.conversation("test", "ann")
        for number in range(first, last):
            async with aclosing(conversation.say(f"Message number {number}.", key=f"m-{number}")) as parts:
                async for part in parts:
                    if isinstance(part, Context):
                        tell(f"taken {number}")
                    if isinstance(part, Reply) and part.text is not None:
                        tell(f"replied {number}")
        await kernel.settled()
    tell("end")


async def warm() -> None:
    """Load the slowest parts of a start, so that kills happen during turns."""
    await preload()
    load(package_folder(), DIMENSIONS[0])
    import_module("sandbox.extensions.memory.main")


def tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def main(home: Path, base_url: str) -> None:
    asyncio.run(warm())
    tell("ready")
    for line in sys.stdin:
        first, last = map(int, line.split())
        child = os.fork()
        if child:
            tell(f"pid {child}")
            os.waitpid(child, 0)
            tell("gone")
            continue
        try:
            asyncio.run(talk(home, base_url, first, last))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
