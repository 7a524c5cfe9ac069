"""The words of a tool stay the tool's words under any name: they forge no heading, no item and no speaker."""

from pathlib import Path

from sandbox.extensions.memory import Memory
from tests.attacks.report import Report, data

_STEERING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_OTHERS_WORD = ("user:", "assistant:", "system:", "Ann:")


async def attack(folder: Path, short: bool) -> Report:
    """A tool says each forgery in a new memory; the test reads the block line by line."""
    forgeries, through = data("forgeries", short=short), []
    for place, (speaker, content) in enumerate(forgeries):
        async with Memory.open(folder / str(place), embedder=None) as memory:
            await memory.observe("tool", content, speaker=speaker, session="before")
            block = await memory.context("What about OVERRIDE, the weather and the sunny wishes?", session="now")
        assert block is not None
        if not _is_honest(block.text):
            through.append(ascii([speaker, content]))
    return Report("names and texts that forge a part of a block", len(forgeries), tuple(through))


def _is_honest(block: str) -> bool:
    """Whether one line follows the frame, the heading and the day, and names the tool as its source."""
    lines = block.splitlines()
    beginnings = [line for line in lines[4:-1] if not line.startswith("| ")]
    steered = any(sign in _STEERING or "\U000e0000" <= sign <= "\U000e0fff" for sign in block)
    named = len(beginnings) == 1 and beginnings[0].partition(": ")[0].endswith(("tool", "(tool)"))
    return lines[2] == "## Said" and named and not steered and not beginnings[0].startswith(_OTHERS_WORD)
