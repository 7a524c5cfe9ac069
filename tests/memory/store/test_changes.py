"""Every write adds its line to ``changes``; neither these lines nor the logs contain a word of a memory."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path

import pytest

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.support.embedder import Vector
from sandbox.testing import FakeClock
from tests.memory.store import raw

CANARY = "xylocopa"  # a carpenter bee; in no message of the program


async def use_everything(memory: Memory, word: str, clock: FakeClock) -> dict[str, str]:
    """Write in every way about ``word``, and provoke errors, which hold no text; return the ids by purpose."""
    scope = Scope(actor_id="cli")
    ids = {
        "turn": await memory.observe("user", f"A {word} in the garden.", session="s", speaker="Ann", scope=scope),
        "fact": await memory.remember(
            f"Ann saw a wild {word} by the sea.", subject=word, tags=[word], source="inferred", scope=scope
        ),
        "near": await memory.remember(f"Ann saw a big wild {word} by the sea.", on_similar="supersede", scope=scope),
        "fading": await memory.remember(f"Ann draws the {word}.", source="inferred", scope=scope),
    }
    await memory.observe_many([Message("assistant", f"Which {word}?", "s"), Message("user", f"That {word}.", "s")])
    await memory.correct(ids["near"], f"Ann saw two {word}.", scope=scope)
    await memory.confirm(ids["near"], scope=scope)
    await memory.confirm(ids["near"], by_person=True, scope=scope)
    await memory.forget(ids["near"], scope=scope)
    await memory.restore(ids["near"], scope=scope)
    await memory.search(word)
    await memory.context(f"Where is the {word}?", session="s")
    await memory.statistics()  # waits until the two recalls are counted
    clock.advance(days=2000)
    await memory.maintain()
    with pytest.raises(MemoryExtensionError):
        await memory.remember(f"Ann saw the {word}.", category=word)
    known = await memory.remember(f"Ann saw a {word}.")
    for attempt in (
        lambda: memory.remember(f"Ann saw one {word}.", on_similar="refuse"),
        lambda: memory.remember(f"Ann saw a {word}. " * 200_000),
        lambda: memory.remember(f"Ann sees the {word}, password: hunter2{word}"),
        lambda: memory.correct(ids["turn"], f"No {word}."),
        lambda: memory.correct(ids["fading"], f"No {word}."),
        lambda: memory.correct(known, f"The token is ghp_{word}0123456789abcdefABCDEF012345"),
        lambda: memory.explain("AAAAAAAA"),
    ):
        with pytest.raises(MemoryExtensionError) as raised:
            await attempt()
        assert word not in f"{raised.value} {raised.value.details}", "an error repeats a text"
    return ids


async def events(memory: Memory, id: str) -> list[str]:
    return [change.event for change in (await memory.explain(id)).changes]


async def test_every_write_leaves_its_line(memory: Memory, clock: FakeClock, tmp_path: Path) -> None:
    """Observing, remembering, superseding, correcting, confirming, forgetting, restoring, pruning; in this order."""
    ids = await use_everything(memory, "bee", clock)
    assert await events(memory, ids["turn"]) == ["created"]
    assert await events(memory, ids["fact"]) == ["created", "superseded", "pruned"]
    assert await events(memory, ids["fading"]) == ["created", "pruned"]
    assert await events(memory, ids["near"]) == [
        *("created", "linked", "created", "corrected", "linked", "confirmed", "confirmed", "forgotten", "restored")
    ]
    everything = (await memory.explain(ids["near"])).changes
    assert [change.seq for change in everything] == sorted(change.seq for change in everything)
    assert {change.actor for change in everything} == {"cli"}
    assert {change.id for change in everything} == {ids["near"]}
    lines = raw.query(tmp_path / "memory", "SELECT seq, event FROM changes ORDER BY seq")
    assert [seq for seq, _ in lines] == list(range(1, len(lines) + 1))
    assert len([event for _, event in lines if event == "created"]) == sum(
        raw.one(tmp_path / "memory", f"SELECT count(*) FROM nodes WHERE created_seq = {seq}") for seq, _ in lines
    )


async def test_a_write_that_changes_nothing_leaves_no_line(memory: Memory) -> None:
    """Forgetting a forgotten memory, restoring a valid one, remembering a known one; a write that fails."""
    turn = await memory.observe("user", "I keep bees.", key="1")
    fact = await memory.remember("Ann keeps bees.")
    await memory.forget(turn)
    before = (await memory.statistics()).changes
    await memory.forget(turn)
    await memory.restore(fact)
    await memory.remember("Ann keeps bees.")
    await memory.observe("user", "I keep bees.", key="1")
    await memory.search("bees")
    with pytest.raises(MemoryExtensionError):
        await memory.correct(fact, " ")
    assert (await memory.statistics()).changes == before


async def test_no_line_and_no_log_contains_a_word_of_a_turn(
    folder: Path, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Of content, subject, tags or question; also if an embedder fails with all of it in its error."""

    class Talkative(HashEmbedder):
        async def embed_batch(self, texts: Sequence[str]) -> Vector:
            raise ValueError(f"cannot embed {texts!r}")

    caplog.set_level(logging.DEBUG)
    async with Memory.open(folder, embedder=Talkative(), clock=clock) as memory:
        await use_everything(memory, CANARY, clock)
        with pytest.raises(MemoryExtensionError):
            await memory.wait_until_embedded()
    lines = raw.query(folder, "SELECT * FROM changes")
    assert len(lines) > 10
    assert CANARY not in json.dumps(lines)
    assert CANARY not in json.dumps(raw.query(folder, "SELECT * FROM operations"))
    assert caplog.records
    assert CANARY not in caplog.text
