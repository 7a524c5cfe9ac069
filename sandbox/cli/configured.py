"""What a home has set for the memory and for an extension beside it, read before anything heavy is imported."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sandbox.errors import InvalidSettings
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import ConfigurationError
from sandbox.loader import config_of, installed
from sandbox.settings import CONFIG, Settings, read_settings


def configs(home: Path) -> tuple[Settings, dict[str, Mapping[str, Any]]]:
    """The settings of a home, and those of each extension by its id. Raises what ``read_settings`` and ``installed``
    raise.
    """
    settings = read_settings(home / CONFIG)
    return settings, {manifest.id: config_of(manifest, settings) for manifest in installed(settings)}


def config_of_memory(found: Mapping[str, Any], file: Path) -> Config:
    """The settings of the memory. Raises ``InvalidSettings``."""
    try:
        return Config.load(found)
    except ConfigurationError as error:
        key, problem = f"memory.{error.details['key']}", error.details["problem"]
        raise InvalidSettings(file=file, key=key, problem=problem) from error
