"""The child process that reads by rules, as its parent (``rules_process.py``) sees it, and what runs in it.

Values travel in both directions as frames: eight bytes of length, then a pickled value. A child keeps nothing, and ends
with its parent. ``multiprocessing`` is not used, because its children run the main module again.
"""

import gc
import os
import pickle
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.extensions.memory.consolidate.extraction import Extraction, Turn

_LENGTH = struct.Struct("<Q")
_NICE = 10  # conversations go first
_GARBAGE = 100_000  # objects between two searches for cycles, which take a twentieth of a child's time


class Worker:
    """A process that runs this module. It belongs to no event loop, so that several can share it: its methods wait, in
    any thread. Another thread may end it meanwhile.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    @classmethod
    def start(cls) -> "Worker | None":
        """Start a worker; None if that is not possible."""
        with suppress(OSError):
            command = [sys.executable, "-P", "-m", __name__]
            return cls(subprocess.Popen(command, **_surroundings())) if sys.executable else None
        return None

    def ask(self, question: tuple[Any, ...]) -> Any:
        """The answer to a question. Raises ``EOFError`` or ``OSError`` if the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        _send(self._process.stdin, question)
        return _receive(self._process.stdout)

    def end(self) -> None:
        """End the process at once, and return when it has ended."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # values that the process did not read
                assert pipe is not None
                pipe.close()


def _surroundings() -> dict[str, Any]:
    """The environment and options of a child: it imports what this process would import, but nothing from the current
    folder; it ignores Ctrl-C; and its error output, which may contain content, is not shown.
    """
    path = os.pathsep.join(each or str(Path.cwd()) for each in sys.path)
    return {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.DEVNULL,
        "env": {**os.environ, "PYTHONPATH": path},
        "start_new_session": True,
    }


def _send(frames: IO[bytes], value: object) -> None:
    pickled = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    frames.write(_LENGTH.pack(len(pickled)) + pickled)
    frames.flush()


def _receive(frames: IO[bytes]) -> Any:
    """The next value. Raises ``EOFError`` if there is none, or only a part of one."""
    header = frames.read(_LENGTH.size)
    if len(header) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(header)
    if len(pickled := frames.read(length)) < length:
        raise EOFError
    return pickle.loads(pickled)


def answered(
    turns: "Sequence[Turn]", before: "Sequence[Turn]", chunk: int, known: "Mapping[str, str]"
) -> "tuple[list[Turn], list[Extraction]] | Exception":
    """The answer to ``rules_process.read_session``, or the error."""
    from sandbox.extensions.memory.consolidate.extraction import BEFORE  # takes 0.2 s, after the priority is lowered
    from sandbox.extensions.memory.consolidate.own_words import own_words
    from sandbox.extensions.memory.consolidate.rules import read

    try:
        own, first = own_words((*before, *turns)), len(before)
        starts = range(first, len(own), chunk)
        found = [read(own[max(0, at - BEFORE) : at + chunk], known, start=min(at, BEFORE)) for at in starts]
        return own[first:], found
    except Exception as error:
        return error


def _serve() -> None:
    """Answer questions, with lower priority than conversations, until the parent ends."""
    with suppress(OSError, AttributeError):  # Windows does not have it
        os.nice(_NICE)
    gc.set_threshold(_GARBAGE)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # text that other code prints must not mix with the answers
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        while True:
            _send(answers, answered(*_receive(sys.stdin.buffer)))


if __name__ == "__main__":
    _serve()
