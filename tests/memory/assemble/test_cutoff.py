"""A budget is a limit: what says nothing, or is far worse than the best, is left out; and how sure a block is."""

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.assemble.confidence import Signs
from tests.memory.hits import contents, present


async def say(memory: Memory, session: str, *said: str) -> None:
    """Two people in turns."""
    speakers = ("Ann", "Bob")
    await memory.observe_many(
        Message("user", each, session, speaker=speakers[place % 2]) for place, each in enumerate(said)
    )


async def shown(memory: Memory, prompt: str, budget: int = 1000) -> Sequence[str]:
    return contents(await memory.context(prompt, budget=budget, reinforce=False))


@pytest.mark.parametrize(
    "nothing",
    [
        ("Thanks, Bob!", "You're welcome, Ann. Glad it helped!", "See you later!", "Bye!"),
        ("Danke, Bob!", "Bitte, gern geschehen. Bis später!", "Schönen Tag noch!", "Tschüss, Ann!"),
        ("Спасибо, Bob!", "Пожалуйста! Рад помочь.", "Хорошего дня!", "До встречи, Ann!"),
        ("Merci beaucoup !", "De rien, à bientôt !", "Bonne journée !", "Salut Ann !"),
        ("ありがとうございます！", "またね！", "おやすみなさい", "はい"),
    ],
)
async def test_thanks_and_greetings_get_no_block(embedded: Memory, nothing: Sequence[str]) -> None:
    told = ("I moved to Lisbon with my two cats.", "Lisbon is lovely for cats, and so is my street there.")
    await say(embedded, "s", *told, *nothing)
    await embedded.wait_until_embedded()
    assert set(await shown(embedded, "Where did Ann move with her cats? Lisbon?")) == set(told)


async def test_a_short_answer_brings_its_question(memory: Memory) -> None:
    """So many turns have to do with ferries that the question is not among the best."""
    for each in range(80):
        await say(memory, f"s{each}", f"Another mother took the overnight ferry to Oslo, number {each} of so many.")
    await say(memory, "asked", "Would your parents come along?", "Only my mother, on the overnight ferry to Oslo.")
    found = await shown(memory, "Who only takes the overnight ferry to Oslo, mother?")
    assert "Only my mother, on the overnight ferry to Oslo." in found
    assert "Would your parents come along?" in found


async def test_an_answer_of_nothing_but_stop_words_stands_with_its_question(memory: Memory) -> None:
    await say(memory, "s", "Are you allergic to shellfish?", "Yes, I am.", "Thanks!", "You're welcome!")
    assert set(await shown(memory, "Is Bob allergic to shellfish?")) == {"Are you allergic to shellfish?", "Yes, I am."}


@pytest.mark.parametrize(
    ("asked", "replied", "prompt"),
    [
        ("commit this", "Committed.", "commit this"),
        ("how do I log in to the bastion?", "ok", "how do I log in to the bastion?"),
        ("commit this", "Committed.", "commit the parser"),
    ],
)
async def test_a_terse_reply_of_an_assistant_is_not_shown(
    embedded: Memory, asked: str, replied: str, prompt: str
) -> None:
    await embedded.observe_many([Message("user", asked, "s"), Message("assistant", replied, "s")])
    await embedded.wait_until_embedded()
    assert replied not in await shown(embedded, prompt)


async def test_a_terse_answer_of_an_assistant_is_shown(memory: Memory) -> None:
    told = ("Which port has the staging database?", "Port 5433.")
    await memory.observe_many([Message("user", told[0], "s"), Message("assistant", told[1], "s")])
    assert set(await shown(memory, "the port of the staging database, please")) == set(told)


async def test_hits_far_behind_the_best_are_not_shown(memory: Memory) -> None:
    """A hundred turns have one common word of the question, two have all its words."""
    for each in range(100):
        await say(memory, f"s{each}", f"My violin number {each} needs new strings before the concert in town {each}.")
    await say(memory, "told", "Professor Quimby of Trieste repaired the violin.")
    question = "Who repaired the violin, Professor Quimby of Trieste?"
    block = present(await memory.context(question, budget=1000))
    assert "Professor Quimby of Trieste repaired the violin." in contents(block)
    assert block.tokens < 700


async def test_a_list_over_many_occasions_is_shown_behind_one_far_better_hit(memory: Memory) -> None:
    """The best turn has all words of the question, and those that answer it have half of them."""
    told = [f"I played instrument number {each} this evening until the neighbours knocked." for each in range(24)]
    for each, said in enumerate(told):
        await say(memory, f"s{each}", said)
    await say(memory, "asked", "I want to play many musical instruments at home, every evening, for my friends.")
    found = await shown(memory, "What musical instruments does Ann play at home every evening for friends?")
    assert set(told) <= set(found)


async def test_a_task_that_concerns_nobody_gets_few_turns(embedded: Memory) -> None:
    """Its words stand in every turn, but nothing that was said helps with it."""
    for each in range(40):
        say_so = f"This morning I said good morning to neighbour {each}, wrote a letter, and had rice with beans."
        await say(embedded, f"s{each}", say_so, f"The letter of day {each} was about the rice; it was a good one.")
    await embedded.wait_until_embedded()
    for task in (
        "translate 'good morning' to Polish",
        "best way to cook rice",
        "Write a short letter of application for a job in a shop, in a good and polite tone, and explain in a few "
        "words why you chose each sentence.",
    ):
        block = await embedded.context(task, reinforce=False)
        assert block is None or block.tokens < 600, task
        assert "unsure" in (await embedded.explain_context(task)).left_out.values()
    for question in ("What did I have with the rice?", "What did Ann write in the morning?"):
        assert present(await embedded.context(question, reinforce=False)).tokens > 700


async def test_a_question_that_names_nobody_gets_its_turns_where_it_is_sure(embedded: Memory) -> None:
    told = [f"The login endpoint of service {each} checks the session cookie twice." for each in range(12)]
    for each, said in enumerate(told):
        await say(embedded, f"s{each}", said, f"Then the printer of floor {each} needs paper.")
    await embedded.wait_until_embedded()
    found = await shown(embedded, "which login endpoint checks the session cookie twice?")
    assert set(told) <= set(found)


async def test_a_long_task_is_no_complex_question(embedded: Memory) -> None:
    """It leaves facts no more room than a short one, unless the caller gives it."""
    for each in range(70):
        await embedded.remember(
            f"The user's colleague number {each} collects stamps of country {each}, and nothing else."
        )
    await embedded.wait_until_embedded()
    task = (
        "Write a children's poem in four verses in which a hedgehog, an owl and a badger cross the forest by night, "
        "compare their lanterns, and explain step by step why the moon is late."
    )
    assert present(await embedded.context(task, reinforce=False)).tokens <= 1000
    assert present(await embedded.context(task, budget=3000, reinforce=False)).tokens > 1000


async def test_what_is_far_behind_is_not_called_unsure(embedded: Memory) -> None:
    """The prompt names nobody, but the room is large enough for what is near to it."""
    await say(embedded, "s", "The spare key of the boathouse hangs behind the green door of the shed.")
    for each in range(30):
        await say(embedded, f"s{each}", f"Nobody painted the door of house {each} so far, {'as it rained a lot ' * 9}.")
    await embedded.wait_until_embedded()
    explained = await embedded.explain_context("boathouse door")
    assert "far_behind" in explained.left_out.values()
    assert "unsure" not in explained.left_out.values()


SHARE = st.floats(0, 1)
SIGNS = st.builds(Signs, near=SHARE, shared=SHARE, known=SHARE, named=SHARE, who=st.floats(-1, 1))


async def sure(memory: Memory, question: str) -> float:
    """The confidence of a block."""
    block = await memory.context(question, reinforce=False)
    return 0.0 if block is None else block.confidence


async def converse(memory: Memory, *turns: tuple[str, str]) -> None:
    """Turns of several people, each in a session of its own."""
    await memory.observe_many(
        Message("user", content, f"s{place}", speaker=speaker) for place, (speaker, content) in enumerate(turns)
    )


@given(SIGNS, st.sampled_from(["near", "shared", "known", "named", "who"]), SHARE)
def test_a_stronger_sign_never_lowers_confidence(signs: Signs, name: str, more: float) -> None:
    raised = signs._replace(**{name: min(1.0, getattr(signs, name) + more)})
    assert 0 < signs.confidence <= raised.confidence < 1


async def test_an_answer_has_more_confidence_than_a_guess(memory: Memory) -> None:
    """A name that no result has lowers it; in small letters it is an ordinary word."""
    await memory.remember("Ann lives in Berlin.")
    assert await sure(memory, "does Ann own a helicopter company?") < 0.5
    assert await sure(memory, "does Ann live in Berlin?") > 0.7
    assert await sure(memory, "does Ann live in Potsdam?") < await sure(memory, "does Ann live in potsdam?")


async def test_an_unknown_name_lowers_confidence(embedded: Memory) -> None:
    await converse(embedded, ("Ann", "I bought an iPhone at the Holiday Market."), ("Ann", "The weather is fine."))
    await embedded.wait_until_embedded()
    said, unsaid = [await sure(embedded, f"Where did I buy my {what}?") for what in ("iPhone", "Kindle")]
    assert unsaid < said


@pytest.mark.parametrize("is_said", [True, False])
async def test_the_word_of_another_person_lowers_confidence(memory: Memory, *, is_said: bool) -> None:
    told = (("Bob", "Ran the charity race in May."), ("Ann", "Painted the garden wall."))
    if is_said:
        await converse(memory, *told)
    else:
        for person, fact in told:
            await memory.remember(fact, subject=person)
    hers, his = [await sure(memory, f"When did {name} run the charity race?") for name in ("Ann", "Bob")]
    assert hers < 0.5 < his


async def test_a_question_of_stop_words_gives_no_confidence(embedded: Memory) -> None:
    await embedded.observe("user", "What is it?")
    await embedded.wait_until_embedded()
    assert await sure(embedded, "who is it then?") == 0
