"""The night writes summaries of entities that are mentioned often."""

from pathlib import Path

import pytest

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.reports import StepReport
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from sandbox.testing import FakeClock
from tests.memory.hits import present
from tests.memory.night.conftest import answering
from tests.memory.store import raw

FACTS = ("Ann lives in Berlin.", "Ann has two cats.", "Ann plays the cello.")
_VERSIONS = "SELECT version, content, retired_at IS NULL FROM summaries ORDER BY version"


async def enrich(memory: Memory) -> StepReport:
    return (await memory.maintain(only=["enrich"])).steps[0]


async def tell(memory: Memory, *facts: str, scope: Scope | None = None) -> list[str]:
    return [await memory.remember(fact, subject="Ann", scope=scope or Scope()) for fact in facts]


async def test_often_mentioned_persons_are_summed_up(memory: Memory) -> None:
    await tell(memory, *FACTS[:2])
    assert (await enrich(memory)).counts == {}
    await tell(memory, FACTS[2])
    assert (await enrich(memory)).counts == {"summed up": 1}
    assert (await memory.entity("Ann")).summary == "Ann plays the cello. Ann has two cats. Ann lives in Berlin."
    assert (await enrich(memory)).counts == {}


async def test_an_extract_is_short_and_whole(memory: Memory) -> None:
    await tell(memory, *(f"Ann likes {'very ' * 15}much the number {number}" for number in range(6)))
    await enrich(memory)
    summary = present((await memory.entity("Ann")).summary)
    assert 80 < len(summary) <= 280
    assert summary.count("much the number") == 2
    assert summary.endswith(".")


@pytest.mark.parametrize("way", ["forget", "correct", "supersede"])
async def test_a_summary_goes_at_once_with_its_sources(memory: Memory, folder: Path, way: str) -> None:
    ids = await tell(memory, *FACTS)
    await enrich(memory)
    if way == "forget":
        await memory.forget(ids[0])
    elif way == "correct":
        await memory.correct(ids[0], "Ann lives in Bern.")
    else:
        await tell(memory, "Ann lives in Bern now.")
    assert (await memory.entity("Ann")).summary is None
    assert "Berlin" not in str(raw.query(folder, "SELECT summary FROM entities"))
    await enrich(memory)
    assert "Berlin" not in present((await memory.entity("Ann")).summary)
    assert [(version, held) for version, _, held in raw.query(folder, _VERSIONS)] == [(1, 0), (2, 1)]


async def test_a_look_back_shows_the_summary_of_that_time(memory: Memory, clock: FakeClock) -> None:
    """Another summary is valid now; no old one contains forgotten facts."""
    await tell(memory, *FACTS)
    await enrich(memory)
    then, first = clock(), present((await memory.entity("Ann")).summary)
    clock.advance(days=1)
    (doctor,) = await tell(memory, "Ann is a doctor.")
    await enrich(memory)
    later = clock()
    assert "doctor" in present((await memory.entity("Ann")).summary)
    clock.advance(days=1)
    await memory.forget(doctor)
    await enrich(memory)
    assert (await memory.entity("Ann")).summary == first
    assert (await memory.entity("Ann", as_of=then)).summary == first
    assert (await memory.entity("Ann", as_of=later)).summary is None


async def test_erased_text_is_in_no_version_of_a_summary(memory: Memory, folder: Path) -> None:
    berlin, *_ = await tell(memory, *FACTS)
    await enrich(memory)
    await tell(memory, "Ann is a doctor.")
    await enrich(memory)
    await memory.erase(berlin)
    assert raw.query(folder, _VERSIONS) == []
    assert raw.query(folder, "SELECT summary FROM entities WHERE name = 'Ann'") == [(None,)]
    assert raw.query(folder, "SELECT * FROM summary_sources") == []


async def test_a_summary_of_faded_facts_goes(memory: Memory, clock: FakeClock) -> None:
    for fact in FACTS:
        await memory.remember(fact, subject="Ann", source="inferred")
    await enrich(memory)
    clock.advance(days=100)
    assert (await enrich(memory)).counts == {"dropped": 1}
    assert (await memory.entity("Ann")).summary is None


async def test_a_summary_has_only_facts_visible_to_its_readers(memory: Memory) -> None:
    """Everybody knows Ann, but a project's facts about her only appear in that project."""
    await tell(memory, FACTS[0])
    await tell(memory, *FACTS[1:], scope=Scope(project_id="secret", visibility="project"))
    await tell(memory, *FACTS, scope=Scope("bob"))
    await enrich(memory)
    assert (await memory.entity("Ann")).summary == "Ann lives in Berlin."
    assert len(str((await memory.entity("Ann", scope=Scope("bob"))).summary)) > 50


async def test_a_model_sums_up_again_after_rules_and_is_paid_once(folder: Path, clock: FakeClock) -> None:
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        await tell(memory, *FACTS)
        await enrich(memory)
    model = answering()
    async with Memory.open(folder, model=model, clock=clock) as memory:
        report = await enrich(memory)
        assert (report.counts, report.spent.calls) == ({"summed up": 1}, 1)
        assert (await memory.entity("Ann")).summary == "Ann is known for this: Ann plays the cello."
        assert raw.query(folder, "SELECT e.name FROM entity_vectors v JOIN entities e ON e.id = v.entity_id")
        await enrich(memory)
        assert len(model.asked) == 1
        assert "<material>" in model.asked[0].user


async def test_a_models_summary_in_another_language_is_not(folder: Path, clock: FakeClock) -> None:
    model = ScriptedLanguageModel(otherwise={"summary": "Ann lives in Berlin and works there with two cats."})
    async with Memory.open(folder, embedder=None, clock=clock, model=model) as memory:
        facts = ("Ann wohnt in Berlin und hat zwei Katzen.", "Ann spielt nicht nur das Cello.", "Ann mag den Tango.")
        await tell(memory, *facts)
        await enrich(memory)
        assert (await memory.entity("Ann")).summary == " ".join(reversed(facts))


async def test_summaries_are_embedded_by_a_new_embedder(folder: Path, clock: FakeClock) -> None:
    """All summaries have vectors of the new model."""
    for embedder in (HashEmbedder(64), HashEmbedder(128)):
        async with Memory.open(folder, embedder=embedder, clock=clock) as memory:
            await tell(memory, *FACTS)
            await memory.wait_until_embedded()
            await enrich(memory)
            models = "SELECT m.name FROM entity_vectors AS v JOIN embedding_models AS m ON m.id = v.model_id"
            assert raw.query(folder, models) == [(embedder.model_id,)]


@pytest.mark.parametrize("said", ["", "I am Ann.", "She is nice. " * 40, "Ann's password is hunter2secret99!"])
async def test_an_invalid_summary_is_replaced_by_the_facts(folder: Path, clock: FakeClock, said: str) -> None:
    model = ScriptedLanguageModel(otherwise={"summary": said})
    async with Memory.open(folder, embedder=None, clock=clock, model=model) as memory:
        await tell(memory, *FACTS)
        await enrich(memory)
        assert (await memory.entity("Ann")).summary == "Ann plays the cello. Ann has two cats. Ann lives in Berlin."
        assert (await memory.statistics()).spending["enrich"].calls == 1
