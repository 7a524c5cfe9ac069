"""What an extension says of itself: its ``manifest.yaml``, checked before any of its code runs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandbox.cron import Cron
from sandbox.errors import InvalidManifest, UnreadableManifest
from sandbox.fields import Fields, Reader, read_yaml, why
from sandbox.protocols import ROLES, SchedulerProvider

MANIFEST = "manifest.yaml"
RESERVED = ("kernel", "models")  # sections of the settings that are no extension's

_ID = re.compile(r"[a-z][a-z0-9_]*")
_ENTRYPOINT = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Schedule:
    """A task, and when it is due: minute, hour, day, month, weekday."""

    task: str
    cron: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """One extension that could be loaded."""

    id: str
    name: str
    folder: Path
    package: str | None  # importable name of the folder; None where it lies outside of any package
    entrypoint: str  # `module:Class`, the module relative to the folder
    description: str = ""
    provides: tuple[str, ...] = ()  # names of ``ROLES``
    depends_on: tuple[str, ...] = ()  # ids
    required: bool = False  # without it, the kernel does not start
    config: Mapping[str, Any] = field(default_factory=dict)  # every setting it takes, with its default
    agent_config: Mapping[str, Any] = field(default_factory=dict)
    schedules: tuple[Schedule, ...] = ()
    secrets: tuple[str, ...] = ()  # names of environment variables or entries of the keyring


def read_manifest(file: Path, package: str | None = None) -> Manifest:
    """The manifest in the file. Raises ``InvalidManifest``, which names the file and the key."""
    try:
        fields = Fields(file, read_yaml(file), InvalidManifest)
    except (OSError, ValueError) as error:
        raise UnreadableManifest(file=file, problem=why(error)) from error
    found = fields.take(_READERS, needed=("id", "entrypoint"))
    manifest = Manifest(folder=file.absolute().parent, package=package, **{"name": found["id"], **found})
    if manifest.schedules and SchedulerProvider.__name__ not in manifest.provides:
        raise fields.refused("schedules", f"needs {SchedulerProvider.__name__} among `provides`")
    return manifest


def _id(fields: Fields, key: str) -> str:
    id = fields.text(key)
    if not _ID.fullmatch(id):
        raise fields.refused(key, "must be of small letters, digits and `_`, and begin with a letter")
    if id in RESERVED:
        raise fields.refused(key, f"must not be one of {', '.join(RESERVED)}, which the kernel uses itself")
    return id


def _entrypoint(fields: Fields, key: str) -> str:
    entrypoint = fields.text(key)
    if not _ENTRYPOINT.fullmatch(entrypoint):
        raise fields.refused(key, "must name a module in the folder and a class in it, for example `main:MyExtension`")
    return entrypoint


def _roles(fields: Fields, key: str) -> tuple[str, ...]:
    roles = fields.texts(key)
    for index, role in enumerate(roles):
        if role not in ROLES:
            raise fields.refused(f"{key}[{index}]", f"is {role!r}, which is no role; known are: {', '.join(ROLES)}")
    return roles


def _schedules(fields: Fields, key: str) -> tuple[Schedule, ...]:
    readers: Mapping[str, Reader] = {"task": Fields.text, "cron": _cron}
    schedules: dict[str, Schedule] = {}
    for part in fields.parts(key):
        schedule = Schedule(**part.take(readers, needed=tuple(readers)))
        if schedule.task in schedules:
            raise part.refused("task", "stands there twice; a task has one schedule")
        schedules[schedule.task] = schedule
    return tuple(schedules.values())


def _cron(fields: Fields, key: str) -> str:
    cron = fields.text(key)
    try:
        Cron(cron)
    except ValueError as error:
        raise fields.refused(key, f"is no cron expression: {error}") from error
    return cron


_READERS: Mapping[str, Reader] = {
    "id": _id,
    "name": Fields.text,
    "description": Fields.text,
    "entrypoint": _entrypoint,
    "provides": _roles,
    "depends_on": Fields.texts,
    "required": Fields.flag,
    "config": Fields.mapping,
    "agent_config": Fields.mapping,
    "schedules": _schedules,
    "secrets": Fields.texts,
}
