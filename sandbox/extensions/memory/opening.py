"""Prepares for opening a memory: its folder, the embedder of the package, and the configured language model."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.extensions.memory.errors import DatabaseReadOnly, InvalidArgument
from sandbox.support import private
from sandbox.support.errors import MissingPackage

if TYPE_CHECKING:  # they import numpy and more, which a check of a folder does not need
    from sandbox.extensions.memory.ports import LanguageModel
    from sandbox.support.embedder import Embedder
    from sandbox.support.openai_server import Model

logger = logging.getLogger(__name__)

DATABASE = "memory.db"

LEARNING = "memory"
"""The agent id under which a person may configure a separate model for learning."""


def make_folder(folder: Path | str) -> Path:
    """The folder; if it is created, only its owner can read it. An empty name, as of a variable that was not set, would
    mean the current folder (``InvalidArgument``).
    """
    if not str(folder).strip():
        raise InvalidArgument(argument="folder", value=str(folder), expected="name a folder")
    path = Path(folder).expanduser().absolute()
    try:
        private.make_folder(path)
    except FileExistsError as error:
        raise InvalidArgument(argument="folder", value=path, expected="it is a file; name a folder") from error
    except OSError as error:
        raise DatabaseReadOnly(path=path, problem=error.strerror or "the folder cannot be made") from error
    return path


def existing(folder: Path | str) -> Path:
    """The database in a folder. Raises ``InvalidArgument`` if there is none."""
    path = Path(folder).expanduser() / DATABASE
    if not path.is_file():
        raise InvalidArgument(
            argument="folder", value=folder, expected=f"it holds no {DATABASE}; name a memory's folder"
        )
    return path


def embedded() -> "Embedder":
    """The embedder that comes with the package."""
    from sandbox.extensions.embedding import WordLlamaEmbedder

    return WordLlamaEmbedder()


@asynccontextmanager
async def language_model(configured: "Model | None") -> "AsyncIterator[LanguageModel | None]":
    """The model that learning asks; None, and rules learn, if none is configured or its extra is missing."""
    if configured is None:
        yield None
        return
    if configured.agent is not None:
        from sandbox.extensions.memory.asking.agent import AgentModel

        chosen = None if configured.name == configured.agent else configured.name
        yield AgentModel(configured.agent, chosen, timeout=configured.timeout)
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
