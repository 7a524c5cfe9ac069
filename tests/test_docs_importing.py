"""Every command of `docs/importing.md` runs, and the files that it shows are read."""

import json
import re
import shlex
from pathlib import Path
from zipfile import ZipFile

import pytest

from sandbox.extensions.memory.ingest.importers.tables import _NAMES
from tests.cli.conftest import Cli
from tests.memory.importers import (
    test_import_chatgpt as chatgpt,
    test_import_claude_ai as claude_ai,
    test_import_claude_code as claude_code,
    test_import_codex as codex,
    test_import_memories as saved,
)
from tests.test_docs import ROOT, blocks

PAGE = (ROOT / "docs" / "importing.md").read_text(encoding="utf-8")
(MESSAGE,), (TABLE,), (NOTE,) = (blocks(each, PAGE) for each in ("json", "csv", "markdown"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with the files that the page names; commands run in it."""
    trees = [chatgpt.conversation(chatgpt.message("user", "How long does rye dough rest?"))]
    talks = [claude_ai.conversation(claude_ai.message("m", "human", "Is rye a grain?"))]
    for name, content in (("chatgpt", trees), ("claude", talks)):
        with ZipFile(tmp_path / f"{name}-export.zip", "w") as archive:
            archive.writestr("conversations.json", json.dumps(content))
    files = {
        ".claude/projects/bakery/a.jsonl": json.dumps(claude_code.PROMPT),
        ".codex/sessions/2026/02/03/rollout-a.jsonl": codex.WRITTEN_BY_CODEX.read_text(),
        "notes/Rye.md": NOTE,
        "memory.json": "\n".join(map(json.dumps, saved.GRAPH)),
        "talk.jsonl": MESSAGE,
        "table.csv": TABLE,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "old.csv").write_bytes("memory\nMy favourite place is the Café Sibylle.\n".encode("cp1252"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_every_command_runs_and_imports_the_stated_records(folder: Path) -> None:
    """The totals for the files of this test; the last home has the same contents as the first."""
    cli = Cli(folder / "home")
    for line in "".join(blocks("sh", PAGE)).splitlines():
        program, *arguments = shlex.split(line, comments=True)
        assert program == "memory"
        cli.fine(*[each.replace("~", str(folder)) for each in arguments])
    here = ("--project", claude_code.PROMPT["cwd"])
    counted = cli.data("stats", *here)["nodes"]
    assert counted["episodic"] == 1 + 1 + 1 + 6 + 1
    for asked in ("rye dough", "grain", "oven module", "tabs", "caraway", "bakery", "violin", "Mia", "Sibylle"):
        assert cli.data("search", asked, *here), asked
    assert Cli(folder / "new-home").data("stats", *here)["nodes"] == counted
    assert "violin" in (folder / "memory.md").read_text()


def test_the_page_names_the_columns_that_are_read() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE)
    assert {name: (name, *re.findall(r"`(\w+)`", others)) for name, others in rows} == dict(_NAMES)
