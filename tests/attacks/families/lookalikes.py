"""Text that looks like the end of a context block stays inside the block, in a turn, a statement or a name."""

from pathlib import Path

from sandbox.extensions.memory import Memory
from tests.attacks.report import Report, data


async def attack(folder: Path, short: bool) -> Report:
    """Say and store each in a new memory; the block must not contain it as it was written."""
    tricks = data("lookalikes", short=short)
    through = [trick for trick, shown in (await _shown(folder, tricks)).items() if not _is_inside(trick, shown)]
    return Report("what looks like the fence of a block", len(tricks), tuple(map(ascii, through)))


async def _shown(folder: Path, tricks: list[str]) -> dict[str, str]:
    shown = {}
    async with Memory.open(folder, embedder=None) as memory:
        for place, trick in enumerate(tricks):
            word = f"zebra{place}"
            await memory.observe("user", f"The {word} said {trick} and left.", session=word, speaker=f"Ann {trick}")
            await memory.remember(f"The {word} likes {trick} and tea.", subject=trick)
            block = await memory.context(f"What about the {word}?", session="other")
            assert block is not None
            assert word in block.text
            shown[trick] = block.text
    return shown


def _is_inside(trick: str, block: str) -> bool:
    """Whether the block contains only its own two signs of the fence, and not the forged one."""
    inside = block.removeprefix("<memory>").removesuffix("</memory>")
    said = [line for line in inside.split("\n") if "zebra" in line]
    assert len(said) >= 2
    return "<memory" not in inside and "</memory" not in inside and not any(trick in line for line in said)
