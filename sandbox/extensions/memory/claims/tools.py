"""Tools of one kind, of which a project mostly uses one at a time: ``tools.yaml``."""

from collections import defaultdict
from collections.abc import Mapping, Set
from functools import cache
from pathlib import Path

_VERSION = " 0123456789."


@cache
def known() -> Mapping[str, frozenset[str]]:
    """The known tools in lower case, each with the others of its kinds."""
    from sandbox.support.yaml_files import read_packaged  # slow to import, and seldom needed

    others: defaultdict[str, set[str]] = defaultdict(set)
    for listed in read_packaged(Path(__file__).with_name("tools.yaml")).values():
        kind = [each.split("/") for each in listed.split(", ")]
        for spellings in kind:
            for tool in spellings:
                others[tool].update(name for each in kind if each is not spellings for name in each)
    return {tool: frozenset(some) for tool, some in others.items()}


@cache
def phrases() -> frozenset[tuple[str, ...]]:
    """The known tools, word by word."""
    return frozenset(tuple(name.split()) for name in known())


def is_left(tool: str, named: Set[str]) -> bool:
    """Whether some named tools have another one of the same kind as ``tool``, which may be told with its version."""
    return not known().get(tool.lower().rstrip(_VERSION), frozenset()).isdisjoint(named)
