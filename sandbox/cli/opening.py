"""From a folder to an open memory: its ``config.yaml`` read and checked, its embedding provider made."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from sandbox.extensions.embedding import EmbeddingProvider, create_embedder
from sandbox.extensions.embedding.errors import EmbeddingError
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import ConfigurationError, MemoryExtensionError

CONFIG = "config.yaml"


class UnreadableConfig(MemoryExtensionError):
    """{file} cannot be read: {problem}. It holds settings, one `key: value` a line."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What ``config.yaml`` says: how the memory behaves, and which provider embeds."""

    memory: Config
    embedder: EmbeddingProvider


@asynccontextmanager
async def opened(home: Path) -> AsyncIterator[Memory]:
    """The memory in a folder, made where there is none. Raises what ``Memory.open`` and ``read_settings`` raise."""
    settings = read_settings(home / CONFIG)
    try:
        async with Memory.open(home, config=settings.memory, embedder=settings.embedder) as memory:
            yield memory
    finally:
        await settings.embedder.close()


def read_settings(file: Path) -> Settings:
    """The settings in the file, the defaults where there is none. Raises ``UnreadableConfig`` and
    ``ConfigurationError``, which name the file.
    """
    found = dict(_read(file))
    embedding = found.pop("embedding", None) or {}
    return Settings(Config.load(found, file=str(file)), _embedder(embedding, str(file)))


def _read(file: Path) -> Mapping[str, Any]:
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        if not file.parent.is_dir():  # the folder is a file, or is not there yet: opening the memory says more
            return {}
        raise UnreadableConfig(file=file, problem=error.strerror or "it cannot be opened") from error
    except UnicodeDecodeError as error:
        raise UnreadableConfig(file=file, problem="it is not UTF-8") from error
    except yaml.YAMLError as error:
        raise UnreadableConfig(file=file, problem=f"it is not YAML ({_where(error)})") from error
    if found is not None and not isinstance(found, dict):
        raise UnreadableConfig(file=file, problem=f"it holds {type(found).__name__}, not keys and values")
    return found or {}


def _where(error: yaml.YAMLError) -> str:
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None) or "unreadable"
    return f"line {mark.line + 1}: {problem}" if mark else str(problem)


def _embedder(settings: object, file: str) -> EmbeddingProvider:
    if not isinstance(settings, dict):
        raise ConfigurationError(file=file, key="embedding", problem="must hold keys, for example `provider`")
    try:
        return create_embedder(settings)
    except EmbeddingError as error:
        raise ConfigurationError(file=file, key="embedding", problem=f"is wrong: {str(error).rstrip('.')}") from error
