"""Every due time is served once, whatever the clock, the kernels and the tasks do."""

import asyncio
import logging
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from filelock import FileLock
from hypothesis import given, settings, strategies as st

from sandbox.cli.diagnosis import described
from sandbox.cron import Cron
from sandbox.database import Database
from sandbox.guarded_calls import ended
from sandbox.process_locks import Owner
from sandbox.scheduler import Scheduler, Task
from sandbox.testing import FakeClock
from tests.memory.store.processes import Journal, kill, program, running, wait_for_end, wait_until

HOURLY = "0 * * * *"
NIGHTLY = "0 3 * * *"
BERLIN = ZoneInfo("Europe/Berlin")
SECRET = "Ann lives in Berlin."
DONE = "faded: 3"


class Work:
    """A task that notes its runs; the test can delay it and make it fail."""

    def __init__(self, clock: FakeClock, name: str = "memory/night", cron: str = NIGHTLY) -> None:
        self.task = Task(name, cron, self.run)
        self.began: list[datetime] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.error: BaseException | None = None
        self.line: Any = f"{DONE}\n"
        self._clock = clock
        self._began = asyncio.Semaphore(0)

    async def run(self) -> Any:
        self.began.append(self._clock())
        self._began.release()
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return self.line

    async def until_it_began(self) -> None:
        """Wait for the next start of the task."""
        await asyncio.wait_for(self._began.acquire(), timeout=10)


@asynccontextmanager
async def kernel(home: Path, clock: FakeClock, *work: Work, timezone: str | None = "UTC") -> AsyncIterator[Scheduler]:
    """A scheduler with a file and an owner of its own, as each kernel of a home has."""
    database, owner = await Database.open(home / "kernel.db"), Owner(home)
    zone = ZoneInfo(timezone) if timezone else None
    try:
        yield Scheduler(database, owner, clock, zone, [each.task for each in work])
    finally:
        owner.close()
        await database.close()


@pytest.fixture
def night(clock: FakeClock) -> Work:
    """A task that is due every night at three."""
    return Work(clock)


# --- what is due ------------------------------------------------------------------------------------------------------


async def test_a_task_waits_for_its_first_time_and_runs_once(
    tmp_path: Path, clock: FakeClock, night: Work, caplog: pytest.LogCaptureFixture
) -> None:
    """The log names the task and its result."""
    caplog.set_level(logging.INFO)
    async with kernel(tmp_path, clock, night) as scheduler:
        assert await scheduler.run_due() == []
        clock.advance(hours=15, seconds=-1)
        assert await scheduler.run_due() == []
        clock.advance(seconds=1)
        (run,) = await scheduler.run_due()
        assert (run.task, run.at, run.outcome, run.said) == ("memory/night", clock(), "ok", DONE)
        assert await scheduler.run_due() == []
    logged = [record.getMessage() for record in caplog.records if record.levelno == logging.INFO]
    assert logged == ["memory/night begins", "memory/night ended after 0.0 s, ok: faded: 3"]


async def test_a_failure_is_reported_by_kind_and_stops_no_other_task(tmp_path: Path, clock: FakeClock) -> None:
    failing, other = Work(clock, "a/failing"), Work(clock, "b/other")
    failing.error = ValueError(SECRET)
    async with kernel(tmp_path, clock, failing, other) as scheduler:
        await scheduler.run_due()
        clock.advance(days=1)
        runs = await scheduler.run_due()
        assert [(run.task, run.outcome, run.said) for run in runs] == [
            ("a/failing", "failed", "ValueError"),
            ("b/other", "ok", DONE),
        ]
        assert [each.said for each in await scheduler.last_runs()] == ["ValueError", DONE]


@pytest.mark.parametrize("error", [ValueError(), asyncio.CancelledError()])
async def test_a_failed_task_runs_again_at_its_next_time(
    tmp_path: Path, clock: FakeClock, night: Work, error: BaseException
) -> None:
    night.error = error
    async with kernel(tmp_path, clock, night) as scheduler:
        await scheduler.run_due()
        for _ in range(48):
            clock.advance(hours=1)
            await scheduler.run_due()
    assert [moment.hour for moment in night.began] == [3, 3]


async def test_a_slow_task_holds_up_no_other(tmp_path: Path, clock: FakeClock) -> None:
    slow, quick = Work(clock, "a/slow"), Work(clock, "b/quick", "*/10 * * * *")
    slow.gate.clear()
    async with kernel(tmp_path, clock, slow, quick) as scheduler:
        await scheduler.run_due()
        clock.advance(days=1)
        first = asyncio.create_task(scheduler.run_due())
        await slow.until_it_began()
        clock.advance(days=1)
        async with asyncio.timeout(10):
            while not (runs := await scheduler.run_due()):  # until its first run is written down
                pass
        assert [run.task for run in runs] == ["b/quick"]
        slow.gate.set()
        assert [run.task for run in await first] == ["a/slow", "b/quick"]
        assert [run.task for run in await scheduler.run_due()] == ["a/slow"]


async def test_a_cron_that_never_fires_is_never_due(tmp_path: Path, clock: FakeClock) -> None:
    never = Work(clock, cron="0 0 31 2 *")
    async with kernel(tmp_path, clock, never) as scheduler:
        await scheduler.run_due()
        clock.advance(days=1000)
        assert await scheduler.run_due() == []
        assert [described(each) for each in await scheduler.last_runs()] == ["never run; never due again"]


async def test_the_history_shows_the_last_and_the_next_run(tmp_path: Path, clock: FakeClock, night: Work) -> None:
    async def told() -> str:
        (history,) = await scheduler.last_runs()
        assert history.task == "memory/night"
        return described(history)

    async with kernel(tmp_path, clock, night, timezone="Europe/Berlin") as scheduler:
        assert await told() == "never run; next 2026-03-03 03:00+01:00"
        await scheduler.run_due()
        assert await told() == "never run; next 2026-03-03 03:00+01:00"
        clock.advance(days=1)
        night.gate.clear()
        running = asyncio.create_task(scheduler.run_due())
        await night.until_it_began()
        assert await told() == "2026-03-03 13:00+01:00: running; next 2026-03-04 03:00+01:00"
        (run,) = await scheduler.last_runs()
        assert "; due since 2026-03-04 03:00+01:00, which" in described(run, now=datetime(2026, 3, 5, tzinfo=UTC))
        night.gate.set()
        await running
        assert await told() == "2026-03-03 13:00+01:00: ok: faded: 3; next 2026-03-04 03:00+01:00"
        night.error = OSError()
        clock.advance(days=1)
        await scheduler.run_due()
        (history,) = await scheduler.last_runs()
        assert described(history) == "2026-03-04 13:00+01:00: failed: OSError; next 2026-03-05 03:00+01:00"


# --- several kernels --------------------------------------------------------------------------------------------------


async def test_one_of_two_kernels_runs_the_task(tmp_path: Path, clock: FakeClock, night: Work) -> None:
    night.gate.clear()
    async with kernel(tmp_path, clock, night) as one, kernel(tmp_path, clock, night) as other:
        await asyncio.gather(one.run_due(), other.run_due())
        clock.advance(days=1)
        looks = asyncio.gather(one.run_due(), other.run_due())
        await night.until_it_began()
        clock.advance(days=1)  # it is due once more, and still runs
        assert await one.run_due() == await other.run_due() == []
        night.gate.set()
        assert sorted(map(len, await looks)) == [0, 1]
        assert sorted(map(len, await asyncio.gather(one.run_due(), other.run_due()))) == [0, 1]


class Alone(Work):
    """It fails if it runs twice at the same time."""

    async def run(self) -> str:
        with FileLock("running.lock", timeout=0):
            await asyncio.sleep(0.001)
        return ""


@program
async def look_every_hour(home: Path, notes: Path, clock: FakeClock) -> None:
    """A kernel of a process that looks every hour of its own clock."""
    os.chdir(home)
    async with kernel(home, clock, Alone(clock, cron=HOURLY)) as scheduler:
        for _ in range(20):
            clock.advance(hours=1)
            for run in await scheduler.run_due():
                Journal(notes).add([str(run.at), run.outcome])


@program
async def never_end(home: Path, notes: Path, clock: FakeClock) -> None:
    """A kernel of a process whose run never ends."""
    endless = Work(clock, cron=HOURLY)
    endless.gate.clear()
    async with kernel(home, clock, endless) as scheduler:
        run = asyncio.create_task(scheduler.run_due())
        await endless.until_it_began()
        Journal(notes).add("began")
        await run


async def test_processes_share_a_home(tmp_path: Path, clock: FakeClock, notes: Journal) -> None:
    """No due time is served twice, and no run begins while another one runs, which would fail."""
    async with kernel(tmp_path, clock, Work(clock, cron=HOURLY)) as scheduler:
        await scheduler.run_due()
        with ExitStack() as stack:
            arguments = (look_every_hour, tmp_path, notes.path, clock)
            for process in [stack.enter_context(running(*arguments)) for _ in range(3)]:
                wait_for_end(process, 60)
    due, outcomes = zip(*notes.values(), strict=True)
    assert set(outcomes) == {"ok"}
    assert max(Counter(due).values()) == 1
    assert max(due) == str(clock() + timedelta(hours=20))


async def test_a_run_of_a_killed_kernel_is_repeated(tmp_path: Path, clock: FakeClock, notes: Journal) -> None:
    async with kernel(tmp_path, clock, Work(clock, cron=HOURLY)) as scheduler:
        await scheduler.run_due()
        clock.advance(hours=1)
        with running(never_end, tmp_path, notes.path, clock) as process:
            wait_until(lambda: notes.count() == 1)
            assert await scheduler.run_due() == []
            kill(process)
        (history,) = await scheduler.last_runs()
        assert history.said == "cut off"
        clock.advance(minutes=5)
        (run,) = await scheduler.run_due()
        assert (run.at, run.outcome) == (clock(), "ok")
        assert await scheduler.run_due() == []


async def test_a_task_that_kills_its_kernel_is_run_again_once_each_night(
    tmp_path: Path, clock: FakeClock, night: Work
) -> None:
    """Otherwise a service that is always restarted would do nothing else."""
    night.gate.clear()
    told = []
    async with kernel(tmp_path, clock, night) as scheduler:
        await scheduler.run_due()
    clock.advance(days=1)
    for _ in range(2):
        async with kernel(tmp_path, clock, night) as scheduler:
            run = asyncio.create_task(scheduler.run_due())
            await night.until_it_began()
            await ended([run])
        async with kernel(tmp_path, clock, night) as scheduler:
            told.append(described(*await scheduler.last_runs()))
    async with kernel(tmp_path, clock, night) as scheduler:
        assert await scheduler.run_due() == []
        told.append(described(*await scheduler.last_runs()))
        outcomes = ("cut off", "cut off", "failed: cut off")
        assert told == [f"2026-03-03 12:00+00:00: {each}; next 2026-03-04 03:00+00:00" for each in outcomes]
        clock.advance(days=1)
        night.gate.set()
        assert [run.outcome for run in await scheduler.run_due()] == ["ok"]


async def test_the_result_of_a_task_is_kept_as_one_short_line(tmp_path: Path, clock: FakeClock) -> None:
    long, silent = Work(clock, "a/long"), Work(clock, "b/silent")
    long.line, silent.line = "faded:\n 3\ud800 " + "x" * 1000, None
    async with kernel(tmp_path, clock, long, silent) as scheduler:
        await scheduler.run_due()
        clock.advance(days=1)
        first, second = await scheduler.run_due()
    assert first.said.startswith("faded: 3\N{REPLACEMENT CHARACTER} xxx")
    assert len(first.said) == 300
    assert second.outcome == "ok"


# --- time zones -------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["Europe/Berlin", None])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str | None]:
    """Berlin by its name, and as the zone of this machine."""
    with monkeypatch.context() as environment:
        environment.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")  # without a name, as POSIX has it
        time.tzset()
        yield request.param
    time.tzset()


DAYS_BEFORE_A_CHANGE = [datetime(2026, 3, 27, 12, tzinfo=UTC), datetime(2026, 10, 23, 12, tzinfo=UTC)]
WALL_TIMES = ["00:00", "00:30", "02:00", "02:30", "03:00"]


def daily(wall: str) -> str:
    hour, minute = map(int, wall.split(":"))
    return f"{minute} {hour} * * *"


@pytest.mark.parametrize("wall", WALL_TIMES)
@pytest.mark.parametrize("begin", DAYS_BEFORE_A_CHANGE)
async def test_a_nightly_task_runs_once_when_the_clocks_change(
    tmp_path: Path, zone: str | None, begin: datetime, wall: str
) -> None:
    """On 29 March 02:00 becomes 03:00; on 25 October 03:00 becomes 02:00."""
    clock = FakeClock(begin)
    work = Work(clock, cron=daily(wall))
    async with kernel(tmp_path, clock, work, timezone=zone) as scheduler:
        for _ in range(4 * 24 * 2):
            await scheduler.run_due()
            clock.advance(minutes=30)
    ran = [moment.astimezone(BERLIN) for moment in work.began]
    assert [moment.date() - begin.date() for moment in ran] == [timedelta(days) for days in (1, 2, 3, 4)]
    changed = "03:00" if begin.month == 3 and wall in ("02:00", "02:30") else wall
    assert [f"{moment:%H:%M}" for moment in ran] == [wall, changed, wall, wall]


@pytest.mark.parametrize("name", ["Europe/Berlin", "America/Havana", "Australia/Lord_Howe", "Asia/Kathmandu"])
@pytest.mark.parametrize("cron", [NIGHTLY, "30 2 * * *", "0 0 * * *", "*/20 * * * *", "15 1,2,3 * * *"])
def test_fire_times_do_not_depend_on_the_start(name: str, cron: str) -> None:
    """Around each change of the clocks, stepping from one fire time to the next finds all that are found from any
    moment between.
    """
    fires = Cron(cron, ZoneInfo(name))
    for month, day in ((3, 7), (3, 28), (4, 4), (10, 3), (10, 24), (10, 31)):
        begin = datetime(2026, month, day, tzinfo=UTC)
        chain = list(steps(fires, begin, begin + timedelta(days=3)))
        assert all(fires.after(one + (other - one) / 2) == other for one, other in pairwise(chain))
        assert max(other - one for one, other in pairwise(chain)) < timedelta(hours=26)


def steps(cron: Cron, moment: datetime, until: datetime) -> Iterator[datetime]:
    while (fires_at := cron.after(moment)) and fires_at <= until:
        yield (moment := fires_at)


# --- the clock --------------------------------------------------------------------------------------------------------


moves = st.one_of(
    st.timedeltas(timedelta(minutes=-90), timedelta(minutes=90)),
    st.timedeltas(timedelta(days=-3), timedelta(days=3)),
    st.sampled_from([timedelta(0), timedelta(minutes=1), timedelta(days=400)]),
)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    cron=st.sampled_from([NIGHTLY, "30 2 * * *", "*/7 * * * *", "0 0 * * mon"]),
    begin=st.datetimes(datetime(2026, 1, 1), datetime(2026, 12, 31), timezones=st.just(UTC)),
    looks=st.lists(st.tuples(moves, st.booleans()), min_size=1, max_size=12),
)
async def test_no_due_time_comes_twice_under_any_clock(
    tmp_path_factory: pytest.TempPathFactory, cron: str, begin: datetime, looks: list[tuple[timedelta, bool]]
) -> None:
    """Two kernels look at one clock that jumps. A task runs if a fire time lies between its last run, or the moment it
    was first seen, and now. A last run of more than a day ahead does not count.
    """
    home, clock = tmp_path_factory.mktemp("home"), FakeClock(begin)
    work, fires = Work(clock, cron=cron), Cron(cron, BERLIN)
    async with (
        kernel(home, clock, work, timezone="Europe/Berlin") as one,
        kernel(home, clock, work, timezone="Europe/Berlin") as other,
    ):
        await one.run_due()
        last = begin
        for move, is_first in looks:
            clock.moment += move
            runs = await (one if is_first else other).run_due()
            if last - clock() > timedelta(days=1):
                last = clock()
            next_at = fires.after(last)
            assert next_at is not None
            assert bool(runs) == (next_at <= clock())
            last = clock() if runs else last
