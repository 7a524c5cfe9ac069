"""Commands that run until they are stopped react to signals at every moment."""

import os
import signal
import subprocess
import sys

import pytest

from sandbox.cli.ending import asked_to_stop, run_to_end

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM")

LATE = """
import asyncio, os, signal
from sandbox.cli.ending import asked_to_stop, run_to_end

async def fails():
    asked_to_stop()
    raise OSError("the port is taken")

try:
    run_to_end(fails())
except OSError as error:
    os.kill(os.getpid(), signal.{first})
    print(error, flush=True)
os.kill(os.getpid(), signal.{second})
print("still there")
"""


@pytest.mark.parametrize(("first", "second"), [("SIGTERM", "SIGINT"), ("SIGINT", "SIGTERM")])
def test_a_signal_after_the_end_changes_nothing_and_a_second_one_ends_the_process(first: str, second: str) -> None:
    script = LATE.format(first=first, second=second)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("the port is taken\n", "")
    assert done.returncode == -signal.Signals[second]


def test_a_signal_as_soon_as_it_listens_is_heard() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]

    async def at_once() -> bool:
        asked = asked_to_stop()
        os.kill(os.getpid(), signal.SIGTERM)
        return await asked.wait()

    try:
        assert run_to_end(at_once())
    finally:
        for number, handler in zip((signal.SIGTERM, signal.SIGINT), before, strict=True):
            signal.signal(number, handler)
