"""Files of other programs: their content stays, and uninstalling restores them to the byte."""

import json
import os
import tomllib
from pathlib import Path

import pytest

from sandbox.extensions.memory_hooks.install import jsonc
from sandbox.settings import read_settings
from tests.hooks.conftest import Agent, Started
from tests.terminals import Terminal

FILES = {
    "claude-code": (".claude.json", ".claude/settings.json"),
    "codex": (".codex/config.toml", ".codex/hooks.json"),
    "copilot": (".copilot/mcp-config.json", ".copilot/settings.json"),
    "cursor": (".cursor/mcp.json", ".cursor/hooks.json"),
    "vscode": (".config/Code/User/mcp.json",),
    "gemini": (".gemini/settings.json",),
    "qwen": (".qwen/settings.json",),
}
IN_PROJECT = FILES | {
    "claude-code": (".mcp.json", ".claude/settings.json"),
    "copilot": (".github/mcp.json", ".github/copilot/settings.json"),
    "vscode": (".vscode/mcp.json",),
}

SETTINGS = """\
{
    // mine, keep it
    "theme": "dark", /* and this */
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "say done"}]}, // my own
        ],
        "SessionStart": [],
    },
    "mcpServers": {"other": {"command": "x"}}, // on one line
    "servers": {}
}
"""
CONFIG = """\
# my model
model = "gpt-5"   # the good one

[mcp_servers.other]   # mine
command = "x"

[tui]
theme = "dark"
"""


@pytest.fixture
def person(started: Started, tmp_path: Path) -> Agent:
    """A user with a home of their own."""
    (tmp_path / "person").mkdir()
    others = dict.fromkeys(
        ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME", "QWEN_HOME"), ""
    )
    return started(environment={"HOME": str(tmp_path / "person"), **others})


def files(folder: Path) -> dict[str, bytes]:
    ours = [each for each in folder.rglob("*") if each.is_file() and ".git/" not in f"{each}/"]
    return {str(each.relative_to(folder)): each.read_bytes() for each in ours}


@pytest.mark.parametrize("client", FILES)
@pytest.mark.parametrize("in_project", [False, True])
def test_hooks_are_installed_once_and_uninstalled(client: str, in_project: bool, person: Agent, tmp_path: Path) -> None:
    folder = person.folder if in_project else tmp_path / "person"
    names = (IN_PROJECT if in_project else FILES)[client]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(CONFIG if name.endswith("toml") else SETTINGS, encoding="utf-8")
    (folder / names[0]).chmod(0o640)
    before = files(folder)
    options = ["--yes", *(["--project"] if in_project else [])]

    assert person.run("install", client, *options).code == 0
    after = files(folder)
    assert set(after) == set(names)
    for name in names:
        text = after[name].decode()
        assert "mine" in text
        assert ("memory" in tomllib.loads(text)["mcp_servers"]) if name.endswith("toml") else "memory" in text
        assert (folder / names[0]).stat().st_mode & 0o777 == 0o640
    assert "Everything is as it should be" in person.run("install", client, *options).out
    assert files(folder) == after

    assert person.run("install", client, "--remove", *options).code == 0
    assert files(folder) == before


@pytest.mark.parametrize("client", FILES)
def test_uninstalling_deletes_the_files_that_installing_made(client: str, person: Agent, tmp_path: Path) -> None:
    person.run("install", client, "--yes")
    assert set(files(tmp_path / "person")) == set(FILES[client])
    person.run("install", client, "--remove", "--yes")
    assert not files(tmp_path / "person")


def test_the_model_of_an_agent_learns_if_that_is_asked_for(person: Agent, tmp_path: Path) -> None:
    person.home.mkdir()
    settings = person.home / "config.yaml"
    settings.write_text("memory: {context_token_budget: 700} # mine", encoding="utf-8")
    offered = person.run("install", "claude-code", "--yes").out
    assert "`memory install claude-code --learn`" in offered
    ran = person.run("install", "claude-code", "--learn", "--yes")
    assert (ran.code, str(settings) in ran.out, "--learn" in ran.out) == (0, True, False)
    assert read_settings(settings).models == {"memory": {"agent": "claude-code"}}
    assert "by claude-code" in person.run("doctor").out
    assert "Everything is as it should be" in person.run("install", "claude-code", "--learn", "--yes").out
    assert person.run("install", "claude-code", "--remove", "--yes").code == 0
    assert settings.read_text() == "memory: {context_token_budget: 700} # mine"
    assert not files(tmp_path / "person")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals like these")
@pytest.mark.parametrize("answer", ["y", "n"])
def test_a_person_at_a_terminal_is_asked_whether_the_model_may_learn(
    answer: str, person: Agent, tmp_path: Path
) -> None:
    home = {"HOME": str(tmp_path / "person"), "MEMORY_HOME": str(person.home), "CLAUDE_CONFIG_DIR": ""}
    terminal = Terminal("-m", "sandbox.cli", "install", "claude-code", **home)
    terminal.see("Change this? [y/N]")
    terminal.type("y\r")
    terminal.see("for five turns. [y/N]")
    terminal.type(f"{answer}\r")
    terminal.see("Start Claude Code anew.")
    assert terminal.end() == 0
    assert (person.home / "config.yaml").exists() == (answer == "y")


@pytest.mark.parametrize(
    ("settings", "options", "problem"),
    [
        ("models: {default: {model: qwen3}}", ["claude-code"], "names a model already"),
        ("models: {memory: qwen3}", ["claude-code"], "names a model already"),
        ("{memory: {}}", ["claude-code"], "was left as it is"),
        ("memory: [", ["claude-code"], "it is not YAML"),
        ("", ["codex"], "works with claude-code and qwen"),
        ("", ["claude-code", "--project"], "leave out --project"),
        ("", ["claude-code", "--remove"], "leave it out"),
    ],
)
def test_learning_by_an_agents_model_is_refused(
    settings: str, options: list[str], problem: str, person: Agent, tmp_path: Path
) -> None:
    person.home.mkdir()
    (person.home / "config.yaml").write_text(settings, encoding="utf-8")
    ran = person.run("install", *options, "--learn", "--yes")
    assert ran.code
    assert problem in ran.err
    assert (person.home / "config.yaml").read_text() == settings
    assert not files(tmp_path / "person")


def test_settings_of_others_stay(person: Agent, tmp_path: Path) -> None:
    person.run("install", "claude-code", "--yes")
    file = tmp_path / "person" / ".claude.json"
    file.write_text(jsonc.put(file.read_text(), ["numStartups"], 7), encoding="utf-8")
    person.run("install", "claude-code", "--remove", "--yes")
    assert json.loads(file.read_text()) == {"numStartups": 7}


def test_gemini_cli_is_asked_to_tell_only_of_a_conversation_that_is_compressed(person: Agent, tmp_path: Path) -> None:
    """It fires `PreCompress` before each turn, with the trigger `auto`."""
    assert person.run("install", "gemini", "--yes").code == 0
    hooks = json.loads((tmp_path / "person" / ".gemini" / "settings.json").read_text())["hooks"]
    assert {event: group["matcher"] for event, (group,) in hooks.items() if "matcher" in group} == {
        "PreCompress": "manual"
    }


def test_the_hooks_of_cursor_have_its_form(person: Agent, tmp_path: Path) -> None:
    assert person.run("install", "cursor", "--yes").code == 0
    written = json.loads((tmp_path / "person" / ".cursor" / "hooks.json").read_text())
    assert written["version"] == 1
    assert set(written["hooks"]) == {"sessionStart", "beforeSubmitPrompt", "preCompact", "stop", "sessionEnd"}
    (hook,) = written["hooks"]["beforeSubmitPrompt"]
    assert "memory hook UserPromptSubmit" in hook["command"]
    assert hook["timeout"] == 10


def test_another_home_replaces_the_earlier_one(person: Agent, tmp_path: Path) -> None:
    person.run("install", "claude-code", "--yes")
    person.run("install", "claude-code", "--yes", "--home", str(tmp_path / "other home"))
    settings = json.loads((tmp_path / "person" / ".claude" / "settings.json").read_text())
    (group,) = settings["hooks"]["UserPromptSubmit"]
    assert group["hooks"][0]["command"].endswith(f"memory hook UserPromptSubmit --home '{tmp_path / 'other home'}'")


@pytest.mark.parametrize("broken", ["{", "[1]", "{'a': 1}", '{"mcpServers": []}', '{"a": 1} x', "\xe9"])
def test_an_unreadable_settings_file_is_not_changed(broken: str, person: Agent, tmp_path: Path) -> None:
    file = tmp_path / "person" / ".claude.json"
    file.write_bytes(broken.encode("latin-1"))
    ran = person.run("install", "claude-code", "--yes")
    assert ran.code == 1
    assert "was left as it is" in ran.err
    assert files(tmp_path / "person") == {".claude.json": broken.encode("latin-1")}


def test_files_change_only_after_consent(person: Agent, tmp_path: Path) -> None:
    ran = person.run("install", "codex")
    assert (ran.code, files(tmp_path / "person")) == (1, {})
    assert "+[mcp_servers.memory]" in ran.out
    assert "--yes" in ran.err
    assert "add --yes" in person.run("install", "codex", "--json").err
    assert "+[mcp_servers.memory]" in person.run("install", "codex", "--print").out
    assert json.loads(person.run("install", "--print").out)["mcpServers"]["memory"]["args"][0] == "mcp"
    assert not files(tmp_path / "person")
    assert "claude-code, codex, copilot" in person.run("install", "nano").err


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{ }\n",
        "{\n}\n",
        "{\n  // nothing yet\n}\n",
        '{"a": 1}',
        '{"a": {"b": 2} /* c */ }',
        '{\n\t"a": 1 // one\n\t// two\n}\n',
        '{\n  "a": [\n    1,\n  ],\n}\n',
        '{\r\n  "a": 1\r\n}\r\n',
        '\ufeff{"a": "}"}',
        '{"a": "\\"{", "hooks": {"x": []}}',
    ],
)
def test_a_value_is_inserted_and_removed_exactly(text: str) -> None:
    put = jsonc.put(text, ["hooks", "y"], {"z": [1]})
    assert jsonc.value_of(put)["hooks"]["y"] == {"z": [1]}
    assert jsonc.put(put, ["hooks", "y"], {"z": [1]}) == put
    once = jsonc.append(text, ["list"], 1)
    twice = jsonc.append(once, ["list"], {"b": None})
    assert jsonc.value_of(twice)["list"] == [1, {"b": None}]
    assert jsonc.value_of(jsonc.drop(twice, ["list", 0]))["list"] == [{"b": None}]
    assert jsonc.drop(twice, ["list", 1]) == once
    assert jsonc.value_of(jsonc.drop(once, ["list"])) == jsonc.value_of(text)
    for each in ("//", "/*", "a"):
        assert put.count(each) >= text.count(each)
