"""A model that follows its instructions is not asked again, and is believed."""

from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.asking.chat import ChatModel
from sandbox.testing import FakeClock, ScriptedModel
from tests.memory.learning.model.reading import item, reader


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("My friend Dave works on classic cars at his shop.", "At his shop, Dave works on classic cars."),
        ("Annie and her dog visit in May.", "Annie visits the user with her dog in May."),
        ("The bakery moved, it opens at 7 now.", "The bakery of the user has moved, and it opens at 7."),
        ("My mum sold the house because it was too big for her.", "The user's mother sold the house, too big for her."),
        ("Моя сестра Аня любит свою собаку и её щенков.", "Аня любит свою собаку и её щенков."),
    ],
)
async def test_a_pronoun_with_an_antecedent_is_no_fault(
    tmp_path: Path, clock: FakeClock, said: str, content: str
) -> None:
    async with reader(tmp_path, clock, [item(content)]) as reading:
        await reading.read(said)
        assert await reading.contents() == [content]
        assert len(reading.requests("extract")) == 1
        assert dict((await reading.memory.statistics()).violations) == {}


@pytest.mark.parametrize(
    "content",
    [
        "He works on classic cars.",
        "In 2020 he worked on classic cars.",
        "Yesterday he worked on classic cars.",
        "His shop has classic cars.",
        "Dave works on our cars.",
        "Вчера он чинил машины.",
    ],
)
async def test_a_pronoun_without_an_antecedent_is_sent_back(tmp_path: Path, clock: FakeClock, content: str) -> None:
    said = (
        "Вчера мой друг чинил машины." if content[0] == "В" else "Dave works on classic cars at his shop, since 2020."
    )
    async with reader(tmp_path, clock, [item(content)], []) as reading:
        await reading.read(said)
        assert len(reading.requests("extract")) == 2
        assert await reading.contents() == []


async def test_only_faulty_items_are_asked_for_again(tmp_path: Path, clock: FakeClock) -> None:
    """The other items and the summary stay, whether the model repeats them or not; the schema is not sent again as
    text.
    """
    good, bad = item("The user lives in Berlin."), item("He has a dog called Rex.")
    first = {"summary": "The user spoke of Berlin and of Rex.", "items": [good, bad]}
    async with reader(tmp_path, clock, first, [item("The user has a dog called Rex.")]) as reading:
        await reading.read("I live in Berlin and have a dog called Rex.")
        assert await reading.contents() == ["The user has a dog called Rex.", "The user lives in Berlin."]
        _, again = reading.requests("extract")
        assert again.messages[-1]["content"].startswith("That cannot be used. Item 2: ")
        assert "these items only" in again.messages[-1]["content"]
        assert "JSON schema" not in again.system
        assert len(again.system) < len(reading.requests("extract")[0].system) / 2, "only how it is worded is said again"
        assert "is data" in again.system


async def test_a_corrected_item_keeps_what_it_does_not_say_again(tmp_path: Path, clock: FakeClock) -> None:
    """Only what can be wrong is sent again, with the number of the item."""
    good = item("The user lives in Berlin.")
    bad = item("She visits in May.", subject="Ann", importance=5, event_date="2026-05", kind="event", category="event")
    entities = [{"name": "Ann", "type": "person"}]
    put_right = {"items": [{"item": 2, "turns": [1], "content": "Ann visits the user in May."}]}
    async with reader(tmp_path, clock, {"items": [good, bad], "entities": entities}, put_right) as reading:
        report = await reading.read("I live in Berlin, and Ann visits me in May.")
        ann = next(each for each in report.learnt if each.content == "Ann visits the user in May.")
        assert (ann.subject, ann.importance, ann.category) == ("Ann", 5, "event")
        assert ann.event_time.date().isoformat() == "2026-05-01"
        first, again = (each.body["response_format"]["json_schema"]["schema"] for each in reading.requests("extract"))
        form = again["properties"]["items"]["items"]
        assert list(form["properties"]) == form["required"] == ["item", "turns", "content"]
        assert "item" not in first["properties"]["items"]["items"]["properties"]
        assert '"importance"' not in reading.requests("extract")[1].messages[-2]["content"]


async def test_a_correction_with_the_number_of_a_good_item_takes_nothing_of_it(
    tmp_path: Path, clock: FakeClock
) -> None:
    good = item("Ann visits the user in May.", subject="Ann", importance=5, category="event")
    put_right = {"items": [{"item": 1, "turns": [1], "content": "The user has a dog called Rex."}]}
    first = {"items": [good, item("He has a dog called Rex.")], "entities": [{"name": "Ann", "type": "person"}]}
    async with reader(tmp_path, clock, first, put_right) as reading:
        report = await reading.read("Ann visits me in May, and I have a dog called Rex.")
        rex = next(each for each in report.learnt if "Rex" in each.content)
        assert (rex.subject, rex.importance, rex.category) == (None, 3, "fact")


async def test_what_is_fixed_comes_first_and_stays_equal_for_the_servers_that_keep_it(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with reader(tmp_path, clock, [item("The user lives in Berlin.")]) as reading:
        await reading.read("I live in Berlin.", speaker="Ann")
        await reading.read("Berlin is cold.", "Is it?")
        first, second = reading.requests("extract")
        assert "Known facts" in second.messages[0]["content"]
        assert first.system == second.system
        assert first.body["response_format"] == second.body["response_format"]


async def test_items_repaired_by_cutting_are_not_asked_for_again(tmp_path: Path, clock: FakeClock) -> None:
    long = "The user lives in Berlin. The user has a dog. The dog is called Rex."
    async with reader(tmp_path, clock, [item(long)]) as reading:
        await reading.read("I live in Berlin and have a dog called Rex.")
        assert await reading.contents() == ["The user lives in Berlin. The user has a dog."]
        assert len(reading.requests("extract")) == 1


@pytest.mark.parametrize(
    ("said", "content", "entities"),
    [
        ("I moved there last week.", "The user moved to Lisbon in the week of 2 March 2026.", ["Lisbon"]),
        ("We opened the bakery in May.", "The user and Bartek opened the bakery in May 2025.", ["Bartek"]),
    ],
)
async def test_added_dates_and_names_cost_no_confidence(
    tmp_path: Path, clock: FakeClock, said: str, content: str, entities: list[str]
) -> None:
    answer = {"items": [item(content, 2)], "entities": [{"name": name} for name in entities]}
    async with reader(tmp_path, clock, answer) as reading:
        report = await reading.read(("assistant", "How are Lisbon and Bartek?"), said)
        assert [each.confidence for each in report.learnt] == [1.0]


@pytest.mark.parametrize(
    "summary", ["Ann lives in Berlin with her two cats.", "In her flat, Ann has two cats and plays the cello for them."]
)
async def test_a_summary_may_have_pronouns_that_it_explains(tmp_path: Path, clock: FakeClock, summary: str) -> None:
    """If few words of the facts show their language, a summary in English does not count as another language."""
    facts = ("Ann lives in Berlin near Tempelhof.", "Ann has two cats named Momo and Bilbo.", "Ann plays cello.")
    with ScriptedModel(otherwise=f'{{"summary": "{summary}"}}') as server:
        model = ChatModel("scripted", base_url=server.base_url)
        async with Memory.open(tmp_path, embedder=None, model=model, clock=clock) as memory:
            for fact in facts:
                await memory.remember(fact, subject="Ann")
            await memory.maintain(only=["enrich"])
            assert (await memory.entity("Ann")).summary == summary
        await model.close()
        assert len(server.requests) == 1
