"""A question about one's own life finds what one has said before what an assistant has answered."""

import pytest

from sandbox.extensions.memory import Memory

_SAID = {
    "en": (
        "By the way, I put four new fish into my tank.",
        "Most tanks are too small: how many fish fit into one depends on its size.",
    ),
    "de": (
        "Übrigens habe ich vier neue Fische in mein Aquarium gesetzt.",
        "Fische brauchen ein großes Aquarium.",
    ),
    "ru": (
        "Кстати, я запустил в аквариум четыре новые рыбы.",
        "Обычно они малы: сколько рыбы войдёт в аквариум, зависит от размера.",
    ),
}


async def _found(memory: Memory, question: str) -> list[str]:
    for language, (own, answer) in _SAID.items():
        await memory.observe("user", own, session=language)
        await memory.observe("assistant", answer, session=f"{language}, of somebody else's tank")
    return [hit.role or "" for hit in await memory.search(question, limit=2)]


@pytest.mark.parametrize(
    "question",
    [
        "How many fish are in my tank?",
        "How many fish are in the tank of the user?",
        "Wie viele Fische sind in meinem Aquarium?",
        "Сколько рыбы у меня в аквариуме?",
    ],
)
async def test_what_the_user_said_comes_first(memory: Memory, question: str) -> None:
    assert await _found(memory, question) == ["user", "assistant"]


@pytest.mark.parametrize(
    "question",
    [
        "How many fish did you say fit into my tank?",
        "How many fish fit into a tank of that size?",
        "Wie viele Fische passen in ein Aquarium?",
        "Сколько рыбы ты посоветовал на мой аквариум?",
    ],
)
async def test_the_answer_of_an_assistant_comes_first_where_that_is_asked_for(memory: Memory, question: str) -> None:
    assert await _found(memory, question) == ["assistant", "user"]
