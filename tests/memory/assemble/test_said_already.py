"""A fact takes no room if the block shows the turn that it was learnt from, unless it took the place of another."""

import pytest

from sandbox.extensions.memory import Memory
from tests.memory.hits import present

_SAID = (
    "I volunteer at a homeless shelter.",
    "The shelter dog barks at the postman.",
    "Volunteering at the shelter makes me feel great, even if the shifts are long and the dog has to wait for me.",
    "The dog shelter asked for blankets.",
    "Our dog met the neighbour's dog at the shelter fair, and both of them slept the whole afternoon after that.",
    "A shelter needs volunteers, not only money.",
    "The volunteers of the shelter walk every dog twice a day, in rain and snow, before the doors open.",
)


async def test_learnt_facts_push_no_turn_out(memory: Memory) -> None:
    """At any budget: a block of turns alone has the same turns as before anything was learnt."""
    for number, text in enumerate(_SAID):
        await memory.observe("user", text, session="s", speaker="Maria", key=str(number))

    async def shown(budget: int) -> tuple[set[str | None], bool]:
        block = await memory.context("At which shelter does Maria volunteer?", budget=budget, reinforce=False)
        items = block.items if block else ()
        return {item.key for item in items}, all(item.type == "episodic" for item in items)

    before = {budget: (await shown(budget))[0] for budget in range(150, 300, 4)}
    assert [each.content for each in (await memory.consolidate()).learnt] == ["Maria volunteers at a homeless shelter."]
    after = {budget: await shown(budget) for budget in before}
    same = [before[budget] == keys for budget, (keys, is_turns_alone) in after.items() if is_turns_alone]
    assert len(same) > 10
    assert all(same)


@pytest.mark.parametrize(
    ("said", "asked", "holds", "marked"),
    [
        (("I work at Siemens.", "I work at Bosch."), "Where do I work?", "The user works at Bosch.", (0,)),
        (("Ich wohne in Bonn.", "Ich wohne jetzt in Köln."), "Wo wohne ich?", "Köln", (0,)),
        (("I take ibuprofen.", "I don't take ibuprofen any more."), "Do I take ibuprofen?", "not take ibuprofen", (0,)),
        (("I work at Siemens. My dog is called Rex.", "I work at Bosch."), "Where do I work?", "works at Bosch", ()),
    ],
)
async def test_what_replaced_something_is_shown_beside_turns_and_old_turns_are_marked(
    embedded: Memory, said: tuple[str, ...], asked: str, holds: str, marked: tuple[int, ...]
) -> None:
    for number, text in enumerate(said):
        await embedded.observe("user", text, session=f"session {number}")
        await embedded.consolidate()
    await embedded.wait_until_embedded()
    text = present(await embedded.context(asked)).text
    assert holds in text.split("## Said")[0]
    for number, turn in enumerate(said):
        assert f"\nuser{' (changed since)' * (number in marked)}: {turn}\n" in text
    if marked:
        found = [hit.content for hit in await embedded.search(asked)]
        assert min(place for place, each in enumerate(found) if holds in each) < found.index(said[0])


async def test_a_turn_is_marked_whose_fact_was_corrected(embedded: Memory) -> None:
    """The correction keeps the turn as its source, and the turn still says what was wrong."""
    await embedded.observe("user", "Emil is allergic to peanuts.", session="s")
    fact = (await embedded.consolidate()).learnt[0]
    await embedded.correct(fact.id, "Emil has no allergy to peanuts.")
    await embedded.wait_until_embedded()
    text = present(await embedded.context("Is Emil allergic to peanuts?")).text
    assert "\nuser (changed since): Emil is allergic to peanuts.\n" in text
    found = [hit.content for hit in await embedded.search("Is Emil allergic to peanuts?")]
    assert found.index("Emil has no allergy to peanuts.") < found.index("Emil is allergic to peanuts.")
