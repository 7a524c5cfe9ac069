"""The story of `memory demo`: the files of ``demo_data`` as values. The files explain their keys."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field, TypeAdapter

from sandbox.extensions.memory import Message
from sandbox.extensions.memory.model import CognitiveType
from sandbox.router import reply_key


@dataclass(frozen=True, slots=True)
class Saved:
    """A statement that the assistant saved, with the keys of its source turns."""

    content: str
    type: CognitiveType
    category: str
    subject: str
    source: str
    at: datetime
    saved_from: Annotated[tuple[str, ...], Field(alias="from")]


@dataclass(frozen=True, slots=True)
class Expecting:
    """A prompt, and the keys of the turns that a good memory finds for it."""

    prompt: str
    expects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prompt(Expecting):
    """A prompt that is asked at a time."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Meanwhile(Expecting):
    """A prompt that is asked after so many weeks."""

    week: int


@dataclass(frozen=True, slots=True)
class Correction:
    """A wrong statement, its correction, and the prompt that is asked again."""

    of: int
    to: str
    said: str
    at: datetime
    again: int


@dataclass(frozen=True, slots=True)
class Script:
    """The whole demo; an index names a statement."""

    history: tuple[Message, ...]
    statements: tuple[Saved, ...]
    prompts: tuple[Prompt, ...]
    correction: Correction
    explain: int
    confirm: int
    weeks: int
    meanwhile: tuple[Meanwhile, ...]

    @property
    def keys(self) -> dict[str | None, str]:
        """The history's key of each message, by its stored key, because replies have the key of their message."""
        keys = [message.key or "" for message in self.history]
        before = ["", *keys]
        return {
            (key if message.role == "user" else reply_key(answered)): key
            for message, key, answered in zip(self.history, keys, before, strict=False)
        }

    @classmethod
    def load(cls) -> "Script":
        """The script that comes with the package."""
        lines = map(json.loads, _text("history.jsonl").splitlines())
        history = [{**line, "at": line["timestamp"]} for line in lines]
        return TypeAdapter(cls).validate_python({**yaml.safe_load(_text("script.yaml")), "history": history})


def _text(name: str) -> str:
    return (Path(__file__).with_name("demo_data") / name).read_text(encoding="utf-8")
