"""Whether a statement says what a note-taker writes down, the totals, and that nothing of the sealed set is shown."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.floors import Floor
from benchmarks.notes import SEALED, Conversation, Item, Noted, conversations, counts, figures, note, table

_ROOT = Path(__file__).parents[2]
_PORTO = Item("The user lives in Porto.", (("porto",), ("live", "home")))
_EMOJI = Item("The user wants no emojis.", (("emoji",),))
_LYON = Item("The user lives in Lyon.", (("lives in lyon",),))

_SET = """\
- id: en-1
  sessions:
    - at: 2026-03-02T18:20:00
      turns:
        - user: I live in Lyon.
        - assistant: How nice!
    - at: 2026-03-09T08:00:00
      turns:
        - user: I moved to Porto.
  keep:
    - fact: The user lives in Porto.
      words: [[PORTO], [live, moved]]
    - fact: The user's port is 204.
      words: [[204], [no]]
  never:
    - what: The user lives in Lyon.
      words: [[lives in Lyon]]
- id: en-2
  sessions: [{at: 2026-03-02T18:20:00, turns: [{user: hi}]}]
  keep: []
"""


@pytest.mark.parametrize(
    ("item", "statement", "is_said"),
    [
        (_PORTO, "The user LIVES in Porto.", True),
        (_PORTO, "The user's home is Porto.", True),
        (_PORTO, "The user likes Porto.", False),
        (_LYON, "The user lived in Lyon.", False),
        (Item("", (("ключ",), ("straße",))), "Под КЛЮЧ: Hauptstrasse", True),
    ],
)
def test_a_statement_matches_with_a_word_of_each_group(item: Item, statement: str, is_said: bool) -> None:
    assert item.is_said_by(statement) is is_said


def test_one_single_statement_has_to_match() -> None:
    conversation = Conversation("en-1", "en", (), keep=(_PORTO, _EMOJI), never=(_LYON,))
    apart = Noted(conversation, ("The user likes Porto.", "The user has a home.", "The user wants no emojis."))
    assert apart.missed == [_PORTO]
    assert apart.wrong == []
    assert apart.unlisted == ["The user likes Porto.", "The user has a home."]


def test_scores_of_several_conversations_add_up() -> None:
    english = Conversation("en-1", "en", (), keep=(_PORTO, _EMOJI), never=(_LYON, _LYON))
    russian = Conversation("ru-1", "ru", (), keep=(), never=(_LYON,))
    noted = [Noted(english, ("The user lives in Porto.", "The user lives in Lyon.")), Noted(russian, ())]
    assert [str(count) for count in counts(noted).values()] == ["1 of 2 (50.0%)", "1 of 2 (50.0%)", "1 of 2 (50.0%)"]
    assert list(table(noted))[2:] == [
        "| en | 1 of 2 (50.0%) | 1 of 1 (100.0%) | 1 of 2 (50.0%) |",
        "| ru | 0 of 0 (0.0%) | 0 of 1 (0.0%) | 0 of 0 (0.0%) |",
        "| all | 1 of 2 (50.0%) | 1 of 2 (50.0%) | 1 of 2 (50.0%) |",
    ]
    kept, never, _ = figures(noted)
    assert (kept.name, kept.value, kept.note) == ("kept", 0.5, "1 of 2 (50.0%), en 0.500, ru 0.000")
    assert (kept.floor, never.floor) == (Floor(0.20, 0.35, "higher"), Floor(0.05, 0.01, "lower"))
    assert never.value == 0.5


async def test_only_statements_believed_at_the_end_count(tmp_path: Path) -> None:
    (tmp_path / "some.en.yaml").write_text(_SET)
    read = conversations(tmp_path)
    assert [(each.id, each.language, len(each.sessions)) for each in read] == [("en-1", "en", 2), ("en-2", "en", 1)]
    assert read[0].keep[1].words == (("204",), ("no",)), "words are text, whatever they look like"
    moved, greeted = await note(read, tmp_path / "memories")
    assert [each.text for each in moved.missed] == ["The user's port is 204."]
    assert moved.wrong == []
    assert greeted.learnt == ()


@pytest.mark.parametrize("words", ["[]", "[[Porto], []]", "[[Porto], ['']]"])
def test_a_note_that_matches_nothing_or_everything_is_refused(tmp_path: Path, words: str) -> None:
    (tmp_path / "en.yaml").write_text(_SET.replace("[[204], [no]]", words))
    with pytest.raises(ValueError, match="port is 204"):
        conversations(tmp_path)


def test_the_report_shows_learnt_and_missed_statements(tmp_path: Path) -> None:
    (tmp_path / "en.yaml").write_text(_SET)
    done = _run("--set", tmp_path, "--show")
    assert done.returncode == 0, done.stderr
    assert "missed: The user's port is 204." in done.stdout
    assert "| en | 1 of 2 (50.0%) | 0 of 2 (0.0%) |" in done.stdout


@pytest.mark.parametrize(
    ("name", "told"),
    [*((sealed, "must not look") for sealed in ("sealed", SEALED, "benchmarks/sealed")), ("/nowhere", "/nowhere")],
)
def test_the_sealed_set_is_not_shown_and_a_folder_without_conversations_named(name: str | Path, told: str) -> None:
    done = _run("--set", name, "--show")
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stdout == ""


def _run(*arguments: object) -> "subprocess.CompletedProcess[str]":
    line = [sys.executable, "-m", "benchmarks.notes", *map(str, arguments)]
    return subprocess.run(line, cwd=_ROOT, capture_output=True, text=True)
