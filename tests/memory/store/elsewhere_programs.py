"""Programs that use a memory in the wrong process or event loop, or leave it open. Each prints the result."""

import asyncio
import atexit
import os
import signal
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from assistant_memory import blocking
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import OpenedElsewhere

_SECONDS = 20.0  # what takes longer hangs


def leave_open(folder: Path) -> None:
    """Close the loop, and not the memory."""
    loop = asyncio.new_event_loop()
    opening = Memory.open(folder, embedder=None)
    memory = loop.run_until_complete(opening.__aenter__())
    loop.run_until_complete(memory.observe("user", "I keep bees.", key="bees", session="s"))
    loop.run_until_complete(memory.consolidate("s"))
    loop.close()
    print("left")


def use_at_exit(folder: Path) -> None:
    """Write and close in what `atexit` calls."""
    opening = blocking(folder, embedder=None)
    opened = opening.__enter__()

    def end() -> None:
        opened.run(opened.memory.observe("user", "I keep bees.", key="bees"))
        print("written")
        opening.__exit__(None, None, None)
        print("closed")

    atexit.register(end)


def use_after_the_main_thread(folder: Path) -> None:
    """Write and close in a thread that works on when the main thread has ended."""
    opened = threading.Event()

    async def use() -> None:
        async with Memory.open(folder, embedder=None) as memory:
            opened.set()
            threading.main_thread().join()
            await memory.observe("user", "I keep bees.", key="bees")
            print("written")
        print("closed")

    threading.Thread(target=lambda: asyncio.run(use())).start()
    opened.wait()


def use_in_another_loop(folder: Path) -> None:
    """Use it in other loops: in this thread, in another thread, and after the first loop is closed."""
    loop = asyncio.new_event_loop()
    opening = Memory.open(folder, embedder=None)
    memory = loop.run_until_complete(opening.__aenter__())
    for call in (memory.observe, memory.observe):
        print(_told(call("user", "elsewhere")))
    print(_told(memory.context("bees")))
    print(_told(memory.wait_until_embedded()))
    thread = threading.Thread(target=lambda: print(_told(memory.search("bees"))))
    thread.start()
    thread.join()
    loop.close()
    print(_told(memory.observe("user", "elsewhere")))
    print(_told(opening.__aexit__(None, None, None)))


def use_in_a_fork(folder: Path) -> None:
    """Use it in a forked child, in the inherited loop and in a new one."""

    async def run() -> int:
        async with Memory.open(folder, embedder=None) as memory:
            await memory.observe("user", "I keep bees.")
            child = os.fork()
            if not child:
                try:
                    await memory.observe("user", "from a child")
                except OpenedElsewhere as error:
                    print(type(error).__name__, error.details["place"], flush=True)
                    os._exit(0)
                os._exit(1)
            _, status = await asyncio.to_thread(os.waitpid, child, 0)
            await memory.observe("user", "still here")
            return status

    print(asyncio.run(asyncio.wait_for(run(), _SECONDS)))


_left: list[object] = []


def leave_blocking_open(folder: Path) -> None:
    """Never leave its context, as a notebook or a script without `with`."""
    context = blocking(folder)
    opened = context.__enter__()
    _left.append(context)
    opened.run(opened.memory.observe("user", "I keep bees.", key="bees", session="s"))
    print("left")


def use_blocking_in_a_fork(folder: Path) -> None:
    """Use it in a forked child without `async`, as a web server that loads a program before it forks, and leave it."""
    with blocking(folder, embedder=None) as opened:
        opened.run(opened.memory.observe("user", "I keep bees."))
        child = os.fork()
        if not child:
            signal.alarm(int(_SECONDS))  # ends a child that hangs
            try:
                opened.run(opened.memory.observe("user", "from a child"))
            except OpenedElsewhere as error:
                print(type(error).__name__, error.details["place"], flush=True)
        else:
            print(os.waitpid(child, 0)[1])
            opened.run(opened.memory.observe("user", "still here"))


def _told(call: Coroutine[Any, Any, object]) -> str:
    try:
        asyncio.run(asyncio.wait_for(call, _SECONDS))
    except OpenedElsewhere as error:
        return f"{type(error).__name__} {error.details['place']}"
    except BaseException as error:
        return type(error).__name__
    return "no error"


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
