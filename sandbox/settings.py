"""What a person set in ``config.yaml`` of their home: a section for each extension, for the kernel and for models."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandbox.errors import InvalidSettings, UnreadableSettings
from sandbox.fields import Fields, Reader, read_yaml, why

CONFIG = "config.yaml"


@dataclass(frozen=True, slots=True)
class KernelSettings:
    """The section `kernel`."""

    session_idle_minutes: float = 30.0  # without a message, after which a session is over
    context_seconds: float = 2.0  # that a context provider may take
    timezone: str | None = None  # by its IANA name; None: this machine's
    extensions: tuple[Path, ...] = ()  # further folders with extensions
    instructions: str | None = None  # what the assistant is told in place of the default


@dataclass(frozen=True, slots=True)
class Settings:
    """What is set. ``models`` and ``sections``, by the ids of extensions, are as they stand in the file."""

    file: Path
    kernel: KernelSettings = field(default_factory=KernelSettings)
    models: Mapping[str, Any] = field(default_factory=dict)
    sections: Mapping[str, Any] = field(default_factory=dict)


def read_settings(file: Path) -> Settings:
    """The settings in the file, the defaults where there is none. Raises ``UnreadableSettings`` and
    ``InvalidSettings``, which name the file.
    """
    sections = _read(file)
    own = {key: sections.pop(key) for key in _SECTIONS if key in sections}
    return Settings(file, sections=sections, **Fields(file, own, InvalidSettings).take(_SECTIONS))


def _read(file: Path) -> dict[str, Any]:
    try:
        return read_yaml(file)
    except (FileNotFoundError, NotADirectoryError):  # where the home is a file, opening it says more
        return {}
    except (OSError, ValueError) as error:
        raise UnreadableSettings(file=file, problem=why(error)) from error


def _kernel(fields: Fields, key: str) -> KernelSettings:
    return KernelSettings(**fields.part(key).take(_KERNEL))


def _timezone(fields: Fields, key: str) -> str:
    from zoneinfo import ZoneInfo

    name = fields.text(key)
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise fields.refused(key, "names no time zone; one is named like Europe/Berlin") from error
    return name


def _folders(fields: Fields, key: str) -> tuple[Path, ...]:
    folders = []
    for index, name in enumerate(fields.texts(key)):
        folder = fields.file.parent / os.path.expanduser(name)  # noqa: PTH111 (Path.expanduser raises for "~nobody")
        if not folder.is_dir():
            raise fields.refused(f"{key}[{index}]", f"is no folder: {folder}")
        folders.append(folder)
    return tuple(folders)


_KERNEL: Mapping[str, Reader] = {
    "session_idle_minutes": Fields.positive,
    "context_seconds": Fields.positive,
    "timezone": _timezone,
    "extensions": _folders,
    "instructions": Fields.text,
}
_SECTIONS: Mapping[str, Reader] = {"kernel": _kernel, "models": Fields.mapping}
