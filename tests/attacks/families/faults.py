"""Damaged files: bytes and pages of a closed database are changed, then every method is called. A method may answer or
raise an error of the memory; no error may quote stored text.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.memory import DATABASE
from tests.attacks.report import Report

_PAGE = 4096
_SECONDS = 30.0
_SECRET = "Zanzibar"  # stands in every text, and in no error
_COPIES = 60


async def attack(folder: Path, short: bool) -> Report:
    """Damage copies of one database, each in its own way, the same ways in every run."""
    sound, known = await _made(folder / "sound")
    through: list[str] = []
    seeds = range(0, _COPIES, 10 if short else 1)
    for seed in seeds:
        spoilt = folder / f"spoilt{seed}"
        spoilt.mkdir()
        (spoilt / DATABASE).write_bytes(_spoilt(sound, random.Random(seed)))
        through += [f"copy {seed}: {problem}" for problem in await _used(spoilt, known)]
    return Report("damaged databases", len(seeds), tuple(through))


async def _made(folder: Path) -> tuple[bytes, str]:
    turns = [Message("user", f"{_SECRET} {n}: I met Ann in Lima.", f"s{n % 5}", speaker="Bob") for n in range(60)]
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe_many(turns)
        known = [await memory.remember(f"Rex likes {_SECRET} {n}.", subject="Rex", tags=["dog"]) for n in range(10)]
        await memory.consolidate("s1")
    return (folder / DATABASE).read_bytes(), known[0]


def _spoilt(sound: bytes, chance: random.Random) -> bytes:
    content = bytearray(sound)
    match chance.choice(("bytes", "page", "texts")):
        case "bytes":
            for _ in range(chance.choice((1, 20, 200))):
                content[chance.randrange(len(content))] = chance.randrange(256)
        case "page":
            start = chance.randrange(len(content) // _PAGE) * _PAGE
            content[start : start + _PAGE] = bytes(_PAGE)
        case "texts":
            for place in (chance.randrange(len(content)) for _ in range(80)):
                if 32 <= content[place] < 127:
                    content[place] = 0xFF
    return bytes(content)


async def _used(folder: Path, known: str) -> list[str]:
    problems: list[str] = []

    async def attempt(name: str, call: Callable[[], Awaitable[object]]) -> None:
        try:
            await asyncio.wait_for(call(), _SECONDS)
        except MemoryExtensionError as error:
            if _SECRET in str(error):
                problems.append(f"{name} quotes what is stored")
        except Exception as error:
            problems.append(f"{name}: {type(error).__name__}")

    async def use() -> None:
        async with Memory.open(folder, embedder=None) as memory:
            calls: dict[str, Callable[[], Awaitable[object]]] = {
                "search": lambda: memory.search("Lima"),
                "history": lambda: memory.search("", limit=100, history=True),
                "context": lambda: memory.context("Where did I meet Ann?"),
                "entity": lambda: memory.entity("Ann"),
                "profile": memory.profile,
                "weak": memory.weak,
                "statistics": memory.statistics,
                "check": memory.check,
                "observe": lambda: memory.observe("user", "Ann is here.", session="s1"),
                "remember": lambda: memory.remember("Rex is brown.", subject="Rex"),
                "correct": lambda: memory.correct(known, "Rex likes tea."),
                "explain": lambda: memory.explain(known),
                "confirm": lambda: memory.confirm(known),
                "forget": lambda: memory.forget(known),
                "restore": lambda: memory.restore(known),
                "end": lambda: memory.end_session("s2"),
                "erase": lambda: memory.erase(session="s3"),
                "consolidate": lambda: memory.consolidate("s4"),
                "maintain": lambda: memory.maintain(only=["merge", "relate", "prune"]),
            }
            for name, call in calls.items():
                await attempt(name, call)

    await attempt("open", use)
    return problems
