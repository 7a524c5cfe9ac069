"""How fast a memory fades: a statement told on purpose, a lasting fact about a person, a plan, a mood, a guess."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.claims import USER, Claim, Lasts, predicates
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.ingest import drafts
from sandbox.extensions.memory.ingest.lasting import lasting
from sandbox.extensions.memory.model import Statement
from sandbox.extensions.memory.store.rows import RULES, Draft
from sandbox.extensions.memory.times import to_ms
from sandbox.testing import NOON, FakeClock
from tests.memory.hits import present

CONFIG, NOW = Config.load(), to_ms(NOON)
ALLERGY = "I'm allergic to shellfish."
TEN_WEEKS, YEAR = 70, 365


def learnt(*claims: Claim, source: str = RULES, **statement: Any) -> Draft:
    """The draft that a reader of conversations makes, or that comes from another ``source``."""
    draft = drafts.knowledge(Statement("It is said.", **statement), Scope(), NOW, CONFIG)
    return lasting(draft._replace(source=source, claims=claims), NOW, CONFIG)


def days(draft: Draft) -> float | None:
    """The days until an unused memory has faded."""
    return None if draft.fades_at is None else (draft.fades_at - NOW) / DAY


async def text(memory: Memory, prompt: str) -> str:
    """The block for a prompt, without reinforcement."""
    block = await memory.context(prompt, reinforce=False)
    return block.text if block else ""


# --- told on purpose --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("category", CONFIG.categories)
async def test_an_unused_statement_told_on_purpose_stays_in_context(
    memory: Memory, clock: FakeClock, category: str
) -> None:
    await memory.remember(ALLERGY, category=category)
    clock.advance(days=5 * YEAR)
    await memory.maintain()
    assert f"- {ALLERGY} (" in await text(memory, "What am I allergic to?")
    assert [hit.content for hit in await memory.search("allergic")] == [ALLERGY]


async def test_a_learnt_fact_lasts_once_it_is_told(memory: Memory) -> None:
    """Rules learnt it, and then it is told in the same words."""
    await memory.observe("user", "I live in Lima.", session="s")
    (fact,) = (await memory.consolidate("s")).learnt
    assert fact.fades_at is not None
    assert await memory.remember(fact.content, category=str(fact.category), subject=fact.subject) == fact.id
    told = (await memory.explain(fact.id)).memory
    assert (told.fades_at, told.source) == (None, "explicit")


async def test_a_guess_does_not_shorten_a_told_fact(memory: Memory) -> None:
    id = await memory.remember(ALLERGY)
    assert await memory.remember(ALLERGY, source="inferred") == id
    assert (await memory.explain(id)).memory.fades_at is None


# --- learnt and guessed -----------------------------------------------------------------------------------------------


async def test_a_guess_fades_before_a_learnt_fact(memory: Memory, clock: FakeClock) -> None:
    """Learnt knowledge fades before statements."""
    await memory.observe("user", "I live in Lima.", session="s")
    await memory.consolidate("s")
    await memory.remember("The user plays golf.", source="inferred")
    await memory.remember(ALLERGY)

    async def held() -> set[str]:
        return {hit.content for hit in await memory.search("", types=["semantic"], reinforce=False)}

    everything = await held()
    assert len(everything) == 3
    clock.advance(days=TEN_WEEKS)
    assert await held() == everything - {"The user plays golf."}
    clock.advance(days=5 * YEAR)
    assert await held() == {ALLERGY}


async def test_what_somebody_does_not_eat_lasts_for_years(memory: Memory, clock: FakeClock) -> None:
    await memory.observe("user", "I don't eat pork.", session="s")
    (fact,) = (await memory.consolidate("s")).learnt
    clock.advance(days=YEAR)
    await memory.maintain()
    assert (await memory.explain(fact.id)).memory.retired_by is None


@pytest.mark.parametrize(
    "predicate", ["name", "birthday", "allergy", "health", "child", "spouse", "instruction", "reminder"]
)
def test_identity_facts_do_not_fade(predicate: str) -> None:
    assert days(learnt(Claim(USER, predicate, "x"))) is None


@pytest.mark.parametrize("predicate", ["name", "allergy", "instruction"])
@pytest.mark.parametrize("doubt", [{"source": "inferred"}, {"trust": "assistant"}, {"trust": "web"}])
def test_guessed_and_untrusted_identity_facts_fade(predicate: str, doubt: dict[str, Any]) -> None:
    assert days(learnt(Claim(USER, predicate, "x"), **doubt)) == pytest.approx(70, abs=1)


@pytest.mark.parametrize(("lasts", "most"), [("years", 1246), ("months", 220), ("weeks", 70), ("days", 12.4)])
def test_a_predicate_says_how_long_it_lasts(lasts: Lasts, most: float) -> None:
    """For an unused memory with full confidence at first."""
    named = [name for name, known in predicates().items() if known.lasts == lasts]
    for name in named:
        assert days(learnt(Claim(USER, name, "x"))) == pytest.approx(most, rel=0.01)
    assert named or lasts == "weeks"


def test_the_longest_lasting_claim_decides() -> None:
    home, mood, name = Claim(USER, "home", "Lima"), Claim(USER, "mood", "tired"), Claim(USER, "name", "Ann")
    assert days(learnt(mood, home)) == days(learnt(home, mood)) == days(learnt(home))
    assert days(learnt(mood, name)) is None


@pytest.mark.parametrize("source", ["explicit", "corrected"])
def test_a_mood_always_passes(source: str) -> None:
    assert 9 < (days(learnt(Claim(USER, "mood", "tired"), source=source)) or 0) < 14


def test_an_opinion_of_the_moment_fades_before_a_taste() -> None:
    opinion = learnt(Claim("the film", "is", "dull", modality="opinion"))
    taste = learnt(Claim(USER, "likes", "films", modality="opinion"))
    assert (days(opinion) or 0) * 10 < (days(taste) or 0)
    assert days(learnt(type="opinion")) == days(opinion)
    assert days(learnt(type="opinion", category="preference")) == days(taste)


@given(
    claims=st.lists(
        st.builds(
            Claim,
            subject=st.just(USER),
            predicate=st.sampled_from([*predicates(), "sings_in"]),
            value=st.sampled_from(["x", "2026-05-03", "--05-03"]),
            modality=st.sampled_from(["fact", "wish", "plan", "habit", "opinion", "past"]),
            time=st.sampled_from(
                [None, "2026", "2026-05", "2026-13", "2025/2027-01", "2026-03/..", "--05-12", "9999", "x"]
            ),
        ),
        max_size=3,
    ),
    category=st.sampled_from(CONFIG.categories),
)
def test_a_surer_fact_lasts_no_shorter(claims: list[Claim], category: str) -> None:
    """A statement lasts at least as long as learnt knowledge, and that as long as a guess. None begins to fade in the
    past.
    """
    told, heard, guessed = (
        learnt(*claims, source=source, category=category) for source in ("explicit", RULES, "inferred")
    )
    assert told.decay_rate <= heard.decay_rate <= guessed.decay_rate
    assert min(told.anchored_at, heard.anchored_at, guessed.anchored_at) >= NOW
    assert guessed.decay_rate >= CONFIG.decay_rate_default


# --- plans ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("time", "over"),
    [
        ("2026-05-03", "2026-05-04"),
        ("2026-05-03T18:20", "2026-05-04"),
        ("2026-05", "2026-06-01"),
        ("2026-12", "2027-01-01"),
        ("2026", "2027-01-01"),
        ("2026-04/2026-05-03", "2026-05-04"),
        ("../2026-05", "2026-06-01"),
    ],
)
@pytest.mark.parametrize("predicate", ["appointment", "plan", "travels_to", "deadline"])
def test_a_plan_fades_after_its_date(time: str, over: str, predicate: str) -> None:
    """After the last day, month or year that it names; a deadline names it by its value."""
    claim = Claim(USER, predicate, "x", modality="fact" if predicate == "appointment" else "plan", time=time)
    for source in (RULES, "explicit"):
        draft = learnt(Claim("Apollo", predicate, time) if predicate == "deadline" else claim, source=source)
        assert draft.anchored_at == to_ms(datetime.fromisoformat(f"{over}T00:00+00:00"))
        assert draft.fades_at is not None
        assert 25 < (draft.fades_at - draft.anchored_at) / DAY < 31


def test_a_planned_home_is_believed_for_years_after_its_date() -> None:
    draft = learnt(Claim(USER, "home", "Rome", modality="plan", time="2026-05-03"))
    assert draft.anchored_at == to_ms(datetime.fromisoformat("2026-05-04T00:00+00:00"))
    assert draft.fades_at is not None
    assert (draft.fades_at - draft.anchored_at) / DAY > 365


@pytest.mark.parametrize("time", [None, "2026-03/..", "soon", "--05-12", "2026-13", "2026-02-30"])
def test_a_plan_without_a_date_lasts_months(time: str | None) -> None:
    assert days(learnt(Claim(USER, "plan", "learn the cello", modality="plan", time=time))) == pytest.approx(220, abs=1)


def test_a_past_plan_is_no_plan() -> None:
    assert days(learnt(Claim(USER, "travels_to", "Rome", modality="past", time="2025-05"))) == pytest.approx(
        1246, abs=1
    )


async def test_an_appointment_is_known_before_its_day_and_fades_after_it(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("Dentist on 30 April.", category="event", at=NOON + timedelta(days=59))
    for after, mark in ((0, ""), (59, ""), (1, "Told before that day: "), (8, "Told before that day: ")):
        clock.advance(days=after)
        assert f"- {mark}Dentist on 30 April. (" in await text(memory, "When am I at the dentist's?")
    clock.advance(days=15)
    assert "- Not sure any more: Dentist on 30 April. (" in await text(memory, "When am I at the dentist's?")
    clock.advance(days=30)
    assert await text(memory, "When am I at the dentist's?") == ""


async def test_an_appointment_does_not_live_on_for_being_shown(memory: Memory, clock: FakeClock) -> None:
    """A small memory shows everything in each block."""
    await memory.remember("Dentist on 12 March.", category="event", at=NOON + timedelta(days=10))
    for _ in range(45):
        clock.advance(days=1)
        await memory.context("Hello!")
    assert await memory.context("Hello!") is None


@pytest.mark.parametrize("told", ["I'm flying to Vienna on 12 March.", "I plan to travel to Vienna in April."])
async def test_a_plan_told_on_purpose_is_marked_after_its_day_and_fades(
    memory: Memory, clock: FakeClock, told: str
) -> None:
    await memory.remember(told)
    assert await marks(memory, clock, told) == ["- ", "- Told before that day: ", "- Not sure any more: "]


@pytest.mark.parametrize("told", ["I'm flying to Vienna on 12 March.", "I have a dentist appointment on 12 March."])
async def test_a_confirmed_plan_is_marked_after_its_day_and_fades(memory: Memory, clock: FakeClock, told: str) -> None:
    await memory.observe("user", told, session="talk")
    (learnt,) = (await memory.consolidate("talk")).learnt
    await memory.confirm(learnt.id, by_person=True)
    assert await marks(memory, clock, learnt.content) == ["- ", "- Told before that day: ", "- Not sure any more: "]


@pytest.mark.parametrize("told", ["My birthday is on 14 October.", "From 1 December answer me in German."])
async def test_a_birthday_and_a_wish_are_not_over_after_their_day(memory: Memory, clock: FakeClock, told: str) -> None:
    await memory.observe("user", told, session="talk")
    (learnt,) = (await memory.consolidate("talk")).learnt
    for _ in range(5):
        clock.advance(days=200)
        assert f"- {learnt.content} (" in await text(memory, "Hi!")


async def test_a_plan_in_an_old_conversation_is_marked_and_fades(memory: Memory, clock: FakeClock) -> None:
    await memory.observe("user", "I'm flying to Vienna on May 5.", session="old", at=NOON - timedelta(days=700))
    await memory.consolidate("old")
    learnt = "The user plans to travel to Vienna on 5 May 2024."
    assert await marks(memory, clock, learnt) == ["- Told before that day: ", "- Not sure any more: "]


async def marks(memory: Memory, clock: FakeClock, content: str) -> list[str]:
    """What stands before a memory in the daily blocks, which would all show it, until it has faded."""
    found: dict[str, None] = {}
    for _ in range(90):
        block = await memory.context("Hello!", types=["semantic"])
        if block is None:
            return list(found)
        (line,) = (line for line in block.text.splitlines() if content in line)
        found[line.partition(content)[0]] = None
        clock.advance(days=1)
    raise AssertionError(block)


async def test_a_corrected_day_is_the_day_of_the_plan(memory: Memory, clock: FakeClock) -> None:
    """Even an earlier one than before."""
    id = await memory.remember("I'm flying to Vienna on 12 March.")
    id = await memory.correct(id, "I'm flying to Vienna on 5 March.")
    clock.advance(days=4)
    assert f"- Told before that day: I'm flying to Vienna on 5 March. ({id}, 2026-03-05)" in await text(memory, "Hi!")
    id = await memory.correct(id, "I'm flying to Vienna on 20 March.")
    assert f"- I'm flying to Vienna on 20 March. ({id}, 2026-03-20)" in await text(memory, "Hi!")


async def test_what_holds_besides_a_plan_is_no_plan(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("I live in Porto and I'm flying to Vienna on 12 March.")
    clock.advance(days=30)
    assert "- I live in Porto and I'm flying to Vienna on 12 March. (" in await text(memory, "Hi!")


async def test_a_past_event_is_no_appointment(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("Ann won the race.", category="event", at=NOON - timedelta(days=10))
    clock.advance(days=5 * YEAR)
    assert "Ann won the race." in await text(memory, "What did Ann win?")


# --- what is about to fade --------------------------------------------------------------------------------------------


async def test_a_fading_fact_is_marked_as_unsure(memory: Memory, clock: FakeClock) -> None:
    """In one block, until it has faded, is used or is confirmed; being shown with that mark does not strengthen it."""
    id = await memory.remember("The user plays golf.", source="inferred")
    clock.advance(days=40)
    for _ in range(3):
        block = present(await memory.context("Golf?"))
        assert block.text.count("golf") == 1
        assert f"- Not sure any more: The user plays golf. ({id}, 2026-03-02)" in block.text
        clock.advance(days=1)
    await memory.search("golf")
    await memory.statistics()  # returns once the recall is counted
    assert "Not sure" not in await text(memory, "Golf?")
    clock.advance(days=45)
    assert "Not sure" in await text(memory, "Golf?")
    await memory.confirm(id)
    assert f"- The user plays golf. ({id}, " in await text(memory, "Golf?")


async def test_unsure_facts_stand_behind_sure_ones(memory: Memory, clock: FakeClock) -> None:
    """Two memories fit the question equally; the unsure one is younger."""

    async def found() -> list[str]:
        return [hit.content for hit in await memory.search("Who plays golf?", reinforce=False)]

    await memory.remember("Ann plays golf.")
    await memory.remember("Bob plays golf.", source="inferred")
    assert await found() == ["Bob plays golf.", "Ann plays golf."]
    clock.advance(days=40)
    assert await found() == ["Ann plays golf.", "Bob plays golf."]


# --- settings ---------------------------------------------------------------------------------------------------------


@pytest.mark.settings(category_lasts={"fact": "days"})
async def test_how_long_a_category_lasts_is_a_setting(memory: Memory) -> None:
    id = await memory.remember("Ann keeps a diary.", category="fact", source="inferred")
    fades_at = present((await memory.explain(id)).memory.fades_at)
    assert fades_at - NOON < timedelta(days=14)
    changed = Config.load({"category_lasts": {"fact": "days"}})
    assert changed.category_lasts == {**CONFIG.category_lasts, "fact": "days"}


# --- before there was such a difference -------------------------------------------------------------------------------
