"""What attacks share: they run on real memories, and are counted."""

from collections.abc import Callable, Coroutine, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

import yaml

from tests.attacks import families

_DATA = Path(__file__).parent / "data"
_SHORT = 5  # of so many attacks the short form tries one


class Report(NamedTuple):
    """The result of a family of attacks: how many were tried, and which succeeded."""

    title: str
    tried: int
    through: tuple[str, ...]
    note: str = ""


Attack = Callable[[Path, bool], Coroutine[Any, Any, Report]]
"""Tries a family in an empty folder; with True its short form."""


def attacks() -> Iterator[tuple[str, Attack]]:
    """Every family by the name of its module; each has a coroutine function ``attack``."""
    for module in iter_modules(families.__path__):
        yield module.name, import_module(f"{families.__name__}.{module.name}").attack


def data(name: str, *, short: bool) -> list[Any]:
    """The list in ``data/NAME.yaml``, or every fifth of it. Lists by kind are one list of kinds and items."""
    found: Any = yaml.safe_load((_DATA / f"{name}.yaml").read_text(encoding="utf-8"))
    if isinstance(found, dict):
        found = [(kind, each) for kind, several in found.items() for each in several]
    return list(found[::_SHORT] if short else found)
