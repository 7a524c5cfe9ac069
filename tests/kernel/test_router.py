"""The session of a message; each message is taken once, and an interrupted turn is done once more."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic_core import PydanticSerializationError

from sandbox.bus import Bus
from sandbox.checkpoints import Checkpoint
from sandbox.database import Database
from sandbox.errors import InvalidMessage
from sandbox.events import AgentResponse, SessionCompleted, UserMessage
from sandbox.owners import Owner
from sandbox.protocols import Reply, Turn
from sandbox.router import GIVEN_UP, MessageRouter, reply_key
from sandbox.testing import FakeClock
from tests.files import files_with

IDLE = timedelta(minutes=30)


class Post:
    """A router over a folder, and the events that it published."""

    def __init__(self, home: Path, database: Database, clock: FakeClock) -> None:
        self.database = database
        self.owner = Owner(home)
        self.bus = Bus(database, self.owner, clock)
        self.router = MessageRouter(database, self.bus, self.owner, clock, IDLE)
        self.heard: list[UserMessage | AgentResponse | SessionCompleted] = []
        self.bus.subscribe(UserMessage, "ear", self._hear)
        self.bus.subscribe(AgentResponse, "ear", self._hear)
        self.bus.subscribe(SessionCompleted, "ear", self._hear)

    async def _hear(self, event: UserMessage | AgentResponse | SessionCompleted) -> None:
        self.heard.append(event)

    async def take(self, text: str, key: str | None = None, user: str = "ann", channel: str = "chat") -> Turn:
        turn = await self.router.take(text, user=user, channel=channel, key=key)
        assert isinstance(turn, Turn)
        return turn

    async def said(self, text: str) -> Turn:
        """A message with an answer."""
        taken = await self.take(text)
        await self.router.finish(taken, Reply(None), is_heard=True)
        return taken

    async def kept(self) -> int:
        """The number of rows of sessions and of what belongs to them."""
        counts = " + ".join(f"(SELECT count(*) FROM {table})" for table in ("sessions", "turns", "checkpoints"))
        return await self.database.read(lambda raw: int(raw.execute(f"SELECT {counts}").fetchone()[0]))

    async def topics(self) -> list[str]:
        await self.bus.settled()
        return [event.topic for event in self.heard]

    async def die(self) -> None:
        """Leave what a killed kernel leaves: its lock is free, and nothing else was done."""
        await self.bus.close()
        self.owner.close()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(tmp_path / "kernel.db")
    yield database
    await database.close()


@pytest.fixture
async def post(tmp_path: Path, database: Database, clock: FakeClock) -> AsyncIterator[Post]:
    post = Post(tmp_path, database, clock)
    await post.bus.start()
    yield post
    await post.die()


# --- sessions ---------------------------------------------------------------------------------------------------------


async def test_consecutive_messages_share_a_session(post: Post, clock: FakeClock) -> None:
    first = await post.take("Hello.")
    clock.advance(minutes=29, seconds=59)
    second = await post.take("Still there?")
    assert first.session == second.session
    assert await post.topics() == ["user_message", "user_message"]


async def test_after_thirty_idle_minutes_another_session_begins(post: Post, clock: FakeClock) -> None:
    first = await post.said("Hello.")
    clock.advance(minutes=30)
    second = await post.take("I am back.")
    assert first.session != second.session
    assert await post.topics() == ["user_message", "session.completed", "user_message"]
    assert post.heard[1] == SessionCompleted(first.session, clock(), "ann")


async def test_an_idle_session_is_ended_once(post: Post, clock: FakeClock) -> None:
    await post.said("Hello.")
    clock.advance(minutes=29)
    await post.router.end_idle()
    assert await post.topics() == ["user_message"]
    clock.advance(minutes=1)
    await post.router.end_idle()
    await post.router.end_idle()
    assert await post.topics() == ["user_message", "session.completed"]
    assert await post.kept() == 0


async def test_a_session_is_complete_after_its_last_reply(post: Post) -> None:
    taken = await post.take("Hello.")
    await post.router.end("ann", "chat")
    await post.router.finish(taken, Reply("Hello, Ann."), "orchestrator", is_heard=True)
    assert await post.topics() == ["user_message", "agent_response", "session.completed"]
    assert await post.kept() == 0


async def test_users_and_channels_have_sessions_of_their_own(post: Post) -> None:
    taken = [
        await post.take("Hello.", user="ann"),
        await post.take("Hello.", user="bob"),
        await post.take("Hello.", user="ann", channel="mail"),
    ]
    assert len({each.session for each in taken}) == 3


async def test_a_session_can_be_ended_by_hand(post: Post) -> None:
    first = await post.said("Hello.")
    await post.router.end("ann", "chat")
    await post.router.end("ann", "chat")
    assert (await post.take("Hello again.")).session != first.session
    assert (await post.topics()).count("session.completed") == 1


async def test_a_clock_set_back_ends_no_session_and_keeps_the_order(post: Post, clock: FakeClock) -> None:
    first = await post.take("Before.")
    clock.advance(hours=-1)
    second = await post.take("After.")
    assert first.session == second.session
    clock.advance(minutes=75)  # a quarter of an hour after the first message
    assert (await post.take("Later.")).session == first.session
    await post.bus.settled()
    assert [event.text for event in post.heard if isinstance(event, UserMessage)] == ["Before.", "After.", "Later."]


async def test_a_clock_once_years_ahead_keeps_no_session_open(post: Post, clock: FakeClock) -> None:
    clock.advance(days=4000)
    first = await post.said("Hello from the future.")
    clock.advance(days=-4000)
    await post.router.end_idle()
    assert await post.topics() == ["user_message", "session.completed"]
    assert (await post.take("Hello.")).session != first.session


async def test_two_living_kernels_have_separate_sessions(post: Post, tmp_path: Path, clock: FakeClock) -> None:
    database = await Database.open(tmp_path / "kernel.db")
    other = Post(tmp_path, database, clock)
    try:
        here, there = await post.take("In one window."), await other.take("In another.")
        assert here.session != there.session
    finally:
        await other.die()
        await database.close()
    assert (await post.take("Again.")).session == here.session


async def test_a_session_continues_in_the_next_kernel(
    post: Post, tmp_path: Path, database: Database, clock: FakeClock
) -> None:
    before = await post.take("Hello.")
    await post.die()
    after = Post(tmp_path, database, clock)
    assert (await after.take("Hello again.")).session == before.session
    await after.die()


# --- messages ---------------------------------------------------------------------------------------------------------


async def test_a_message_delivered_twice_is_taken_once(post: Post) -> None:
    taken = await post.take("Hello.", key="mail-1")
    await post.router.finish(taken, Reply("Hello, Ann."), "orchestrator", is_heard=True)
    again = await post.router.take("Hello.", user="ann", channel="chat", key="mail-1")
    assert again == Reply("Hello, Ann.")
    assert await post.topics() == ["user_message", "agent_response"]


async def test_keys_are_separate_for_each_user(post: Post) -> None:
    """Nobody gets the reply to another person."""
    taken = await post.take("Hello.", key="1")
    await post.router.finish(taken, Reply("Hello, Ann."), "orchestrator", is_heard=True)
    await post.take("Hello.", key="1", user="bob")
    assert await post.topics() == ["user_message", "agent_response", "user_message"]


@pytest.mark.parametrize("text", ["", "  \n", "x" * 1_000_001])
async def test_an_invalid_message_is_refused(post: Post, text: str) -> None:
    with pytest.raises(InvalidMessage):
        await post.take(text)
    assert await post.topics() == []


async def test_characters_that_no_database_takes_do_not_lose_the_message(post: Post) -> None:
    taken = await post.take("a\x00b\ud800c 🎹 שלום")
    await post.bus.settled()
    assert taken.text == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c 🎹 שלום"
    assert [event.text for event in post.heard if isinstance(event, UserMessage)] == [taken.text]


async def test_a_reply_is_trusted_no_more_than_its_sources(post: Post) -> None:
    plain, poisoned = await post.take("Hello."), await post.take("What does this page say?")
    poisoned.lower_trust("web")
    for taken in (plain, poisoned):
        await post.router.finish(taken, Reply("Well."), "orchestrator", is_heard=True)
    await post.bus.settled()
    assert [event.trust for event in post.heard if isinstance(event, AgentResponse)] == ["assistant", "web"]


# --- what is cut off --------------------------------------------------------------------------------------------------


async def test_an_interrupted_turn_is_repeated_once(
    post: Post, tmp_path: Path, database: Database, clock: FakeClock
) -> None:
    taken = await post.router.take("Hello.", user="ann", channel="chat", key="m-1", speaker="Ann")
    await post.die()
    second = Post(tmp_path, database, clock)
    (again,) = await second.router.cut_off()
    assert again == taken
    assert await second.router.cut_off() == []
    await second.die()
    third = Post(tmp_path, database, clock)
    assert await third.router.cut_off() == []
    assert await third.router.missed("ann", "chat") == [Reply(None, GIVEN_UP)]
    assert await third.router.missed("ann", "chat") == []
    await third.die()


async def test_a_turn_whose_reply_could_not_be_stored_is_repeated(post: Post) -> None:
    taken = await post.take("Hello.")
    assert await post.router.cut_off() == []
    unkept = replace(taken, notes={"seen": object()})
    with pytest.raises(PydanticSerializationError):
        await post.router.finish(unkept, Reply("Hello, Ann."), "orchestrator", is_heard=True)
    assert [await post.router.unfinished(user) for user in (None, "ann", "bob")] == [1, 1, 0]
    assert await post.router.cut_off() == [taken]
    assert await post.router.unfinished() == 0
    await post.router.finish(taken, Reply("Hello, Ann."), is_heard=False)
    assert await post.router.missed("ann", "chat") == [Reply("Hello, Ann.")]


async def test_the_reason_of_a_missing_reply_is_told_later(post: Post) -> None:
    taken = await post.take("Hello.")
    await post.router.finish(taken, Reply(None, "It cannot be reached."), is_heard=False)
    assert await post.router.missed("ann", "chat") == [Reply(None, "It cannot be reached.")]
    assert await post.topics() == ["user_message"]


async def test_a_turn_of_a_living_kernel_is_not_taken_over(
    post: Post, tmp_path: Path, database: Database, clock: FakeClock
) -> None:
    await post.take("Hello.")
    other = Post(tmp_path, database, clock)
    assert await other.router.cut_off() == []
    await other.die()


async def test_one_kernel_takes_over_a_session_with_its_turns(
    post: Post, tmp_path: Path, database: Database, clock: FakeClock
) -> None:
    """Two kernels that answer at the same time would mix up the agent's history of the session."""
    taken = await post.take("Hello.")
    await post.die()
    one, other = Post(tmp_path, database, clock), Post(tmp_path, database, clock)
    assert (await one.take("Still there?")).session == taken.session
    assert await other.router.cut_off() == []
    assert await one.router.cut_off() == [taken]
    assert (await other.take("Me too.")).session != taken.session
    await one.die()
    await other.die()


async def test_an_undelivered_reply_is_given_once(post: Post) -> None:
    taken = await post.take("Hello.")
    await post.router.finish(taken, Reply("Hello, Ann."), "orchestrator", is_heard=False)
    assert await post.router.missed("bob", "chat") == []
    assert await post.router.missed("ann", "chat") == [Reply("Hello, Ann.")]
    assert await post.router.missed("ann", "chat") == []


async def test_an_undelivered_reply_outlives_its_session(post: Post, clock: FakeClock) -> None:
    taken = await post.take("Hello.")
    await post.router.finish(taken, Reply("Hello, Ann."), "orchestrator", is_heard=False)
    clock.advance(hours=9)
    await post.router.end_idle()
    assert await post.router.missed("ann", "chat") == [Reply("Hello, Ann.")]


async def test_an_erased_turn_is_neither_delivered_nor_repeated(
    post: Post, tmp_path: Path, database: Database, clock: FakeClock
) -> None:
    """This holds for a reply that was not shown and for an interrupted turn; the message is not taken again."""
    unheard = await post.take("My violin is in the cellar.", key="1")
    await post.router.finish(unheard, Reply("Noted, the cellar."), is_heard=False)
    cut_off = await post.take("The key of the cellar is under the mat.", key="2")
    await post.die()
    after = Post(tmp_path, database, clock)
    await after.router.erase(cut_off.session, "bob")  # it is not Bob's
    await after.bus.erase(cut_off.session, "bob")
    assert files_with(tmp_path, "cellar")
    assert await after.router.cut_off() == [cut_off]
    await after.router.erase(cut_off.session, cut_off.user)
    await after.bus.erase(cut_off.session, cut_off.user)
    assert not files_with(tmp_path, "cellar")
    assert await after.router.cut_off() == []
    assert await after.router.missed("ann", "chat") == []
    again = await after.router.take("The key of the cellar is under the mat.", user="ann", channel="chat", key="2")
    assert again == Reply(None)
    await after.die()


async def test_messages_are_kept_until_the_session_is_over(post: Post, tmp_path: Path) -> None:
    taken = await post.take("My violin is in the cellar.")
    await post.router.finish(taken, Reply("Noted, the cellar."), "orchestrator", is_heard=True)
    kept = await post.router.checkpoint(taken.session)
    assert [(each.role, each.text) for each in kept.conversation] == [
        ("user", "My violin is in the cellar."),
        ("assistant", "Noted, the cellar."),
    ]
    assert kept.said(reply_key(taken.id)) == "Noted, the cellar."
    await post.router.end("ann", "chat")
    assert await post.kept() == 0
    await post.bus.settled()
    await post.bus.erase("another session", "default")  # checkpoints the log
    assert b"cellar" not in (tmp_path / "kernel.db").read_bytes()


async def test_undelivered_replies_are_deleted_after_a_month(post: Post, clock: FakeClock) -> None:
    taken = await post.take("Hello.")
    await post.router.finish(taken, Reply("Hello, Ann."), "orchestrator", is_heard=False)
    clock.advance(days=31)
    await post.router.end_idle()
    assert await post.kept() == 0


async def test_a_checkpoint_is_loaded_as_it_was_saved(post: Post) -> None:
    session = (await post.take("Hello.")).session
    agents = {"orchestrator": {"turn": "t", "items": 4}}
    await post.router.note(session, lambda before: replace(before, context="<memory>…\ud800", agents=agents))
    loaded = await post.router.checkpoint(session)
    assert (loaded.context, loaded.agents) == ("<memory>…\N{REPLACEMENT CHARACTER}", agents)
    assert await post.router.checkpoint("unknown") == Checkpoint()
