"""What learning does with names: it links a memory with people and things."""

from collections.abc import Awaitable, Callable

import pytest

from sandbox.extensions.memory import Scope
from sandbox.extensions.memory.store import entities
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.text.names import Mention
from tests.memory.conftest import NodeId

Mentioned = Callable[..., Awaitable[None]]


@pytest.fixture
def mentioned(store: Store, node_id: NodeId) -> Mentioned:
    """Link a memory with the names in it, as learning does."""

    async def link(public_id: str, *names: Mention, scope: Scope | None = None) -> None:
        node = await node_id(public_id, scope)
        await store.write(lambda tx: entities.mention(tx, names, node, tx.now, scope or Scope()))

    return link
