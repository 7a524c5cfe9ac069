"""The page has Russian words for every name of the program that it shows; the English ones come from the server, or are
the names.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import get_args

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

WORDS = Path(web.__file__).parent / "ui" / "src" / "words"


def russian(table: str) -> set[str]:
    """The names that have Russian words in a table of the page."""
    source = "".join(each.read_text(encoding="utf-8") for each in WORDS.glob("ru-*.ts"))
    found = re.search(rf"^( *){table}: {{\n(.*?)^\1}}", source, re.MULTILINE | re.DOTALL)
    assert found is not None, table
    return set(re.findall(rf"^{found[1]}  \"?([\w ]+)\"?:", found[2], re.MULTILINE))


def test_names_of_the_program_have_russian_words() -> None:
    assert sorted(set(Config.load().categories) - russian("category")) == []
    assert sorted(set(get_args(EntityType)) - russian("entityKind")) == []
    assert sorted(set(predicates()) ^ russian("predicate")) == []
    assert sorted(set(get_args(Outcome)) ^ russian("outcome")) == []
    assert sorted(set(get_args(Interface)) - russian("via")) == []
    assert sorted(set(STEPS) ^ russian("stepName")) == []
    assert sorted(PROBLEMS.keys() ^ russian("trouble")) == []
    assert sorted({each.__name__ for each in _STATUSES} - russian("error")) == []


def test_every_finding_of_a_check_has_russian_words() -> None:
    """Read from the source, because a sound machine has few of the findings."""
    found = [finding for package in (knowledge, hooks) for finding in findings(Path(str(package.__file__)).parent)]
    assert sorted(set(map(str, found)) ^ russian("finding")) == []


def findings(folder: Path) -> Iterator[str | None]:
    """The findings of all checks in a folder's modules; None for a check without one."""
    position = [each.name for each in fields(Check)].index("finding")
    for file in folder.rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", None) == "Check":
                named = [each.value for each in call.keywords if each.arg == "finding"]
                given = [*call.args[position : position + 1], *named]
                yield ast.literal_eval(given[0]) if given else None
