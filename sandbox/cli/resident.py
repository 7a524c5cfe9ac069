"""`python -m sandbox.cli.resident HOME`: the process that keeps a memory open.

An event may come on stdin: with `--first` it is the first event that the process answers, with `--once` the only one.
"""

# ruff: noqa: E402  collecting garbage is switched off before anything is imported

import gc

gc.disable()  # imported objects stay; collecting would take a fifth of the time

import argparse
import asyncio
import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

from sandbox.cli.ending import keep_alive
from sandbox.cli.logs import keep_quiet
from sandbox.cli.opening import ask, opened
from sandbox.extensions.memory_hooks.answers import HookAnswers
from sandbox.extensions.memory_hooks.log import PROBLEMS, note
from sandbox.extensions.memory_hooks.resident import IDLE, run

gc.freeze()
gc.enable()


def main() -> None:
    """Run until nobody has asked for a while."""
    parser = argparse.ArgumentParser(prog="memory-resident")
    parser.add_argument("home", type=Path)
    parser.add_argument("--idle", type=float, default=IDLE)
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--first", action="store_true")
    options = parser.parse_args()
    keep_quiet()
    given = json.loads(sys.stdin.buffer.read()) if options.once or options.first else None
    code = 0 if options.once else asyncio.run(_serve(options.home, options.idle, given))
    if given and (options.once or code):
        _take_in(options.home, given)
    os._exit(code)


async def _serve(home: Path, idle: float, first: dict[str, Any] | None) -> int:
    """Be the resident. If the event loop stalls, the process ends, because every hook would wait for it."""
    alive = asyncio.create_task(keep_alive())
    try:
        return await run(home, partial(opened, interface="hook"), idle, first)
    finally:
        alive.cancel()


def answer_once(home: Path, question: dict[str, Any]) -> bytes:
    """The answer of the memory itself to an event. The background work of the event is left to a later one."""
    return ask(home, lambda memory: HookAnswers(home, memory).answer(question), "hook").encode()


def _take_in(home: Path, question: dict[str, Any]) -> None:
    async def taken_in() -> None:
        async with opened(home, "hook") as memory:
            answers = HookAnswers(home, memory)
            await answers.answer(question)
            await answers.settled()

    try:
        asyncio.run(taken_in())
    except Exception as error:
        note(home, question["event"], PROBLEMS["transcript"].format(error=type(error).__name__))


if __name__ == "__main__":
    main()
