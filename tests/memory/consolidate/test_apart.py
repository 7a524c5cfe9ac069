"""Reading by rules, in a thread and in a process of its own: where there is much to read, and a while longer."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from sandbox.extensions.memory.consolidate.apart import RulesApart
from sandbox.extensions.memory.consolidate.proposal import Extraction, Turn
from tests.memory.children import children, counted

pytestmark = counted

NOON = datetime(2026, 1, 3, 12, tzinfo=UTC)
TURNS = [Turn("t1", "user", "I live in Berlin and my sister Mia lives in Oslo.", NOON, "Ann")]


@pytest.fixture
async def rules() -> AsyncIterator[RulesApart]:
    apart = RulesApart()
    yield apart
    await apart.close()


async def _read(rules: RulesApart) -> Extraction:
    return await rules.read(TURNS, 3, 280)


async def test_little_is_read_without_another_process(rules: RulesApart) -> None:
    before = children()
    await rules.expect(1)
    assert len((await _read(rules)).proposals) == 2
    assert children() == before


async def test_a_process_reads_as_a_thread_does(rules: RulesApart) -> None:
    alone = await _read(rules)
    before = children()
    await rules.expect(100)
    assert len(children() - before) == 1
    assert await _read(rules) == alone


async def test_who_has_read_much_keeps_the_process(rules: RulesApart) -> None:
    """Session after session: one process, also after a rest that was short."""
    before = children()
    for _ in range(15):
        await rules.expect(1)
        await _read(rules)
        rules.rest()
    (child,) = children() - before
    await rules.expect(1)
    assert children() - before == {child}


async def test_where_it_dies_a_thread_reads_and_another_is_started(rules: RulesApart) -> None:
    before, alone = children(), await _read(rules)
    await rules.expect(100)
    (child,) = children() - before
    os.kill(child, signal.SIGKILL)
    assert await _read(rules) == alone
    await rules.expect(100)
    assert len(children() - before - {child}) == 1, "the dead one may not be buried yet"
    assert await _read(rules) == alone


async def test_who_stops_asking_leaves_no_answer_for_the_next(rules: RulesApart) -> None:
    """Cancelled at any moment of it, the next one to ask is told of their own turns."""
    other = [Turn("t2", "user", "I work at Acme.", NOON, "Zoe")]
    for pause in (0.0, 0.001, 0.003, 0.01, 0.03):
        await rules.expect(100)
        asking = asyncio.create_task(rules.read(other * 50, 3, 280))
        await asyncio.sleep(pause)
        asking.cancel()
        await asyncio.wait([asking])
        async with asyncio.timeout(30):
            assert {source for each in (await _read(rules)).proposals for source in each.sources} == {"t1"}


async def test_it_ends_with_whoever_started_it(rules: RulesApart) -> None:
    before = children()
    await rules.expect(100)
    asyncio.get_running_loop().call_soon(rules.rest)
    await rules.close()
    assert children() == before
