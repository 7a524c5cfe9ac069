"""Which questions count time from an event, and the time that they mean when the event is dated."""

from datetime import UTC, date, datetime

import pytest

from sandbox.extensions.memory.text.period import anchor
from sandbox.extensions.memory.text.words import terms
from tests.memory.hits import present

NOW = datetime(2024, 6, 1, tzinfo=UTC)
WEDDING = (date(2024, 5, 4), date(2024, 5, 5))


def spoken_of(question: str) -> tuple[str, str] | None:
    """The first day and the day after the last, for an event on 4 May 2024."""
    found = anchor(question)
    period = found and found.period(WEDDING, NOW)
    if not period:
        return None
    first, end = (datetime.fromtimestamp(each / 1000, UTC).date().isoformat() for each in (period.after, period.before))
    return first, end


@pytest.mark.parametrize(
    ("question", "event", "first", "end"),
    [
        ("What did I do two weeks after the wedding?", "wedding", "2024-05-15", "2024-05-22"),
        ("Two weeks after the wedding, what did I buy?", "wedding", "2024-05-15", "2024-05-22"),
        ("What did we eat the day after the interview?", "interview", "2024-05-05", "2024-05-06"),
        ("The day before my exam what did I feel?", "exam", "2024-05-03", "2024-05-04"),
        ("Who visited me the week before the operation?", "operation", "2024-04-27", "2024-05-04"),
        ("What happened in the month after we launched the shop?", "launched shop", "2024-05-05", "2024-06-05"),
        ("What was the weather the Sunday before the wedding?", "wedding", "2024-04-28", "2024-04-29"),
        ("Where did I live before I moved to Berlin?", "moved Berlin", "2023-05-04", "2024-05-04"),
        ("What have I read since the conference in Oslo?", "conference Oslo", "2024-05-04", "2024-06-02"),
        ("What did we decide during the offsite in Porto?", "offsite Porto", "2024-05-04", "2024-05-05"),
        ("What did I wear on the day of the wedding?", "wedding", "2024-05-04", "2024-05-05"),
        ("Что я купил через две недели после свадьбы?", "свадьбы", "2024-05-15", "2024-05-22"),
        ("Что было на следующий день после собеседования?", "собеседования", "2024-05-05", "2024-05-06"),
        ("За неделю до экзамена что я читал?", "экзамена", "2024-04-27", "2024-05-04"),
        ("О чём мы говорили за день до свадьбы?", "свадьбы", "2024-05-03", "2024-05-04"),
        ("Где я жил до переезда в Берлин?", "переезда Берлин", "2023-05-04", "2024-05-04"),
        ("Что мы обсуждали во время поездки в Сочи?", "поездки Сочи", "2024-05-04", "2024-05-05"),
        ("Чем я занималась после того, как уволилась из Яндекса?", "уволилась Яндекса", "2024-05-05", "2024-06-02"),
        ("Was habe ich zwei Wochen nach der Hochzeit gekauft?", "Hochzeit", "2024-05-15", "2024-05-22"),
        ("Wo habe ich vor dem Umzug nach Berlin gewohnt?", "Umzug nach Berlin", "2023-05-04", "2024-05-04"),
        ("Wer war während der Konferenz krank?", "Konferenz krank", "2024-05-04", "2024-05-05"),
        ("Что мы купили перед отпуском?", "отпуском", "2023-05-04", "2024-05-04"),
    ],
)
def test_a_time_is_counted_from_the_event(question: str, event: str, first: str, end: str) -> None:
    found = present(anchor(question))
    assert found.terms == tuple(terms(event))
    assert spoken_of(question) == (first, end)


@pytest.mark.parametrize(
    "question",
    [
        "Where does Ann live?",
        "What did I do after that?",
        "What is before?",
        "Who looks after the cat?",
        "Who is the ship named after the poet for?",
        "How many days before the market did I buy the phone?",
        "Сколько дней до отпуска?",
        "Где живёт Анна?",
        "Wann bin ich nach Berlin gefahren?",
        "Was habe ich vor einer Woche gekauft?",
        "What did I do after " + " and ".join(f"thing{number}" for number in range(9)) + "?",
    ],
)
def test_other_questions_name_no_event(question: str) -> None:
    assert anchor(question) is None


def test_a_day_before_the_calendar_is_no_time() -> None:
    found = present(anchor("What was a few years before the wedding?"))
    assert found.period((date(1, 1, 1), date(1, 1, 2)), NOW) is None
