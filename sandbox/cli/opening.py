"""Open a memory in a folder without the kernel: read and check its settings, and create its embedding provider."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sandbox.cli.configured import configs
from sandbox.extensions.embedding.main import providers
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.call_context import Interface
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.opening import LEARNING, language_model
from sandbox.llm import ModelRouter


@asynccontextmanager
async def opened(home: Path, interface: Interface = "cli", *, read_only: bool = False) -> AsyncIterator[Memory]:
    """The memory in a folder, which is created if necessary; the log records that changes came through ``interface``.
    Raises the errors of ``Memory.open``, and for ``config.yaml`` those of ``read_settings`` and ``installed``, or
    ``InvalidSettings`` and ``ConfigurationError``.
    """
    settings, found = configs(home)
    config = Config.load(found["memory"], file=settings.file, within="memory.")
    embedder, reranker = providers(found["embedding"], settings.file)
    try:
        async with (
            language_model(ModelRouter(settings.models, str(settings.file)).model(LEARNING)) as model,
            Memory.open(
                home,
                config=config,
                embedder=embedder,
                model=model,
                reranker=reranker,
                interface=interface,
                read_only=read_only,
            ) as memory,
        ):
            yield memory
    finally:
        await embedder.close()
        if reranker is not None:
            await reranker.close()
