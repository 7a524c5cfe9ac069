"""A question with a time, or with an event that has one, prefers what happened then."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.retrieve.question_period import agreed, closeness
from sandbox.extensions.memory.text.period import Period
from sandbox.extensions.memory.text.spans import days
from sandbox.extensions.memory.times import to_ms
from sandbox.testing import NOON  # a Monday, 2 March 2026
from tests.memory.hits import contents

MONTHS = ("2025-05-14", "2025-09-03", "2025-12-20", "2026-02-26")


def at(day: str, hour: int = 12) -> datetime:
    return datetime.fromisoformat(day).replace(hour=hour, tzinfo=UTC)


async def tell(memory: Memory, *said: tuple[str, str]) -> None:
    """Turns, each in a session of its own: the day and the text."""
    await memory.observe_many(Message("user", text, f"s{index}", at(day)) for index, (day, text) in enumerate(said))


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What happened in September?", ["B"]),
        ("Что было в сентябре?", ["B"]),
        ("Which concert did we go to in September?", ["A", "B", "C", "D"]),
        ("What happened in June?", ["A", "B", "C", "D"]),
    ],
)
async def test_a_question_for_a_time_alone_is_answered_from_it(
    embedded: Memory, question: str, found: Sequence[str]
) -> None:
    await concerts(embedded)
    await embedded.wait_until_embedded()
    hits = await embedded.search(question, now=NOON)
    assert sorted(hit.content[-2] for hit in hits) == found


@pytest.mark.parametrize("embedder", ["embedded", None])
@pytest.mark.parametrize("wanted", [{}, {"after": "2025-08-20"}, {"before": at("2026-01-01")}])
async def test_an_event_of_the_time_need_not_resemble_the_question(folder: Path, embedder: Any, wanted: Any) -> None:
    question, then = (
        "What happened in September?",
        {"We planted tulips.", "The roof leaked again.", "Mehr Brot, bitte."},
    )
    async with Memory.open(folder, embedder=embedder) as memory:
        await tell(memory, *(("2025-09-03", each) for each in then), ("2025-12-20", "We bought a boat."))
        await memory.wait_until_embedded()
        found = set(contents(await memory.search(question, now=NOON, **wanted)))
        assert then <= found & set(contents(await memory.context(question, now=NOON, **wanted)))
        assert wanted or found == then


@pytest.mark.parametrize(("question", "count"), [("What is grey?", 5), ("Compare all that is grey and green.", 20)])
async def test_the_complexity_of_a_question_sets_the_number_of_hits(memory: Memory, question: str, count: int) -> None:
    await memory.observe_many(Message("user", f"Stone number {number} is grey.") for number in range(30))
    assert len(await memory.search(question)) == count


async def concerts(memory: Memory) -> None:
    """One each season, in the same words."""
    await tell(
        memory, *((day, f"We went to a concert of the {name}.") for day, name in zip(MONTHS, "ABCD", strict=True))
    )


@pytest.mark.parametrize(
    ("question", "band"),
    [
        ("Which concert was it in May?", "A"),
        ("Which concert was it last summer?", "B"),  # told a few days after it
        ("Which concert was it in December 2025?", "C"),
        ("Which concert was it last week?", "D"),
        ("Which concert was it two months ago?", "C"),
        ("Which concert was it between August and October?", "B"),
        ("Какой concert был в мае?", "A"),
        ("Какой concert был на прошлой неделе?", "D"),
    ],
)
async def test_memories_of_the_named_time_come_first(memory: Memory, question: str, band: str) -> None:
    await concerts(memory)
    found = contents(await memory.search(question))
    assert found[0] == f"We went to a concert of the {band}."
    assert len(found) == len(MONTHS)
    assert contents(await memory.context(question, budget=80))[0] == found[0]


async def test_now_is_the_moment_of_the_question(memory: Memory) -> None:
    await concerts(memory)
    found = await memory.search("Which concert was it last month?", now=at("2026-01-10"))
    assert found[0].content == "We went to a concert of the C."


async def test_yesterday_follows_the_time_zone_of_the_question(memory: Memory) -> None:
    """It is Tuesday morning in Tokyo: yesterday was Monday there, which began at 15:00 on Sunday in UTC."""
    await tell(memory, ("2026-03-01", "The red boat came in."))
    await memory.observe("user", "The red boat came in again.", session="later", at=at("2026-03-02", hour=16))
    tokyo = datetime(2026, 3, 3, 8, tzinfo=ZoneInfo("Asia/Tokyo"))
    early, late = (at("2026-03-01", hour=12), at("2026-03-02", hour=16))
    hits = await memory.search("Which red boat came in yesterday?", now=tokyo)
    assert {hit.event_time for hit in hits} == {early, late}
    there = [hit.score for hit in sorted(hits, key=lambda hit: hit.event_time)]
    here = await memory.search("Which red boat came in yesterday?", now=tokyo.astimezone(UTC))
    in_utc = [hit.score for hit in sorted(here, key=lambda hit: hit.event_time)]
    assert there[0] < in_utc[0]  # Sunday is yesterday in UTC alone


# --- nothing is hidden --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "Which concert was it in 1985?",
        "Which concert was it in May 2031?",
        "Which concert was it next week?",
        "Which concert was it on 31 February?",
        "Which concert was it 900000 years ago?",
        "Which concert was it on 05/07/2023, in 2019 or last winter?",
    ],
)
async def test_a_wrong_time_hides_nothing(memory: Memory, question: str) -> None:
    await concerts(memory)
    found = contents(await memory.search(question, now=NOON))
    assert sorted(found) == sorted(f"We went to a concert of the {name}." for name in "ABCD")


async def test_a_telling_turn_of_another_time_beats_a_vague_one_of_that_time(memory: Memory) -> None:
    """A person who is wrong about the month still gets the answer."""
    await tell(
        memory,
        ("2025-06-05", "The violin teacher Agneta moved to Uppsala because of her knee surgery."),
        ("2025-05-10", "I bought a violin string."),
    )
    found = await memory.search("Why did the violin teacher Agneta move to Uppsala in May?")
    assert found[0].content.startswith("The violin teacher")


async def test_many_memories_of_other_times_hide_nothing(memory: Memory) -> None:
    """A thousand turns of other times fit the words better."""
    then = "There was a speech, a dinner, a violin and a cake."
    crowd = (
        Message("user", f"I practised the violin {index} times.", f"c{index}", NOON - timedelta(days=1))
        for index in range(1_000)
    )
    await memory.observe_many(crowd)
    await memory.observe("user", then, session="then", at=at("2025-05-14"))
    assert then not in contents(await memory.search("What about the violin?", limit=100))
    assert contents(await memory.search("What about the violin in May?", limit=1)) == [then]


async def test_filters_narrow_a_question_with_a_time(memory: Memory) -> None:
    await concerts(memory)
    found = contents(await memory.search("Which concert was it in May?", after="2025-08-01"))
    assert sorted(found) == [f"We went to a concert of the {name}." for name in "BCD"]


async def test_a_filter_wins_over_the_time_of_the_question(embedded: Memory) -> None:
    await concerts(embedded)
    await embedded.wait_until_embedded()
    found = await embedded.search("What happened in September?", after="2025-12-01")
    assert {hit.content[-2] for hit in found} in ({"C", "D"}, {"D"})


async def test_events_told_two_days_late_belong_to_the_time(embedded: Memory) -> None:
    told = ("Ann sang at the fair.", "Last night Bob danced.", "Kim painted the fence.")
    await tell(embedded, *zip(("2025-09-03", "2025-10-01", "2025-10-04"), told, strict=True))
    await embedded.wait_until_embedded()
    assert set(contents(await embedded.search("What happened in September?"))) == set(told[:2])


# --- questions that speak of no time ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question", ["Which concert did we go to?", "May I hear of the concert?", "concert", "Какой concert?"]
)
async def test_a_question_without_a_time_is_not_affected(tmp_path: Path, question: str) -> None:
    assert await ranked(tmp_path / "with", question, []) == await ranked(
        tmp_path / "without", question, ["the time spoken of", "what names a time"]
    )


async def ranked(folder: Path, question: str, without: list[str]) -> list[tuple[str, float]]:
    async with Memory.open(folder, config=Config.load(without=without)) as memory:
        await concerts(memory)
        await memory.wait_until_embedded()
        return [(hit.content, hit.score) for hit in await memory.search(question, now=NOON)]


async def test_a_time_in_a_new_statement_does_not_narrow_comparison(memory: Memory) -> None:
    """A statement that names a time is compared with all memories, whenever they were."""
    first = await memory.remember("Ann moved to Porto in May 2024.", at=at("2026-01-01"))
    assert await memory.remember("Ann moved to Porto in May 2024.", at=at("2026-02-01")) == first


# --- when -----------------------------------------------------------------------------------------------------------


async def test_when_questions_prefer_memories_with_a_time(memory: Memory) -> None:
    await tell(
        memory,
        ("2026-02-20", "My violin recital in the old church went well."),
        ("2026-02-21", "My violin recital in the old church was on Friday."),
    )
    found = contents(await memory.search("When was my violin recital in the old church?"))
    assert found == [
        "My violin recital in the old church was on Friday.",
        "My violin recital in the old church went well.",
    ]


async def test_other_questions_do_not_prefer_memories_with_a_time(tmp_path: Path) -> None:
    question = "How was my violin recital?"
    orders = []
    for without in ([], ["what names a time"]):
        folder = tmp_path / str(len(without))
        async with Memory.open(folder, embedder=None, config=Config.load(without=without)) as memory:
            await tell(
                memory,
                ("2026-02-21", "My violin recital, with a piano and a cello, was on Friday."),
                ("2026-02-20", "My violin recital went well."),
            )
            orders.append(contents(await memory.search(question)))
    assert orders[0] == orders[1]


# --- laws -----------------------------------------------------------------------------------------------------------

TIMES = st.integers(0, to_ms(datetime(2100, 1, 1, tzinfo=UTC)))


@given(TIMES, TIMES, TIMES, st.integers(1, 400 * DAY))
def test_closeness_falls_off_on_either_side(moment: int, other: int, after: int, length: int) -> None:
    period = Period(after, after + length, 1.0)
    near, far = sorted((moment, other), key=lambda each: max(after - each, each - period.before, 0))
    nearer, farther, own = closeness(np.array([near, far, moment]), period)
    assert 0 <= farther <= nearer <= 1
    if after <= moment <= period.before:
        assert own == 1


NOW = datetime(2024, 7, 1, tzinfo=UTC)


async def keep(memory: Memory, *said: tuple[str, str]) -> None:
    """Turns, each on its day, in a session of its own."""
    for day, content in said:
        await memory.observe(
            "user", content, at=datetime.fromisoformat(f"{day}T12:00:00+00:00"), session=f"{day}{content}"
        )


async def first(memory: Memory, question: str, **narrowed: str) -> str:
    """The first painting among the results."""
    hits = await memory.search(question, now=NOW, after=narrowed.get("after"))
    return next(hit.content for hit in hits if "painting" in hit.content)


PORTRAIT = "I bought a painting, a small portrait in oil."
PAINTINGS = (
    ("2024-01-10", "I bought a painting: a seascape."),
    ("2024-05-18", PORTRAIT),
    ("2024-06-20", "I bought a painting: a map."),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which painting did I buy two weeks after the wedding?", ("2024-05-04", "The wedding was wonderful.")),
        ("Which painting did I buy two weeks after the wedding?", ("2024-06-15", "Our wedding was on May 4, 2024.")),
        (
            "Which painting did I buy two weeks after the wedding?",
            ("2024-05-05", "So tired. The wedding was yesterday!"),
        ),
        (
            "Two weeks after I moved to Berlin, which painting did I buy?",
            ("2024-05-03", "I moved to Berlin this morning."),
        ),
    ],
)
async def test_memories_of_the_time_of_the_event_come_first(
    memory: Memory, question: str, told: tuple[str, str]
) -> None:
    await keep(memory, *PAINTINGS)
    assert await first(memory, question) != PORTRAIT
    await keep(memory, told)
    assert await first(memory, question) == PORTRAIT


async def test_events_are_understood_in_russian(memory: Memory) -> None:
    await keep(
        memory,
        ("2024-01-10", "Купила картину, морской пейзаж."),
        ("2024-05-18", "Купила картину: портрет."),
        ("2024-06-20", "Купила картину, карту Рима."),
        ("2024-05-04", "Свадьба прошла чудесно."),
    )
    hits = await memory.search("Какую картину я купила через две недели после свадьбы?", now=NOW)
    assert next(hit.content for hit in hits if "картину" in hit.content) == "Купила картину: портрет."


async def test_a_fact_dates_an_event_for_turns_too(memory: Memory) -> None:
    await keep(memory, *PAINTINGS)
    await memory.remember("The wedding took place on 4 May 2024.", at=NOW - timedelta(days=9))
    assert await first(memory, "Which painting did I buy two weeks after the wedding?") == PORTRAIT


async def test_an_ambiguous_event_changes_nothing(memory: Memory) -> None:
    """Two weddings, half a year apart: the order is that of a question which names no event."""
    await keep(memory, *PAINTINGS, ("2024-05-04", "The wedding was fine."), ("2023-11-04", "The wedding was great."))
    asked = "Which painting did I buy two weeks after the wedding?"
    plain = "Which painting did I buy two weeks with the wedding?"
    assert [hit.score for hit in await memory.search(asked, now=NOW)] == [
        hit.score for hit in await memory.search(plain, now=NOW)
    ]


async def test_a_question_does_not_date_an_event(memory: Memory) -> None:
    await keep(memory, *PAINTINGS, ("2024-05-04", "How was the wedding?"))
    assert await first(memory, "Which painting did I buy two weeks after the wedding?") != PORTRAIT


async def test_an_event_is_looked_up_beyond_the_filters(memory: Memory) -> None:
    await keep(memory, *PAINTINGS, ("2024-05-04", "The wedding was wonderful."))
    found = await first(memory, "Which painting did I buy two weeks after the wedding?", after="2024-05-10")
    assert found == PORTRAIT


DAYS = st.dates(date(2020, 1, 1), date(2024, 1, 1)).map(days)
TOLD = st.lists(st.tuples(DAYS, st.booleans()), max_size=8)


@given(TOLD)
def test_the_agreed_date_was_told_and_most_dates_are_near(told: list[tuple[tuple[date, date], bool]]) -> None:
    found = agreed(told)
    spoken = [span for span, itself in told if itself] or [span for span, _ in told]
    if found is None:
        assert not spoken or 3 * sum(abs(span[0] - spoken[0][0]) <= timedelta(days=8) for span in spoken) < 2 * len(
            spoken
        )
    else:
        assert found in spoken


def test_a_dated_statement_outweighs_mere_mentions() -> None:
    may, june = days(date(2024, 5, 4)), days(date(2024, 6, 20))
    assert agreed([(june, False), (june, False), (may, True)]) == may
    assert agreed([(june, False), (may, False)]) is None
    assert agreed([]) is None
