"""Turns and statements with the same key and source are stored once."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import ArgumentsDisagree
from sandbox.extensions.memory.model import Role
from sandbox.extensions.memory.reports import BrokenRecord


async def how_many(memory: Memory, scope: Scope | None = None) -> int:
    return len(await memory.search("", limit=1000, scope=scope or Scope()))


async def test_a_key_is_observed_once(memory: Memory) -> None:
    """
    m-1 user: I moved to Berlin.
    m-1 user: I moved to Berlin.
    m-1 user: I moved to Berlin. (in a copy of the conversation)
    """
    first = await memory.observe("user", "I moved to Berlin.", key="m-1", session="s", speaker="Ann")
    again = await memory.observe("user", "I moved to Berlin.", key="m-1", session="s", speaker="Ben")
    copied = await memory.observe("user", "I moved to Berlin.", key="m-1", session="t", speaker="Ann")
    assert first == again == copied
    assert [hit.content for hit in await memory.search("moved")] == ["I moved to Berlin."]
    held = await memory.statistics()
    assert (held.changes, held.sessions, held.entities) == (1, 1, 1)


@pytest.mark.parametrize("session", ["monday", "tuesday"])
@pytest.mark.parametrize(("role", "content"), [("user", "I moved to Berlin."), ("assistant", "I keep bees.")])
async def test_a_key_of_another_turn_is_refused(memory: Memory, session: str, role: Role, content: str) -> None:
    """A program that numbers its messages in each conversation, or sends an edited one, is told, rather than that its
    turn was stored.
    """
    kept, lost = Message("user", "I keep bees.", "monday", key="1"), Message(role, content, session, key="1")
    with pytest.raises(ArgumentsDisagree, match="`key` cannot be '1': a turn with another text or role has it"):
        await memory.observe_many([kept, lost])
    assert await how_many(memory) == 0
    await memory.observe_many([kept])
    with pytest.raises(ArgumentsDisagree, match="a turn with another text or role has it"):
        await memory.observe(role, content, session=session, key="1")
    await memory.observe(role, content, session=session, key=f"{session} 2")
    assert await how_many(memory) == 2


@pytest.mark.parametrize("answer", ["It is 0451.", "0451, and the door is blue; the door of the shed has 0452."])
async def test_a_turn_sent_again_is_known_although_its_secret_is_seen_only_where_it_was_asked_for(
    folder: Path, answer: str
) -> None:
    """
    1 assistant: What is the gate code?
    2 user: It is 0451.
    3 assistant: Thank you! Enjoy your stay.
    2 user: It is 0451. (its acknowledgement was lost)
    """
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("assistant", "What is the gate code?", session="s", key="1")
        first = await memory.observe("user", answer, session="s", key="2")
        await memory.observe("assistant", "Thank you! " + "Enjoy your stay. " * 10, session="s", key="3")
        assert await memory.observe("user", answer, session="s", key="2") == first
        with pytest.raises(ArgumentsDisagree):
            await memory.observe("user", "I forgot it.", session="s", key="2")
        assert "0451" not in (await memory.explain(first)).memory.content


async def test_a_key_of_another_message_in_imported_files_is_reported(memory: Memory, tmp_path: Path) -> None:
    """A message that was edited since the last import is counted, and its stored text stays."""
    for name, day in {"monday": "monday", "tuesday": "tuesday", "edited": "monday"}.items():
        said = [{"role": "user", "content": f"I bought a lamp: {name}.", "session": day, "key": "1"}]
        said.append({"role": "user", "content": f"It is nice, this {name}.", "session": day, "key": f"{name} 2"})
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, said)))
    first = await memory.import_file(tmp_path / "monday.jsonl")
    assert (first.new, first.known, first.changed, first.broken) == (2, 0, 0, ())
    second = await memory.import_file(tmp_path / "tuesday.jsonl")
    assert (second.new, second.known, second.changed) == (1, 0, 0)
    assert second.broken == (BrokenRecord("key '1'", "belongs to another message, of another conversation"),)
    again = await memory.import_file(tmp_path / "monday.jsonl")
    assert (again.known, again.changed, again.broken) == (2, 0, ())
    edited = await memory.import_file(tmp_path / "edited.jsonl")
    assert (edited.new, edited.known, edited.changed, edited.broken) == (1, 1, 1, ())
    assert "I bought a lamp: monday." in [hit.content for hit in await memory.search("lamp")]


async def test_without_the_same_key_source_and_user_the_same_words_are_two_turns(memory: Memory) -> None:
    """
    user: Yes.
    user: Yes.
    """
    ids = {
        await memory.observe("user", "Yes."),
        await memory.observe("user", "Yes."),
        await memory.observe("user", "Yes.", key="  "),
        await memory.observe("user", "Yes.", key=""),
        await memory.observe("user", "Yes.", key="1"),
        await memory.observe("user", "Yes.", key="1", source="slack"),
        await memory.observe("user", "Yes.", key="1", source="mail"),
    }
    await memory.observe("user", "Yes.", key="1", scope=Scope(user_id="Ben"))
    assert (len(ids), await how_many(memory), await how_many(memory, Scope(user_id="Ben"))) == (7, 7, 1)


async def test_a_bulk_recognises_keys_of_this_and_earlier_calls(memory: Memory) -> None:
    """The call returns one id for each message, in order, and the same id for the same key, also across
    transactions.
    """
    [before] = await memory.observe_many([Message("user", "turn 0", session="s", key="0")])
    numbers = [3, 1, 3, 0, 2, 1, 3, *range(600), 599, 3]
    ids = await memory.observe_many(Message("user", f"turn {n}", session="s", key=f"{n}") for n in numbers)
    assert len(ids) == len(numbers)
    by_number = dict(zip(numbers, ids, strict=True))
    assert ids == [by_number[n] for n in numbers]
    assert len(set(ids)) == 600
    assert by_number[0] == before
    assert await how_many(memory, Scope()) == 600
    order = [hit.key for hit in await memory.search("", limit=1000)]
    assert order[::-1][:5] == ["0", "3", "1", "2", "4"]


async def test_a_bulk_separates_messages_without_keys_and_of_other_sources(memory: Memory) -> None:
    """Only an equal source and key make two messages one."""
    messages = [
        Message("user", "Yes."),
        Message("user", "Yes."),
        Message("user", "Yes.", key="1"),
        Message("user", "Yes.", key="1", source="slack"),
        Message("user", "Yes.", key="1"),
        Message("user", "Yes.", key=" 1 "),
    ]
    ids = await memory.observe_many(messages)
    assert len(set(ids)) == 4
    assert ids[2] == ids[4] == ids[5]
    assert await memory.observe_many([]) == []
    assert await memory.observe_many(iter(())) == []


async def test_a_key_is_remembered_once(memory: Memory) -> None:
    """
    m-7: Ann likes Berlin.
    m-7: Ann likes Bonn.
    """
    first = await memory.remember("Ann likes Berlin.", key="m-7")
    assert await memory.remember("Ann likes Berlin.", key="m-7") == first
    with pytest.raises(ArgumentsDisagree, match=r"m-7.*another statement"):
        await memory.remember("Ann likes Bonn.", key="m-7")
    assert await memory.remember("Ann likes Bonn.", key="m-7", source="inferred") != first
    assert sorted(hit.content for hit in await memory.search("Ann")) == ["Ann likes Berlin.", "Ann likes Bonn."]


async def test_a_key_stays_known_when_its_memory_is_corrected_or_forgotten(memory: Memory) -> None:
    """A second import does not bring back corrected or forgotten content."""
    corrected = await memory.remember("Ann lives in Berlin.", key="m-1")
    await memory.correct(corrected, "Ann lives in Potsdam.")
    forgotten = await memory.remember("Ann has a cat.", key="m-2")
    await memory.forget(forgotten)
    turn = await memory.observe("user", "I have a cat.", key="t-1")
    await memory.forget(turn)
    assert await memory.remember("Ann lives in Berlin.", key="m-1") == corrected
    assert await memory.remember("Ann has a cat.", key="m-2") == forgotten
    assert await memory.observe("user", "I have a cat.", key="t-1") == turn
    assert [hit.content for hit in await memory.search("Ann cat Berlin")] == ["Ann lives in Potsdam."]


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(keys=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8), max_size=6))
async def test_any_text_is_a_key(memory: Memory, keys: list[str]) -> None:
    """The same key, and only the same, gives the same id, whatever its characters are. Spaces around it do not
    count.
    """
    messages = [Message("user", "Yes.", key=key, source="any") for key in keys if key.strip()]
    together = await memory.observe_many(messages)
    for message, id in zip(messages, together, strict=True):
        assert await memory.observe("user", "Yes.", key=message.key, source="any") == id
    assert len(set(together)) == len({message.key.strip() for message in messages if message.key})
