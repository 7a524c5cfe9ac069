"""The child process that reads by rules: see ``rules_process.py``."""

from collections.abc import Sequence

from sandbox.extensions.memory.consolidate.extraction import Extraction, Turn
from sandbox.extensions.memory.consolidate.own_words import own_words
from sandbox.extensions.memory.consolidate.rules import read


def answer(
    turns: Sequence[Turn], before: Sequence[Turn], chunk: int, known: Sequence[str]
) -> tuple[list[Turn], list[Extraction]] | Exception:
    """The answer to ``rules_process.read_session``, or the error."""
    try:
        own = own_words(turns, before)
        return own, [read(own[start : start + chunk], known) for start in range(0, len(own), chunk)]
    except Exception as error:
        return error
