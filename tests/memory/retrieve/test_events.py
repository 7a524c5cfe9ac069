"""A question that counts time from an event finds what happened then, if the memory clearly dates the event."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.retrieve.question_period import agreed
from sandbox.extensions.memory.text.spans import days

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
