"""The model of each agent, from `models` in ``config.yaml``: a Chat Completions server, or a local coding agent."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sandbox.errors import InvalidSettings
from sandbox.support import keys
from sandbox.support.fields import Fields, Reader
from sandbox.support.openai_server import (
    OPENAI_KEY,
    OPENAI_URL,
    Model,
    agent_name,
    is_openai,
    server_address,
    variable_name,
)

AGENT = "orchestrator"  # the agent that people talk to
DEFAULT = "default"
_VARIABLES = {"MEMORY_MODEL": "model", "MEMORY_MODEL_URL": "base_url"}


_OF_SERVERS: Mapping[str, Reader] = {
    "api_key_env": variable_name,
    "base_url": server_address,
    "max_retries": Fields.whole,
    "temperature": Fields.amount,
    "max_tokens": Fields.count,
}
_READERS: Mapping[str, Reader] = {
    "model": Fields.text,
    "agent": agent_name,
    "timeout": Fields.positive,
    **_OF_SERVERS,
}
_AGENTS_TIMEOUT = 300.0  # seconds; its program starts, and its model thinks


class ModelRouter:
    """From the id of an agent to its model. It raises nothing; ``problems`` lists what is wrong.

    ``settings`` holds an entry for each agent, whose keys override those of the entry `default`. Without any entry,
    ``MEMORY_MODEL`` and ``MEMORY_MODEL_URL`` of the environment set the default model. Keys are looked up when a model
    is requested, and not kept elsewhere.
    """

    def __init__(self, settings: Mapping[str, Any], file: str, environment: Mapping[str, str] = os.environ) -> None:
        if not settings:
            entry = {key: value for name, key in _VARIABLES.items() if (value := environment.get(name, "").strip())}
            settings, file = {DEFAULT: entry} if entry else {}, " and ".join(_VARIABLES)
        self._entries = Fields(Path(file), settings, InvalidSettings, "models.")
        self._environment = environment

    def model(self, agent_id: str) -> Model | None:
        """The agent's model; None if none is configured, or its settings are wrong."""
        found = self._look_up(agent_id if agent_id in self._entries.values else DEFAULT)
        return found if isinstance(found, Model) else None

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems of the settings, one sentence each, with file and key."""
        found = [self._look_up(name) for name in dict.fromkeys([DEFAULT, *self._entries.values])]
        return tuple(dict.fromkeys(str(each) for each in found if isinstance(each, InvalidSettings)))

    def _look_up(self, name: str) -> Model | InvalidSettings | None:
        try:
            return self._make(name)
        except InvalidSettings as error:
            return error

    def _make(self, name: str) -> Model | None:
        default, own = self._read(DEFAULT), self._read(name)
        if own.get("agent"):
            return self._of_agent(name, own)
        if default.get("agent"):
            default = {}  # a server has nothing from a coding agent
        if own.get("base_url", default.get("base_url")) != default.get("base_url"):
            default.pop("api_key_env", None)  # a key belongs to one server
        merged = {key: value for key, value in {**default, **own}.items() if value is not None}
        if not merged:
            return None
        part = Fields(self._entries.file, merged, InvalidSettings, f"models.{name}.")
        if "model" not in merged:
            raise part.refused("model", "is missing")
        is_needed = is_openai(merged.get("base_url", OPENAI_URL))  # other servers get a key only if it is named
        variable = merged.pop("api_key_env", OPENAI_KEY if is_needed else None)
        return Model(name=merged.pop("model"), api_key=variable and self._api_key(part, variable), **merged)

    def _of_agent(self, name: str, entry: Mapping[str, Any]) -> Model:
        if wrong := next((key for key in entry if key in _OF_SERVERS), None):
            part = Fields(self._entries.file, entry, InvalidSettings, f"models.{name}.")
            raise part.refused(wrong, "is for a server, and `agent` names a program")
        timeout = entry.get("timeout") or _AGENTS_TIMEOUT
        return Model(name=entry.get("model") or entry["agent"], agent=entry["agent"], timeout=timeout)

    def _read(self, name: str) -> dict[str, Any]:
        """The checked entry; a key that is set to null stays, to override another."""
        if self._entries.values.get(name) is None:
            return {}
        part = self._entries.part(name)
        return {**dict.fromkeys(part.values), **part.take(_READERS)}

    def _api_key(self, part: Fields, variable: str) -> str:
        key = keys.find(variable, self._environment)
        if key is None:
            # another name may be a key that was put there by mistake
            wanted = variable if variable == OPENAI_KEY else "it"
            problem = f"leads to no key: neither the environment nor the system keyring holds {wanted}"
            raise part.refused("api_key_env", problem)
        if not (key.isascii() and key.isprintable()):
            raise part.refused(
                "api_key_env", "leads to a key that is not printable ASCII alone, as keys are; copy it anew"
            )
        return key
