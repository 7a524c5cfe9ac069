"""The time that a question names, or counts from an event; most questions name none."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory.text.period import Period, anchor, period
from sandbox.extensions.memory.text.timewords import symbols, telling
from sandbox.extensions.memory.text.words import terms
from sandbox.extensions.memory.times import to_ms
from sandbox.support.times import from_ms
from tests.memory.hits import present

NOW = datetime(2026, 3, 18, 15, 30, tzinfo=UTC)  # a Wednesday
BERLIN, TOKYO = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Tokyo")

ENGLISH = [
    # counted from today
    ("What did we talk about today?", "2026-03-18", "2026-03-18"),
    ("Where did I park this morning?", "2026-03-18", "2026-03-18"),
    ("Who called the day before yesterday?", "2026-03-16", "2026-03-16"),
    ("What did I cook last night?", "2026-03-17", "2026-03-17"),
    ("What is planned for tomorrow?", "2026-03-19", "2026-03-19"),
    ("What did I buy 10 days ago?", "2026-03-08", "2026-03-08"),
    ("What happened three months ago?", "2025-12-03", "2026-01-01"),
    # weeks, weekends, months, years
    ("What happened this week?", "2026-03-16", "2026-03-22"),
    ("What was the weather like the week before last?", "2026-03-02", "2026-03-08"),
    ("What did I do last weekend?", "2026-03-14", "2026-03-15"),
    ("What did I do at the weekend?", "2026-03-14", "2026-03-15"),
    ("What did I buy last month?", "2026-02-01", "2026-02-28"),
    ("How many books did I read this year?", "2026-01-01", "2026-12-31"),
    ("Which trip did we make last year?", "2025-01-01", "2025-12-31"),
    ("How many plants did I get in the last month?", "2026-02-18", "2026-03-18"),
    ("What did I watch over the past two weeks?", "2026-03-04", "2026-03-18"),
    ("Which films did I see in the past few months?", "2025-12-18", "2026-03-18"),
    ("What did I eat in the last couple of days?", "2026-03-16", "2026-03-18"),
    # days of the week
    ("What did I say last Tuesday?", "2026-03-17", "2026-03-17"),
    ("What did he tell me on Monday?", "2026-03-16", "2026-03-16"),
    ("What have I been eating since Saturday?", "2026-03-14", "2026-03-18"),
    ("Remind me what we planned for next Friday.", "2026-03-20", "2026-03-20"),
    ("Who did I meet on Tuesday last week?", "2026-03-10", "2026-03-10"),
    ("What did I do with Rachel on the Wednesday two months ago?", "2026-01-21", "2026-01-21"),
    # months
    ("How many museums did I visit in the month of February?", "2026-02-01", "2026-02-28"),
    ("What did I do last March?", "2025-03-01", "2025-03-31"),
    ("What did I do in May last year?", "2025-05-01", "2025-05-31"),
    ("What is on in next May?", "2026-05-01", "2026-05-31"),
    ("What was decided in mid-February?", "2026-02-10", "2026-02-18"),
    ("Which tournament did he win at the beginning of November 2022?", "2022-11-01", "2022-11-10"),
    ("What did I promise at the end of last month?", "2026-02-19", "2026-02-28"),
    ("Was the first half of September 2022 a good month?", "2022-09-01", "2022-09-15"),
    ("Which country was he visiting in the second week of November?", "2025-11-08", "2025-11-14"),
    ("What happened in the last week of May 2023?", "2023-05-25", "2023-05-31"),
    # days
    ("What did we do on 7 May?", "2025-05-07", "2025-05-07"),
    ("What happened on May 7th, 2023?", "2023-05-07", "2023-05-07"),
    ("What was my weight on the first of March?", "2026-03-01", "2026-03-01"),
    ("what was the outcome of the 02/14/2024 meeting", "2024-02-14", "2024-02-14"),
    ("What broke on 3/5?", "2026-03-05", "2026-03-05"),
    ("What did we invoice in 2023-05?", "2023-05-01", "2023-05-31"),
    # seasons and years
    ("Where did we live in the summer of 2022?", "2022-06-01", "2022-08-31"),
    ("What did we grow last spring?", "2025-03-01", "2025-05-31"),
    ("Where were we last winter?", "2025-12-01", "2026-02-28"),
    ("How was my holiday in the summer of last year?", "2025-06-01", "2025-08-31"),
    ("What did I plant in the autumn?", "2025-09-01", "2025-11-30"),
    ("what did we do two years ago in the autumn", "2023-09-01", "2023-11-30"),
    ("What are we doing this summer?", "2026-06-01", "2026-08-31"),
    ("How many times did I go to the beach in 2023?", "2023-01-01", "2023-12-31"),
    # from one time to another
    ("How many rides did I take from July to October?", "2025-07-01", "2025-10-31"),
    ("Who wrote from December 2022 to March?", "2022-12-01", "2023-03-31"),
    ("Where was John between August 11 and August 15 2023?", "2023-08-11", "2023-08-15"),
    ("What happened between 12 and 20 June?", "2025-06-12", "2025-06-20"),
    ("Between 2019 and 2021, where did I live?", "2019-01-01", "2021-12-31"),
    ("Which airline did I fly with in January and February?", "2026-01-01", "2026-02-28"),
    ("What have I spent since the start of the year?", "2026-01-01", "2026-03-18"),
    ("What has changed since May 2025?", "2025-05-01", "2026-03-18"),
    ("Did we talk before March 2024 about Lisbon?", "2023-03-01", "2024-02-29"),
    ("what came up after the 1st of March", "2026-03-02", "2026-03-18"),
    ("What did Maria do the week before August 3, 2023?", "2023-07-27", "2023-08-02"),
    ("Where was Tim two weeks after 16 November 2023?", "2023-11-27", "2023-12-03"),
    ("What was shown on the Sunday before October 25, 2022?", "2022-10-23", "2022-10-23"),
]

RUSSIAN = [
    ("Что я делал вчера?", "2026-03-17", "2026-03-17"),
    ("О чём мы говорили сегодня?", "2026-03-18", "2026-03-18"),
    ("Кто звонил позавчера?", "2026-03-16", "2026-03-16"),
    ("Что запланировано на завтра?", "2026-03-19", "2026-03-19"),
    ("Что мы готовили пару дней назад?", "2026-03-16", "2026-03-16"),
    ("Где я был две недели назад?", "2026-03-01", "2026-03-07"),
    ("Что случилось месяц назад?", "2026-02-03", "2026-03-04"),
    ("Что я купил три месяца назад?", "2025-12-03", "2026-01-01"),
    ("Где я жил 4 года назад?", "2021-09-17", "2022-09-16"),
    ("Что было на этой неделе?", "2026-03-16", "2026-03-22"),
    ("Куда я ездил на прошлой неделе?", "2026-03-09", "2026-03-15"),
    ("Какая была погода на позапрошлой неделе?", "2026-03-02", "2026-03-08"),
    ("Что у меня на следующей неделе?", "2026-03-23", "2026-03-29"),
    ("Что я делал в прошлые выходные?", "2026-03-14", "2026-03-15"),
    ("Что я делал на выходных?", "2026-03-14", "2026-03-15"),
    ("Что я купил в прошлом месяце?", "2026-02-01", "2026-02-28"),
    ("Куда мы ездили в прошлом году?", "2025-01-01", "2025-12-31"),
    ("Что я смотрел за последние две недели?", "2026-03-04", "2026-03-18"),
    ("Что я говорил про налоги за последние полгода?", "2025-09-18", "2026-03-18"),
    ("Что я говорил в прошлый вторник?", "2026-03-17", "2026-03-17"),
    ("С кем я встречался в прошлую субботу?", "2026-03-14", "2026-03-14"),
    ("Что я ем с субботы?", "2026-03-14", "2026-03-18"),
    ("О чём мы говорили на прошлой неделе во вторник?", "2026-03-10", "2026-03-10"),
    ("Где мы были в июне 2024 года?", "2024-06-01", "2024-06-30"),
    ("Что было в мае?", "2025-05-01", "2025-05-31"),
    ("Что решили в начале ноября 2022?", "2022-11-01", "2022-11-10"),
    ("Что я делал 7 мая прошлого года?", "2025-05-07", "2025-05-07"),
    ("Что случилось 12 января 2024 года?", "2024-01-12", "2024-01-12"),
    ("Что записано на 07.05.2023?", "2023-05-07", "2023-05-07"),
    ("Что мы сажали прошлой весной?", "2025-03-01", "2025-05-31"),
    ("Где мы отдыхали прошлым летом?", "2025-06-01", "2025-08-31"),
    ("Что мы делали позапрошлым летом?", "2024-06-01", "2024-08-31"),
    ("Как мы отдохнули летом прошлого года?", "2025-06-01", "2025-08-31"),
    ("Где мы жили летом 2022 года?", "2022-06-01", "2022-08-31"),
    ("Что я сажал осенью?", "2025-09-01", "2025-11-30"),
    ("Сколько раз я был на море в 2023 году?", "2023-01-01", "2023-12-31"),
    ("Сколько раз мы плавали с марта по июнь?", "2025-03-01", "2025-06-30"),
    ("Где был Иван между 11 и 15 августа 2023 года?", "2023-08-11", "2023-08-15"),
    ("Где я жил с 2019 по 2021 год?", "2019-01-01", "2021-12-31"),
    ("Сколько я потратил с начала года?", "2026-01-01", "2026-03-18"),
    ("Что изменилось с мая 2025 года?", "2025-05-01", "2026-03-18"),
    ("Говорили ли мы до марта 2024 года про Лиссабон?", "2023-03-01", "2024-02-29"),
]

GERMAN = [
    ("Was war gestern?", "2026-03-17", "2026-03-17"),
    ("Wo habe ich heute Morgen geparkt?", "2026-03-18", "2026-03-18"),
    ("Was steht morgen an?", "2026-03-19", "2026-03-19"),
    ("Wo war ich letzte Woche?", "2026-03-09", "2026-03-15"),
    ("Was habe ich vor zwei Wochen gekauft?", "2026-03-01", "2026-03-07"),
    ("Wer rief vor ein paar Tagen an?", "2026-03-15", "2026-03-15"),
    ("Was war am Montag?", "2026-03-16", "2026-03-16"),
    ("Was habe ich nächsten Montag vor?", "2026-03-23", "2026-03-23"),
    ("Wo war ich am 20. März?", "2025-03-20", "2025-03-20"),
    ("Was war im Jahr 2023?", "2023-01-01", "2023-12-31"),
    ("Wo war ich Ende Mai?", "2025-05-21", "2025-05-31"),
    ("Was geschah zwischen Mai und Juli 2025?", "2025-05-01", "2025-07-31"),
]

TIMELESS = [
    "Guten Morgen, wie lange wohne ich schon in Leipzig?",
    "Was mache ich jeden Morgen?",
    "",
    "May I ask what my sister's name is?",
    "What is the name of my second cat?",
    "Which book by April did I like?",
    "Who is June's husband?",
    "How many days did it take to get the parcel?",
    "What time do I wake up on Tuesdays?",
    "How long have I lived in Berlin?",
    "Did I march in the parade?",
    "What is my apartment number, 2023 or 2032?",
    "What is the spring in my mattress made of?",
    "When did Caroline go to the group?",
    "Where did I put the fall jacket?",
    "What happened two weeks after the wedding?",
    "How many weeks before the exam did I start?",
    "I have 2 cats and 3 dogs, what are their names?",
    "What is my day job?",
    "What is my last name?",
    "Do I have 2.5 kg of flour?",
    "What changed in version 1.2.3?",
    "Which of 192.168.1.1 and 10.0.0.1 is the router?",
    "Is the shop open 24/7?",
    "Как зовут Майю?",
    "Сколько лет моему сыну?",
    "Сколько дней шла посылка?",
    "В каком часу я встаю по вторникам?",
    "Что мне назад вернула Мария?",
    "Что было через две недели после свадьбы?",
    "Какой у меня последний альбом?",
    "Где лежит моя осенняя куртка?",
    "Какая марка машины у Ивана?",
    "На какой неделе беременности была Ира?",
]

ABSURD = [
    "What did I do on 31 February?",
    "What did I do on 29 February 2023?",
    "What did I note on 45/45/2023?",
    "What is on for 2023-13-40?",
    "What happened on 9999-12-31?",
    "What happened 99999999999999999999 years ago?",
    "Что было 30 февраля?",
    "Что было 32 мая 2023 года?",
]


def days(text: str, now: datetime = NOW) -> tuple[str, str] | None:
    """The first and the last day that a text names."""
    found = period(text, now)
    if found is None:
        return None
    first, end = (from_ms(each).astimezone(now.tzinfo) for each in (found.after, found.before))
    assert first.time() == end.time() == datetime.min.time()
    return first.date().isoformat(), (end.date() - timedelta(days=1)).isoformat()


def certainty(text: str) -> float:
    return present(period(text, NOW)).certainty


@pytest.mark.parametrize(("text", "first", "last"), ENGLISH + RUSSIAN + GERMAN)
def test_times_are_read(text: str, first: str, last: str) -> None:
    assert days(text) == (first, last)


@pytest.mark.parametrize("text", TIMELESS + ABSURD)
def test_texts_without_a_possible_time_are_recognised(text: str) -> None:
    assert period(text, NOW) is None


def test_an_impossible_time_does_not_hide_a_possible_one() -> None:
    assert days("Not on 31 February, but in May 2023?") == ("2023-05-01", "2023-05-31")


# --- the calendar -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "today", "first", "last"),
    [
        ("a month ago", "2026-03-31", "2026-02-13", "2026-03-14"),  # there is no 31 February
        ("in the last month", "2024-03-31", "2024-02-29", "2024-03-31"),
        ("last month", "2026-01-15", "2025-12-01", "2025-12-31"),
        ("next month", "2025-12-31", "2026-01-01", "2026-01-31"),
        ("yesterday", "2024-03-01", "2024-02-29", "2024-02-29"),
        ("on 29 February", "2026-03-18", "2024-02-29", "2024-02-29"),
        ("on 29 February", "2103-01-01", "2096-02-29", "2096-02-29"),  # 2100 is no leap year
        ("a year ago", "2024-02-29", "2022-08-30", "2023-08-29"),
        ("in December", "2026-01-01", "2025-12-01", "2025-12-31"),
        ("in January", "2026-01-01", "2026-01-01", "2026-01-31"),
        ("last summer", "2026-07-10", "2025-06-01", "2025-08-31"),  # this one is not over
        ("last summer", "2026-09-01", "2026-06-01", "2026-08-31"),
        ("this winter", "2026-01-10", "2025-12-01", "2026-02-28"),
        ("this winter", "2026-11-10", "2026-12-01", "2027-02-28"),
        ("last week", "2026-01-01", "2025-12-22", "2025-12-28"),
        ("last weekend", "2026-03-22", "2026-03-14", "2026-03-15"),  # asked on a Sunday
        ("at the weekend", "2026-03-22", "2026-03-21", "2026-03-22"),
        ("next Wednesday", "2026-03-18", "2026-03-25", "2026-03-25"),
        ("last Wednesday", "2026-03-18", "2026-03-11", "2026-03-11"),
    ],
)
def test_ends_of_months_and_years_are_right(text: str, today: str, first: str, last: str) -> None:
    now = datetime.combine(date.fromisoformat(today), datetime.min.time(), UTC)
    assert days(text, now) == (first, last)


@pytest.mark.parametrize(
    ("now", "hours"),
    [
        (datetime(2026, 3, 30, 9, tzinfo=BERLIN), 23),  # the clocks went forward yesterday
        (datetime(2026, 10, 26, 9, tzinfo=BERLIN), 25),
        (datetime(2026, 7, 1, 9, tzinfo=BERLIN), 24),
    ],
)
def test_a_day_follows_the_changes_of_the_clocks(now: datetime, hours: int) -> None:
    found = present(period("What did I do yesterday?", now))
    assert found.before - found.after == hours * 3_600_000


def test_today_follows_the_time_zone_of_the_question() -> None:
    late = datetime(2026, 3, 18, 22, tzinfo=UTC)
    assert days("today", late) == ("2026-03-18", "2026-03-18")
    assert days("today", late.astimezone(TOKYO)) == ("2026-03-19", "2026-03-19")
    tokyo = present(period("today", late.astimezone(TOKYO)))
    assert from_ms(tokyo.after) == datetime(2026, 3, 18, 15, tzinfo=UTC)


@pytest.mark.parametrize("now", [datetime(1, 1, 1, tzinfo=TOKYO), datetime(9999, 12, 31, tzinfo=UTC)])
@pytest.mark.parametrize("text", ["yesterday", "last summer", "in the last two years", "next week", "in May", "today"])
def test_times_end_with_the_calendar(now: datetime, text: str) -> None:
    found = period(text, now)
    assert found is None or found.after < found.before


# --- how sure it is -----------------------------------------------------------------------------------------------


def test_an_ambiguous_day_and_month_are_less_certain() -> None:
    assert days("on 05/07/2023") == ("2023-05-07", "2023-05-07")
    assert days("on 13/07/2023") == ("2023-07-13", "2023-07-13")
    assert days("on 07/13/2023") == ("2023-07-13", "2023-07-13")
    assert days("on 05.07.2023") == ("2023-07-05", "2023-07-05")
    assert certainty("on 05/07/2023") < certainty("on 13/07/2023") == certainty("on 05.07.2023") == 1


def test_a_full_date_is_surer() -> None:
    assert 1 == certainty("in May 2023") > certainty("in May") > certainty("before May 2023") > 0
    assert certainty("yesterday") > certainty("last Tuesday") > certainty("on Tuesday")


def test_several_times_are_intersected() -> None:
    assert days("Of what I did last year, what was in May 2025?") == ("2025-05-01", "2025-05-31")
    assert days("What differs from 2019 in my weight of 2021?") == ("2019-01-01", "2021-12-31")
    assert certainty("What differs from 2019 in my weight of 2021?") < 1


# --- laws ---------------------------------------------------------------------------------------------------------

WORDS = [
    *sorted(telling())[:40],
    *"may 7 31 2023 on in the of last next this ago since before after 12/13 до назад".split(),
]


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.datetimes(timezones=st.timezones()))
def test_any_words_of_time_are_a_time_or_none(words: list[str], now: datetime) -> None:
    found = period(" ".join(words), now)
    assert found is None or (found.after < found.before and 0 < found.certainty <= 1)


@given(st.text(max_size=80))
def test_any_text_is_a_time_or_none(text: str) -> None:
    found = period(text, NOW)
    assert found is None or found.after < found.before


@given(
    st.lists(
        st.sampled_from("what did Ann say of the 3 red boats in my 2nd garden где лодка Анны".split()), max_size=15
    )
)
def test_a_text_without_words_of_time_is_not_read(words: list[str]) -> None:
    assert symbols(" ".join(words)) is None


@given(
    st.dates(date(1970, 1, 1), date(2099, 12, 31)), st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%d %B %Y", "%B %d, %Y"])
)
def test_a_day_is_found_in_every_notation(day: date, form: str) -> None:
    start = datetime.combine(day, datetime.min.time(), UTC)
    expected = Period(to_ms(start), to_ms(start + timedelta(days=1)), 1.0)
    assert period(f"What did I note on {day.strftime(form)}?", NOW) == expected


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert period("What about May 2023? " + "word " * 1_000, NOW) is not None
    assert period("word " * 1_000 + "What about May 2023?", NOW) is None


ASKED = datetime(2024, 6, 1, tzinfo=UTC)
WEDDING = (date(2024, 5, 4), date(2024, 5, 5))


def spoken_of(question: str) -> tuple[str, str] | None:
    """The first day and the day after the last, for an event on 4 May 2024."""
    found = anchor(question)
    period = found and found.period(WEDDING, ASKED)
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
    assert found.period((date(1, 1, 1), date(1, 1, 2)), ASKED) is None
