"""What depends on a language stands in its folder, and every folder says the same things."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.extensions import memory
from sandbox.extensions.memory.lexicon import LANGUAGES, read_data

MEMORY = Path(memory.__file__).parent
OF_NO_LANGUAGE = {
    "maintain/cause_words.py": "one letter that many write as another",
    "text/languages.py": "languages that are told but have no folder",
    "text/lookalikes.py": "letters that look alike",
    "text/words.py": "scripts",
}
NOT_YET_MOVED = set(
    """
    assemble/variety.py claims/compare.py consolidate/claimed.py consolidate/constraints.py consolidate/distinct.py
    consolidate/mentions.py consolidate/orders.py consolidate/own_facts.py consolidate/own_words.py
    consolidate/pasted_intros.py consolidate/pasted_marks.py consolidate/pasted_words.py consolidate/support.py
    ingest/conflicts/claims.py ingest/conflicts/relations.py ingest/conflicts/subjects.py ingest/conflicts/values.py
    ingest/conflicts/wording.py ingest/profile_extraction.py parse/clauses.py
    parse/pattern.py parse/reader.py parse/times.py
    parse/values.py text/courtesies.py text/names.py text/places.py text/sightings.py text/variants.py
    """.split()
)
"""What has no letters of a language any more leaves this list; nothing enters it."""

CONCERNS = ("questions", "calendar", "causes", "anchors", "function_words")


@pytest.mark.parametrize("concern", CONCERNS)
def test_every_language_has_the_same_keys(concern: str) -> None:
    """What one language lacks would be missed only in that language."""
    keys = {code: set(read_data(code, concern)) - {"parts"} for code in LANGUAGES}
    assert all(found == keys["en"] for found in keys.values()), keys


def test_languages_are_the_folders_and_english_is_first() -> None:
    assert LANGUAGES[0] == "en"
    assert {"de", "ru"} < set(LANGUAGES)


def test_an_import_reads_no_language() -> None:
    """Each process would pay for it, also one that asks nothing."""
    told = (
        "import sandbox.extensions.memory.memory, sandbox.extensions.memory.lexicon as lexicon\n"
        "assert not lexicon.words.cache_info().currsize\n"
        "assert not lexicon.pattern.cache_info().currsize"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


def test_words_of_a_language_stand_in_its_folder() -> None:
    """Code that has none needs no change for another language."""
    code = (each for each in MEMORY.rglob("*.py") if each.relative_to(MEMORY).parts[0] != "languages")
    found = {str(each.relative_to(MEMORY)) for each in code if _letters(each)}
    assert found == set(OF_NO_LANGUAGE) | NOT_YET_MOVED


def _letters(path: Path) -> set[str]:
    """Letters beyond ASCII in the texts of a module; what documents it is for its readers."""
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
