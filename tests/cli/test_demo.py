"""`memory demo` runs to its end, and what it says is true."""

import os
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import Cli, wide

SCRIPT = yaml.safe_load(files("sandbox.cli").joinpath("demo_data", "script.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "kept"


@pytest.fixture(scope="module")
def story(kept: Path) -> Any:
    """What the demo says of itself, under an umask that forbids nothing."""
    before = os.umask(0)
    try:
        return Cli(kept / "unused").data("demo", "--keep", str(kept))
    finally:
        os.umask(before)


def statement(place: int) -> str:
    content: str = SCRIPT["statements"][place]["content"]
    return content


def contents(fates: list[Any]) -> set[str]:
    return {fate["memory"]["content"] for fate in fates}


def test_the_demo_fits_eighty_columns(cli: Cli) -> None:
    told = cli.fine("demo")
    assert max(map(len, told.splitlines())) <= 80
    for part in ("1. What went in", "2. Days later", "3. A correction", "4. How is that known?", "5. A confirmation"):
        assert f"\n{part}" in told
    flat = " ".join(told.replace("|", " ").split())
    assert "135 turns of 16 conversations" in flat
    assert "password: [secret: password]" in flat
    assert "tomato" not in told
    for prompt in SCRIPT["prompts"]:
        assert prompt["prompt"] in flat
    assert told.count("<memory>") == told.count("</memory>") >= len(SCRIPT["prompts"])
    assert "memory import FILE" in told
    assert "Traceback" not in told
    assert not (cli.home / "memory.db").exists()


def test_the_demo_stores_exactly_its_script(story: Any) -> None:
    intake = story["intake"]
    assert (intake["turns"], intake["statements"]) == (135, len(SCRIPT["statements"]))
    assert [turn["key"] for turn in intake["masked"]] == ["0305a-03"]


def test_every_prompt_is_judged_by_what_it_expects(story: Any) -> None:
    for asked, prompt in zip(story["asked"], SCRIPT["prompts"], strict=True):
        assert [each["turn"]["key"] for each in asked["expected"]] == prompt["expects"]
        for each in asked["expected"]:
            assert (each["finding"] == "said") == (each["turn"]["content"] in asked["context"])


def test_the_correction_is_believed_from_then_on(story: Any) -> None:
    corrected = story["corrected"]
    assert corrected["before"] == statement(SCRIPT["correction"]["of"])
    assert corrected["after"] == SCRIPT["correction"]["to"]
    versions = story["explained"]["versions"]
    assert [version["content"] for version in versions] == [corrected["after"], corrected["before"]]
    assert corrected["after"] in corrected["again"]["context"]
    assert corrected["before"] not in corrected["again"]["context"]


def test_the_demo_fades_the_memories_that_its_script_names(story: Any) -> None:
    later = story["later"]
    assert {statement(place) for place in SCRIPT["fading"]} <= contents(later["faded"])
    kept = {*SCRIPT["kept"], *(place for each in SCRIPT["meanwhile"] for place in each["keeps"])}
    expected = {statement(place) for place in kept - {SCRIPT["correction"]["of"]}} | {SCRIPT["correction"]["to"]}
    assert expected <= contents(later["kept"])


def test_the_kept_memory_can_be_asked(story: Any, kept: Path) -> None:
    cli = Cli(kept)
    assert story["home"] == str(kept)
    assert "Anna Petrovna" in cli.fine("search", "Anna Petrovna's piano")
    assert cli.data("doctor")["ok"] is True


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_only_the_owner_can_read_a_kept_memory(story: Any) -> None:
    home = Path(story["home"])
    assert (home / "config.yaml").exists()
    assert wide(home) == []


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
