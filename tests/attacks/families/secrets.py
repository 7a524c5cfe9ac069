"""Secrets in pasted text and in messages: the memory must not store one in any file, nor accept one as a statement."""

import random
import re
import string
from pathlib import Path

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import SecretRefused
from tests.attacks.report import Report, data

_ALPHABETS = {
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "b62": string.ascii_letters + string.digits,
    "low": string.ascii_lowercase + string.digits,
    "B32": string.ascii_uppercase + "234567",
    "num": string.digits,
}
_LAST = dict.fromkeys(_ALPHABETS, "17") | {"B32": "B7"}  # so that each has a digit
_SLOT = re.compile(r"\{(hex|HEX|b62|low|B32|num):(\d+)\}")
_SECRET = re.compile("⟦(.*?)⟧", re.DOTALL)


async def attack(folder: Path, short: bool) -> Report:
    """Say each conversation in a session of its own; then search the bytes of all files, and try to remember each last
    message.
    """
    attacks = [[each] if isinstance(each, str) else each for each in data("secrets", short=short)]
    through, told = [], []
    async with Memory.open(folder, embedder=None) as memory:
        for place, turns in enumerate(attacks):
            *before, last = turns
            said, secrets = _made(last, place)
            told.append(secrets)
            for turn in (*before, said):
                await memory.observe("user", turn, session=str(place))
            if not before and not await _refused(memory, said):
                through.append(f"remembered: {last!r}")
    stored = _bytes(folder)
    for turns, secrets in zip(attacks, told, strict=True):
        through += [f"stored: {turns!r}"] if any(secret.lower().encode() in stored for secret in secrets) else []
    return Report("secrets in what is observed and remembered", len(attacks), tuple(through))


def _bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()).lower()


async def _refused(memory: Memory, text: str) -> bool:
    try:
        await memory.remember(text)
    except SecretRefused:
        return True
    return False


def _made(text: str, seed: int) -> tuple[str, list[str]]:
    """The message with random characters in its slots, so that the data hold no credentials, and its secrets."""
    chance = random.Random(seed)

    def signs(slot: re.Match[str]) -> str:
        kind, length = slot.groups()
        return "".join(chance.choices(_ALPHABETS[kind], k=int(length) - 2)) + _LAST[kind]

    text = _SLOT.sub(signs, text)
    return _SECRET.sub(r"\1", text), _SECRET.findall(text)
