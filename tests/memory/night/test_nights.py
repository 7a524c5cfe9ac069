"""The night as a whole: a second one changes nothing, one replaces a month of nights, and a killed one ends the
same.
"""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.maintain.night import STEPS
from sandbox.extensions.memory.ports import LanguageModel
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from sandbox.testing import NOON, FakeClock
from tests.memory.night import canonical, programs
from tests.memory.night.conftest import answering
from tests.memory.night.programs import lived, model_for
from tests.memory.store import raw
from tests.memory.store.processes import running

Build = Callable[[str], Path]


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a memory in which every step of the night finds something to do."""
    folder = tmp_path_factory.mktemp("life") / "memory"
    programs.live(folder)
    return folder


@pytest.fixture
def copy(life: Path, tmp_path: Path) -> Build:
    """Copy that folder."""

    def build(name: str) -> Path:
        return Path(shutil.copytree(life, tmp_path / name))

    return build


def differences(one: dict[str, list[Any]], other: dict[str, list[Any]]) -> list[Any]:
    return [row for sql in one for row in set(one[sql]) ^ set(other[sql])]


@pytest.mark.parametrize("by", ["rules", "model"])
async def test_a_second_night_changes_nothing(copy: Build, by: str) -> None:
    """Every row of every table is the same."""
    folder = copy("memory")
    async with lived(folder, model_for(by)) as (memory, _):
        first = await memory.maintain()
        done = {step.step for step in first.steps if step.counts and step.status == "done"}
        assert done >= {"sessions", "merge", "enrich", "prune"}
        await memory.wait_until_embedded()
        before = canonical.everything(folder)
        assert {step.status for step in (await memory.maintain()).steps} <= {"done", "skipped", "partial"}
        assert canonical.everything(folder) == before
        assert [check.name for check in await memory.check() if not check.ok] == []


@pytest.mark.parametrize("by", ["rules", "model"])
async def test_a_month_in_one_night_is_thirty_nights(tmp_path: Path, by: str) -> None:
    """With limits that a single night reaches."""
    await programs.alive(tmp_path / "single", days=0)
    shutil.copytree(tmp_path / "single", tmp_path / "month")
    bounds = {"causal_inference_batch_size": 1}
    statuses = []
    async with lived(tmp_path / "single", model_for(by), **bounds) as (memory, clock):
        for _ in range(30):
            clock.advance(days=1)
            statuses.append({step.step: step.status for step in (await memory.maintain()).steps})
    async with lived(tmp_path / "month", model_for(by), **bounds) as (memory, clock):
        clock.advance(days=30)
        report = await memory.maintain()
    assert statuses[0]["causality"] == "partial"
    assert {"done", "skipped"} >= {step.status for step in report.steps} == set(statuses[-1].values())
    assert differences(canonical.graph(tmp_path / "single"), canonical.graph(tmp_path / "month")) == []


@pytest.mark.parametrize("by", ["rules", "model"])
async def test_two_simultaneous_nights_are_one(copy: Build, by: str) -> None:
    alone, together = copy("alone"), copy("together")
    async with lived(alone, model_for(by)) as (memory, _):
        await memory.maintain()
    async with lived(together, model_for(by)) as (memory, _), lived(together, model_for(by)) as (other, _):
        await asyncio.gather(memory.maintain(), other.maintain())
        await memory.maintain()
    assert differences(canonical.graph(alone), canonical.graph(together)) == []


# --- killed -----------------------------------------------------------------------------------------------------------

_KILLS = [(step, 2) for step in STEPS] + [("answer", call) for call in (1, 3, 5)]


@pytest.mark.parametrize(("where", "call"), _KILLS)
async def test_a_killed_night_ends_the_same_when_repeated(
    copy: Build, where: str, call: int, done: dict[str, Any]
) -> None:
    """In each step, and while a model answers."""
    folder = copy("memory")
    with running(programs.night_killed_at, folder, where, call) as process:
        process.join(30)
        assert process.exitcode == -9
    async with lived(folder, model_for("model")) as (memory, _):
        await memory.maintain()
        assert [check.name for check in await memory.check() if not check.ok] == []
    assert differences(canonical.graph(folder), done) == []


@pytest.fixture(scope="module")
def done(life: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The graph after an undisturbed night."""
    folder = Path(shutil.copytree(life, tmp_path_factory.mktemp("done") / "memory"))
    programs.night(folder)
    return canonical.graph(folder)


# --- what fails, and what it costs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "error"),
    [
        (ScriptedLanguageModel(), "ModelUnavailable"),
        (ScriptedLanguageModel(otherwise=RuntimeError("what Ann said")), "RuntimeError"),
        (ScriptedLanguageModel(otherwise="no idea"), None),
    ],
    ids=["unavailable", "broken", "babbling"],
)
async def test_a_failing_model_stops_no_other_step(
    copy: Build, model: LanguageModel, error: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    """The kind of its error is recorded."""
    folder = copy("memory")
    async with lived(folder, model) as (memory, _):
        report = await memory.maintain()
        status = {step.step: step.status for step in report.steps}
        (night,) = await memory.nights(limit=1)
        failed = {step.step: step.error for step in night.steps if step.status == "failed"}
        assert failed.keys() == {step for step, how in status.items() if how == "failed"}
        assert failed.keys() - {"sessions"} == ({"merge", "enrich", "causality", "insights"} if error else set())
        assert set(failed.values()) <= {error}
        assert status["prune"] == status["relate"] == "done"
        assert report.pruned
        assert dict(report.steps[1].counts)["merged"] >= 1
        assert "what Ann said" not in f"{report}{night}{caplog.text}"
        assert (await memory.statistics()).last_maintained_at is not None


async def test_a_spent_budget_stops_the_night_until_the_next_day(copy: Build) -> None:
    folder, model = copy("memory"), answering()
    async with lived(folder, model, tokens_per_day=400) as (memory, clock):
        report = await memory.maintain(only=["merge", "enrich", "causality"])
        assert "partial" in {step.status for step in report.steps}
        assert {step.note for step in report.steps if step.status == "partial"} <= {
            "the token budget is spent",
            "the night's pairs are used up",
        }
        asked = len(model.asked)
        assert 0 < asked < 8
        await memory.maintain(only=["merge", "enrich", "causality"])
        assert len(model.asked) == asked
        for _ in range(12):
            clock.advance(days=1)
            report = await memory.maintain(only=["merge", "enrich", "causality"])
        assert {step.status for step in report.steps} == {"done"}


async def asked_about_yuri(folder: Path, config: dict[str, int], *users: str) -> list[str]:
    """What a night asks a model about Bob's Yuri, if these users have told as much, each of somebody else."""
    model = answering()
    async with Memory.open(folder, embedder=None, model=model, config=config) as memory:
        for user in users:
            name, scope = {"ann": "Xenia", "bob": "Yuri"}[user], Scope(user)
            for each in ("tea", "milk", "rice", "soup"):
                await memory.remember(f"{name} likes to have some warm {each} at night.", subject=name, scope=scope)
                await memory.remember(f"Plays chess near {each}.", subject=f"{name}kowa{each}n", scope=scope)
                await memory.observe("user", f"{name} has some {each}.", session=each, scope=scope)
                await memory.observe("user", f"That's why {name} left.", session=each, scope=scope)
        await memory.maintain(only=["merge", "identity", "enrich", "insights", "causality"])
        return [f"{question.name}: {question.user}" for question in model.asked if "Yuri" in question.user]


@pytest.mark.parametrize("config", [{"causal_inference_batch_size": 1}, {"tokens_per_user": 600}, {}])
async def test_each_user_has_a_budget_for_the_night(tmp_path: Path, config: dict[str, int]) -> None:
    alone = await asked_about_yuri(tmp_path / "alone", config, "bob")
    assert len({each.split(":")[0] for each in alone}) >= 2
    assert await asked_about_yuri(tmp_path / "both", config, "ann", "bob") == alone


async def test_unusable_answers_are_counted_as_spent(copy: Build) -> None:
    async with lived(copy("memory"), ScriptedLanguageModel(otherwise="no idea")) as (memory, _):
        report = await memory.maintain(only=["merge"])
        assert report.spent.calls >= 2
        statistics = await memory.statistics()
        assert statistics.spending == {"merge": report.spent}
        assert statistics.violations == {"no_json": report.spent.calls}


async def test_a_dry_night_asks_no_model_and_estimates_the_cost(copy: Build) -> None:
    folder, model = copy("memory"), answering()
    async with lived(folder, model) as (memory, _):
        before = canonical.everything(folder)
        planned = await memory.maintain(dry_run=True)
        assert model.asked == []
        assert canonical.everything(folder) == before
        assert {step.status for step in planned.steps} == {"planned"}
        plans = {step.step: step for step in planned.steps}
        assert planned.spent.tokens > 1000
        assert all(plans[step].spent.calls for step in ("sessions", "merge", "enrich", "causality", "insights"))
        assert plans["relate"].spent.calls == plans["prune"].spent.calls == 0
        did = await memory.maintain()
        assert planned.pruned == did.pruned


# --- how it is asked for ----------------------------------------------------------------------------------------------


async def test_the_night_reports_its_progress(copy: Build) -> None:
    told: list[tuple[str, int, int]] = []
    async with lived(copy("memory"), model_for("model")) as (memory, _):
        await memory.maintain(progress=lambda step, done, of: told.append((step, done, of)))
    assert list(dict.fromkeys(step for step, *_ in told)) == list(STEPS)
    assert all(done >= 0 and (done <= of or not of) for _, done, of in told)


async def test_memories_of_different_users_are_not_compared(copy: Build) -> None:
    """Two users know the same; no edge or block joins their memories."""
    folder, model = copy("memory"), model_for("model")
    assert isinstance(model, ScriptedLanguageModel)
    async with lived(folder, model) as (memory, _):
        for user in ("ann", "bob"):
            await programs.tell(memory, Scope(user), mark=f"{user}word")
        await memory.maintain()
    across = "SELECT 1 FROM edges e JOIN nodes a ON a.id = e.source_id JOIN nodes b ON b.id = e.target_id"
    assert raw.query(folder, f"{across} WHERE a.user_id <> b.user_id") == []
    assert not any("annword" in question.user and "bobword" in question.user for question in model.asked)
    assert any("annword" in question.user for question in model.asked)


async def test_without_its_model_the_night_uses_rules_for_all_users(memory: Memory, folder: Path) -> None:
    for user in ("ann", "bob"):
        await programs.tell(memory, Scope(user))
    async with lived(folder, ScriptedLanguageModel()) as (other, _):
        report = await other.maintain(only=["merge"])
    assert (report.steps[0].status, dict(report.steps[0].counts)) == ("failed", {"merged": 2})
    assert (
        report.steps[0].note == "The language model scripted cannot answer (the script is over)"
        "; learning is tried again later."
    )


# --- kept for those who look later ------------------------------------------------------------------------------------


async def test_the_latest_nights_are_kept_and_each_user_sees_what_they_changed_of_theirs(
    memory: Memory, clock: FakeClock
) -> None:
    """2026-03-02 ann: I live in Berlin. I work at Acme.
    A year later nothing of it was used; bob said nothing.
    """
    ann, bob = Scope("ann"), Scope("bob")
    assert await memory.nights(scope=ann) == ()
    await memory.observe("user", "I live in Berlin. I work at Acme.", session="s", scope=ann)
    await memory.end_session("s", scope=ann)
    await memory.maintain(dry_run=True)
    await memory.maintain()
    await memory.remember("The bicycle is in the cellar.", source="inferred", scope=ann)
    first = clock.advance(days=400)
    await memory.maintain(only=["prune"])
    told = await memory.nights(scope=ann)
    assert [night.at for night in told] == [first, NOON]
    assert [step.step for step in told[1].steps] == list(STEPS)
    assert {step.step: step.status for step in told[1].steps}["insights"] == "skipped"
    assert told[1].changes["created"] == 2
    assert [step.step for step in told[0].steps] == ["prune"]
    assert set(told[0].changes) == {"pruned"}
    assert told[1].seconds + 0.01 >= sum(step.seconds for step in told[1].steps) > 0
    assert [night.changes for night in await memory.nights(scope=bob)] == [{}, {}]
    for _ in range(60):
        await memory.maintain(only=["prune"])
    assert len(await memory.nights(limit=100, scope=ann)) == 60
