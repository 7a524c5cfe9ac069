"""Every public method of ``Memory``, with a value of another type or at the end of its range for every argument."""

import inspect
from collections.abc import Callable
from contextlib import chdir
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any

from sandbox.extensions.memory import AsOf, Memory, Message, Scope
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.model import FilterOptions
from tests.attacks.report import Report


class _Text(str):
    def __str__(self) -> str:
        raise RuntimeError("a text of its own")

    __repr__ = __str__


class _Number(int):
    def __repr__(self) -> str:
        raise RuntimeError("a number of its own")


class _Zone(tzinfo):
    def utcoffset(self, _: datetime | None, /) -> timedelta | None:
        raise RuntimeError("a zone of its own")

    def dst(self, _: datetime | None, /) -> timedelta | None:
        return None

    def tzname(self, _: datetime | None, /) -> str:
        return "own"


class _Colour(StrEnum):
    USER = "user"


WEST, EAST = timezone(-timedelta(hours=23, minutes=59)), timezone(timedelta(hours=23, minutes=59))
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 10**30, -(2**63), 0.5, float("nan"), float("inf"), 1j, Decimal(1), _Number(7)),
    *("", " ", "user", "\x00", "a\x00b", "\ud800", "\U0010ffff", "x" * 3000, _Text("user"), _Colour.USER, "2026-13-45"),
    *(b"bytes", bytearray(b"x"), memoryview(b"x"), [], [None], ["a", 5], (), {}, {"a": 1}, {1}, object(), object, len),
    *(Path("nowhere"), lambda: None, iter([]), ["\ud800"], [b"x"], [[]], [_Text("user")]),
    *(date(2026, 1, 1), datetime(2026, 1, 1), datetime(1, 1, 1, tzinfo=EAST), datetime(1, 1, 1, tzinfo=UTC)),
    *(datetime(2, 1, 1, tzinfo=WEST), datetime(9998, 12, 31, 23, tzinfo=WEST), datetime.max.replace(tzinfo=WEST)),
    *(datetime.max.replace(tzinfo=UTC), datetime(2026, 1, 1, tzinfo=_Zone()), timedelta(1), UTC),
    *(Scope(user_id="\ud800"), Scope(visibility="project"), AsOf()),
)
ODD: tuple[Any, ...] = (  # values of our own types that hold others'
    Scope(user_id=5),  # type: ignore[arg-type]
    Scope(user_id=None),  # type: ignore[arg-type]
    Scope(project_id=b"x"),  # type: ignore[arg-type]
    Scope(session_id=["s"]),  # type: ignore[arg-type]
    Scope(visibility=None),  # type: ignore[arg-type]
    AsOf(world="yesterday"),  # type: ignore[arg-type]
    AsOf(believed=datetime(1, 1, 1, tzinfo=EAST)),
    Message("user", 5),  # type: ignore[arg-type]
    Message([], "hello"),  # type: ignore[arg-type]
    Message("user", "hello", at="now"),  # type: ignore[arg-type]
    Message("user", "hello", trust=1),  # type: ignore[arg-type]
)
RIGHT: dict[str, Any] = {  # for what has no default
    "role": "user",
    "content": "I like tea.",
    "messages": [Message("user", "I like tea.")],
    "session": "s",
    "path": Path("nowhere"),
    "question": "tea",
    "prompt": "tea",
    "id": "AAAAAAAA",
    "other": "BBBBBBBB",
    "name": "Ann",
    "into": "Bob",
    "importance": 3,
    "operation": "save_memory",
    "error": "NotFound",
    "since": datetime(2026, 3, 2, tzinfo=UTC),
    "until": datetime(2026, 3, 3, tzinfo=UTC),
}


async def attack(folder: Path, short: bool) -> Report:
    """Change one argument at a time; a method may answer, or raise an error of the memory."""
    calls = [
        (name, parameter, value)
        for name, method in inspect.getmembers(Memory, inspect.iscoroutinefunction)
        if not name.startswith("_")
        for parameter in _parameters(method)
        for value in _values(parameter)
    ][:: 5 if short else 1]
    through: list[str] = []
    (folder / "written").mkdir(parents=True)
    async with Memory.open(folder / "memory", embedder=None) as memory:
        for name, parameter, value in calls:
            with chdir(folder / "written"):  # where such a path leads
                problem = await _problem(getattr(memory, name), parameter, value)
            if problem:
                through.append(f"{name}({parameter}: {type(value).__name__}): {problem}")
    openings = _openings(folder / "other")[:: 5 if short else 1]
    for opening in openings:
        if problem := await _problem_of_opening(opening):
            through.append(
                f"open({', '.join(f'{name}: {type(value).__name__}' for name, value in opening)}): {problem}"
            )
    return Report("wrong types at the facade", len(calls) + len(openings), tuple(through))


def _parameters(method: Callable[..., Any]) -> list[str]:
    """The named parameters of a method, with the fields of ``wanted``."""
    named = list(inspect.signature(method).parameters)[1:]
    return [*named[:-1], *FilterOptions.__annotations__] if named[-1:] == ["wanted"] else named


def _openings(folder: Path) -> list[list[tuple[str, Any]]]:
    """Arguments of ``Memory.open``, one of them wrong."""
    odd = [each for each in (*VALUES, *ODD) if not isinstance(each, Path)]
    named = [(name, each) for name in ("config", "embedder", "model") for each in odd if each is not None]
    set_up = [("config", {field.name: each}) for field in fields(Config) for each in odd]
    clocks = [("clock", each) for each in odd if not callable(each)]
    folders = [("folder", each) for each in odd if not isinstance(each, str)]
    given = {"folder": folder, "embedder": None}
    return [list({**given, name: each}.items()) for name, each in (*named, *set_up, *clocks, *folders)]


async def _problem_of_opening(opening: list[tuple[str, Any]]) -> str | None:
    try:
        async with Memory.open(**dict(opening)):
            return None
    except MemoryExtensionError as error:
        return "its message is long" if len(str(error)) > 2500 else None
    except Exception as error:
        return type(error).__name__


def _values(parameter: str) -> list[Any]:
    if parameter == "progress":  # called as its documentation says
        return [each for each in (*VALUES, *ODD) if not callable(each)]
    lists = [[each] for each in ODD] if parameter == "messages" else []
    return [*VALUES, *ODD, *lists]


async def _problem(method: Callable[..., Any], parameter: str, value: Any) -> str | None:
    needed = {
        name: RIGHT[name]
        for name, each in inspect.signature(method).parameters.items()
        if each.default is inspect.Parameter.empty and name != "wanted"
    }
    try:
        await method(**{**needed, parameter: value})
    except MemoryExtensionError as error:
        return "its message is long" if len(str(error)) > 500 else None
    except Exception as error:
        return f"{type(error).__name__}"
    return None
