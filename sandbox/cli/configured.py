"""The settings of a home for each extension, read before anything heavy is imported."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sandbox.loader import config_of, installed
from sandbox.settings import CONFIG, Settings, read_settings


def configs(home: Path) -> tuple[Settings, dict[str, Mapping[str, Any]]]:
    """The settings of a home, and of each extension by its id. Raises like ``read_settings`` and ``installed``."""
    settings = read_settings(home / CONFIG)
    return settings, {manifest.id: config_of(manifest, settings) for manifest in installed(settings)}
