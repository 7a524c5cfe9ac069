"""The summary of a session: two sentences at most, however long it is and however often it continues."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.consolidate.constraints import sentences, summed
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from sandbox.testing import FakeClock
from tests.memory.consolidate.test_sessions import say
from tests.memory.store import raw


def summary(folder: Path) -> str:
    """The present summary of the session."""
    [(content,)] = raw.query(folder, "SELECT content FROM summaries WHERE kind = 'session' AND retired_at IS NULL")
    return str(content)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["I moved to Berlin last month.", "We adopted a cat."], 'The user said: "I moved to Berlin last month".'),
        (["Hello!", "Thanks a lot.", "We adopted a grey cat."], 'The user said: "We adopted a grey cat".'),
        (["I have an appointment on Friday."], 'The user said: "I have an appointment on Friday".'),
        (["How do I sort a list in Python?"], 'The user asked: "How do I sort a list in Python?".'),
        (["Я переехал в Казань в феврале."], "Пользователь говорит: «Я переехал в Казань в феврале»."),
        (["Я хочу выучить испанский язык."], "Пользователь говорит: «Я хочу выучить испанский язык»."),
        (["Как отсортировать список в питоне?"], "Пользователь спрашивает: «Как отсортировать список в питоне?»."),
    ],
)
async def test_rules_sum_up_by_the_first_question_or_statement(
    memory: Memory, tmp_path: Path, said: Sequence[str], expected: str
) -> None:
    """They skip a greeting and thanks."""
    await memory.observe_many([Message("user", text, "s1") for text in said])
    await memory.consolidate("s1")
    assert summary(tmp_path / "memory") == expected


async def test_a_long_session_is_summed_up_as_briefly(memory: Memory, tmp_path: Path) -> None:
    """It is read in three parts, each with a summary."""
    for number in range(70):
        await say(memory, f"I bought a red car number {number} yesterday.", days=number)
    await memory.consolidate("s1")
    found = sentences(summary(tmp_path / "memory"))
    assert len(found) == 2
    assert "number 0 " in found[0]
    assert "number 6" in found[1]


async def test_a_session_that_goes_on_is_summed_up_as_briefly(tmp_path: Path, clock: FakeClock) -> None:
    parts = [f"Bread of kind {number} was discussed. Flour {number} was bought." for number in range(4)]
    model = ScriptedLanguageModel(*({"summary": part, "items": []} for part in parts))
    async with Memory.open(tmp_path / "memory", embedder=None, model=model, clock=clock) as memory:
        for number in range(4):
            await say(memory, f"Bread of kind {number} needs flour {number}.", days=number)
            await memory.consolidate("s1")
            assert len(sentences(summary(tmp_path / "memory"))) <= 2
    assert summary(tmp_path / "memory") == "Bread of kind 0 was discussed. Flour 3 was bought."


@given(
    st.lists(st.lists(st.text("abc", min_size=1, max_size=99).map(lambda text: f"A{text}."), max_size=4).map(" ".join))
)
def test_no_summary_is_too_long(parts: list[str]) -> None:
    found = summed(*parts)
    assert (found is None) == (not any(parts))
    assert found is None or (len(sentences(found)) <= 2 and len(found) <= 280)
    assert summed(found) == found
