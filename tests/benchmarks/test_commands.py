"""The real commands over a small folder print complete and plausible figures. Nothing is timed."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import command, locomo, xquad
from benchmarks.__main__ import PARTS
from benchmarks.bench import Bench
from benchmarks.callers import Agent
from benchmarks.floors import Floor
from benchmarks.report import Figure
from sandbox.extensions.memory import Memory

_SMALL = "--nodes 60 --repeats 1 --questions 6 --observes 20 --turns 40 --minutes 0.05".split()
_ROOT = Path(__file__).parents[2]


def _run(data: Path, *arguments: object) -> "subprocess.CompletedProcess[str]":
    line = [sys.executable, "-m", "benchmarks", "--data", str(data), *map(str, arguments)]
    return subprocess.run(line, cwd=_ROOT, capture_output=True, text=True)


def _figures(report: dict[str, Any], part: str) -> dict[str, dict[str, Any]]:
    return {figure["name"]: figure for figure in report["parts"][part]}


async def test_a_turn_of_an_agent_that_ends_at_once_is_stored(tmp_path: Path) -> None:
    """Its hook returns before the process that stores the turn has started."""
    home, folder = tmp_path / "home", tmp_path / "folder"
    for each in (home, folder):
        each.mkdir()
    agent = Agent(home, folder)
    agent.save("the heron nests behind the hill")
    agent.close()
    async with Memory.open(home) as memory:
        [turn] = await memory.search("", types=["episodic"], scope=memory.scope_in(folder))
        assert turn.content == "the heron nests behind the hill"


def test_every_benchmark_runs_and_names_its_data(data: Path, tmp_path: Path) -> None:
    """Without those that test_calibration, test_quality, test_killed and test_notes run."""
    parts = [part for part in PARTS if part not in ("calibration", "ablation", "crashes", "notes")]
    only = [word for part in parts for word in ("--only", part)]
    done = _run(data, "--json", "--cache", tmp_path / "cache", *only, *_SMALL)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)

    assert list(report["parts"]) == parts
    assert report["problems"] == report["left_out"] == []
    assert report["machine"].keys() >= {"cpu", "cores", "memory_bytes", "os", "file_system", "load", "load_after"}
    assert report["versions"].keys() >= {"python", "sqlite", "sqlite_driver", "numpy", "wordllama", "assistant-memory"}
    assert report["data"]["sha256"].keys() >= {"locomo/docs.jsonl", "longmemeval/filler.jsonl"}
    assert report["options"]["nodes"] == [60]
    assert "purge_days" in report["configuration"]

    recall = _figures(report, "locomo")
    assert recall["recall@5"]["value"] <= recall["recall@10"]["value"] <= recall["recall@50"]["value"] <= 1
    assert recall["recall@10"]["floor"] == {"limit": 0.79, "goal": 0.84, "better": "higher"}
    assert recall["recall@10"]["detail"]["low"] <= recall["recall@10"]["value"] <= recall["recall@10"]["detail"]["high"]

    said = _figures(report, "kernel")
    assert said["message acknowledged p50"]["value"] < said["message remembered p50"]["value"]
    assert said["message remembered p50"]["detail"]["rounds"][0]["count"] == 20
    assert {"message and its context p99", "kernel start", "checkpoint saved", "checkpoint loaded"} <= said.keys()

    learning = _figures(report, "learning")
    assert learning["sessions a second"]["value"] > 0

    imported = _figures(report, "imports")
    assert imported["import of LoCoMo"]["detail"]["turns"] == 24
    assert imported["import of 40 lines"]["value"] > 0
    assert imported["import of LoCoMo, over its bare legs"]["value"] > 0

    observed = _figures(report, "observe")["observe p99 over bare"]["detail"]["rounds"]
    assert [(each["bare"]["count"], each["observe"]["count"]) for each in observed] == [(20, 20)]

    called = _figures(report, "clients")
    assert (called["errors"]["value"], called["lost"]["value"]) == (0, 0)
    assert called["mcp over stdio, save p99"]["value"] > 0

    scale = _figures(report, "scale")
    assert {"context p50", "context p95", "first context", "resident memory", "disk over text and vectors"} <= set(
        scale
    )
    assert scale["resident memory"]["value"] > 20
    assert scale["first context"]["value"] > 0
    assert scale["first context"]["detail"]["runs"][0]["items"] > 0
    assert scale["context p50"]["floor"] is None, "floors hold at the size they were set for"
    assert scale["context p50 over the references"]["value"] > 0

    kept = sorted(path.name.split("-")[:2] for path in (tmp_path / "cache").iterdir())
    assert kept == [["60", "nodes"], ["60", "references"]], "one build serves every part, and nothing else stays"


def test_one_part_alone_shows_a_table(data: Path) -> None:
    done = _run(data, "--only", "locomo", "--config", "purge_days=10")
    assert done.returncode == 0, done.stderr
    assert "locomo: recall@10" in done.stdout
    assert "goal" in done.stdout


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        ("purge_days=10,decay_treshold=1", "decay_treshold"),
        ("embedding_dimensions=256", "embedding_dimensions: no setting any more"),
    ],
)
def test_an_unknown_setting_is_named(
    data: Path, config: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.run(PARTS, ["--data", str(data), "--config", config])
    assert complaint in capsys.readouterr().err


def test_a_folder_without_the_data_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.run(PARTS, ["--data", str(tmp_path), "--only", "locomo"])
    assert str(tmp_path / "locomo" / "docs.jsonl") in capsys.readouterr().err


def test_a_part_without_data_is_left_out_beside_others(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(data / "locomo")
    parts: dict[str, command.Part] = {"locomo": locomo.QUESTIONS.measure, "xquad": xquad.QUESTIONS.measure}
    assert command.run(parts, ["--data", str(data)]) == 0
    assert "locomo left out" in capsys.readouterr().out


def test_a_part_that_fails_is_reported_and_the_others_run(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def failing(_: Bench) -> Sequence[Figure]:
        raise RuntimeError("no disk")

    def missing_its_floor(_: Bench) -> Sequence[Figure]:
        return [Figure("speed", 3.0, "ms", Floor(2.0, None, "lower")), Figure("light", None, note="it is dark")]

    parts: dict[str, command.Part] = {"broken": failing, "slow": missing_its_floor}
    assert command.run(parts, ["--data", str(data)]) == 1
    shown = capsys.readouterr().out
    assert "broken failed: RuntimeError: no disk" in shown
    assert "miss" in shown
    assert "not available" in shown
    assert command.run(parts, ["--data", str(data), "--only", "slow"]) == 0, "a miss is not a failure"


def test_hooks_are_measured_as_an_agent_runs_them(data: Path, tmp_path: Path) -> None:
    small = "--only hooks --nodes 60 --questions 2".split()
    done = _run(data, "--json", "--cache", tmp_path, *small)
    assert done.returncode == 0, done.stderr
    figures = _figures(json.loads(done.stdout), "hooks")
    assert all(figures[name]["value"] > 0 for name in ("hook, resident process, p95", "hook, starting it, p95"))
