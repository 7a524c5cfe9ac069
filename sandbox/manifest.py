"""The description of an extension: its ``manifest.yaml``, checked before any of its code runs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from sandbox.errors import InvalidManifest, UnreadableManifest
from sandbox.protocols import ROLES, SchedulerProvider
from sandbox.settings import RESERVED
from sandbox.support.fields import Fields, accepted, each, record, table
from sandbox.support.yaml_files import read_yaml

MANIFEST = "manifest.yaml"

_NAME = re.compile(r"[a-z][a-z0-9_]*")

_id = accepted(
    lambda name: _NAME.fullmatch(name) and name not in RESERVED,
    f"must be of small letters, digits and `_`, begin with a letter, and be none of {', '.join(RESERVED)}",
)
_entrypoint = accepted(
    re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*").fullmatch,
    "must name a module in the folder and a class in it, for example `main:MyExtension`",
)
_role = accepted(ROLES.__contains__, f"is no role; known are: {', '.join(ROLES)}")


@dataclass(frozen=True, slots=True)
class Schedule:
    """A task with its cron: minute, hour, day, month, weekday. ``load`` checks it."""

    task: Annotated[str, Fields.text]
    cron: Annotated[str, Fields.text]


@dataclass(frozen=True, slots=True)
class Manifest:
    """One extension that could be loaded."""

    id: Annotated[str, _id]
    name: Annotated[str, Fields.text]
    folder: Path
    entrypoint: Annotated[str, _entrypoint]  # `module:Class`, the module relative to the folder
    description: Annotated[str, Fields.text] = ""
    provides: Annotated[tuple[str, ...], each(_role)] = ()  # names of ``ROLES``
    depends_on: Annotated[tuple[str, ...], each(Fields.text)] = ()  # ids
    required: Annotated[bool, Fields.flag] = False  # without it, the kernel does not start
    # all settings with their defaults
    config: Annotated[Mapping[str, Any], Fields.mapping] = field(default_factory=dict)
    retired: Annotated[Mapping[str, str], table(Fields.text)] = field(
        default_factory=dict
    )  # what happened to obsolete settings
    schedules: Annotated[tuple[Schedule, ...], each(record(Schedule))] = ()
    secrets: Annotated[tuple[str, ...], each(Fields.text)] = ()  # names of variables, or of entries of the keyring


def read_manifest(file: Path) -> Manifest:
    """The manifest in the file. Raises ``InvalidManifest``, which names file and key."""
    fields = Fields(file, read_yaml(file, UnreadableManifest), InvalidManifest)
    manifest = fields.read(Manifest, name=fields.values.get("id"), folder=file.absolute().parent)
    if len({schedule.task for schedule in manifest.schedules}) < len(manifest.schedules):
        raise fields.refused("schedules", "must name each task once")
    if manifest.schedules and SchedulerProvider.__name__ not in manifest.provides:
        raise fields.refused("schedules", f"needs {SchedulerProvider.__name__} among `provides`")
    return manifest
