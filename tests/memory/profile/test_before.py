"""At night, memories from before the profile existed fill its fields."""

from pathlib import Path

from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.profile import UserProfile
from sandbox.extensions.memory.times import to_ms
from sandbox.testing import FakeClock
from tests.memory.night import canonical
from tests.memory.profile.test_profile import of


async def know(folder: Path, clock: FakeClock) -> None:
    """A file without values of fields, because all its memories are older."""
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        await memory.remember("The user's current city is Lisbon.")
        gone = await memory.remember("The user's pronouns are she/her.")
        await memory.forget(gone)
        canonical.query(folder, "DELETE FROM profile_values")
        clock.advance(days=1)
        await memory.remember("The user is based in Porto.")
        await memory.observe("user", "Always answer in German.", session="one", speaker="Max")
        await memory.observe("user", "My goal is to run a marathon.", session="one", speaker="Max")
        two = (("Ann", "I live in Rome. My name is Ann."), ("Ben", "I live in Oslo."))
        await memory.observe_many([Message("user", said, "two", speaker=speaker) for speaker, said in two])
        await memory.consolidate()
        clock.advance(days=1)
        await memory.remember("Bob lives in Berlin.", subject="Bob")
    canonical.query(folder, "DELETE FROM profile_values")
    moment = to_ms(clock.advance(days=1))
    canonical.query(folder, "UPDATE migrations SET applied_at = ? WHERE version = 3", moment)


async def test_the_night_fills_the_profile_from_older_memories(tmp_path: Path, clock: FakeClock) -> None:
    """The later of two memories counts, a forgotten one does not, and newer memories go first."""
    await know(tmp_path, clock)
    async with Memory.open(tmp_path, embedder=None, clock=clock) as memory:
        assert await memory.profile() == UserProfile()
        planned = (await memory.maintain(only=["profile"], dry_run=True)).steps[0]
        assert await memory.profile() == UserProfile()
        did = (await memory.maintain(only=["profile"])).steps[0]
        assert did.counts == planned.counts == {"filled": 3}
        found = await memory.profile()
        assert (of(found.city), of(found.language), of(found.pronouns)) == ("Porto", "German", None)
        assert [value.value for value in found.goals] == ["run a marathon"]
        assert found.preferred_name is None
        await memory.remember("The user lives in Faro.")
        assert of((await memory.profile()).city) == "Faro"


async def test_a_file_without_older_memories_is_not_read_again(tmp_path: Path, clock: FakeClock) -> None:
    """A file that always had fields pays one query a night."""
    async with Memory.open(tmp_path, embedder=None, clock=clock) as memory:
        await memory.remember("The user lives in Lisbon.")
        assert (await memory.maintain(only=["profile"])).steps[0].counts == {}
    assert canonical.query(tmp_path, "SELECT 1 FROM night_marks WHERE step = 'profile'") == []
