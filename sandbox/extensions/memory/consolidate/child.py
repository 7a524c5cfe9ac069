"""What runs in the child process that reads by rules; its parent is ``rules_process.py``.

Questions and answers are pickled values, one after the other. A child keeps nothing, and ends with its parent.
``multiprocessing`` is not used, because its children run the main module again.
"""

import gc
import os
import pickle
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.extensions.memory.consolidate.extraction import Extraction, Turn

_NICE = 10  # conversations go first
_GARBAGE = 100_000  # objects between two searches for cycles, which take a twentieth of a child's time


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
            pickle.dump(answered(*pickle.load(sys.stdin.buffer)), answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()


if __name__ == "__main__":
    _serve()
