"""The place of the memory, and what its ``config.yaml`` may contain."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, configure


def test_home_is_an_option_anywhere_or_a_variable(cli: Cli, tmp_path: Path) -> None:
    other = str(tmp_path / "other")
    cli.fine("--home", other, "remember", "The other home.")
    assert len(cli.data("search", "home", "--home", other)) == 1
    assert len(cli.data("--home", str(cli.home), "search", "home", "--home", other)) == 1
    assert len(cli("search", "home", "--json", MEMORY_HOME=other).json) == 1
    assert cli.data("search", "home") == []


def test_the_default_home_is_the_users_data_folder_and_a_tilde_their_home(cli: Cli, tmp_path: Path) -> None:
    answer = cli("doctor", "--json", MEMORY_HOME="", XDG_DATA_HOME=str(tmp_path / "share"), HOME=str(tmp_path))
    assert Path(answer.json["home"]).name == "assistant-memory"
    assert tmp_path in Path(answer.json["home"]).parents
    assert cli("doctor", "--json", "--home", "~/deep/er", HOME=str(tmp_path)).json["home"] == str(tmp_path / "deep/er")


@pytest.mark.parametrize("option", ["--home", "--user", "--project"])
def test_an_empty_option_is_refused(cli: Cli, option: str) -> None:
    """A script gives it whose variable is not set. The default would be another memory, or another person's."""
    for words in ((option, "", "list"), ("list", option, " ")):
        answer = cli(*words)
        assert answer.code == 2
        assert f"Invalid value for '{option}'" in answer.err
        assert "give a name, or leave the option out." in answer.err


def test_settings_reach_the_memory(cli: Cli) -> None:
    memory = "memory: {categories: [fact, colour], context_mode: 'off'}"
    configure(cli.home, f"{memory}\nembedding: {{provider: wordllama, dimensions: 64}}")
    cli.fine("remember", "Blue is Ann's favourite.", "--category", "colour")
    assert cli("context", "What is Ann's favourite?", "--json").json is None
    assert cli.data("stats")["embedding_model"] == "wordllama/l2_supercat/64"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("memory: {purge_day: 3}", "`memory.purge_day` is unknown; near to it is `purge_days`."),
        ("memory: {purge_days: soon}", "`memory.purge_days` must be a whole number, 0 or more, not 'soon'."),
        ("purge_days: 60", "`purge_days` is a setting of an extension: put it under `memory:`."),
        ("kernel: {context_seconds: 0}", "`kernel.context_seconds` must be a number above 0, not 0."),
        (
            "embedding: {provider: gnomes}",
            "`embedding` is wrong: `provider` must be one of wordllama, openai, not 'gnomes'",
        ),
        ("purge_days: [1", "it is not YAML (line 1:"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file(cli: Cli, text: str, problem: str) -> None:
    path = configure(cli.home, text)
    answer = cli("search", "x", "--json")
    assert answer.code == 1
    assert str(path) in answer.err
    assert problem in answer.err
    assert answer.err.count("\n") == 1
    assert answer.json["error"]["type"] in ("InvalidSettings", "UnreadableSettings", "ConfigurationError")


def test_a_removed_setting_does_not_prevent_the_start(cli: Cli) -> None:
    path = configure(cli.home, "memory: {intent_similarity_threshold: 0.45, embedding_dimensions: 256}\n")
    cli.fine("remember", "Ann plays golf.")
    told = cli("doctor").out
    for key in ("intent_similarity_threshold", "embedding_dimensions"):
        assert f"`memory.{key}` is no setting any more: " in " ".join(told.split())
    assert path.name in told


def test_a_file_as_home_is_wrong_usage(cli: Cli) -> None:
    cli.home.write_text("not a folder")
    answer = cli("stats")
    assert answer.code == 2
    assert f"`--home` cannot be '{cli.home}': it is a file; name a folder" in answer.err


def test_who_has_no_home_directory_is_asked_for_a_folder(tmp_path: Path) -> None:
    """As a container starts a program: without HOME, and for a user whom the system does not know."""
    script = """
import pwd
def getpwuid(uid):
    raise KeyError(uid)
pwd.getpwuid = getpwuid
from sandbox.cli import main
main()
"""
    environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "MEMORY_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", script, "stats"],
        env={**environment, "PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "Invalid value for '--home': you have no home directory" in done.stderr
    assert not list(tmp_path.iterdir())
