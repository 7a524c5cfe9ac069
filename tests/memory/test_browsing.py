"""Lists, page by page; and changes that name a version."""

import asyncio
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import ChangedMeanwhile, InvalidArgument
from sandbox.testing import NOON, FakeClock


async def test_a_correction_keeps_its_place_in_the_list(memory: Memory, clock: FakeClock) -> None:
    first = await memory.remember("Ann lives in Berlin")
    await memory.remember("Ben has a dog")
    clock.advance(days=1)
    page = await memory.list(limit=1)
    await memory.correct(first, "Ann lives in Bern")
    after = await memory.list(limit=1, cursor=page.next)
    (ann,) = after.items
    assert (ann.memory.content, ann.memory.version) == ("Ann lives in Bern", 2)
    assert (ann.first_stored, ann.memory.created_at) == (NOON, NOON + timedelta(days=1))
    assert after.next is None


@pytest.mark.parametrize("cursor", ["", "zz", "-1", "0x1", "00", " 1", "f" * 17, "٣"])
async def test_an_invalid_cursor_is_refused(memory: Memory, cursor: str) -> None:
    with pytest.raises(InvalidArgument, match="cursor"):
        await memory.list(cursor=cursor)
    with pytest.raises(InvalidArgument, match="cursor"):
        await memory.entities(cursor=cursor)


async def test_entities_are_listed_with_how_often_the_scope_sees_them_the_most_mentioned_first(
    memory: Memory, clock: FakeClock
) -> None:
    await memory.remember("Ann likes tea", subject="Ann")
    clock.advance(days=1)
    await memory.remember("Ann likes cake", subject="Ann")
    await memory.remember("Bo likes tea", subject="Bo")
    await memory.remember("Cleo likes tea", subject="Cleo", scope=Scope("cleo"))
    first = await memory.entities(limit=1)
    second = await memory.entities(limit=1, cursor=first.next)
    assert [each.name for each in first.items + second.items] == ["Ann", "Bo"]
    assert (first.total, second.next) == (2, None)
    ann = first.items[0]
    assert (ann.mentions, ann.first_seen, ann.last_seen) == (2, NOON, NOON + timedelta(days=1))
    assert (await memory.entity(ann.id)).name == "Ann"


async def test_a_day_begins_at_midnight_in_summer_and_in_winter(memory: Memory) -> None:
    for at in ("2025-01-10T22:30+00:00", "2025-07-10T22:30+00:00", "1969-12-31T22:59+00:00"):
        await memory.observe("user", "Good night.", at=datetime.fromisoformat(at))
    days = [each.day for each in await memory.days(zone=ZoneInfo("Europe/Berlin"))]
    assert days == ["1969-12-31", "2025-01-10", "2025-07-11"]


async def test_changes_continue_after_the_last_one(memory: Memory) -> None:
    id = await memory.remember("Ann likes tea")
    await memory.remember("Cleo likes tea", scope=Scope("cleo"))
    (created,) = await memory.changes()
    assert (created.event, created.id) == ("created", id)
    await memory.correct(id, "Ann likes coffee")
    await memory.forget(id)
    assert {each.id for each in await memory.changes(after=created.seq)} == {id}
    events = [each.event for each in await memory.changes(after=created.seq)]
    assert set(events) == {"created", "corrected", "linked", "forgotten"}
    first = await memory.changes(limit=1)
    rest = await memory.changes(after=first[0].seq)
    assert [each.event for each in rest] == events


async def test_the_second_of_two_changes_of_one_version_is_refused(memory: Memory) -> None:
    id = await memory.remember("Ann lives in Berlin")
    changes = [memory.correct(id, f"Ann lives in {city}", version=1) for city in ("Bern", "Basel")]
    done = await asyncio.gather(*changes, return_exceptions=True)
    assert sorted(map(type, done), key=str) == [ChangedMeanwhile, str]
    with pytest.raises(ChangedMeanwhile, match="has version 2 now"):
        await memory.forget(id, version=1)
    await memory.forget(id, version=2)
    assert (await memory.list()).total == 0
