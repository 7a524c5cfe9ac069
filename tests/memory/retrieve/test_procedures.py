"""A procedure is shown for a prompt that asks how to do something, and for no other."""

import pytest

from sandbox.extensions.memory import Memory
from tests.memory.hits import contents

FEEDING = "To feed the rye starter: 1. Take 100 g starter, 100 g rye flour and 100 g water. 2. Wait for twelve hours."
SAUERTEIG = "Um den Sauerteig zu füttern: 1. Nimm 100 g Roggenmehl. 2. Warte zwölf Stunden."
LEAVEN = "Чтобы покормить закваску: 1. Взять 100 г ржаной муки. 2. Подождать двенадцать часов."


@pytest.mark.parametrize(
    ("known", "asked"),
    [
        (FEEDING, "How is the rye starter fed?"),
        (FEEDING, "How do I feed the rye starter?"),
        (FEEDING, "how to feed rye starter"),
        (FEEDING, "What are the steps for feeding the rye starter?"),
        (SAUERTEIG, "Wie füttere ich den Sauerteig?"),
        (SAUERTEIG, "Wie wird der Sauerteig gefüttert?"),
        (LEAVEN, "Как кормить закваску?"),
        (LEAVEN, "Как мы кормим закваску?"),
    ],
)
async def test_a_prompt_that_asks_how_gets_the_procedure(memory: Memory, known: str, asked: str) -> None:
    await memory.remember(known, type="procedural")
    await memory.observe("user", "The rye bread sold out again, such a day.", session="s1")
    assert known in contents(await memory.context(asked))
    first, *_ = await memory.search(asked)
    assert first.content == known


@pytest.mark.parametrize(
    "asked",
    [
        "Who fed the rye starter?",
        "How old is the rye starter?",
        "How much rye starter is there?",
        "How much rye starter was made?",
        "How often was the rye starter fed?",
        "Wie alt ist der rye starter?",
        "Сколько лет rye starter?",
    ],
)
async def test_other_prompts_get_no_procedure(memory: Memory, asked: str) -> None:
    await memory.remember(FEEDING, type="procedural")
    await memory.remember("Feed the rye starter with care.", type="procedural", category="instruction")
    await memory.remember("The rye starter came from Anna.")
    assert contents(await memory.context(asked)) == ["The rye starter came from Anna."]
