"""New knowledge is joined with similar knowledge in the transaction that stores it."""

import asyncio
from pathlib import Path

import pytest

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.consolidate.related_candidates import MOST_RELATED
from tests.memory.store import raw

GREEN, HOT, JASMINE = "Ann likes green tea.", "Ann likes hot green tea.", "Ann likes jasmine green tea."

_EDGES = """SELECT a.content, b.content, e.predicate, e.strength FROM edges AS e
    JOIN nodes AS a ON a.id = e.source_id JOIN nodes AS b ON b.id = e.target_id
    WHERE e.relation = 'related_to' ORDER BY e.source_id, e.target_id"""


class Related:
    """A memory that learns, and its edges."""

    def __init__(self, memory: Memory, folder: Path) -> None:
        self.memory = memory
        self._folder = folder

    async def learn(self, *said: str, session: str, scope: Scope | None = None) -> list[str]:
        """Say something in a session, learn from it, and return what was learnt."""
        for text in said:
            await self.memory.observe("user", text, session=session, speaker="Ann", scope=scope or Scope())
        report = await self.memory.consolidate(session, scope=scope or Scope())
        return [each.content for each in report.learnt]

    async def relate(self) -> dict[str, int]:
        """The number of edges that a night adds."""
        return dict((await self.memory.maintain(only=["relate"])).steps[0].counts)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs that are joined, the younger first."""
        return [(younger, older) for younger, older, *_ in raw.query(self._folder, _EDGES)]


@pytest.fixture
async def near(embedded: Memory, tmp_path: Path) -> Related:
    """An empty memory with a known embedder."""
    await embedded.wait_until_embedded()
    return Related(embedded, tmp_path / "embedded")


async def test_a_learnt_fact_is_related_to_known_facts(near: Related, tmp_path: Path) -> None:
    assert await near.learn("I love green tea.", session="s1") == [GREEN]
    learnt = await near.learn("I love hot green tea. I have a dog called Rex.", session="s2")
    assert sorted(learnt) == [HOT, "Ann's dog is called Rex."]
    [(*pair, predicate, strength)] = raw.query(tmp_path / "embedded", _EDGES)
    assert (pair, predicate) == ([HOT, GREEN], "")
    assert strength == pytest.approx(0.92, abs=0.01)
    assert await near.learn("I love hot green tea.", session="s3") == []
    assert near.pairs == [(HOT, GREEN)]


async def test_facts_of_one_session_are_related_at_once(near: Related) -> None:
    await near.memory.remember("Ann loves green tea more than coffee.")
    await near.memory.wait_until_embedded()
    await near.learn("I love green tea. My dog is called Rex. I love jasmine green tea.", session="s1")
    pairs = near.pairs
    assert pairs == [(GREEN, "Ann loves green tea more than coffee."), (JASMINE, GREEN)]
    assert await near.relate() == {}
    assert near.pairs == pairs


async def test_ended_facts_are_not_related(near: Related) -> None:
    await near.learn("I love green tea.", session="s1")
    (known,) = await near.memory.search("", types=("semantic", "opinion"))
    await near.memory.forget(known.id)
    await near.learn("I love jasmine green tea.", session="s2")
    assert near.pairs == []


async def test_a_replacement_is_not_related_to_its_predecessor(near: Related) -> None:
    await near.learn("I live in San Francisco.", session="s1")
    await near.learn("I live in San Diego now.", session="s2")
    assert near.pairs == []


@pytest.mark.parametrize("scope", [Scope("bob"), Scope(project_id="acme", visibility="project"), Scope(project_id="x")])
async def test_only_facts_of_one_scope_are_related(near: Related, scope: Scope) -> None:
    await near.learn("I love green tea.", session="s1")
    await near.learn("I love jasmine green tea.", session="s2", scope=scope)
    assert near.pairs == []
    await near.learn("I love jasmine tea.", session="s3", scope=scope)
    assert near.pairs == [("Ann likes jasmine tea.", JASMINE)]
    assert await near.relate() == {}


async def test_no_fact_has_more_relations_than_the_limit(near: Related) -> None:
    kinds = "black green white red yellow cold hot weak".split()
    for kind in kinds:
        await near.learn(f"I love {kind} tea.", session=kind)
    ends = [end for pair in near.pairs for end in pair]
    assert ends
    assert max(map(ends.count, ends)) <= MOST_RELATED


async def test_each_fact_is_embedded_once(tmp_path: Path) -> None:
    hashing = HashEmbedder()
    async with Memory.open(tmp_path / "memory", embedder=hashing) as memory:
        await memory.wait_until_embedded()
        near = Related(memory, tmp_path / "memory")
        await near.learn("I love green tea.", session="s1")
        await near.learn("I love jasmine green tea.", session="s2")
        await memory.wait_until_embedded()
        assert [hashing.seen.count(each) for each in (GREEN, JASMINE)] == [1, 1]
        assert near.pairs == [(JASMINE, GREEN)]


async def test_without_a_provider_facts_are_learnt_and_related_at_night(tmp_path: Path) -> None:
    hashing = HashEmbedder()
    async with asyncio.timeout(20), Memory.open(tmp_path / "memory", embedder=hashing) as memory:
        await memory.wait_until_embedded()
        near = Related(memory, tmp_path / "memory")
        hashing.available = False
        assert await near.learn("I love green tea.", session="s1") == [GREEN]
        assert await near.learn("I love jasmine green tea.", session="s2") == [JASMINE]
        assert near.pairs == []
        hashing.available = True
        assert await near.relate() == {"related": 1}
        assert near.pairs == [(JASMINE, GREEN)]
