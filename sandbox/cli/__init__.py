"""The command ``memory``: the memory for people and for shell scripts."""

import gc
import io
import os
import sys
from errno import ENOSPC

TYPE_CHECKING = False  # importing `typing` takes longer than a hook may
if TYPE_CHECKING:
    from typing import NoReturn, TextIO

_GARBAGE = 250_000  # objects between two collections, more than importing leaves: they stay, and are not examined
_USUAL = gc.get_threshold()
_SPINNING = "4"  # threads of numpy's OpenBLAS spin 2**4 times for work, then sleep; 2**26 keep a core busy for .1 s


def main() -> "NoReturn":
    """Run the console script. Exit codes: 0 fine, 1 refused, broken, not found or unhealthy, 2 called wrongly. A hook
    that is called wrongly ends with 1, because coding agents block what they were told if a hook ends with 2.
    """
    is_hook = sys.argv[1:2] == ["hook"]
    try:
        _never_fail_to_print()
        if is_hook:
            from sandbox.cli.hook import answer_if_plain

            answer_if_plain(sys.argv[2:])
        gc.set_threshold(_GARBAGE)
        os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", _SPINNING)
        from sandbox.cli.app import app

        app(prog_name="memory")
        code = 0
    except SystemExit as ended:
        code = int(ended.code or 0)
        code = min(code, 1) if is_hook else code
    except KeyboardInterrupt:
        code = 130
    except OSError as error:
        if error.errno != ENOSPC or error.filename is not None:
            raise
        code = _unprinted(sys.stdout, error)
    code = _flush() or code
    os._exit(code)  # otherwise threads that an extension left would delay the end


def collect_as_usual() -> None:
    """From now on look for garbage as often as Python does by itself, in what is made from now on. A server that waits
    for ``_GARBAGE`` objects grows by hundreds of megabytes.
    """
    if not gc.isenabled() or gc.get_threshold() != _USUAL:
        gc.freeze()
        gc.set_threshold(*_USUAL)
        gc.enable()


def _never_fail_to_print() -> None:
    """Let a stream print the code of a character that it cannot encode. A stream that was closed (``>&-``) leads to
    nothing, because a file would get its number, and with it what is printed.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 (for the rest of the process)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _flush() -> int:
    """Flush the output, and return 1 if there is no room for it; a reader that has left (``| head``) is no error."""
    code = 0
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            code = _unprinted(stream, error) or code
    return code


def _unprinted(stream: "TextIO", error: OSError) -> int:
    """Lead a stream to nothing, and say that it cannot be written, unless its reader has left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    if isinstance(error, BrokenPipeError):
        return 0
    print(f"Error: the output cannot be written: {error.strerror}.", file=sys.stderr)
    return 1
