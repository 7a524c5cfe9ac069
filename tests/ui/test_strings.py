"""The dictionaries of both languages hold every text of the page."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import sandbox.extensions.memory_web as web

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


def test_no_text_of_the_page_bypasses_the_dictionaries(strings: dict[str, Any]) -> None:
    assert strings["files"] > 20
    outside = [each for each in strings["written"] if each.rpartition(": ")[2] not in NAMES_OF_LANGUAGES]
    assert outside == []
    assert len(strings["written"]) >= len(NAMES_OF_LANGUAGES)  # it does find text
