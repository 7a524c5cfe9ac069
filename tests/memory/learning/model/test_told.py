"""The known memories that a reading model is shown."""

from pathlib import Path

from sandbox.testing import FakeClock
from tests.memory.learning.model.reading import item, reader


async def test_a_reader_gets_the_users_name(tmp_path: Path, clock: FakeClock) -> None:
    async with reader(tmp_path, clock) as reading:
        await reading.memory.remember("The user goes by Sam.")
        await reading.memory.remember("The user lives in Porto.")
        await reading.read("The weather was fine.")
        shown = reading.requests("extract")[0].messages[0]["content"]
        assert "The user is called Sam." in shown
        assert "): The user lives in Porto." in shown


async def test_a_reader_gets_only_matching_known_facts(tmp_path: Path, clock: FakeClock) -> None:
    async with reader(tmp_path, clock) as reading:
        await reading.memory.remember("The bakery bakes its rye bread on Fridays.")
        await reading.memory.remember("The user has a piano in the attic.")
        for number in range(12):
            await reading.memory.remember(f"The warehouse {number} holds steel pipes.")
        await reading.memory.wait_until_embedded()
        await reading.read(("assistant", "Shall I plan the rye bread for Saturdays?"), "Yes, do that.")
        shown = reading.requests("extract")[0].messages[0]["content"]
        assert "): The bakery bakes its rye bread on Fridays." in shown
        assert "piano" not in shown
        assert "pipes" not in shown


async def test_a_reader_gets_the_subjects_of_known_facts(tmp_path: Path, clock: FakeClock) -> None:
    first = {
        "items": [item("Bartek delivers flour to the bakery.")],
        "entities": [{"name": "Bartek", "type": "person"}],
    }
    async with reader(tmp_path, clock, first) as reading:
        await reading.read("Bartek delivers flour to the bakery.")
        await reading.read("The bakery ran out of flour.")
        assert "- Bartek (person)" in reading.requests("extract")[1].messages[0]["content"]


async def test_answers_may_omit_default_values(tmp_path: Path, clock: FakeClock) -> None:
    """The schema allows it, and tells the server so."""
    answer = {"items": [{"turns": [1], "content": "The user lives in Porto.", "basis": "stated"}]}
    async with reader(tmp_path, clock, answer) as reading:
        await reading.read("I live in Porto.")
        assert await reading.contents() == ["The user lives in Porto."]
        asked = reading.requests("extract")[0].body["response_format"]["json_schema"]
        assert asked["strict"] is False
        assert asked["schema"]["required"] == ["items"]
        assert asked["schema"]["properties"]["items"]["items"]["required"] == ["turns", "content"]
