"""Two names of one person become one if that is certain, and otherwise stay two."""

import re
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.ports import LanguageModel, Question
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from sandbox.extensions.memory.text.variants import is_same_spelling, may_be_variant
from tests.memory.night import canonical

PLUMBER, BERLIN, CHESS = "{} works at Acme as a plumber.", "{} lives in Berlin.", "{} plays chess on Mondays."

KASIA, TYPO = "Katharina Kowalski", "Katharina Kowlaski"
BOBS = ("Robert", "Bob")
ANNAS, SASHAS = ("Anna Petrova", "Anna Ivanova", "Anna Petrov"), ("Alexander", "Alexandra", "Sasha")


def opened(
    folder: Path, model: LanguageModel | None = None, *, embeds: bool = False, **config: Any
) -> AbstractAsyncContextManager[Memory]:
    return Memory.open(folder, embedder="embedded" if embeds else None, model=model, config=config)


async def known(memory: Memory, name: str, *facts: str) -> None:
    """Store facts about a name."""
    for fact in facts:
        await memory.remember(fact.format(name), subject=name)


async def night(memory: Memory) -> dict[str, int]:
    """The counts of one night."""
    (step,) = (await memory.maintain(only=["identity"])).steps
    return {name: count for name, count in step.counts.items() if count}


async def kept(memory: Memory, *names: str) -> set[str]:
    """The main names of some names."""
    return {(await memory.entity(name)).name for name in names}


def saying(*verdicts: tuple[str, bool]) -> ScriptedLanguageModel:
    """A model that gives its first verdict on the first pair of a question, and so on; the last one for all others."""

    def answer(question: Question) -> dict[str, Any]:
        count = len(re.findall(r"^Pair \d+$", question.user, re.MULTILINE))
        given = [*verdicts, *[verdicts[-1]] * count][:count]
        return {"verdicts": [{"pair": n, "verdict": v, "sure": sure} for n, (v, sure) in enumerate(given, 1)]}

    return ScriptedLanguageModel(otherwise=answer)


# --- by rules ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "other"), [(KASIA, TYPO), ("Robert", "Bob"), ("Екатерина", "Катя")])
async def test_similar_names_with_shared_facts_are_merged(tmp_path: Path, one: str, other: str) -> None:
    async with opened(tmp_path) as memory:
        await known(memory, one, PLUMBER, BERLIN, CHESS)
        await known(memory, other, PLUMBER, BERLIN)
        assert await night(memory) == {"made one": 1}
        assert await kept(memory, one, other) == {one}
        assert len((await memory.entity(other)).facts) == 5
        await memory.split_entity(one)
        assert await kept(memory, one, other) == {one, other}
        assert await night(memory) == {}
        assert await kept(memory, one, other) == {one, other}


@pytest.mark.parametrize(
    ("told", "beside", "names"),
    [
        ({KASIA: (PLUMBER, BERLIN), TYPO: (BERLIN, CHESS)}, "", {KASIA, TYPO}),  # without evidence
        ({"Robert": (PLUMBER, BERLIN), "Bob": (BERLIN, CHESS)}, "", set(BOBS)),
        (dict.fromkeys(BOBS, (PLUMBER, BERLIN)), "The flat is shared by Robert and Bob.", set(BOBS)),
        (dict.fromkeys(ANNAS, (PLUMBER, BERLIN)), "", set(ANNAS)),  # ambiguous
        (dict.fromkeys(SASHAS, (PLUMBER, BERLIN)), "", set(SASHAS)),
        ({"José García": (BERLIN,), "Jose Garcia": (CHESS,)}, "", {"José García"}),  # one spelling needs no evidence
    ],
)
async def test_names_stay_apart_unless_they_are_certainly_one(
    tmp_path: Path, told: dict[str, Sequence[str]], beside: str, names: set[str]
) -> None:
    async with opened(tmp_path, embeds=True) as memory:
        for name, facts in told.items():
            await known(memory, name, *facts)
        if beside:
            await memory.remember(beside)
        assert await night(memory) == ({"made one": 1} if len(names) < len(told) else {})
        assert await kept(memory, *told) == names


@pytest.mark.parametrize(
    ("one", "other", "same", "variant"),
    [
        ("Jean-Luc", "Jeanluc", True, True),
        ("José García", "Jose Garcia", True, True),
        ("Zoë", "Zoe", False, True),
        ("C", "C++", False, False),
        ("a.b@example.org", "ab@example.org", False, False),
        ("Petrov", "Petrova", False, False),
        ("Daniel", "Daniela", False, False),
        ("Server 12345", "Server 12346", False, False),
        ("Michael", "Micheal", False, True),
        ("Robert Meyer", "Bob Meyer", False, True),
        ("Robert Meyer", "Bob Miller", False, False),
        ("Robert Meyer", "Bob", False, True),
        ("Anna", "Anne", False, False),
    ],
)
def test_variants_of_names_are_recognised(one: str, other: str, same: bool, variant: bool) -> None:
    for first, second in ((one, other), (other, one)):
        assert is_same_spelling(first, second) == same
        assert may_be_variant(first, second) == variant


# --- as a model judges ------------------------------------------------------------------------------------------------


async def test_a_sure_model_decides(tmp_path: Path) -> None:
    model = saying(("one", True))
    async with opened(tmp_path, model) as memory:
        await known(memory, "Robert", PLUMBER)
        await known(memory, "Bob", CHESS)
        assert await night(memory) == {"made one": 1, "pairs": 1}
        assert await kept(memory, "Robert", "Bob") == {"Robert"}
    (asked,) = model.asked
    assert "- Bob (concept)\n  - Bob plays chess on Mondays." in asked.user
    assert "- Robert (person)\n  - Robert works at Acme as a plumber." in asked.user


@pytest.mark.parametrize(
    "model",
    [
        saying(("two", True)),
        saying(("one", False)),
        saying(("perhaps", True)),
        ScriptedLanguageModel(otherwise={"verdicts": []}),
        ScriptedLanguageModel(otherwise={"verdicts": [{"pair": 1, "verdict": "one", "sure": True}] * 2}),
        ScriptedLanguageModel(otherwise={"verdicts": [{"pair": 7, "verdict": "one", "sure": True}]}),
        ScriptedLanguageModel(otherwise="Bob is Robert, of course."),
        ScriptedLanguageModel(),
    ],
    ids=["two", "not sure", "no verdict", "nothing", "two verdicts", "another pair", "no JSON", "unavailable"],
)
async def test_without_a_sure_model_similar_names_stay_two(tmp_path: Path, model: LanguageModel) -> None:
    async with opened(tmp_path, model) as memory:
        await known(memory, "Robert", PLUMBER)
        await known(memory, "Bob", CHESS)
        assert "made one" not in await night(memory)
        assert await kept(memory, "Robert", "Bob") == {"Robert", "Bob"}


async def test_a_pair_without_a_model_is_judged_later(tmp_path: Path) -> None:
    for model, names in ((ScriptedLanguageModel(), {"Robert", "Bob"}), (saying(("one", True)), {"Robert"})):
        async with opened(tmp_path, model) as memory:
            await known(memory, "Robert", PLUMBER)
            await known(memory, "Bob", CHESS)
            await night(memory)
            assert await kept(memory, "Robert", "Bob") == names


async def test_a_name_that_would_join_two_persons_is_not_merged(tmp_path: Path) -> None:
    async with opened(tmp_path, saying(("one", True))) as memory:
        await known(memory, "Alexander", PLUMBER)
        await known(memory, "Alexandra", CHESS)
        await known(memory, "Sasha", BERLIN)
        await night(memory)
        assert len(await kept(memory, "Alexander", "Alexandra", "Sasha")) == 3


@pytest.mark.parametrize("embeds", [True, False])
async def test_few_pairs_are_asked_about(tmp_path: Path, embeds: bool) -> None:
    """Of many similar names, three for each name."""
    model = saying(("two", True))
    async with opened(tmp_path, model, embeds=embeds) as memory:
        for number in range(12):
            await known(memory, f"Kowalski{'abcdefghijkl'[number]}n", CHESS)
        counts = await night(memory)
        pairs = sum(question.user.count("\nPair ") for question in model.asked)
        assert 0 < pairs == counts["pairs"] <= 12 * 3


async def test_the_pairs_of_a_day_are_limited(tmp_path: Path) -> None:
    model = saying(("two", True))
    async with opened(tmp_path, model) as memory:
        for letter in "abcdefghijklmnopqrst":
            await known(memory, f"Kowalski{letter}n", CHESS)
        (step,) = (await memory.maintain(only=["identity"])).steps
        assert (step.status, step.note) == ("partial", "the day's pairs are used up")
        assert 0 < sum(question.user.count("\nPair ") for question in model.asked) <= 50


async def test_a_dry_run_asks_no_model(tmp_path: Path) -> None:
    model = saying(("one", True))
    async with opened(tmp_path, model) as memory:
        await known(memory, "Robert", PLUMBER)
        await known(memory, "Bob", CHESS)
        before = canonical.everything(tmp_path)
        (step,) = (await memory.maintain(only=["identity"], dry_run=True)).steps
        assert (step.status, step.spent.calls, model.asked) == ("planned", 1, [])
        assert canonical.everything(tmp_path) == before
