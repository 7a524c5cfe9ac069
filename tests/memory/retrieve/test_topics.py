"""What the user told is found by what a question asks for, where no word of it is the same."""

import pytest

from sandbox.extensions.memory import Memory, Scope
from tests.memory.hits import contents

_CHAT = ("Graz has fine trams.", "A film about nurses is on at nine.", "Pet cameras are on sale again.")


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("I moved to Porto.", "which city am I in?"),
        ("I moved to Porto.", "where do I live?"),
        ("I work as a nurse.", "what's my job?"),
        ("I work as a nurse.", "what is my profession?"),
        ("My manager is Tom Ford.", "who is my boss?"),
        ("My birthday is on 3 May.", "when was I born?"),
        ("My name is Nuno.", "who am I?"),
        ("I have asthma.", "what do you know about me?"),
        ("I'm allergic to shellfish.", "recommend a restaurant for tonight"),
        ("Я живу в Казани.", "в каком городе мой дом?"),
        ("У меня аллергия на орехи.", "что приготовить на ужин?"),
        ("Ich wohne in Leipzig.", "in welcher Stadt bin ich?"),
        ("Ich arbeite als Lehrer.", "Welchen Beruf habe ich?"),
    ],
)
async def test_a_fact_is_found_by_its_topic(memory: Memory, told: str, asked: str) -> None:
    for each in _CHAT:
        await memory.observe("user", each, session="chat")
    await memory.remember(told)
    assert contents(await memory.search(asked, reinforce=False))[0] == told


@pytest.mark.parametrize("asked", ["in what line of work is my wife?", "what profession does my wife have?"])
async def test_a_fact_about_somebody_near_is_found_by_their_relation(memory: Memory, asked: str) -> None:
    for each in ("My wife is called Kelly.", "Kelly is a dental nurse.", "Gaz is a plumber.", *_CHAT):
        await memory.remember(each)
    found = contents(await memory.search(asked, reinforce=False))
    assert "Kelly is a dental nurse." in found[:2]
    assert "Gaz is a plumber." not in found


async def test_the_turn_comes_with_what_was_learnt_from_it(memory: Memory) -> None:
    said = "We have a cat. She sleeps on the piano and listens to Pistachio."
    await memory.observe("user", said, session="s1")
    (fact,) = (await memory.consolidate("s1")).learnt
    asked = "what is my pet called?"
    assert contents(await memory.search(asked, reinforce=False)) == [fact.content, said]
    assert contents(await memory.search(asked, types=("episodic",), reinforce=False)) == [said]


@pytest.mark.parametrize(
    "told",
    ["My neighbour works as a nurse.", "I used to work as a nurse.", "I don't work as a nurse.", "I have a piano."],
)
async def test_others_and_the_past_are_not_on_the_topic(memory: Memory, told: str) -> None:
    await memory.remember(told)
    assert contents(await memory.search("what is my profession?", reinforce=False)) == []


async def test_what_is_asked_for_stands_before_what_is_near(memory: Memory) -> None:
    for each in ("I work at Contoso.", "I work as a nurse.", "I'm vegan."):
        await memory.remember(each)
    assert contents(await memory.search("my profession", reinforce=False)) == [
        "I work as a nurse.",
        "I work at Contoso.",
    ]


async def test_other_users_facts_are_not_found_by_their_topic(memory: Memory) -> None:
    await memory.remember("I work as a nurse.", scope=Scope(user_id="ann"))
    assert contents(await memory.search("what's my job?", scope=Scope(user_id="bob"), reinforce=False)) == []
