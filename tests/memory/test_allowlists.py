"""An agent with a list of categories neither sees nor stores memories of other categories, whatever it asks."""

from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import CategoryNotAllowed, NoProposal, UnknownEntity
from sandbox.testing import NOON

PLANNER, STYLIST, FREE = Scope(agent_id="planner"), Scope(agent_id="stylist"), Scope(agent_id="free")
pytestmark = pytest.mark.settings(
    allowlists={"planner": ["project", "event"], "stylist": ["preference", "episodic"], "mute": []}
)


@pytest.fixture
async def listed(memory: Memory) -> Memory:
    await memory.observe("user", "The kite is red.", session="s", speaker="Ann")
    await memory.remember("The kite project ends in May.", category="project", subject="Kite")
    await memory.remember("The user likes a kite in blue.", category="preference", subject="Kite")
    await memory.remember("Never fly the kite at night.", category="instruction")
    return memory


@pytest.mark.parametrize(
    ("scope", "sees"),
    [
        (PLANNER, {"The kite project ends in May."}),
        (STYLIST, {"The kite is red.", "The user likes a kite in blue."}),
        (Scope(agent_id="mute"), set()),
    ],
)
async def test_a_listed_agent_sees_only_its_categories(listed: Memory, scope: Scope, sees: set[str]) -> None:
    assert {each.content for each in await listed.search("kite", limit=9, scope=scope)} == sees
    assert {each.content for each in await listed.search("", limit=9, scope=scope)} == sees
    assert {each.memory.content for each in (await listed.list(scope=scope)).items} == sees
    block = await listed.context("what about the kite?", scope=scope)
    assert (set() if block is None else {each.content for each in block.items}) <= sees
    counted = (await listed.counts(scope=scope)).category
    assert sum(counted.values()) == len(sees - {"The kite is red."})


@pytest.mark.parametrize("category", ["preference", ["project", "preference"], "episodic"])
async def test_a_forbidden_category_is_refused_by_name(listed: Memory, category: str | list[str]) -> None:
    named = category if isinstance(category, str) else category[1]
    told = rf"'planner' may not use the category '{named}'; it may use: project, event"
    with pytest.raises(CategoryNotAllowed, match=told):
        await listed.search("kite", category=category, scope=PLANNER)
    with pytest.raises(CategoryNotAllowed, match=told):
        await listed.list(category=category, scope=PLANNER)


async def test_a_listed_agent_neither_stores_nor_forgets_other_categories(listed: Memory) -> None:
    """An unlisted one sees everything."""
    with pytest.raises(CategoryNotAllowed, match="may use: project, event"):
        await listed.remember("Ann likes tea.", category="preference", scope=PLANNER)
    await listed.remember("The kite flew.", category="event", scope=PLANNER)
    assert (await listed.list(scope=PLANNER)).total == await listed.forget_all(scope=PLANNER) == 2
    assert (await listed.list(scope=FREE)).total == (await listed.list()).total == 3


async def test_turns_are_read_only_with_their_category(listed: Memory) -> None:
    assert (await listed.turns("s", scope=STYLIST)).total == 1
    for ask in (listed.turns, listed.passed_over):
        with pytest.raises(CategoryNotAllowed, match="'episodic'"):
            await ask("s", scope=PLANNER)


async def test_erasing_and_undoing_need_every_category(listed: Memory) -> None:
    """Both reach and show every memory that rests on the chosen ones."""
    seq = (await listed.changes())[-1].seq
    (own,) = (await listed.list(scope=PLANNER)).items
    for which in ({"id": own.memory.id}, {"subject": "Kite"}, {"session": "s"}, {"before": "2100-01-01"}):
        with pytest.raises(CategoryNotAllowed, match="'planner' may not use the category 'instruction'"):
            await listed.erase(**which, dry_run=True, scope=PLANNER)  # type: ignore[arg-type]
    with pytest.raises(CategoryNotAllowed):
        await listed.undo(seq, dry_run=True, scope=PLANNER)
    assert (await listed.undo(seq, scope=FREE)).steps
    assert (await listed.erase(session="s", scope=FREE)).turns == 1


async def test_proposals_of_other_categories_are_hidden(listed: Memory) -> None:
    id = await listed.remember("The user lives in Potsdam.", category="fact", source="inferred")
    assert [each.memory.id for each in await listed.proposals()] == [id]
    assert await listed.proposals(scope=PLANNER) == ()
    for decide in (listed.approve, listed.reject):
        with pytest.raises(NoProposal):
            await decide(id, scope=PLANNER)


async def test_a_known_id_gives_no_access(listed: Memory) -> None:
    (other,) = (await listed.list(category="preference")).items
    id = other.memory.id
    for ask in (listed.explain, listed.forget, listed.confirm, listed.restore, listed.pin, listed.confidence_over_time):
        with pytest.raises(CategoryNotAllowed, match="'preference'"):
            await ask(id, scope=PLANNER)
    with pytest.raises(CategoryNotAllowed, match="'preference'"):
        await listed.correct(id, "The user likes no kite.", scope=PLANNER)
    assert (await listed.explain(id)).memory.content == "The user likes a kite in blue."


ANN = "Ann leads the kite project."


async def test_changes_of_other_categories_are_hidden(listed: Memory) -> None:
    own = {each.memory.id for each in (await listed.list(scope=PLANNER)).items}
    seen = await listed.changes(scope=PLANNER)
    assert {each.id for each in seen} == own
    assert len(seen) == (await listed.statistics(scope=PLANNER)).changes < len(await listed.changes())
    assert seen[-1].seq == await listed.last_change(scope=PLANNER)
    times = (NOON - timedelta(days=1), NOON + timedelta(days=1))
    assert {each.change.id for each in await listed.knowledge_changes(*times, scope=PLANNER)} == own
    with pytest.raises(CategoryNotAllowed):
        await listed.changes(whole=True, scope=PLANNER)


@pytest.fixture
async def told(listed: Memory) -> Memory:
    """The planner knows of Ann. That she is called Annie, and that there is a Zoltan Feher, stands elsewhere."""
    await listed.remember(ANN, category="project", subject="Ann")
    await listed.remember("Ann likes tea.", category="preference", subject="Ann")
    await listed.remember("Annie likes blue.", category="preference", subject="Annie")
    await listed.remember("Zoltan Feher lives with Ann.", category="relationship_dynamic", subject="Zoltan Feher")
    await listed.merge_entities("Annie", "Ann")
    await listed.maintain(only=["enrich"])
    return listed


async def test_the_order_of_names_does_not_tell_how_often_other_categories_mention_them(listed: Memory) -> None:
    for name in ("Falcon", "Heron"):
        await listed.remember(f"{name} is written in Go.", category="project", subject=name)

    async def order(scope: Scope) -> list[str]:
        first = await listed.entities(limit=2, scope=scope)
        rest = await listed.entities(limit=9, cursor=first.next, scope=scope)
        return [each.name for each in (*first.items, *rest.items)]

    before = await order(PLANNER)
    for place in ("car", "house", "desk"):
        await listed.remember(
            f"The user has a picture of a Falcon in the {place}.", category="preference", subject="Falcon"
        )
    assert (await order(FREE))[0] == "Falcon"
    assert await order(PLANNER) == before


async def test_names_of_other_categories_are_hidden(told: Memory) -> None:
    def merge(name: str, scope: Scope) -> Awaitable[None]:
        return told.merge_entities(name, "Ann", scope=scope)

    assert [each.name for each in (await told.entities(scope=FREE)).items] == ["Ann", "Kite", "Zoltan Feher"]
    seen = await told.entities(scope=PLANNER)
    assert ({(each.name, each.mentions) for each in seen.items}, seen.total) == ({("Ann", 1), ("Kite", 1)}, 2)
    assert (await told.entities(scope=Scope(agent_id="mute"))).total == 0
    for ask in (told.entity, told.neighbourhood, told.split_entity, merge):
        with pytest.raises(UnknownEntity, match="Zoltan"):
            await ask("Zoltan", scope=PLANNER)
    for link in ("relevant_to", "derived_from"):
        with pytest.raises(UnknownEntity, match="Zoltan"):
            await told.remember("It is windy.", category="project", scope=PLANNER, **{link: ["Zoltan"]})  # type: ignore[arg-type]


@pytest.mark.parametrize("as_of", [None, datetime(2100, 1, 1, tzinfo=UTC)])
async def test_a_known_entity_shows_only_allowed_categories(told: Memory, as_of: datetime | None) -> None:
    everything, seen = [await told.entity("Ann", as_of=as_of, scope=scope) for scope in (FREE, PLANNER)]
    assert (everything.aliases, everything.merged) == (("Annie",), ("Annie",))
    assert everything.summary
    assert (seen.aliases, seen.merged, seen.summary, seen.mentions) == ((), (), None, 1)
    assert [each.content for each in seen.facts] == [ANN]


async def test_days_and_conversations_show_only_visible_memories(told: Memory) -> None:
    (day,) = await told.days(scope=PLANNER)
    assert (day.said, day.learnt) == (0, 2)
    counted = await told.statistics(scope=PLANNER)
    assert (counted.nodes, counted.entities) == ({"semantic": 2}, 2)
    assert await told.sessions(scope=PLANNER) == ()
    assert [each.id for each in await told.sessions(scope=STYLIST)] == ["s"]
