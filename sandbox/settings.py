"""A person's settings in ``config.yaml`` of their home: a section for each extension, for the kernel and for models."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from sandbox.errors import InvalidSettings, UnreadableSettings
from sandbox.support.fields import Fields, accepted, each, record
from sandbox.support.paths import expanded
from sandbox.support.yaml_files import read_yaml

CONFIG = "config.yaml"
RESERVED = ("kernel", "models")  # sections that belong to no extension


def _folder(fields: Fields, key: str) -> Path:
    folder = Path(fields.file).parent / expanded(fields.text(key))
    if not folder.is_dir():
        raise fields.refused(key, f"is no folder: {folder}")
    return folder


def _zone(fields: Fields, key: str) -> ZoneInfo:
    return ZoneInfo(_zone_name(fields, key))


_zone_name = accepted(ZoneInfo, "names no time zone; one is named like Europe/Berlin")


@dataclass(frozen=True, slots=True)
class KernelSettings:
    """The section `kernel`."""

    session_idle_minutes: Annotated[float, Fields.positive] = 30.0  # idle minutes after which a session is over
    context_seconds: Annotated[float, Fields.positive] = 2.0  # limit for a context provider
    timezone: Annotated[ZoneInfo | None, _zone] = None  # its IANA name; None is this machine's
    extensions: Annotated[tuple[Path, ...], each(_folder)] = ()  # further folders with extensions


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings. ``models`` and ``sections``, by the ids of extensions, are unchanged from the file."""

    file: Path
    kernel: Annotated[KernelSettings, record(KernelSettings)] = KernelSettings()
    models: Annotated[Mapping[str, Any], Fields.mapping] = field(default_factory=dict)
    sections: Mapping[str, Any] = field(default_factory=dict)


def read_settings(file: Path) -> Settings:
    """The settings in the file, or the defaults. Raises ``UnreadableSettings`` and ``InvalidSettings``."""
    sections = read_yaml(file, UnreadableSettings)
    own = {key: sections.pop(key, None) for key in RESERVED}
    return Fields(file, own, InvalidSettings).read(Settings, file=file, sections=sections)
