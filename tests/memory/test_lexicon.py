"""What depends on a language stands in its folder, and every folder says the same things."""

import subprocess
import sys

import pytest

from sandbox.extensions.memory.lexicon import LANGUAGES, read_data

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
