"""What opening a memory needs from the machine: a folder of its own, and the embedder that comes with the package."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from sandbox import private
from sandbox.extensions.memory.errors import DatabaseReadOnly, InvalidArgument, MissingPackage

if TYPE_CHECKING:  # with which numpy comes, for which a folder does not wait
    from sandbox.extensions.memory.ports import Embedder, LanguageModel

logger = logging.getLogger(__name__)

DATABASE = "memory.db"

LEARNING = "memory"
"""The agent id under which a person may configure another model for learning than for talking."""


class ConfiguredModel(Protocol):
    """A model at a server that speaks Chat Completions; ``timeout`` in seconds."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def base_url(self) -> str:
        """Where the server is."""
        ...

    @property
    def api_key(self) -> str | None:
        """What it is sent, if anything."""
        ...

    @property
    def timeout(self) -> float:
        """Seconds for one request."""
        ...

    @property
    def max_retries(self) -> int:
        """How often a failed one is tried again."""
        ...

    @property
    def temperature(self) -> float | None:
        """None: as suits learning."""
        ...


def make_folder(folder: Path | str) -> Path:
    """The folder, made readable for its owner only where there was none."""
    path = Path(folder).expanduser()
    try:
        private.make_folder(path)
    except FileExistsError as error:
        raise InvalidArgument(argument="folder", value=path, expected="it is a file; name a folder") from error
    except OSError as error:
        raise DatabaseReadOnly(path=path, problem=error.strerror or "the folder cannot be made") from error
    return path


def embedded() -> "Embedder":
    """The embedder that comes with the package."""
    from sandbox.extensions.embedding import WordLlamaEmbedder

    return WordLlamaEmbedder()


@asynccontextmanager
async def language_model(configured: ConfiguredModel | None) -> "AsyncIterator[LanguageModel | None]":
    """What learning asks; None, and rules, where no model is configured or the extra that talks to it is missing."""
    if configured is None:
        yield None
        return
    from sandbox.extensions.memory.asking.chat import ChatModel

    try:
        model = ChatModel(
            configured.name,
            base_url=configured.base_url,
            api_key=configured.api_key,
            timeout=configured.timeout,
            max_retries=configured.max_retries,
            temperature=0.0 if configured.temperature is None else configured.temperature,
        )
    except MissingPackage as error:
        logger.warning("%s Until then rules learn.", error)
        yield None
        return
    try:
        yield model
    finally:
        await model.close()
