"""The dictionaries of both languages hold every text of the page."""

import ast
import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

import sandbox.extensions.memory as knowledge
import sandbox.extensions.memory_hooks as hooks
import sandbox.extensions.memory_web as web
from sandbox.extensions.memory.call_context import Interface
from sandbox.extensions.memory.claims.registry import predicates
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.consolidate.extraction import EntityType
from sandbox.extensions.memory.maintain.night import STEPS
from sandbox.extensions.memory.reports import Outcome
from sandbox.extensions.memory_hooks.log import PROBLEMS
from sandbox.extensions.memory_web.problems import _STATUSES
from sandbox.support.diagnosis import Check

pytestmark = pytest.mark.web

SOURCE = Path(web.__file__).parent / "ui"
NAMES_OF_LANGUAGES = {"English", "Русский"}  # both dictionaries name each language in that language

Dictionary = Mapping[str, Any]


@pytest.fixture(scope="module")
def strings() -> dict[str, Any]:
    """The texts in the source: both dictionaries with the kind of each text, and texts outside them."""
    read = ["node", str(Path(__file__).with_name("strings.mjs")), str(SOURCE)]
    found: dict[str, Any] = json.loads(subprocess.run(read, check=True, capture_output=True, timeout=60).stdout)
    return found


def unlike(one: Dictionary, other: Dictionary, path: str = "") -> Iterator[str]:
    """The differences between two dictionaries. A text that is empty in the first is a name of the program."""
    for name in one.keys() | other.keys():
        here, there = one.get(name), other.get(name)
        if isinstance(here, dict) and isinstance(there, dict):
            if here:
                yield from unlike(here, there, f"{path}{name}.")
        elif here != there or here == "empty":
            yield f"{path}{name}: {here} and {there}"


def test_every_text_of_one_language_is_in_the_other(strings: dict[str, Any]) -> None:
    assert len(strings["en"]) > 15
    assert sorted(unlike(strings["en"], strings["ru"])) == []


def test_names_of_the_program_have_russian_words(strings: dict[str, Any]) -> None:
    ru = strings["ru"]
    assert sorted(set(Config.load().categories) - ru["category"].keys()) == []
    assert sorted(set(get_args(EntityType)) - ru["entityKind"].keys()) == []
    assert sorted(set(predicates()) ^ ru["predicate"].keys()) == []
    assert sorted(set(get_args(Outcome)) ^ ru["outcome"].keys()) == []
    assert sorted(set(get_args(Interface)) - ru["health"]["via"].keys()) == []
    assert sorted(set(STEPS) ^ ru["health"]["stepName"].keys()) == []
    assert sorted(PROBLEMS.keys() ^ ru["health"]["trouble"].keys()) == []
    assert sorted({each.__name__ for each in _STATUSES} - ru["health"]["error"].keys()) == []


def test_every_finding_of_a_check_has_russian_words(strings: dict[str, Any]) -> None:
    """Read from the source, because a sound machine has few of the findings."""
    found = [finding for package in (knowledge, hooks) for finding in findings(Path(str(package.__file__)).parent)]
    assert sorted(set(map(str, found)) ^ strings["ru"]["health"]["finding"].keys()) == []


def findings(folder: Path) -> Iterator[str | None]:
    """The findings of all checks in a folder's modules; None for a check without one."""
    position = [each.name for each in fields(Check)].index("finding")
    for file in folder.rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", None) == "Check":
                named = [each.value for each in call.keywords if each.arg == "finding"]
                given = [*call.args[position : position + 1], *named]
                yield ast.literal_eval(given[0]) if given else None


def test_no_text_of_the_page_bypasses_the_dictionaries(strings: dict[str, Any]) -> None:
    assert strings["files"] > 20
    outside = [each for each in strings["written"] if each.rpartition(": ")[2] not in NAMES_OF_LANGUAGES]
    assert outside == []
    assert len(strings["written"]) >= len(NAMES_OF_LANGUAGES)  # it does find text
