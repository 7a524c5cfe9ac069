"""`memory demo` runs to its end, and what it says is true."""

import os
import re
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Cli, wide

SCRIPT = yaml.safe_load(files("sandbox.cli").joinpath("demo_data", "script.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """The command over the memory that the demo leaves, which it made under an umask that forbids nothing."""
    home = tmp_path_factory.mktemp("demo") / "kept"
    before = os.umask(0)
    try:
        Cli(home / "unused").fine("demo", "--keep", str(home))
    finally:
        os.umask(before)
    return Cli(home)


def contents(kept: Cli, *options: str) -> set[str]:
    listed = kept.data("list", "--type", "semantic", "--type", "procedural", "--type", "opinion", *options)
    return {each["memory"]["content"] for each in listed["items"]}


def statements(*places: int) -> set[str]:
    corrected = SCRIPT["correction"]
    return {corrected["to"] if place == corrected["of"] else SCRIPT["statements"][place]["content"] for place in places}


def test_the_demo_fits_eighty_columns(cli: Cli) -> None:
    told = cli.fine("demo")
    assert max(map(len, told.splitlines())) <= 80
    for part in ("1. What went in", "2. Days later", "3. A correction", "4. How is that known?", "5. A confirmation"):
        assert f"\n{part}" in told
    flat = " ".join(told.replace("|", " ").split())
    assert (
        f"135 turns of 16 conversations, 2026-03-02 to 2026-03-15, word for word. {len(SCRIPT['statements'])} " in flat
    )
    assert "1 turn held a secret." in flat
    assert "password: [secret: password]" in flat
    assert "tomato" not in told
    for prompt in SCRIPT["prompts"]:
        assert f'Nell: "{prompt["prompt"]}"' in flat
    asked = [*SCRIPT["prompts"], SCRIPT["prompts"][SCRIPT["correction"]["again"]], *SCRIPT["meanwhile"]]
    judged = re.findall(r"^    (?:found|saved|missing) ", told, re.MULTILINE)
    assert len(judged) == sum(len(each["expects"]) for each in asked)
    assert told.count("<memory>") == told.count("</memory>") >= len(SCRIPT["prompts"])
    again = flat.partition("The first question again:")[2].partition("4. How is that known?")[0]
    assert SCRIPT["correction"]["to"] in again
    assert "memory import FILE" in told
    assert "Traceback" not in told
    assert not (cli.home / "memory.db").exists()


def test_the_correction_is_believed_from_then_on(kept: Cli) -> None:
    [corrected] = [
        each for each in kept.data("list")["items"] if each["memory"]["content"] == SCRIPT["correction"]["to"]
    ]
    versions = kept.data("explain", corrected["memory"]["id"])["versions"]
    wrong = SCRIPT["statements"][SCRIPT["correction"]["of"]]["content"]
    assert [version["content"] for version in versions] == [SCRIPT["correction"]["to"], wrong]


def test_the_demo_fades_the_memories_that_its_script_names(kept: Cli) -> None:
    assert statements(*SCRIPT["fading"]) <= contents(kept, "--state", "retired")
    stay = {*SCRIPT["kept"], *(place for each in SCRIPT["meanwhile"] for place in each["keeps"])}
    assert statements(*stay) <= contents(kept)


def test_the_kept_memory_can_be_asked(kept: Cli) -> None:
    assert "Anna Petrovna" in kept.fine("search", "Anna Petrovna's piano")
    assert kept.data("doctor")["ok"] is True


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_only_the_owner_can_read_a_kept_memory(kept: Cli) -> None:
    assert (kept.home / "config.yaml").exists()
    assert wide(kept.home) == []


def test_nothing_that_exists_is_changed(cli: Cli, tmp_path: Path) -> None:
    """Neither a memory nor the settings of another program, which the demo's would overwrite."""
    cli.remembered("Mine.")
    before = cli.data("stats")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.yaml").write_text("mine: true\n")
    for place in (str(cli.home), __file__, str(tmp_path / "mine")):
        answer = cli("demo", "--keep", place)
        assert answer.code == 2
        assert "name a new folder, or an empty one" in answer.err
    assert (tmp_path / "mine" / "config.yaml").read_text() == "mine: true\n"
    assert cli("demo", "--keep", "/proc/demo").code == 1
    assert cli.data("stats")["nodes"] == before["nodes"]
