"""Open a memory in a folder without the kernel: read and check its settings, and create its embedding provider."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from sandbox.cli.configured import configs
from sandbox.cli.logs import keep_quiet
from sandbox.extensions.embedding.main import configured_embedder
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.call_context import Interface
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import DatabaseReadOnly, DiskFailed, DiskFull
from sandbox.extensions.memory.opening import LEARNING, language_model
from sandbox.llm import ModelRouter

T = TypeVar("T")


@asynccontextmanager
async def opened(home: Path, interface: Interface = "cli", *, read_only: bool = False) -> AsyncIterator[Memory]:
    """The memory in a folder, which is created if necessary; the log records that changes came through ``interface``.
    Raises the errors of ``Memory.open``, and for ``config.yaml`` those of ``read_settings`` and ``installed``, or
    ``InvalidSettings`` and ``ConfigurationError``.
    """
    settings, found = configs(home)
    config = Config.load(found["memory"], file=settings.file, within="memory.")
    embedder = configured_embedder(found["embedding"], settings.file)
    try:
        async with (
            language_model(ModelRouter(settings.models, str(settings.file)).model(LEARNING)) as model,
            Memory.open(
                home, config=config, embedder=embedder, model=model, interface=interface, read_only=read_only
            ) as memory,
        ):
            yield memory
    finally:
        await embedder.close()


def ask(home: Path, question: Callable[[Memory], Awaitable[T]], interface: Interface = "cli") -> T:
    """The answer of the memory, which is opened for the question; on a full disk it is opened for reading."""

    async def asked(*, read_only: bool = False) -> T:
        async with opened(home, interface, read_only=read_only) as memory:
            return await question(memory)

    keep_quiet()
    try:
        return asyncio.run(asked())
    except (DiskFailed, DiskFull) as full:
        try:
            return asyncio.run(asked(read_only=True))
        except DatabaseReadOnly:
            raise full from None
