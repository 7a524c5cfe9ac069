"""The story of `memory demo`: the files of ``demo_data`` as values. The files explain their keys."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml

from sandbox.extensions.memory import Message, Statement
from sandbox.router import reply_key


@dataclass(frozen=True, slots=True)
class Saved:
    """A statement that the assistant saved, with the keys of its source turns."""

    statement: Statement
    at: datetime
    saved_from: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, its time, and the keys of the turns that a good memory finds for it."""

    text: str
    at: datetime
    expects: tuple[str, ...]


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
    """The whole demo. ``meanwhile`` has prompts by the week after which they are asked; an index names a statement."""

    history: tuple[Message, ...]
    saved: tuple[Saved, ...]
    prompts: tuple[Prompt, ...]
    correction: Correction
    explain: int
    confirm: int
    weeks: int
    meanwhile: Mapping[int, Prompt]

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
        script = yaml.safe_load(_text("script.yaml"))
        correction = Correction(**{**script["correction"], "at": _time(script["correction"]["at"])})
        return cls(
            history=tuple(_message(json.loads(line)) for line in _text("history.jsonl").splitlines()),
            saved=tuple(_saved(each) for each in script["statements"]),
            prompts=tuple(_prompt(each, _time(each["at"])) for each in script["prompts"]),
            correction=correction,
            explain=script["explain"],
            confirm=script["confirm"],
            weeks=script["weeks"],
            meanwhile={each["week"]: _prompt(each, correction.at) for each in script["meanwhile"]},
        )


def _text(name: str) -> str:
    return (Path(__file__).with_name("demo_data") / name).read_text(encoding="utf-8")


def _time(value: str) -> datetime:
    return datetime.fromisoformat(value)


def _message(line: Mapping[str, Any]) -> Message:
    return Message(
        line["role"], line["content"], line["session"], _time(line["timestamp"]), line["speaker"], line["key"]
    )


def _saved(statement: Mapping[str, Any]) -> Saved:
    at = _time(statement["at"])
    names = ("content", "type", "category", "subject", "source")
    return Saved(Statement(**{name: statement[name] for name in names}, at=at), at, tuple(statement["from"]))


def _prompt(prompt: Mapping[str, Any], at: datetime) -> Prompt:
    return Prompt(prompt["prompt"], at, tuple(prompt["expects"]))
