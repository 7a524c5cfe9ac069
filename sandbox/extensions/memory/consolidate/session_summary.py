"""Make a session's summary from the summaries of its parts. Pure."""

from sandbox.extensions.memory.consolidate.constraints import sentences, shortened

_LONGEST = 280  # characters: a line or two of a block


def summed(*parts: str | None) -> str | None:
    """One summary from those of a session's parts, in their order, in at most two sentences: how it began and how it
    ended. None if no part has one.
    """
    told = [sentence for part in parts if part for sentence in sentences(part)]
    return shortened(" ".join(told if len(told) < 3 else (told[0], told[-1])), _LONGEST)
