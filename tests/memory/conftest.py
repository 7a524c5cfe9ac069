"""The file of ``memory`` as another process opens it: for tests of later stages and of query plans."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.memory import DATABASE
from sandbox.extensions.memory.store import graph, nodes
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.times import to_ms
from sandbox.testing import FakeClock

NodeId = Callable[..., Awaitable[int]]
Join = Callable[[str, str, str], Awaitable[None]]


@pytest.fixture
async def store(memory: Memory, folder: Path, clock: FakeClock) -> AsyncIterator[Store]:
    """Another process's view of ``memory``."""
    assert memory is not None
    opened = await Store.open(folder / DATABASE, lambda: to_ms(clock()))
    yield opened
    await opened.close()


@pytest.fixture
def node_id(store: Store) -> NodeId:
    """The internal id of the newest version of a memory."""

    async def look_up(public_id: str, scope: Scope | None = None) -> int:
        found = await store.read(lambda connection: nodes.versions(connection, public_id, scope or Scope()))
        return found[0].id

    return look_up


@pytest.fixture
def join(store: Store, node_id: NodeId) -> Join:
    """Join two memories by an edge, as learning and the night do."""

    async def add(source: str, target: str, relation: str) -> None:
        here, there = await node_id(source), await node_id(target)
        await store.write(lambda tx: graph.add_edge(tx, here, there, relation))

    return add
