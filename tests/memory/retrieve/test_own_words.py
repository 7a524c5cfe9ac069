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


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How many fish are in my tank?", "user"),
        ("How many fish are in the tank of the user?", "user"),
        ("Who sold me fish for a tank of this size?", "user"),
        ("How many fish live in the tank where I work?", "user"),
        ("Wie viele Fische sind in meinem Aquarium?", "user"),
        ("Wer schenkte mir Fische?", "user"),
        ("Сколько рыбы у меня в аквариуме?", "user"),
        ("Кто подарил мне рыбу в аквариум такого размера?", "user"),
        ("How many fish did you say fit into my tank?", "assistant"),
        ("How many fish fit into a tank of that size?", "assistant"),
        ("Tell me about the fish: how many fit into one tank?", "assistant"),
        ("Wie viele Fische passen in ein Aquarium?", "assistant"),
        ("Сколько рыбы ты посоветовал на мой аквариум?", "assistant"),
    ],
)
async def test_own_words_come_first_unless_an_answer_is_asked_for(memory: Memory, question: str, first: str) -> None:
    for language, (own, answer) in _SAID.items():
        await memory.observe("user", own, session=language)
        await memory.observe("assistant", answer, session=f"{language}, of somebody else's tank")
    assert [hit.role for hit in await memory.search(question, limit=1)] == [first]
