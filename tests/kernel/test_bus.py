"""The bus delivers each event to every subscriber, in order and at least once, whatever fails."""

import asyncio
import logging
import random
import signal
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings, strategies as st

from sandbox import journal
from sandbox.errors import StateFull, SubscriptionRefused
from sandbox.events import AgentResponse, Erase, Event, SessionCompleted, UserMessage
from sandbox.testing import FakeClock
from tests.files import files_with
from tests.kernel import bus_programs
from tests.kernel.buses import QUICK, Done, Listener, Said, bus_in, idle_bus_in, rows, until
from tests.memory.store.disk import Disk
from tests.memory.store.processes import Journal, in_step, kill, running, wait_for_end

WHEN = datetime(2026, 3, 2, 13, 30, 1, 250_000, tzinfo=timezone(timedelta(hours=5, minutes=30)))
SLOW = replace(QUICK, backoff=(30, 30, 30, 30))  # a second attempt never comes during a test
LEFT = "SELECT count(*) FROM deliveries"
PARKED = "SELECT count(*) FROM deliveries WHERE parked_at IS NOT NULL"
PAYLOADS = "SELECT key, payload IS NOT NULL FROM events ORDER BY seq"


async def hang(_: Event) -> None:
    await asyncio.Event().wait()


# --- who is told ------------------------------------------------------------------------------------------------------


async def test_every_subscriber_gets_its_events_in_order_across_topics(home: Path) -> None:
    both, one = Listener(), Listener()
    async with bus_in(home, (Said, "both", both), (Done, "both", both), (Done, "one", one)) as bus:
        for number in range(10):
            await bus.publish(Said(f"s{number}"))
            await bus.publish(Done(f"d{number}"))
        await bus.settled()
        assert both.keys == [f"{topic}{number}" for number in range(10) for topic in "sd"]
        assert one.keys == [f"d{number}" for number in range(10)]
        assert await bus.pending() == 0
    assert rows(home, LEFT) == [(0,)]


async def test_a_name_subscribes_once_to_a_topic(home: Path) -> None:
    async with idle_bus_in(home, (Said, "one", Listener())) as (bus, _):
        with pytest.raises(SubscriptionRefused, match="'one' cannot subscribe to 'said': it did so before"):
            bus.subscribe(Said, "one", Listener())
        bus.subscribe(Said, "two", Listener())
        await bus.start()
        with pytest.raises(ValueError, match="'three' cannot subscribe to 'said': events are being delivered"):
            bus.subscribe(Said, "three", Listener())


async def test_an_unsubscribed_handler_gets_no_event(home: Path) -> None:
    """An unsubscribed handler gets no event, and nobody waits for it."""
    one, broken = Listener(), Listener()
    async with idle_bus_in(home, (Said, "one", one), (Said, "broken", broken), (Done, "broken", broken)) as (bus, _):
        bus.unsubscribe("broken")
        await bus.start()
        await bus.publish(Said("k"))
        await bus.publish(Done("k"))
        await bus.settled()
        assert await bus.pending() == 0
    assert (one.keys, broken.keys) == (["k"], [])


async def test_a_topic_and_key_are_delivered_once(home: Path) -> None:
    one = Listener()
    async with bus_in(home, (Said, "one", one), (Done, "one", one)) as bus:
        assert await bus.publish(Said("k", "first"))
        assert not await bus.publish(Said("k", "second"))
        assert await bus.publish(Done("k"))
        await bus.settled()
        assert not await bus.publish(Said("k", "third"))
        await bus.settled()
    assert one.heard == [Said("k", "first"), Done("k")]


async def test_an_event_without_subscribers_is_kept_without_its_text(home: Path) -> None:
    async with bus_in(home) as bus:
        assert await bus.publish(Said("k", "what was said"))
        assert not await bus.publish(Said("k"))
        await bus.settled()
        assert await bus.pending() == 0
    assert rows(home, "SELECT topic, key, session, payload FROM events") == [("said", "k", "s", None)]
    assert not files_with(home, "what was said")


# --- what is kept -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "event",
    [
        UserMessage("k", "s", "Grüße, 你好 🦆", WHEN, "default", "cli", "web"),
        AgentResponse("k", "s", "", WHEN, "default", "cli", "orchestrator"),
        SessionCompleted("s", WHEN, "default"),
        Erase("s", datetime.max.replace(tzinfo=UTC), "default"),
    ],
)
async def test_an_event_arrives_as_it_was(home: Path, event: Any) -> None:
    one = Listener()
    async with bus_in(home, (type(event), "one", one)) as bus:
        await bus.publish(event)
        await bus.settled()
    assert one.heard == [event]
    assert one.heard[0].at.utcoffset() == event.at.utcoffset()
    assert one.heard[0].key == event.key


@settings(max_examples=50, deadline=None)
@given(st.text(st.characters(exclude_categories=())), st.datetimes(datetime(1972, 5, 1), timezones=st.timezones()))
def test_any_text_and_time_can_be_stored(text: str, at: datetime) -> None:
    """Lone surrogates are replaced one by one."""
    event = UserMessage("k", "s", text, at, "u", "c")
    kept = journal.adapter(UserMessage).validate_json(journal.encode(event).encode())
    assert (kept.at.timestamp(), kept.at.utcoffset()) == (at.timestamp(), at.utcoffset())
    assert len(kept.text) == len(text)
    assert all(b == a or ("\ud800" <= a <= "\udfff" and b == "\ufffd") for a, b in zip(text, kept.text, strict=True))


async def test_nul_and_lone_surrogates_lose_no_event(home: Path) -> None:
    one = Listener()
    async with bus_in(home, (Said, "one", one)) as bus:
        assert await bus.publish(Said("k\0\ud800", "a\0b\udfffc", "s\0\ud800"))
        assert not await bus.publish(Said("k\0\ud800"))
        await bus.settled()
    assert one.heard == [Said("k\0\ud800".replace("\ud800", "\ufffd"), "a\0b\ufffdc", "s\0\ufffd")]


async def test_a_failed_transaction_records_no_event(home: Path) -> None:
    one = Listener()
    async with bus_in(home, (Said, "one", one)) as bus:

        def write(connection: Any) -> None:
            assert bus.record(connection, Said("k"))
            raise LookupError

        with pytest.raises(LookupError):
            await bus.write(write)
        await bus.settled()
        assert await bus.publish(Said("k", "at last"))
        await bus.settled()
    assert one.heard == [Said("k", "at last")]


async def test_a_cancelled_publication_may_still_be_delivered(home: Path) -> None:
    """The event is still delivered, and at once."""
    one = Listener()
    async with bus_in(home, (Said, "one", one)) as bus:
        await bus.settled()
        await bus.take_over()
        await asyncio.sleep(0)  # a worker looks
        publishing = asyncio.create_task(bus.publish(Said("k")))
        await asyncio.sleep(0)  # the write is under way
        publishing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await publishing
        await bus.settled()
        assert one.keys == ["k"]


# --- who fails --------------------------------------------------------------------------------------------------------


async def test_an_event_is_parked_after_its_last_attempt(
    home: Path, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """No log shows the text of the event or of the error."""
    one = Listener(failures={"b": 5})
    async with bus_in(home, (Said, "one", one), clock=clock) as bus:
        for key in "abc":
            await bus.publish(Said(key, "the secret words of a person"))
        await bus.settled()
        assert one.keys == ["a", "c"]
        assert await bus.pending() == 0
        assert await bus.parked() == (journal.Parked("said", "b", "one", 5, "RuntimeError", clock()),)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == [
        *["the event said: one failed (RuntimeError); it is asked again in 0.001 s"] * 4,
        "the event said: one failed (RuntimeError); `memory doctor --retry` asks it again",
    ]
    assert "secret" not in caplog.text
    assert rows(home, "SELECT problem FROM deliveries") == [("RuntimeError",)]


async def test_an_erasure_that_failed_stays_parked_when_events_of_its_user_are_erased(home: Path) -> None:
    async def fail(_: Event) -> None:
        raise OSError

    async with bus_in(home, (UserMessage, "one", fail), (Erase, "one", fail)) as bus:
        await bus.publish(Erase("dogs", WHEN, "default"))
        await bus.publish(UserMessage("k", "dogs", "Hello!", WHEN, "default", "cli"))
        await bus.settled()
        await bus.erase_parked("default", "dogs")
        assert [each.topic for each in await bus.parked()] == [Erase.topic]


async def test_a_failing_or_slow_handler_delays_no_other(home: Path) -> None:
    well = Listener()

    async def fail(_: Said) -> None:
        raise OSError

    async def dawdle(_: Said) -> None:
        await asyncio.sleep(0.02)

    listeners = [(Said, "fails", fail), (Said, "hangs", hang), (Said, "dawdles", dawdle), (Said, "well", well)]
    async with bus_in(home, *listeners, patience=replace(SLOW, closing=0.01)) as bus:
        for number in range(50):
            await bus.publish(Said(str(number)))
        await until(lambda: len(well.heard) == 50, QUICK.handler)
    assert rows(home, LEFT)[0][0] >= 100


async def cancel_itself(_: Event) -> None:
    raise asyncio.CancelledError


@pytest.mark.parametrize(("handler", "problem"), [(hang, "TimeoutError"), (cancel_itself, "CancelledError")])
async def test_a_handler_that_hangs_or_is_cancelled_has_failed(home: Path, handler: Any, problem: str) -> None:
    async with bus_in(home, (Said, "one", handler), patience=replace(QUICK, handler=0.05)) as bus:
        await bus.publish(Said("k"))
        await bus.settled()
        assert [(each.problem, each.attempts) for each in await bus.parked()] == [(problem, 5)]


async def test_an_unreadable_event_is_parked(home: Path) -> None:
    """Another version of the program stored it, with other fields."""

    @dataclass(frozen=True, slots=True)
    class Newer:
        topic: ClassVar[str] = "said"
        key: str
        since_then: int

    one = Listener()
    async with idle_bus_in(home, (Said, "one", Listener())) as (bus, _):
        await bus.publish(Said("old", "the secret words of a person"))
    async with bus_in(home, (Newer, "one", one)) as bus:
        await bus.publish(Newer("new", 1))
        await bus.settled()
        assert [(each.key, each.problem) for each in await bus.parked()] == [("old", "ValidationError")]
    assert one.keys == ["new"]


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(st.tuples(st.sampled_from("xy"), st.sampled_from("abcdef")), st.integers(0, 4)))
async def test_every_event_is_handled_or_parked_whatever_fails(failures: dict[tuple[str, str], int]) -> None:
    """This holds for each handler, and the order stays."""
    listeners = {
        name: Listener(failures={key: n for (who, key), n in failures.items() if who == name}) for name in "xy"
    }
    patience = replace(QUICK, backoff=(0, 0))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        subscribed = [(Said, name, listener) for name, listener in listeners.items()]
        async with bus_in(home, *subscribed, patience=patience) as bus:
            for key in "abcdef":
                await bus.publish(Said(key))
            await bus.settled()
            parked = {(each.handler, each.key) for each in await bus.parked()}
            assert await bus.pending() == 0
        given_up = {where for where, count in failures.items() if count > len(patience.backoff)}
        assert parked == given_up
        for name, listener in listeners.items():
            assert listener.keys == [key for key in "abcdef" if (name, key) not in given_up]
        assert {key for key, has_payload in rows(home, PAYLOADS) if has_payload} == {key for _, key in given_up}


# --- from one start to the next ---------------------------------------------------------------------------------------


async def test_undelivered_events_are_delivered_after_the_next_start(home: Path) -> None:
    """The interrupted delivery does not count as a failure."""
    one, cut_off = Listener(), []

    async def handle(event: Said) -> None:
        try:
            await hang(event)
        finally:
            cut_off.append(event.key)

    async with bus_in(home, (Said, "one", handle), patience=replace(QUICK, closing=0.01)) as bus:
        for key in "abc":
            await bus.publish(Said(key, key * 3))
        await asyncio.sleep(0.01)
    assert cut_off == ["a"]
    assert rows(home, "SELECT attempts FROM deliveries") == [(0,)] * 3
    async with bus_in(home, (Said, "one", one)) as bus:
        await bus.publish(Said("d"))
        await bus.settled()
    assert one.keys == ["a", "b", "c", "d"]


async def test_an_event_published_after_closing_is_delivered_after_the_next_start(home: Path) -> None:
    one = Listener()
    async with bus_in(home, (Said, "one", one)) as bus:
        await bus.close()
        assert await bus.publish(Said("a"))
        await bus.settled()
        assert one.heard == []
    async with bus_in(home, (Said, "one", one)) as bus:
        await bus.settled()
    assert one.keys == ["a"]


async def test_closing_does_not_wait_for_an_endless_handler(home: Path) -> None:
    """Neither for a handler that ignores its cancellation, nor for another attempt."""
    gate = asyncio.Event()

    async def hold_on(_: Said) -> None:
        while not gate.is_set():
            try:
                await gate.wait()
            except asyncio.CancelledError:
                continue

    failing = Listener(failures={"a": 1})
    async with asyncio.timeout(10):
        async with bus_in(home, (Said, "one", failing), patience=replace(SLOW, closing=60)) as bus:
            await bus.publish(Said("a"))
            await until(lambda: failing.attempts == ["a"])
        async with bus_in(home, (Said, "two", hold_on), patience=replace(QUICK, closing=0.01)) as bus:
            await bus.publish(Said("b"))
            await asyncio.sleep(0.01)
    gate.set()  # it ends after everything was closed, unnoticed


async def test_a_parked_event_is_retried_once_after_a_start_without_delaying_others(home: Path) -> None:
    failing = Listener(failures={"a": 5, "b": 5})
    async with bus_in(home, (Said, "one", failing)) as bus:
        await bus.publish(Said("a"))
        await bus.publish(Said("b"))
        await bus.settled()
    one = Listener(failures={"a": 1})
    async with idle_bus_in(home, (Said, "one", one)) as (bus, _):
        await bus.publish(Said("c"))
        await bus.start()
        await bus.settled()
        assert one.attempts == ["c", "a", "b"]
        assert [(each.key, each.attempts) for each in await bus.parked()] == [("a", 6)]


async def test_events_of_a_removed_extension_are_parked_until_it_returns(home: Path, clock: FakeClock) -> None:
    """It gets them when it is back."""
    async with idle_bus_in(home, (Said, "gone", Listener()), (Said, "one", Listener())) as (bus, _):
        await bus.publish(Said("k", "text"))
    one = Listener()
    async with bus_in(home, (Said, "one", one), (Done, "gone", one), clock=clock) as bus:
        await bus.settled()
        assert one.keys == ["k"]
        assert await bus.pending() == 0
        assert await bus.parked() == (journal.Parked("said", "k", "gone", 0, "nobody subscribes", clock()),)
    back = Listener()
    async with bus_in(home, (Said, "gone", back)) as bus:
        await bus.settled()
        assert await bus.parked() == ()
    assert back.heard == [Said("k", "text")]


async def test_delivered_events_are_deleted_after_a_month(home: Path, clock: FakeClock) -> None:
    """Undelivered events stay, however old they are."""
    one = Listener(failures={"parked": 50})
    async with bus_in(home, (Said, "one", one), clock=clock) as bus:
        await bus.publish(Said("parked"))
        await bus.publish(Said("old"))
        clock.advance(days=2)
        await bus.publish(Said("recent"))
        await bus.settled()
    clock.advance(days=28, seconds=1)
    async with bus_in(home, (Said, "one", one), clock=clock) as bus:
        await bus.settled()
        assert [key for key, _ in rows(home, PAYLOADS)] == ["parked", "recent"]
        assert not await bus.publish(Said("recent"))
        assert await bus.publish(Said("old"))


async def test_a_clock_set_back_changes_nothing(home: Path, clock: FakeClock) -> None:
    """Neither the order, nor the time of the next attempt."""
    one = Listener(failures={"a": 1, "d": 2})
    async with bus_in(home, (Said, "one", one), clock=clock) as bus:
        for key in "abcdef":
            await bus.publish(Said(key))
            clock.advance(hours=-1)
        await bus.settled()
    assert one.keys == [*"abcdef"]
    assert one.attempts == [*"aabcdddef"]


# --- several kernels --------------------------------------------------------------------------------------------------


async def test_a_living_kernel_delivers_its_own_events(home: Path) -> None:
    first, second = Listener(), Listener()
    async with bus_in(home, (Said, "one", hang), patience=replace(QUICK, closing=0.01)) as bus:
        await bus.publish(Said("a"))
        async with bus_in(home, (Said, "one", second)) as other:
            await other.take_over()
            await other.settled()
            await other.publish(Said("b"))
            await other.settled()
            assert second.keys == ["b"]
    async with bus_in(home, (Said, "one", first)) as bus:
        await bus.settled()
    assert first.keys == ["a"]


async def test_a_running_kernel_takes_over_the_events_of_a_dead_one(home: Path, notes: Journal) -> None:
    one = Listener()
    async with bus_in(home, (Said, "one", one)) as bus:
        with running(bus_programs.hang, home, notes.path) as process:
            await until(lambda: notes.count() == 4)
            assert await bus.pending() == 3
            kill(process)
        await bus.take_over()
        await bus.settled()
        assert one.keys == ["0", "1", "2"]


async def test_an_event_that_kills_its_process_is_parked(home: Path, clock: FakeClock) -> None:
    """It is tried as often as an event that fails; then a person decides."""
    async with idle_bus_in(home, (Said, "one", Listener())) as (bus, _):
        for key in ("a", "evil", "b"):
            await bus.publish(Said(key))
    for _ in range(5):
        with running(bus_programs.die_of_it, home) as process:
            process.join(20)
            assert process.exitcode == -signal.SIGKILL
    for _ in range(2):
        one = Listener()
        async with bus_in(home, (Said, "one", one), clock=clock) as bus:
            await bus.publish(Said("c"))
            await bus.settled()
            assert await bus.parked() == (journal.Parked("said", "evil", "one", 5, journal.PROCESS_ENDED, clock()),)
    async with idle_bus_in(home, (Said, "one", one)) as (bus, _):
        await bus.start(retry=True)
        await bus.settled()
    assert one.keys == ["evil"]


async def test_an_event_without_subscribers_in_one_kernel_goes_to_another(home: Path) -> None:
    """Even if the first one took over the events of a dead kernel."""
    async with idle_bus_in(home, (Said, "two", Listener())) as (bus, _):
        await bus.publish(Said("a"))
    one, two = Listener(), Listener()
    async with bus_in(home, (Said, "two", two)) as able:
        await able.settled()
        assert two.keys == ["a"]
        async with idle_bus_in(home, (Said, "two", Listener())) as (bus, _):
            await bus.publish(Said("b"))
        async with bus_in(home, (Said, "one", one)) as unable:
            assert [each.problem for each in await unable.parked()] == [journal.NOT_SUBSCRIBED]
            await able.take_over()
            await able.settled()
        assert (two.keys, one.keys) == (["a", "b"], [])
        assert await able.parked() == ()


def test_two_processes_on_one_file_deliver_each_event_once(home: Path, notes: Journal) -> None:
    together = in_step(2)
    with (
        running(bus_programs.publish_some, home, notes.path, 0, together) as one,
        running(bus_programs.publish_some, home, notes.path, 1, together) as two,
    ):
        wait_for_end(one)
        wait_for_end(two)
    told = notes.values()
    assert sorted(told) == sorted(
        [name, f"{run}-{n}"] for run in range(2) for n in range(50) for name in ("one", "two")
    )
    for run in range(2):
        mine = [key for name, key in told if name == "one" and key.startswith(f"{run}-")]
        assert mine == [f"{run}-{number}" for number in range(50)]
    assert rows(home, LEFT) == [(0,)]


KILLS = 6


def holds(notes: Journal, count: int) -> bool:
    return notes.count() >= count


async def test_a_killed_bus_loses_no_acknowledged_event(home: Path, notes: Journal) -> None:
    """A process publishes and two handlers handle, some events at the second attempt. It is killed, and the next one
    continues with what is left; six times. Both handle every acknowledged event. Only the event that was being handled
    at a kill may be handled twice.
    """
    moments = random.Random(20260302)
    for run in range(KILLS):
        enough = notes.count() + moments.randrange(1, 60)
        with running(bus_programs.publish_for_ever, home, notes.path, run) as process:
            await until(partial(holds, notes, enough))
            await asyncio.sleep(moments.uniform(0, 0.01))
            kill(process)
    one, two = Listener(), Listener()
    async with bus_in(home, (Said, "one", one), (Said, "two", two)) as bus:
        await bus.settled()
        assert (await bus.pending(), await bus.parked()) == (0, ())
    told = notes.values()
    acknowledged = {key for what, key in told if what == "acknowledged"}
    for name, listener in (("one", one), ("two", two)):
        handled = [key for what, key in told if what == name] + listener.keys
        assert acknowledged <= set(handled)
        assert len(handled) - len(set(handled)) <= KILLS
    assert len(acknowledged) > KILLS


# --- what must go -----------------------------------------------------------------------------------------------------


async def test_an_erased_session_is_in_no_byte_of_any_file(home: Path) -> None:
    """No handled, parked or waiting event of it; the events of the other session are still delivered."""
    listener = Listener(failures={"parked": 9})
    subscribed = [(Said, "one", listener), (Said, "hangs", hang), (Done, "one", listener)]
    async with bus_in(home, *subscribed, patience=replace(QUICK, handler=600, closing=0.01)) as bus:
        for key in ("parked", "handled", "waiting"):
            await bus.publish(Said(key, f"my secret is {key} {'x' * 9000} quince", "erased"))
        await bus.publish(Said("other", "marmalade", "kept"))
        await until(lambda: len(listener.heard) == 3 and rows(home, PARKED) == [(1,)])
        assert files_with(home, "quince")
        await bus.erase("erased", "default")
        assert files_with(home, "quince") == files_with(home, "my secret") == set()
        assert files_with(home, "marmalade")
        assert await bus.parked() == ()
        assert await bus.pending() == 1
        assert not await bus.publish(Said("handled", "again", "erased"))
    assert not files_with(home, "quince")
    assert rows(home, PAYLOADS)[-1] == ("other", True)


async def test_every_subscriber_gets_the_call_to_erase(home: Path) -> None:
    """Also if the first handler of it erases the journal."""
    one = Listener()

    async def erase(event: Erase) -> None:
        await bus.erase(event.session, event.user)

    call = Erase("s", WHEN, "default")
    async with bus_in(home, (Erase, "kernel", erase), (Said, "one", one), (Erase, "one", one)) as bus:
        await bus.publish(Said("k", "quince"))
        await bus.publish(call)
        await bus.settled()
        assert one.heard[-1] == call
        assert not files_with(home, "quince")


async def test_an_event_erased_during_a_failure_is_not_retried(home: Path) -> None:
    failing, gate = Listener(failures={"k": 1}), asyncio.Event()

    async def handle(event: Said) -> None:
        if event.key == "k":
            await gate.wait()
        await failing(event)

    async with bus_in(home, (Said, "one", handle)) as bus:
        await bus.publish(Said("k", "quince"))
        await asyncio.sleep(0.01)
        await bus.erase("s", "default")
        gate.set()
        await bus.publish(Said("next", session="other"))
        await bus.settled()
        assert failing.attempts == ["k", "next"]
    assert not files_with(home, "quince")


# --- the disk ---------------------------------------------------------------------------------------------------------


async def test_a_full_disk_publishes_no_event_in_part(home: Path) -> None:
    one = Listener()
    async with idle_bus_in(home, (Said, "one", one)) as (bus, database):
        await bus.start()
        await database.read(lambda raw: raw.execute("PRAGMA max_page_count = 1").fetchone())  # as large as it is
        with pytest.raises(StateFull, match=r"kernel.db is full; what was acknowledged is safe, this was not kept"):
            await bus.publish(Said("k", "x" * 100_000))
        await bus.settled()
        assert rows(home, PAYLOADS) == []
        await database.read(lambda raw: raw.execute("PRAGMA max_page_count = 100000").fetchone())
        assert await bus.publish(Said("k", "again"))
        await bus.settled()
    assert one.heard == [Said("k", "again")]


def test_an_event_handled_on_a_full_disk_is_not_handled_again(disk: Disk, notes: Journal) -> None:
    """The bus records the success when there is space again."""
    disk.run(bus_programs.deliver_on_a_full_disk, disk.folder, disk.full, notes.path)
    first, [error, message], published, second, pending = notes.values()
    assert (first, error) == (["handled", "first"], "StateFull")
    assert "is full; what was acknowledged is safe" in message
    assert (published, second, pending) == (["published", True], ["handled", "second"], ["pending", 0])
