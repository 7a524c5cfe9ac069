"""No message and no extension blocks `memory run`: the message is delivered, and SIGTERM ends the process. A process
that answers hooks and stands still ends as well.
"""

import asyncio
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent

from sandbox.cli.ending import STALLED
from sandbox.database import Database
from sandbox.events import UserMessage
from sandbox.extensions.memory_hooks import client
from sandbox.journal import pending
from sandbox.kernel import Kernel
from tests.attacks.report import Report
from tests.cli.conftest import extend

_SECONDS = 60.0  # for all that a process does with one message, its start included
_KEY = "-----BEGIN RSA PRIVATE " + "KEY-----"
_MESSAGES = (
    _KEY + " Ab: x" * 200,
    "Plans changed, I now plan to visit " + "A" * 60 + ".",
    "x" * 100_000,
    "我今天吃了" * 20_000,
    "Привет \U00017000, я живу в Москве.",
    "I moved to " + "Aa " * 20_000,
    "password: " * 10_000,
    "I like " + "tea, and I like " * 5_000 + "tea.",
    "\n".join(["> quoted"] * 20_000),
    "[" * 50_000 + "/memory",
    "From: a@b\nTo: c@d\n" * 3_000,
)
_HANGING = """
    from sandbox.events import UserMessage

    class Mine:
        async def start(self, context):
            context.subscribe(UserMessage, self.heard)

        async def heard(self, event):
            while True:
                pass

        async def stop(self): ...

        async def check(self):
            return []
"""


async def attack(folder: Path, short: bool) -> Report:
    """Each message waits in the journal of a new home when the process starts."""
    messages = _MESSAGES[::5] if short else _MESSAGES
    through = []
    for place, text in enumerate(messages):
        if (problem := await _deliver(folder / str(place), text)) is not None:
            through.append(f"{text[:40]!a}: {problem}")
    hanging = not short and hasattr(signal, "alarm")
    if hanging and (problem := await _hang(folder / "hanging")) is not None:
        through.append(f"an extension that hangs: {problem}")
    if hanging and (problem := await _stand_still(folder / "resident")) is not None:
        through.append(f"a resident process that stands still: {problem}")
    return Report("messages and handlers that hold up `memory run`", len(messages) + 2 * hanging, tuple(through))


async def _deliver(home: Path, text: str) -> str | None:
    """What went wrong before the process had delivered everything and ended by SIGTERM; None if nothing did."""
    await _publish(home, text)
    running = _started(home)
    try:
        async with asyncio.timeout(_SECONDS):
            await _delivered(home)
        running.send_signal(signal.SIGTERM)
        await asyncio.to_thread(running.wait, _SECONDS)
    except (TimeoutError, subprocess.TimeoutExpired) as error:
        return type(error).__name__
    finally:
        running.kill()
        running.wait()
    return None if running.returncode == 0 else f"exit code {running.returncode}"


async def _hang(home: Path) -> str | None:
    """What went wrong while a handler blocks the event loop: the signal has to end the process."""
    extend(home, dedent(_HANGING), depends_on="[memory]")
    await _publish(home, "hello")
    return await _ended(_started(home), STALLED + _SECONDS)


async def _stand_still(home: Path) -> str | None:
    """What went wrong after the process that answers hooks stood still: it has to end."""
    running = _resident(home)
    await asyncio.to_thread(client.wait_until_answering, home)
    running.send_signal(signal.SIGSTOP)
    await asyncio.sleep(STALLED + 1)
    running.send_signal(signal.SIGCONT)
    return await _ended(running, _SECONDS)


async def _ended(running: "subprocess.Popen[bytes]", seconds: float) -> str | None:
    """What went wrong if a process was not ended by the signal for one that stalls."""
    try:
        await asyncio.to_thread(running.wait, seconds)
    except subprocess.TimeoutExpired:
        return "it runs on"
    finally:
        running.kill()
        running.wait()
    return None if running.returncode == -signal.SIGALRM else f"exit code {running.returncode}"


async def _publish(home: Path, text: str) -> None:
    async with Kernel.open(home) as kernel:
        await kernel.bus.publish(UserMessage("m-1", "s-1", text, datetime.now(UTC), "default", "test"))


def _started(home: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "sandbox.cli", "run", "--home", str(home)]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def _resident(home: Path) -> "subprocess.Popen[bytes]":
    home.mkdir(mode=0o700)
    return subprocess.Popen([sys.executable, "-m", "sandbox.cli.resident", str(home)])


async def _delivered(home: Path) -> None:
    """Return when another process has delivered everything in the journal."""
    database = await Database.open(home / "kernel.db")
    try:
        while await database.read(pending):  # noqa: ASYNC110 (in another process)
            await asyncio.sleep(0.1)
    finally:
        await database.close()
