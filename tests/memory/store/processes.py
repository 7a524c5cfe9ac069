"""Real processes for tests. A server that has imported everything starts each in about 20 ms; they can be killed."""

import asyncio
import json
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any, ParamSpec

P = ParamSpec("P")

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["pytest", "tests.memory.store.processes", "tests.memory.store.programs"])

NOBODY = 65534


def program(run: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """A function of the same name that runs this one in an event loop: a program for a process of its own."""

    @wraps(run)
    def main(*arguments: P.args, **named: P.kwargs) -> None:
        asyncio.run(run(*arguments, **named))

    return main


@contextmanager
def running(program: Callable[..., None], *arguments: object) -> Iterator[ForkServerProcess]:
    """Run ``program(*arguments)`` in a process of its own, and kill it at the end if it still runs."""
    process = _CONTEXT.Process(target=program, args=arguments)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()
        process.close()


def in_step(count: int) -> Barrier:
    """A barrier for so many processes."""
    return _CONTEXT.Barrier(count)


def finish(program: Callable[..., None], *arguments: object, seconds: float = 20) -> None:
    """Run ``program(*arguments)`` in a process of its own to its end."""
    with running(program, *arguments) as process:
        wait_for_end(process, seconds)


def wait_for_end(process: ForkServerProcess, seconds: float = 20) -> None:
    """Wait for a process that must succeed."""
    process.join(seconds)
    assert process.exitcode is not None, f"still running after {seconds} s"
    assert process.exitcode == 0, f"ended with {process.exitcode}"


def kill(process: ForkServerProcess) -> None:
    """Kill a process."""
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL, f"ended by itself, with {process.exitcode}"


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"did not come about in {seconds} s"
        time.sleep(0.001)


def become_nobody() -> None:
    """Give up the rights of root, for whom no file is read-only; another user has none of them."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


class Switch:
    """A switch that is on while its file exists."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def on(self) -> None:
        """Make the file."""
        self._path.touch()

    def off(self) -> None:
        """Remove the file."""
        self._path.unlink()


class Journal:
    """Lines that a process writes for the test; they stay when the process is killed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, value: Any) -> None:
        """Write a JSON value in one system call."""
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            os.write(file, json.dumps(value).encode() + b"\n")
        finally:
            os.close(file)

    def values(self) -> list[Any]:
        """The written values, in order."""
        if not self.path.exists():
            return []
        return [json.loads(line) for line in self.path.read_text(encoding="utf-8").splitlines()]

    def count(self) -> int:
        """The number of written values."""
        return self.path.read_bytes().count(b"\n") if self.path.exists() else 0
