"""The session of a message; each message is taken once, and an interrupted turn is done once more."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic_core import PydanticSerializationError

from sandbox.bus import Bus
from sandbox.database import Database
from sandbox.errors import InvalidMessage
from sandbox.events import AgentResponse, SessionCompleted, UserMessage
from sandbox.process_locks import Owner
from sandbox.protocols import Reply, Turn
from sandbox.router import GIVEN_UP, MessageRouter, reply_key
from sandbox.testing import FakeClock
from tests.files import files_with
from tests.kernel.buses import STATE, Listener

HELLO = Reply("Hello, Ann.")


class Post:
    """A router over a folder, and the events that it published."""

    def __init__(self, home: Path, database: Database, clock: FakeClock) -> None:
        self.database = database
        self.owner = Owner(home)
        self.bus = Bus(database, self.owner, clock)
        self.router = MessageRouter(database, self.bus, self.owner, clock, timedelta(minutes=30))
        ear = Listener()
        self.heard = ear.heard
        for event in (UserMessage, AgentResponse, SessionCompleted):
            self.bus.subscribe(event, "ear", ear)

    async def take(self, text: str, key: str | None = None, user: str = "ann", channel: str = "chat") -> Turn:
        turn = await self.router.take(text, user=user, channel=channel, key=key)
        assert isinstance(turn, Turn)
        return turn

    async def said(self, text: str, reply: Reply = HELLO, *, key: str | None = None, is_heard: bool = True) -> Turn:
        """A message with an answer."""
        taken = await self.take(text, key)
        await self.router.finish(taken, reply, "orchestrator", is_heard=is_heard)
        return taken

    async def missed(self, user: str = "ann") -> list[Reply]:
        return [*await self.router.missed(user, "chat")]

    async def kept(self, *tables: str) -> int:
        """The number of rows of sessions and of what belongs to them."""
        counted = tables or ("sessions", "turns", "checkpoints")
        counts = " + ".join(f"(SELECT count(*) FROM {table})" for table in counted)
        return await self.database.read(lambda raw: int(raw.execute(f"SELECT {counts}").fetchone()[0]))

    async def topics(self) -> list[str]:
        await self.bus.settled()
        return [event.topic for event in self.heard]

    @property
    def texts(self) -> list[str]:
        """The texts of the messages and replies."""
        return [event.text for event in self.heard if isinstance(event, UserMessage | AgentResponse)]

    async def die(self) -> None:
        """Leave what a killed kernel leaves: its lock is free, and nothing else was done."""
        await self.bus.close()
        self.owner.close()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(tmp_path / STATE)
    yield database
    await database.close()


@pytest.fixture
async def another(tmp_path: Path, database: Database, clock: FakeClock) -> AsyncIterator[Callable[[], Post]]:
    """Makes routers for kernels in the same home."""
    made: list[Post] = []

    def make() -> Post:
        made.append(Post(tmp_path, database, clock))
        return made[-1]

    yield make
    for each in made:
        await each.die()


@pytest.fixture
async def post(another: Callable[[], Post]) -> Post:
    post = another()
    await post.bus.start()
    return post


# --- sessions ---------------------------------------------------------------------------------------------------------


async def test_a_session_ends_after_thirty_idle_minutes(post: Post, clock: FakeClock) -> None:
    first = await post.said("Hello.", Reply(None))
    clock.advance(minutes=29, seconds=59)
    second = await post.said("Still there?", Reply(None))
    assert first.session == second.session
    clock.advance(minutes=30)
    third = await post.take("I am back.")
    assert first.session != third.session
    assert await post.topics() == ["user_message", "user_message", "session.completed", "user_message"]
    assert post.heard[2] == SessionCompleted(first.session, clock(), "ann")


async def test_an_idle_session_is_ended_once(post: Post, clock: FakeClock) -> None:
    await post.said("Hello.", Reply(None))
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
    for _ in range(2):  # another kernel may have done it, too
        await post.router.finish(taken, HELLO, "orchestrator", is_heard=True)
    assert await post.topics() == ["user_message", "agent_response", "session.completed"]
    assert await post.kept() == 0


async def test_users_and_channels_have_sessions_of_their_own(post: Post) -> None:
    places = [("ann", "chat"), ("bob", "chat"), ("ann", "mail")]
    assert len({(await post.take("Hello.", None, *place)).session for place in places}) == 3


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
    clock.advance(minutes=75)  # a quarter of an hour after the first message
    third = await post.take("Later.")
    assert first.session == second.session == third.session
    await post.bus.settled()
    assert post.texts == ["Before.", "After.", "Later."]


async def test_a_clock_once_years_ahead_keeps_no_session_open(post: Post, clock: FakeClock) -> None:
    clock.advance(days=4000)
    first = await post.said("Hello from the future.", Reply(None))
    clock.advance(days=-4000)
    await post.router.end_idle()
    assert await post.topics() == ["user_message", "session.completed"]
    assert (await post.take("Hello.")).session != first.session


async def test_two_living_kernels_have_separate_sessions(post: Post, another: Callable[[], Post]) -> None:
    other = another()
    here, there = await post.take("In one window."), await other.take("In another.")
    assert here.session != there.session
    assert await other.router.take_over() == []
    await other.die()
    assert (await post.take("Again.")).session == here.session


# --- messages ---------------------------------------------------------------------------------------------------------


async def test_keys_are_separate_for_each_user(post: Post) -> None:
    """Nobody gets the reply to another person; the same person gets it once more."""
    await post.said("Hello.", key="1")
    assert await post.router.take("Hello.", user="ann", channel="chat", key="1") == HELLO
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
    assert [taken.text] == post.texts == ["a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c 🎹 שלום"]


async def test_a_reply_is_trusted_no_more_than_its_sources(post: Post) -> None:
    plain, poisoned = await post.take("Hello."), await post.take("What does this page say?")
    poisoned.lower_trust("web")
    for taken in (plain, poisoned):
        await post.router.finish(taken, Reply("Well."), "orchestrator", is_heard=True)
    await post.bus.settled()
    assert [event.trust for event in post.heard if isinstance(event, AgentResponse)] == ["assistant", "web"]


# --- what is cut off --------------------------------------------------------------------------------------------------


async def test_an_interrupted_turn_is_repeated_once(post: Post, another: Callable[[], Post]) -> None:
    taken = await post.router.take("Hello.", user="ann", channel="chat", key="m-1", speaker="Ann")
    await post.die()
    second = another()
    (again,) = await second.router.take_over()
    assert again == taken
    assert await second.router.take_over() == []
    await second.die()
    third = another()
    assert await third.router.take_over() == []
    assert await third.missed() == [Reply(None, GIVEN_UP)]
    assert await third.missed() == []


async def test_a_turn_whose_reply_could_not_be_stored_is_repeated(post: Post) -> None:
    taken = await post.take("Hello.")
    assert await post.router.take_over() == []
    unkept = replace(taken, notes={"seen": object()})
    with pytest.raises(PydanticSerializationError):
        await post.router.finish(unkept, HELLO, "orchestrator", is_heard=True)
    assert [await post.router.unfinished(user) for user in (None, "ann", "bob")] == [1, 1, 0]
    assert await post.router.take_over() == [taken]
    assert await post.router.unfinished() == 0
    await post.router.finish(taken, HELLO, is_heard=False)
    assert await post.missed() == [HELLO]


async def test_the_reason_of_a_missing_reply_is_told_later(post: Post) -> None:
    await post.said("Hello.", Reply(None, "It cannot be reached."), is_heard=False)
    assert await post.missed() == [Reply(None, "It cannot be reached.")]
    assert await post.topics() == ["user_message"]


async def test_a_session_continues_in_one_kernel_with_its_turns(post: Post, another: Callable[[], Post]) -> None:
    """Two kernels that answer at the same time would mix up the agent's history of the session."""
    taken = await post.take("Hello.")
    await post.die()
    one, other = another(), another()
    assert (await one.take("Still there?")).session == taken.session
    assert await other.router.take_over() == []
    assert await one.router.take_over() == [taken]
    assert (await other.take("Me too.")).session != taken.session


async def test_an_undelivered_reply_outlives_its_session_and_is_given_once(post: Post, clock: FakeClock) -> None:
    await post.said("Hello.", is_heard=False)
    clock.advance(hours=9)
    await post.router.end_idle()
    assert [await post.missed(user) for user in ("bob", "ann", "ann")] == [[], [HELLO], []]


async def test_an_erased_turn_is_neither_delivered_nor_repeated(
    post: Post, another: Callable[[], Post], tmp_path: Path
) -> None:
    """This holds for a reply that was not shown and for an interrupted turn; the message is not taken again."""
    await post.said("My violin is in the cellar.", Reply("Noted, the cellar."), key="1", is_heard=False)
    cut_off = await post.take("The key of the cellar is under the mat.", key="2")
    await post.die()
    after = another()
    await after.router.erase(cut_off.session, "bob")  # it is not Bob's
    await after.bus.erase(cut_off.session, "bob")
    assert files_with(tmp_path, "cellar")
    assert await after.router.take_over() == [cut_off]
    await after.router.erase(cut_off.session, cut_off.user)
    await after.bus.erase(cut_off.session, cut_off.user)
    assert not files_with(tmp_path, "cellar")
    assert await after.router.take_over() == []
    assert await after.missed() == []
    again = await after.router.take("The key of the cellar is under the mat.", user="ann", channel="chat", key="2")
    assert again == Reply(None)


async def test_messages_are_kept_until_the_session_is_over(post: Post, tmp_path: Path) -> None:
    taken = await post.said("My violin is in the cellar.", Reply("Noted, the cellar."))
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
    assert b"cellar" not in (tmp_path / STATE).read_bytes()


async def test_undelivered_replies_are_deleted_after_a_month(post: Post, clock: FakeClock) -> None:
    await post.said("Hello.", is_heard=False)
    clock.advance(days=31)
    await post.router.end_idle()
    assert await post.kept() == 0
