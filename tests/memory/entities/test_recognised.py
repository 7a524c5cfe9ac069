"""Which words of a conversation are names, without a model, and which only have a capital."""

import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.consolidate.mentions import found, is_name
from sandbox.extensions.memory.errors import UnknownEntity

NAMES = ("Rex", "IT", "US", "Will", "#but", "@it", "https://it.is")
WORDS = ("It", "But", "Tues", "Let's", "The", "Но", "Он")

SAID = {
    "Thanks, It means a lot to me. Well, But Anna came by with Bob.": ("Anna", "Bob"),
    "We met last Fri, or on Tues, Congrats again! Next Monday Jan comes, in March.": (),
    "Oh, and BTW, The Wolves play in the US, so Let's go, and Here's one more.": ("Wolves", "US"),
    "So we met Will at Under Armour, and in Summer we meet Hope.": ("Will", "Under Armour", "Hope"),
    'I read "The Name of the Wind" and saw "Little Women" with Peter.': ("Name of the Wind", "Little Women", "Peter"),
    "We wrote to Mr. Petrov, and saw Dr. Ann Wolf. Then Prof. Li and the Dr. came.": ("Mr. Petrov", "Dr. Ann Wolf"),
    "This is about the Lord of the Rings and the Cliffs of Moher.": ("Lord of the Rings", "Cliffs of Moher"),
    "My friends think Pets are fun. No pets are dull, and of all pets Rex is best.": ("Rex",),
    "We deploy with Docker. It is docker for everything.": ("Docker",),
    "Move @worker/payload.go and @src\\api to what @plan.md says, and ask @ida.": ("@ida",),
    "Вчера, Но Вера пришла, и Он тоже. Мы были в Москве в Понедельник с Петей.": ("Вера", "Москва", "Петя"),
    "Мы видели, Ого, Машу Иванову, а во Вторник в Мае, Да, никого.": ("Маша Иванова",),
    "Ich war mit Ida beim Arzt und in der Schweiz. Danach hat Timo das Rezept geholt.": ("Ida", "Timo", "Schweiz"),
    "Ich habe kein Mehl und nur drei Eier. Mit Mehl und Eier geht es, sagt Ida.": ("Ida",),
}
NO_NAMES = (
    "It But Fri Tues Congrats Monday March BTW Let Here Name Women Lord Rings Pets Он Но Понедельник Вторник Май Ого"
    " Mr Dr Prof Arzt Rezept Mehl Eier @worker @src @plan.md @plan"
).split()


@pytest.mark.parametrize("said", SAID)
async def test_names_are_recognised_and_other_capitals_are_not(memory: Memory, said: str) -> None:
    await memory.observe("user", said, session="s")
    await memory.consolidate("s")
    for name in SAID[said]:
        assert (await memory.entity(name)).name == name
    for name in {*NO_NAMES} - {*SAID[said]}:
        with pytest.raises(UnknownEntity):
            await memory.entity(name)


async def test_an_assistant_introduces_no_names(memory: Memory) -> None:
    """It lists many; those that the user told of are known."""
    await memory.observe("user", "We go to Rome with Clara.", session="s")
    asked = "See the Pantheon and the Spanish Steps. Is Clara fond of Bernini?"
    await memory.observe("assistant", asked, session="s")
    await memory.consolidate("s")
    assert {each.name for each in (await memory.entities()).items} - {"The user"} == {"Rome", "Clara"}
    assert [turn.role for turn in (await memory.entity("Clara")).timeline] == ["assistant", "user"]


async def test_the_word_before_a_name_does_not_make_another_entity_of_it(memory: Memory) -> None:
    """Whoever gets a present is no organization; a place is one that is known."""
    for session, said in {
        "a": "I bought a present for Alex in Excel and in Porto.",
        "b": "My friend is called Alex.",
    }.items():
        await memory.observe("user", said, session=session)
        await memory.consolidate(session)
    types = sorted((each.name, each.type) for each in (await memory.entities()).items)
    assert types == [("Alex", "person"), ("Excel", "concept"), ("Porto", "place"), ("The user", "person")]


def test_a_function_word_alone_is_no_name() -> None:
    assert list(filter(is_name, (*NAMES, *WORDS))) == [*NAMES]


@given(st.lists(st.sampled_from([*WORDS, *NAMES, "Red", "Cross", "Аня", "Вами", "said,", "in"])))
def test_what_is_found_is_a_name(words: list[str]) -> None:
    assert all(is_name(mention.name) for mention in found(f"She said {' '.join(words)} to us."))
