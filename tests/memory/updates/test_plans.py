"""A plan to move, or to begin a job, ends the old home or job on its day, and not before."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from sandbox.extensions.memory import Memory
from sandbox.testing import NOON, FakeClock

_OLD, _NEW = "The user lives in Chicago.", "The user plans to move to Austin"
_BEFORE, _AFTER = 5, 60  # days from the plan: it is two weeks ahead


async def _known(memory: Memory, clock: FakeClock, said: Sequence[tuple[int, str]], day: int) -> list[str]:
    """What is believed on a day after some sentences, each told on its day."""
    for number, (told, text) in enumerate(said):
        clock.moment = NOON + timedelta(days=told)
        await memory.observe("user", text, session=str(number))
        await memory.consolidate(str(number))
    clock.moment = NOON + timedelta(days=day)
    found = await memory.search("", types=["semantic"], reinforce=False)
    return sorted(hit.content.partition(" on ")[0].partition(" (")[0] for hit in found)


def _plan() -> list[tuple[int, str]]:
    day = NOON + timedelta(days=14)
    return [(0, "I live in Chicago."), (0, f"We're moving to Austin on {day:%d %B %Y}.")]


@pytest.mark.parametrize(
    ("later", "day", "believed"),
    [
        ([], _BEFORE, [_OLD, _NEW]),
        ([], _AFTER, [_NEW]),
        ([(_BEFORE, "I live in Chicago.")], _BEFORE, [_OLD, _NEW]),
        ([(_BEFORE, "I live in Chicago.")], _AFTER, [_NEW]),
        ([(_AFTER, "I live in Austin.")], _AFTER, ["The user lives in Austin."]),
        ([(_AFTER, "I still live in Chicago.")], _AFTER, [_OLD]),
        ([(_BEFORE, "The move to Austin is off.")], _AFTER, ["The user does not live in Austin.", _OLD]),
        ([(_BEFORE, "We are not moving to Austin after all.")], _AFTER, ["The user does not live in Austin.", _OLD]),
        (
            [(_BEFORE, "The move to Austin fell through, we stay in Chicago.")],
            _AFTER,
            ["The user does not live in Austin.", _OLD],
        ),
    ],
)
async def test_a_planned_home_replaces_the_old_one_on_its_day(
    memory: Memory, clock: FakeClock, later: list[tuple[int, str]], day: int, believed: list[str]
) -> None:
    assert await _known(memory, clock, [*_plan(), *later], day) == sorted(believed)


async def test_a_plan_without_a_day_ends_nothing(memory: Memory, clock: FakeClock) -> None:
    said = [(0, "I live in Chicago."), (0, "We're moving to Austin."), (_BEFORE, "I live in Chicago.")]
    assert await _known(memory, clock, said, _BEFORE) == [_OLD, f"{_NEW}."]


async def test_a_forgotten_plan_ends_nothing(memory: Memory, clock: FakeClock) -> None:
    await _known(memory, clock, _plan(), _BEFORE)
    (plan,) = [hit for hit in await memory.search("", types=["semantic"]) if hit.content.startswith(_NEW)]
    await memory.forget(plan.id)
    assert await _known(memory, clock, [], _AFTER) == [_OLD]


async def test_a_new_employer_is_the_employer_from_the_first_day_on(memory: Memory, clock: FakeClock) -> None:
    said = [(0, "I work at Acme."), (0, f"I start at Initech on {NOON + timedelta(days=14):%d %B %Y}.")]
    assert await _known(memory, clock, said, _BEFORE) == ["The user starts at Initech", "The user works at Acme."]
    assert await _known(memory, clock, [], _AFTER) == ["The user starts at Initech"]


async def test_the_29_february_of_a_plan_is_the_next_one(memory: Memory, clock: FakeClock) -> None:
    await memory.observe("user", "My haircut is on 29 February.", session="talk")
    (learnt,) = (await memory.consolidate("talk")).learnt
    assert (clock().year, learnt.content) == (2026, "The user has an appointment: haircut on 29 February 2028.")


@pytest.mark.parametrize("kind", ["dentist appointment", "physio appointment"])
async def test_what_is_cancelled_on_a_day_leaves_what_is_on_another_day(
    memory: Memory, clock: FakeClock, kind: str
) -> None:
    said = [(0, f"I have a {kind} on 15 April."), (0, "I have a dentist appointment on 22 April.")]
    said.append((1, f"The {kind} on 15 April is cancelled."))
    assert await _known(memory, clock, said, 2) == [
        "The user has an appointment: dentist appointment",
        f"The user's appointment is cancelled: {kind}",
    ]
    assert await memory.conflicts() == ()


async def test_a_new_appointment_ends_the_cancellation_of_an_earlier_one(memory: Memory, clock: FakeClock) -> None:
    said = [(0, "I have a dentist appointment on 30 March."), (1, "The dentist appointment is cancelled.")]
    said.append((30, "I have a dentist appointment on 3 May."))
    assert await _known(memory, clock, said, 31) == ["The user has an appointment: dentist appointment"]
    assert await memory.conflicts() == ()


@pytest.mark.parametrize(("day", "is_believed"), [(105, True), (107, False)])
async def test_a_report_of_a_day_to_come_is_believed_until_that_day_is_over(
    memory: Memory, clock: FakeClock, day: int, is_believed: bool
) -> None:
    said = "booked our flights to Rome for 16 June, my husband is over the moon"  # 106 days later
    known = await _known(memory, clock, [(0, said)], day)
    assert known == ([f'The user said: "{said}".'] if is_believed else [])
