"""Ask the process that keeps a memory open. It imports very little, because a prompt waits for it.

One connection is one question: a line of JSON, perhaps followed by a pickled call, and then the answer until the end.
The socket is in the home, which only its owner may enter.
"""

import json
import os
import socket
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

TYPE_CHECKING = False  # `typing` takes as long to import as the rest
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from subprocess import Popen
    from typing import Any

SOCKET, LOCK = "resident.sock", "resident.lock"
FAILED = "resident.failed"  # the last start failed; hooks do not wait for another one
CONFIG, DATABASE = "config.yaml", "memory.db"
CHANGED = "it was started before something changed"
STARTING = 8.0  # seconds after which a start counts as failed
_POLL = 0.01
_PACKAGE = Path(__file__).parents[2]  # an update of the package replaces it


class NoResident(Exception):
    """Nobody answers; open the memory itself."""


def stamp(home: Path) -> list[int | str]:
    """A stamp of the state in which a resident starts; one with an old stamp does not answer, and ends."""
    return [
        sys.prefix,
        *map(_changed, (_PACKAGE / "__init__.py", Path(__file__), home / CONFIG)),
        _number(home / DATABASE),
    ]


def ask(home: Path, question: "dict[str, Any]", call: bytes = b"", *, timeout: float = 30.0) -> bytes:
    """The answer of a home's resident. Raises ``NoResident`` if there is none, or it cannot answer."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(timeout)
            with _inside(home):
                connection.connect(SOCKET)
            line = json.dumps({"stamp": stamp(home), **question}).encode()
            connection.sendall(line + b"\n" + call)
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    except (OSError, AttributeError) as error:  # Windows does not have this address family
        raise NoResident from error
    if not answer.startswith(b"+"):
        raise NoResident(answer[1:].decode(errors="replace"))
    return answer[1:]


def can_start(home: Path) -> bool:
    """Whether a home can have a resident."""
    return hasattr(socket, "AF_UNIX") and home.is_dir() and os.access(home, os.W_OK | os.X_OK)


def start(home: Path) -> bool:
    """Start a resident for a home; return whether it answers."""
    if not can_start(home):
        return False
    started = launched(home)
    return wait_until_answering(home, lambda: bool(started.poll()))  # 0 if another one was faster


def launched(home: Path, *options: str, given: bytes | None = None) -> "Popen[bytes]":
    """Start the process of a resident; ``given`` is its stdin."""
    import subprocess  # seldom needed

    quiet = subprocess.DEVNULL
    started = subprocess.Popen(
        [sys.executable, "-P", "-m", "sandbox.cli.resident", str(home), *options],
        stdin=quiet if given is None else subprocess.PIPE,
        stdout=quiet,
        stderr=quiet,
        cwd=home,
        start_new_session=True,
    )
    if started.stdin is not None and given is not None:
        started.stdin.write(given)
        started.stdin.close()
    return started


def wait_until_answering(home: Path, is_given_up: "Callable[[], bool]" = lambda: False) -> bool:
    """Wait until a starting resident answers; whether it does so in time."""
    import time

    until = time.monotonic() + STARTING
    while time.monotonic() < until:
        with suppress(NoResident):
            ask(home, {"do": "ping"})
            return True
        if is_given_up():
            return False
        time.sleep(_POLL)
    return False


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _number(path: Path) -> int:
    """It changes if another file is put in its place."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


@contextmanager
def _inside(folder: Path) -> "Iterator[None]":
    """Work inside a folder, because the address of a socket has at most about a hundred characters, and the path of a
    home may have more.
    """
    before = None
    with suppress(OSError):  # it was removed
        before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        if before is not None:
            os.chdir(before)
