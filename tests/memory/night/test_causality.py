"""Causes and effects among turns."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.maintain.causality import cause_by_rule, speaks_of_cause
from sandbox.extensions.memory.model import Role
from sandbox.extensions.memory.reports import StepReport
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from sandbox.testing import FakeClock
from tests.memory.night.conftest import answering
from tests.memory.store import raw

_CAUSES = """SELECT a.content, b.content, e.confidence, e.evidence, a.public_id, b.public_id FROM edges AS e
    JOIN nodes AS a ON a.id = e.source_id JOIN nodes AS b ON b.id = e.target_id
    WHERE e.relation = 'causal' ORDER BY e.id"""


async def say(memory: Memory, *turns: str, session: str = "s", user: str = "default") -> None:
    for turn in turns:
        await memory.observe("user", turn, session=session, scope=Scope(user))


async def infer(memory: Memory) -> StepReport:
    return (await memory.maintain(only=["causality"])).steps[0]


SAYS = [
    ("That's why I moved to Porto.", "first"),
    ("Yeah, that’s why I sold it.", "first"),
    ("Because of that, we missed the train.", "first"),
    ("As a result I lost the deposit.", "first"),
    ("So I quit my job.", "first"),
    ("Поэтому мы переехали.", "first"),
    ("Из-за этого я опоздал.", "first"),
    ("Because I was in a hurry.", "second"),
    ("Well, because the rent was too high.", "second"),
    ("Потому что было дорого.", "second"),
    ("Из-за дождя.", "second"),
    ("Deshalb sind wir umgezogen.", "first"),
    ("Ja, deswegen habe ich gekündigt.", "first"),
    ("Also haben wir es verkauft.", "first"),
    ("Weil es zu teuer war.", "second"),
    ("Wegen des Regens.", "second"),
    ("Also, we met Ann.", None),
    ("I moved because the rent was too high.", None),
    ("So, tell me more.", None),
    ("Nice.", None),
    ("So cool!", None),
    ("Я переехал, потому что было дорого.", None),
]


@pytest.mark.parametrize(
    ("first", "second", "cause"),
    [
        *(("The weather was bad.", second, cause) for second, cause in SAYS),
        # the effect repeats the turn before
        ("I moved to Porto.", "I moved because the rent was too high.", "second"),
        ("The train broke down.", "I was late because the train broke down.", "first"),
        ("The server was down all night.", "The server being down led to a lot of complaints.", "first"),
        ("I love to help.", "I love to help, so ask me anything.", None),
        ("Поезд сломался.", "Я опоздал, потому что поезд сломался.", "first"),
        ("Я переехал.", "Я переехал из-за дождей в Лондоне.", "second"),
        ("Der Zug war kaputt.", "Ich kam zu spät, weil der Zug kaputt war.", "first"),
        ("I like soup.", "I was late because the train broke down.", None),
        ("The train broke down.", "The train broke down because the train broke down.", None),
    ],
)
def test_words_name_the_cause(first: str, second: str, cause: str | None) -> None:
    assert cause_by_rule(first, second) == cause


@pytest.mark.parametrize(
    ("said", "causes"),
    [
        (
            [
                "user: I moved to Porto.",
                "assistant: That is a big step. Why?",
                "user: The rent in Lisbon was too high.",
            ],
            [("The rent in Lisbon was too high.", "I moved to Porto.")],
        ),
        (
            ["user: Ich bin nach Porto gezogen.", "assistant: Warum?", "user: Die Miete in Lissabon war zu hoch."],
            [("Die Miete in Lissabon war zu hoch.", "Ich bin nach Porto gezogen.")],
        ),
        (
            ["user: The train broke down.", "assistant: Oh no!", "user: So I missed the interview."],
            [("The train broke down.", "So I missed the interview.")],
        ),
        (["user: I sold the car.", "assistant: Why is that?", "user: Thanks, have a nice evening!"], []),
        (["user: I sold the car.", "assistant: It was a good one.", "user: I bought a bike."], []),
        (
            ["user: Я продал машину.", "assistant: Почему?", "user: Слишком дорогой бензин."],
            [("Слишком дорогой бензин.", "Я продал машину.")],
        ),
        (
            ["Ann: I quit my job.", "Bob: How come?", "Ann: My boss shouted at everybody."],
            [("My boss shouted at everybody.", "I quit my job.")],
        ),
    ],
)
async def test_a_persons_turns_are_paired_across_what_another_says(
    memory: Memory, folder: Path, said: Sequence[str], causes: Sequence[tuple[str, str]]
) -> None:
    for turn in said:
        who, text = turn.split(": ", 1)
        role: Role = "assistant" if who == "assistant" else "user"
        await memory.observe(role, text, session="s", speaker=who if who.istitle() else None)
    await infer(memory)
    assert [(cause, effect) for cause, effect, *_ in raw.query(folder, _CAUSES)] == list(causes)


@pytest.mark.parametrize(
    "text",
    [
        "I left because of the noise.",
        "It led to a fight.",
        "Поэтому я ушёл.",
        "из-за шума",
        "Ich ging wegen des Lärms.",
    ],
)
def test_words_of_cause_are_recognised(text: str) -> None:
    assert speaks_of_cause(text)
    assert not speaks_of_cause("The soup was good. Суп был вкусный. Die Suppe war gut.")


async def test_rules_link_cause_and_effect(memory: Memory, folder: Path) -> None:
    await say(memory, "The rent in Lisbon got too high.", "That's why I moved to Porto.")
    await say(memory, "I stayed in.", "Because it rained.", session="other")
    assert (await infer(memory)).counts == {"pairs": 2, "causes": 2}
    found = raw.query(folder, _CAUSES)
    assert [(cause, effect, confidence) for cause, effect, confidence, *_ in found] == [
        ("The rent in Lisbon got too high.", "That's why I moved to Porto.", 0.7),
        ("Because it rained.", "I stayed in.", 0.7),
    ]
    assert all(set(json.loads(evidence)) == set(ids) for *_, evidence, one, other in found for ids in [(one, other)])
    assert (await infer(memory)).counts == {}
    assert raw.query(folder, _CAUSES) == found


async def test_why_finds_the_cause(memory: Memory) -> None:
    """The cause shares no word with the question; other turns also mention the move."""
    for number in range(4):
        await say(memory, f"Moving to Porto, part {number}.", session=f"move {number}")
    await say(memory, "Everything in Lisbon became expensive.", "That's why I moved to Porto.")

    async def legs() -> list[str]:
        found = await memory.search("Why did I move to Porto?", limit=20)
        return [leg for hit in found if "expensive" in hit.content for leg in hit.legs]

    assert "graph" not in await legs()
    await infer(memory)
    assert "graph" in await legs()


async def test_questions_other_sessions_and_tools_are_no_causes(memory: Memory, folder: Path) -> None:
    await say(memory, "Why did you leave?", "Because it rained.")
    await say(memory, "That's why I moved.", session="alone")
    await memory.observe("tool", "disk full", session="t")
    await memory.observe("user", "That's why it failed.", session="t")
    await infer(memory)
    assert raw.query(folder, _CAUSES) == []


async def test_a_model_decides(folder: Path, clock: FakeClock) -> None:
    model = answering()
    async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
        await say(memory, "It was late.", "That's why I left.", "Because I was tired.")
        await say(memory, "It was cold.", "That's why I stayed.", user="bob")
        report = await infer(memory)
        assert (report.counts, report.spent.calls) == ({"pairs": 3, "causes": 2}, 2)
        assert {effect for _, effect, *_ in raw.query(folder, _CAUSES)} == {
            "That's why I left.",
            "That's why I stayed.",
        }
        assert not any("It was cold" in question.user and "It was late" in question.user for question in model.asked)


@pytest.mark.parametrize("said", [{"verdicts": [{"pair": 7, "cause": "first"}]}, {"verdicts": []}, "no idea"])
async def test_rules_decide_if_the_model_gives_no_verdict(folder: Path, clock: FakeClock, said: object) -> None:
    model = ScriptedLanguageModel(otherwise=said)  # type: ignore[arg-type]
    async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
        await say(memory, "It was late.", "That's why I left.")
        counts = (await infer(memory)).counts
        assert counts == {"pairs": 1, "causes": 1} | ({"unusable answers": 1} if said == "no idea" else {})


@pytest.mark.settings(causal_inference_batch_size=3)
async def test_a_night_judges_pairs_up_to_its_limit(memory: Memory, clock: FakeClock) -> None:
    for number in range(10):
        await say(memory, "It was late.", "It was dark.", "That's why I left.", session=str(number))
    for days, causes, status in ((0, 3, "partial"), (0, None, "partial"), (1, 3, "partial"), (2, 4, "done")):
        clock.advance(days=days)
        report = await infer(memory)
        assert (report.counts.get("causes"), report.status) == (causes, status), days
