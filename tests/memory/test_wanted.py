"""The same filters for a search, a list, a block, an export, and forgetting many; times as people say them."""

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.times import moment, to_ms
from sandbox.support.times import from_ms
from sandbox.testing import NOON, FakeClock
from tests.memory.hits import contents

HOME = Scope(project_id="site", visibility="project")
TURN, NOTE, TEA = "The kite is red", "Mind the kite in the shed", "The kite was a gift"
WEB, SITE, OLD = "The kite is said to be cursed", "The kite page runs on Nix", "The kite costs ten euros"


@pytest.fixture
async def ids(memory: Memory, clock: FakeClock) -> dict[str, str]:
    """Six memories about a kite, a day apart, each different in something."""
    known = {}
    known[OLD] = await memory.remember(OLD, category="fact", source="inferred", subject="Kite", tags=["Toy", "price"])
    clock.advance(days=1)
    known[TURN] = await memory.observe("user", TURN, session="monday", speaker="Ann")
    clock.advance(days=1)
    bot = Scope(agent_id="planner", actor_id="bo")
    known[NOTE] = await memory.remember(NOTE, category="instruction", type="opinion", tags=["toy"], scope=bot)
    clock.advance(days=1)
    known[TEA] = await memory.remember(TEA, category="event", at=NOON - timedelta(days=400))
    known[WEB] = await memory.remember(WEB, category="pattern", trust="web")
    known[SITE] = await memory.remember(SITE, category="convention", type="procedural", scope=HOME)
    return known


CASES: tuple[tuple[dict[str, Any], set[str]], ...] = (
    ({"types": ["episodic"]}, {TURN}),
    ({"category": "instruction"}, {NOTE}),
    ({"category": ["instruction", "event"]}, {NOTE, TEA}),
    ({"tags": ["toy"]}, {NOTE, OLD}),
    ({"tags": ["price", "toy"]}, {OLD}),
    ({"subject": "kite"}, {OLD}),
    ({"entity": "Ann"}, {TURN}),
    ({"entity": "Nobody"}, set()),
    ({"role": "user"}, {TURN}),
    ({"role": ["assistant", "tool"]}, set()),
    ({"source": "inferred"}, {OLD}),
    ({"source": ["conversation", "inferred"]}, {TURN, OLD}),
    ({"trusted_as": "web"}, {WEB}),
    ({"trusted_as": ["web", "confirmed"]}, {WEB}),
    ({"pinned": True}, set()),
    ({"importance_min": 4}, set()),
    ({"importance_max": 3, "category": "event"}, {TEA}),
    ({"agent_id": "planner"}, {NOTE}),
    ({"actor_id": "bo"}, {NOTE}),
    ({"session_id": "monday"}, {TURN}),
    ({"project_id": "site"}, {SITE}),
    ({"visibility": "project"}, {SITE}),
    ({"before": "2025-06-01"}, {TEA}),
    ({"after": "2026-03-05"}, {WEB, SITE}),
    ({"created_before": NOON + timedelta(hours=1)}, {OLD}),
    ({"created_after": NOON + timedelta(days=3)}, {TEA, WEB, SITE}),
    ({"updated_after": NOON + timedelta(days=1), "updated_before": NOON + timedelta(days=3)}, {TURN, NOTE}),
    ({"state": "live", "before": "2026-03-04"}, {TEA, TURN, OLD}),
    ({"state": "quarantined"}, {WEB}),
    ({"state": "retired"}, set()),
)
SEES = Scope(project_id="site")


@pytest.mark.parametrize(("wanted", "expected"), CASES, ids=[str(wanted) for wanted, _ in CASES])
async def test_a_filter_means_the_same_in_every_method(
    memory: Memory, ids: dict[str, str], wanted: dict[str, Any], expected: set[str], tmp_path: Path
) -> None:
    assert ids.keys() >= expected
    listed = await memory.list(scope=SEES, **wanted)
    assert {each.memory.content for each in listed.items} == expected
    assert listed.total == len(expected)
    assert {each.content for each in await memory.search("kite", limit=9, scope=SEES, **wanted)} == expected
    assert {each.content for each in await memory.search("", limit=9, scope=SEES, **wanted)} == expected
    block = await memory.context("what about the kite?", budget=2_000, scope=SEES, **wanted)
    shown = set() if block is None else {each.content for each in block.items}
    assert shown <= expected
    await memory.export(tmp_path / "page.md", format="markdown", scope=SEES, **wanted)
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert {each for each in ids if each in page} == expected
    knowledge = expected - {TURN}
    assert await memory.forget_all(scope=SEES, dry_run=True, **wanted) == len(knowledge)


@pytest.mark.parametrize("wanted", [{"pinned": True}, {"importance_min": 4}, {"importance_min": 5, "pinned": True}])
async def test_pinned_and_important_memories_are_selected_alike(
    memory: Memory, ids: dict[str, str], wanted: dict[str, Any], tmp_path: Path
) -> None:
    await memory.pin(ids[TEA])
    await memory.set_importance(ids[TEA], 5)
    assert [each.memory.id for each in (await memory.list(scope=SEES, **wanted)).items] == [ids[TEA]]
    assert [each.id for each in await memory.search("kite", limit=9, scope=SEES, **wanted)] == [ids[TEA]]
    assert contents(await memory.context("what about the kite?", scope=SEES, **wanted)) == [TEA]
    assert (await memory.export(tmp_path / "some.jsonl", scope=SEES, **wanted)).lines == 1
    assert await memory.forget_all(scope=SEES, **wanted) == 1
    assert [each.memory.id for each in (await memory.list(state="forgotten", scope=SEES)).items] == [ids[TEA]]


async def test_replaced_and_forgotten_are_separate_states(memory: Memory, ids: dict[str, str]) -> None:
    await memory.correct(ids[OLD], "The kite costs twenty euros")
    await memory.forget(ids[TEA])
    retired = await memory.list(state="retired")
    assert [each.memory.content for each in retired.items] == [OLD]
    forgotten = await memory.list(state="forgotten")
    assert [each.memory.id for each in forgotten.items] == [ids[TEA]]
    assert [each.content for each in await memory.search("kite", state="retired")] == [OLD]


async def test_a_correction_keeps_when_a_memory_was_created(
    memory: Memory, ids: dict[str, str], clock: FakeClock
) -> None:
    now = clock()
    clock.advance(days=1)
    await memory.correct(ids[OLD], "The kite costs twenty euros")
    assert (await memory.list(created_after=now)).total == 2
    assert [each.memory.id for each in (await memory.list(updated_after=now + timedelta(hours=1))).items] == [ids[OLD]]


async def test_a_selection_is_forgotten_at_once_and_can_be_restored(memory: Memory, ids: dict[str, str]) -> None:
    assert await memory.forget_all(tags=["toy"]) == 2
    assert {each.memory.content for each in (await memory.list(state="forgotten")).items} == {OLD, NOTE}
    assert await memory.forget_all(tags=["toy"]) == 0
    await memory.restore(ids[OLD])
    assert [each.memory.content for each in (await memory.list(tags=["toy"])).items] == [OLD]


async def test_a_selection_is_exported_and_imported_as_memories(
    memory: Memory, ids: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "toys.jsonl"
    assert ids
    assert (await memory.export(file, tags=["toy"])).lines == 2
    async with Memory.open(tmp_path / "other", embedder=None) as other:
        report = await other.import_file(file)
        assert report.new == 2
        assert {each.memory.content for each in (await other.list(category="instruction")).items} == {NOTE}


ORDERS = {
    "newest": [SITE, WEB, TEA, NOTE, TURN, OLD],
    "oldest": [OLD, TURN, NOTE, TEA, WEB, SITE],
    "most_used": [OLD, TURN, SITE, WEB, TEA, NOTE],
    "most_important": [TEA, SITE, WEB, NOTE, TURN, OLD],
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("limit", [1, 2, 4, 6])
async def test_a_list_has_an_order_on_every_page(memory: Memory, ids: dict[str, str], order: Any, limit: int) -> None:
    assert ids
    await memory.set_importance(ids[TEA], 5)
    for _ in range(2):
        await memory.search("costs ten euros", limit=1)
    await memory.search("red", types=["episodic"], limit=1)
    found, cursor = list[str](), None
    while not found or cursor is not None:
        page = await memory.list(limit=limit, cursor=cursor, order=order, scope=SEES)
        found, cursor = [*found, *(each.memory.content for each in page.items)], page.next
        assert page.total == len(ORDERS[order])
    assert found == ORDERS[order]


async def test_a_list_can_be_ordered_by_fading(memory: Memory, ids: dict[str, str]) -> None:
    assert ids
    page = await memory.list(order="fading_first", limit=1)
    rest = await memory.list(order="fading_first", cursor=page.next)
    found = [*page.items, *rest.items]
    times = [each.memory.fades_at for each in found]
    assert len(found) == 5
    assert times[0] is not None
    assert [at is None for at in times] == sorted(at is None for at in times)


async def test_hits_can_be_ordered_otherwise(memory: Memory, ids: dict[str, str]) -> None:
    assert ids
    times = [each.event_time for each in await memory.search("kite", limit=9, order="oldest")]
    assert times == sorted(times)
    assert len(times) == 5
    await memory.set_importance(ids[NOTE], 3)
    await memory.set_importance(ids[TEA], 5)
    found = await memory.search("kite", limit=9, order="most_important")
    assert [each.content for each in found][:2] == [TEA, NOTE]


async def test_dissimilar_hits_are_left_out(memory: Memory, ids: dict[str, str]) -> None:
    assert ids
    found = await memory.search("kite", limit=5)
    least = sorted(each.similarity or 0.0 for each in found)[2]
    similar = await memory.search("kite", limit=5, threshold=least)
    assert similar
    assert all((each.similarity or 0.0) >= least for each in similar)
    assert {each.id for each in found if (each.similarity or 0.0) >= least} <= {each.id for each in similar}


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"category": "fakt"}, "instruction, person"),
        ({"role": "robot"}, "user, assistant, system, tool"),
        ({"trusted_as": ["friend"]}, "confirmed"),
        ({"types": ["fact"]}, "episodic, semantic"),
        ({"state": "gone"}, "live, quarantined, retired, forgotten"),
        ({"visibility": "all"}, "user, project"),
        ({"importance_min": 6}, "from 1 to 5"),
        ({"after": "soon"}, "last_week"),
        ({"created_after": "soon"}, "last_week"),
        ({"state": "live", "history": True}, "not both"),
        ({"after": "2026-03-02", "before": "2026-03-01"}, "it is later than `before`"),
        ({"updated_after": "2026-03-02", "updated_before": "2026-03-01"}, "it is later than `updated_before`"),
        ({"order": "random"}, "newest, oldest"),
        ({"pinned": "yes"}, "pinned"),
    ],
)
async def test_an_unknown_value_is_refused_with_the_known_ones(
    memory: Memory, wanted: dict[str, Any], told: str
) -> None:
    for ask in (memory.list, lambda **given: memory.search("kite", **given)):
        with pytest.raises(InvalidArgument, match=told):
            await ask(**wanted)


async def test_an_unknown_field_is_named(memory: Memory) -> None:
    with pytest.raises(TypeError, match=r"'categories' is no argument of search; it takes question, .*category"):
        await memory.search("kite", categories=["fact"])  # type: ignore[call-arg]


async def test_a_removed_category_can_be_selected(folder: Path) -> None:
    async with Memory.open(folder, embedder=None, config={"categories": ["fact", "recipe"]}) as memory:
        await memory.remember("Boil the beans", category="recipe")
    async with Memory.open(folder, embedder=None) as memory:
        assert (await memory.list(category="recipe")).total == 1


async def test_candidates_by_meaning_are_filtered_before_they_are_limited(embedded: Memory) -> None:
    """Ten thousand turns match the question better, by vectors and by words, than the hundred that the filter wants."""
    said = [Message("user", f"violin lesson {number % 90}", f"s{number // 50}") for number in range(9_900)]
    rare = [Message("tool", f"The bow of instrument {number} needs resin", f"s{number}") for number in range(100)]
    await embedded.observe_many([*said[:5_000], *rare, *said[5_000:]])
    await embedded.wait_until_embedded()
    found = await embedded.search("violin lesson", limit=60, role="tool")
    assert len({each.id for each in found}) == 60
    assert {each.role for each in found} == {"tool"}
    assert all("vector" in each.legs for each in found)


NOW = datetime(2026, 3, 31, 15, 30, tzinfo=UTC)
TOKYO = timezone(timedelta(hours=9))
EARLIEST, LATEST = datetime(2, 1, 1), datetime(9998, 12, 31)


@pytest.mark.parametrize(
    ("given_value", "expected"),
    [
        (None, None),
        ("last_week", NOW - timedelta(days=7)),
        ("last week", NOW - timedelta(days=7)),
        (" Last_Month ", NOW - timedelta(days=30)),
        ("last_year", NOW - timedelta(days=365)),
        ("2026-03-02", datetime(2026, 3, 2, tzinfo=UTC)),
        ("2026-03-02T10:00:00+09:00", datetime(2026, 3, 2, 1, tzinfo=UTC)),
        ("2026-03-02T10:00:00Z", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        (datetime(2026, 3, 2, 9, tzinfo=TOKYO), datetime(2026, 3, 2, tzinfo=UTC)),
    ],
)
def test_every_documented_form_is_understood(given_value: datetime | str | None, expected: datetime | None) -> None:
    found = moment(given_value, NOW, "after")
    assert (None if found is None else from_ms(found)) == expected


def test_a_date_begins_in_the_zone_of_the_question() -> None:
    assert moment("2026-03-02", NOW.astimezone(TOKYO), "after") == to_ms(datetime(2026, 3, 2, tzinfo=TOKYO))


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "yesterdayish",
        "2026-13-01",
        "2026-02-30",
        "20260302T",
        "last_century",
        "now(); --",
        5,
        True,
        date(2026, 3, 2),
        datetime(2026, 3, 2),
        "2026-03-02T10:00:00",
    ],
)
def test_an_invalid_filter_is_refused_by_name(nonsense: object) -> None:
    with pytest.raises(InvalidArgument, match="before") as refused:
        moment(nonsense, NOW, "before")  # type: ignore[arg-type]  # a wrong type is the subject
    assert refused.value.details["argument"] == "before"


@given(st.text(max_size=30))
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        understood: object = moment(text, NOW, "after")
    except InvalidArgument as refused:
        understood = refused.details["argument"]
    assert isinstance(understood, int) or understood == "after"


@given(st.datetimes(EARLIEST, LATEST, timezones=st.timezones()))
def test_milliseconds_keep_a_moment_to_the_millisecond(when: datetime) -> None:
    assert timedelta(0) <= when - from_ms(to_ms(when)) < timedelta(milliseconds=1)
