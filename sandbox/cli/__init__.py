"""The command ``memory``: the memory for people and for shell scripts."""

import gc
import io
import os
import sys

TYPE_CHECKING = False  # importing `typing` takes longer than a hook may
if TYPE_CHECKING:
    from typing import NoReturn

_GARBAGE = 100_000  # objects between two collections; imported objects stay, and need not be examined each time
_SPINNING = "4"  # threads of numpy's OpenBLAS spin 2**4 times for work, then sleep; 2**26 keep a core busy for .1 s


def main() -> "NoReturn":
    """Run the console script. Exit codes: 0 fine, 1 refused, broken, not found or unhealthy, 2 called wrongly."""
    try:
        _never_fail_to_print()
        if sys.argv[1:2] == ["hook"]:
            from sandbox.cli.hook import answer_if_plain

            answer_if_plain(sys.argv[2:])
        gc.set_threshold(_GARBAGE)
        os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", _SPINNING)
        from sandbox.cli.app import app

        app(prog_name="memory")
        code = 0
    except SystemExit as ended:
        code = int(ended.code or 0)
    except KeyboardInterrupt:
        code = 130
    finally:
        _flush()
    os._exit(code)  # otherwise threads that an extension left would delay the end


def _never_fail_to_print() -> None:
    """Let a stream print the code of a character that it cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _flush() -> None:
    """Flush the output; a reader that has left (``| head``) is no error."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
