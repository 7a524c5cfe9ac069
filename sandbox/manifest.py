"""What an extension says of itself: its ``manifest.yaml``, checked before any of its code runs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from sandbox.cron import Cron
from sandbox.errors import InvalidManifest, UnreadableManifest
from sandbox.fields import Fields, accepted, read_yaml
from sandbox.protocols import ROLES, SchedulerProvider
from sandbox.settings import RESERVED

MANIFEST = "manifest.yaml"

_name = accepted(
    re.compile(r"[a-z][a-z0-9_]*").fullmatch, "must be of small letters, digits and `_`, and begin with a letter"
)
_entrypoint = accepted(
    re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*").fullmatch,
    "must name a module in the folder and a class in it, for example `main:MyExtension`",
)
_cron = accepted(Cron, "is no cron expression: {error}")


def _id(fields: Fields, key: str) -> str:
    id: str = _name(fields, key)
    if id in RESERVED:
        raise fields.refused(key, f"must not be one of {', '.join(RESERVED)}, which the kernel uses itself")
    return id


def _roles(fields: Fields, key: str) -> tuple[str, ...]:
    roles = fields.texts(key)
    for index, role in enumerate(roles):
        if role not in ROLES:
            raise fields.refused(f"{key}[{index}]", f"is {role!r}, which is no role; known are: {', '.join(ROLES)}")
    return roles


@dataclass(frozen=True, slots=True)
class Schedule:
    """A task, and when it is due: minute, hour, day, month, weekday."""

    task: Annotated[str, Fields.text]
    cron: Annotated[str, _cron]


def _schedules(fields: Fields, key: str) -> tuple[Schedule, ...]:
    schedules: dict[str, Schedule] = {}
    for part in fields.parts(key):
        schedule = part.read(Schedule)
        if schedules.setdefault(schedule.task, schedule) is not schedule:
            raise part.refused("task", "stands there twice; a task has one schedule")
    return tuple(schedules.values())


@dataclass(frozen=True, slots=True)
class Manifest:
    """One extension that could be loaded."""

    id: Annotated[str, _id]
    name: Annotated[str, Fields.text]
    folder: Path
    entrypoint: Annotated[str, _entrypoint]  # `module:Class`, the module relative to the folder
    description: Annotated[str, Fields.text] = ""
    provides: Annotated[tuple[str, ...], _roles] = ()  # names of ``ROLES``
    depends_on: Annotated[tuple[str, ...], Fields.texts] = ()  # ids
    required: Annotated[bool, Fields.flag] = False  # without it, the kernel does not start
    config: Annotated[Mapping[str, Any], Fields.mapping] = field(default_factory=dict)  # every setting, its default
    agent_config: Annotated[Mapping[str, Any], Fields.mapping] = field(default_factory=dict)
    schedules: Annotated[tuple[Schedule, ...], _schedules] = ()
    secrets: Annotated[tuple[str, ...], Fields.texts] = ()  # names of environment variables or entries of the keyring


def read_manifest(file: Path) -> Manifest:
    """The manifest in the file. Raises ``InvalidManifest``, which names the file and the key."""
    fields = Fields(file, read_yaml(file, UnreadableManifest), InvalidManifest)
    manifest = fields.read(Manifest, name=fields.values.get("id"), folder=file.absolute().parent)
    if manifest.schedules and SchedulerProvider.__name__ not in manifest.provides:
        raise fields.refused("schedules", f"needs {SchedulerProvider.__name__} among `provides`")
    return manifest
