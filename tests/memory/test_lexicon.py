"""Everything that depends on a language is in its folder, and no folder has a key that English does not have."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from sandbox.extensions import memory
from sandbox.extensions.memory.claims.compare import compare
from sandbox.extensions.memory.lexicon import LANGUAGES, having, read_data
from sandbox.extensions.memory.parse import claims_of
from sandbox.extensions.memory.text.names import short_words
from sandbox.extensions.memory.text.places import size
from sandbox.extensions.memory.text.variants import may_be_variant
from sandbox.extensions.memory.text.words import courtesies, terms
from sandbox.testing import NOON

MEMORY = Path(memory.__file__).parent
OF_NO_LANGUAGE = {
    "maintain/causality.py": "one letter that many write as another",
    "text/lookalikes.py": "letters that look alike",
    "text/words.py": "scripts",
}


def repeated_keys(node: yaml.Node | None, within: str) -> Iterator[str]:
    """The keys that a mapping has twice, of which YAML keeps the last without a word."""
    if isinstance(node, yaml.MappingNode):
        named = [key.value for key, _ in node.value]
        yield from (f"{within}: {key}" for key in set(named) if named.count(key) > 1)
        for key, value in node.value:
            yield from repeated_keys(value, f"{within}: {key.value}")


def test_no_key_of_the_data_stands_twice() -> None:
    files = [file for file in MEMORY.rglob("*.yaml") if "node_modules" not in file.parts]
    read = ((yaml.compose(file.read_text(encoding="utf-8")), str(file.relative_to(MEMORY))) for file in files)
    assert [key for node, name in read for key in repeated_keys(node, name)] == []


CONCERNS = (
    "questions", "calendar", "causes", "anchors", "function_words", "pasted", "marks",
    "identification", "names", "places", "courtesies", "statements", "learnt", "profile",
)  # fmt: skip


@pytest.mark.parametrize("concern", CONCERNS)
def test_a_language_has_no_key_that_english_does_not_have(concern: str) -> None:
    """Nobody would read it."""
    keys = {code: set(read_data(code, concern)) - {"parts"} for code in having(concern)}
    assert set(LANGUAGES) <= set(keys)
    assert all(found <= keys["en"] for found in keys.values()), keys


def test_languages_are_the_folders_and_english_is_first() -> None:
    assert LANGUAGES[0] == "en"
    assert {"de", "ru"} < set(LANGUAGES)


GERMAN = {
    "Danke, passt perfekt!": "courtesies",
    "Merci, gern geschehen, gute Nacht": "courtesies",
    "Südamerika": "continent",
    "Thüringen": "country",
    "Lüneburg": "city",
    "Katharina Vogt, Kathi": "short form",
    "Sebastian, Basti": "short form",
    "Frau Vogt": "title",
    "Ich wohne in Bonn, Ich wohne in Kiel": "exclude",
    "Anna arbeitet bei Siemens, Anna arbeitet bei Bosch": "exclude",
    "Anna arbeitet bei Siemens, Anna wohnt in Bonn": "unrelated",
    "Anna wohnt in Bonn, Anna heißt Anna Vogt": "unrelated",
}


@pytest.mark.parametrize(("said", "what"), GERMAN.items())
def test_german_has_the_words_that_english_has(said: str, what: str) -> None:
    """Thanks, places, short names, titles, and verbs with one value at a time."""
    if what == "courtesies":
        assert courtesies().issuperset(terms(said))
    elif what == "short form":
        assert may_be_variant(*said.split(", "))
    elif what == "title":
        assert short_words(said) == ["vogt"]
    elif ", " in said:
        (one,), (other,) = (claims_of(each, NOON) for each in said.split(", "))
        assert compare(one, other) == what
    else:
        assert size(said) == what


def test_an_import_reads_no_language() -> None:
    """Otherwise each process would pay for it."""
    told = (
        "import sandbox.extensions.memory.memory, sandbox.extensions.memory.lexicon as lexicon\n"
        "assert not lexicon.words.cache_info().currsize\n"
        "assert not lexicon.pattern.cache_info().currsize"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


def test_the_words_of_a_language_are_in_its_folder() -> None:
    """A new language then needs no change of code."""
    code = (each for each in MEMORY.rglob("*.py") if each.relative_to(MEMORY).parts[0] != "languages")
    found = {str(each.relative_to(MEMORY)) for each in code if _letters(each)}
    assert found == set(OF_NO_LANGUAGE)


def _letters(path: Path) -> set[str]:
    """Letters beyond ASCII in the texts of a module, without docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in documents)
    return {
        sign
        for node in texts
        if isinstance(node.value, str)
        for sign in node.value
        if sign.isalpha() and not sign.isascii()
    }
