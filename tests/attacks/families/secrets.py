"""Secrets in pasted text and in messages: the memory must not store one in any file, nor accept one as a statement."""

import random
from pathlib import Path

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import SecretRefused
from tests.attacks.report import Report, data
from tests.files import bytes_of
from tests.secrets.sets import ENCLOSED, made


async def attack(folder: Path, short: bool) -> Report:
    """Say each conversation in a session of its own; then search the bytes of all files, and try to remember each last
    message.
    """
    attacks = [[each] if isinstance(each, str) else each for each in data("secrets", short=short)]
    through, told = [], []
    async with Memory.open(folder, embedder=None) as memory:
        for place, turns in enumerate(attacks):
            *before, last = turns
            shaped = made(last, random.Random(place))
            said = ENCLOSED.sub(r"\1", shaped)
            told.append(ENCLOSED.findall(shaped))
            for turn in (*before, said):
                await memory.observe("user", turn, session=str(place))
            if not before and not await _refused(memory, said):
                through.append(f"remembered: {last!r}")
    stored = bytes_of(folder)
    for turns, secrets in zip(attacks, told, strict=True):
        through += [f"stored: {turns!r}"] if any(secret.lower().encode() in stored for secret in secrets) else []
    return Report("secrets in what is observed and remembered", len(attacks), tuple(through))


async def _refused(memory: Memory, text: str) -> bool:
    try:
        await memory.remember(text)
    except SecretRefused:
        return True
    return False
