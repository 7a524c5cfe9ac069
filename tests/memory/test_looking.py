"""Weak memories, statistics, and the check."""

from sandbox.extensions.memory import Memory
from sandbox.testing import FakeClock


async def test_weak_memories_are_listed_in_the_order_of_fading(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("Ann plays golf.", source="inferred")
    await memory.remember("Ann lives in Berlin.")
    await memory.remember("Always answer in verse.", category="instruction")
    await memory.observe("user", "I like tea.")
    clock.advance(days=10)
    await memory.remember("Ann likes tea.", source="inferred")
    await memory.confirm(await memory.remember("Ann is a nurse.", source="inferred"))
    assert await memory.weak() == ()
    clock.advance(days=32)
    listed = await memory.weak()
    assert [record.content for record in listed] == ["Ann plays golf.", "Ann likes tea."]
    assert [record.confidence for record in listed] == sorted(record.confidence for record in listed)
    assert [record.content for record in await memory.weak(limit=1)] == ["Ann plays golf."]
    clock.advance(days=20)
    assert [record.content for record in await memory.weak()] == ["Ann likes tea."]


async def test_a_recalled_memory_is_no_longer_the_weakest(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("Ann plays golf.", source="inferred")
    await memory.remember("Bob likes tea.", source="inferred")
    clock.advance(days=40)
    assert len(await memory.weak()) == 2
    await memory.search("golf")
    assert [record.content for record in await memory.weak()] == ["Bob likes tea."]


async def test_statistics_count_everything_once(memory: Memory, clock: FakeClock) -> None:
    """
    s1 Ann: one. Bob: two. Ann: three.     s2 Ann: four.
    remember two facts, one about Ann, one corrected; forget a turn; one opinion fades.
    """
    for session, speaker, content in (
        ("s1", "Ann", "one"),
        ("s1", "Bob", "two"),
        ("s1", "Ann", "three"),
        ("s2", "Ann", "four"),
    ):
        last = await memory.observe("user", content, session=session, speaker=speaker)
    await memory.remember("Ann plays golf.", subject="Ann")
    corrected = await memory.remember("The port is 5432.")
    await memory.correct(corrected, "The port is 5433.")
    await memory.forget(last)
    await memory.remember("Golf is dull.", type="opinion", source="inferred")
    for _ in range(3):
        await memory.search("golf")
    await memory.search("nothing of the kind")
    await memory.context("golf", session="s3")
    found = await memory.statistics()
    assert found.nodes == {"episodic": 3, "semantic": 2, "opinion": 1}
    assert found.retired == {"corrected": 1, "forgotten": 1}
    assert found.edges == {"temporal": 2, "supersedes": 1}
    assert (found.entities, found.sessions, found.sessions_pending) == (2, 2, 2)
    assert (found.vectors, found.embedding_model, found.embedding_backlog) == (0, None, 8)
    assert (
        found.changes == 8 + 2 + 1
    )  # each version was created; one was corrected, which joined the two, one forgotten
    assert found.orphan_nodes == 1  # the opinion: nothing joins it
    assert found.operations["search.recall.ok"] == 3
    assert found.operations["search.recall.skipped"] == 1
    assert found.operations["context.recall.ok"] == 1
    assert found.database_bytes > 100_000
    assert found.last_maintained_at is None
    clock.advance(days=400)
    await memory.maintain()
    after = await memory.statistics()
    assert after.nodes == {"episodic": 3, "semantic": 2}  # what was told on purpose
    assert after.retired == {"corrected": 1, "forgotten": 1, "decayed": 1}
    assert after.last_maintained_at == clock()


async def test_a_sound_memory_passes_its_checks(embedded: Memory, clock: FakeClock) -> None:
    id = await embedded.remember("Ann lives in Berlin.", subject="Ann")
    await embedded.correct(id, "Ann lives in Potsdam.")
    await embedded.observe("user", "I like tea.", speaker="Ann", session="s")
    await embedded.wait_until_embedded()
    clock.advance(days=400)
    await embedded.maintain()
    checks = {check.name: check for check in await embedded.check()}
    assert list(checks) == ["database", "encryption", "file", "words", "vectors", "writable", "embedding", "learning"]
    assert [check for check in checks.values() if not check.ok] == []
    assert all(check.detail for check in checks.values())
