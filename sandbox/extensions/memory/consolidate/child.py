"""The process that reads by rules for another: see ``apart.py``."""

import os
import pickle
import sys
from contextlib import suppress
from typing import BinaryIO

from sandbox.extensions.memory.consolidate.apart import LENGTH, frame
from sandbox.extensions.memory.consolidate.proposal import Extraction
from sandbox.extensions.memory.consolidate.rules import read

_NICE = 10  # who talks goes first


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until nobody asks any more."""
    while header := questions.read(LENGTH.size):
        turns, max_per_turn, max_characters = pickle.loads(questions.read(*LENGTH.unpack(header)))
        try:
            answer: Extraction | Exception = read(turns, max_per_turn=max_per_turn, max_characters=max_characters)
        except Exception as error:
            answer = error
        answers.write(frame(answer))
        answers.flush()


if __name__ == "__main__":
    with suppress(OSError, AttributeError):  # Windows has no such thing
        os.nice(_NICE)
    with suppress(KeyboardInterrupt, BrokenPipeError):
        serve(sys.stdin.buffer, sys.stdout.buffer)
