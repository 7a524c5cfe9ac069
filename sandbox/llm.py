"""Which model an agent talks to, from the section `models` of ``config.yaml``: one that speaks Chat Completions."""

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sandbox.errors import InvalidSettings
from sandbox.fields import Fields, Reader

DEFAULT = "default"
OPENAI_URL = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"
KEYRING_SERVICE = "assistant-memory"
_VARIABLES = {"MEMORY_MODEL": "model", "MEMORY_MODEL_URL": "base_url"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One model at one server. ``timeout`` is in seconds: how long the server may be silent."""

    name: str
    base_url: str = field(default=OPENAI_URL, repr=False)  # may hold a password
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    max_retries: int = 2
    temperature: float | None = None
    max_tokens: int | None = None

    @property
    def place(self) -> str:
        """Host and port: what may be shown of the address, since the rest may hold a password or a key."""
        return _host(self.base_url)


class ModelRouter:
    """From the id of an agent to its model. Nothing here raises: what is wrong is listed in ``problems``.

    ``settings`` holds an entry for each agent; its keys override those of the entry `default`. Where there is no entry
    at all, ``MEMORY_MODEL`` and ``MEMORY_MODEL_URL`` of the environment name the default model. Keys are read from the
    environment, else from the system keyring, when a model is first asked for, and kept nowhere else.
    """

    def __init__(self, settings: Mapping[str, Any], file: str, environment: Mapping[str, str] = os.environ) -> None:
        if not settings:
            settings, file = _of_environment(environment), " and ".join(_VARIABLES)
        self._entries = Fields(Path(file), settings, InvalidSettings, "models.")
        self._environment = environment
        self._found: dict[str, Model | InvalidSettings | None] = {}

    def model(self, agent_id: str) -> Model | None:
        """The agent's model; None where none is configured, or what is configured cannot be used."""
        found = self._look_up(agent_id if agent_id in self._entries.values else DEFAULT)
        return found if isinstance(found, Model) else None

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with what is configured, a sentence each, with file and key."""
        found = [self._look_up(name) for name in dict.fromkeys([DEFAULT, *self._entries.values])]
        return tuple(dict.fromkeys(str(each) for each in found if isinstance(each, InvalidSettings)))

    def _look_up(self, name: str) -> Model | InvalidSettings | None:
        if name not in self._found:
            try:
                self._found[name] = self._make(name)
            except InvalidSettings as error:
                self._found[name] = error
        return self._found[name]

    def _make(self, name: str) -> Model | None:
        default, own = self._read(DEFAULT), self._read(name)
        if own.get("base_url", default.get("base_url")) != default.get("base_url"):
            default = {key: value for key, value in default.items() if key not in _KEYS}  # a key is for one server
        merged = {key: value for key, value in {**default, **own}.items() if value is not None}
        if not merged:
            return None
        part = Fields(self._entries.file, merged, InvalidSettings, f"models.{name}.")
        if "model" not in merged:
            raise part.refused("model", "is missing")
        key = self._api_key(part)
        options = {key: value for key, value in merged.items() if key not in (*_KEYS, "model")}
        return Model(name=merged["model"], api_key=key, **options)

    def _read(self, name: str) -> dict[str, Any]:
        """The entry, checked; a key that is set to null stays, to override another."""
        if self._entries.values.get(name) is None:
            return {}
        part = self._entries.part(name)
        return {**dict.fromkeys(part.values), **part.take(_READERS)}

    def _api_key(self, part: Fields) -> str | None:
        """OpenAI needs a key; another server is sent one only where it is named."""
        named: str | None = part.values.get("api_key_env")
        variable = named or (OPENAI_KEY if is_openai(part.values.get("base_url", OPENAI_URL)) else None)
        entry = part.values.get("keyring") or ((KEYRING_SERVICE, variable) if variable else None)
        if entry is None:
            return None
        key = self._environment.get(variable or "", "").strip() or _of_keyring(*entry)
        if not key:
            wanted = OPENAI_KEY if variable == OPENAI_KEY else "it"
            problem = f"leads to no key: neither the environment nor the system keyring holds {wanted}"
            raise part.refused("api_key_env" if variable else "keyring", problem)
        if not (key.isascii() and key.isprintable()):
            raise part.refused("api_key_env", "must lead to a key of printable ASCII characters")
        return key


def is_openai(address: str) -> bool:
    """Whether it is OpenAI's own, which needs a key."""
    return _host(address) == _host(OPENAI_URL)


def _host(address: str) -> str:
    return urlsplit(address).netloc.rpartition("@")[2].lower()


def _of_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    entry = {key: value for name, key in _VARIABLES.items() if (value := environment.get(name, "").strip())}
    return {DEFAULT: entry} if entry else {}


def _of_keyring(service: str, user: str) -> str | None:
    """What the system keyring holds; None where there is no keyring, it is locked, or the package is missing."""
    try:
        import keyring

        return (keyring.get_password(service, user) or "").strip()
    except Exception:
        return None


# --- readers of keys --------------------------------------------------------------------------------------------------


def _url(fields: Fields, key: str) -> str:
    text = fields.text(key)
    try:
        parts = urlsplit(text)
        is_valid = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        is_valid = False
    if not is_valid:
        raise fields.refused(key, "must be an address like http://127.0.0.1:11434/v1")
    return text


def _variable(fields: Fields, key: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name := fields.text(key)):
        raise fields.refused(key, "must be the name of an environment variable, not the key itself")
    return name


def _keyring_entry(fields: Fields, key: str) -> tuple[str, str]:
    service, _, user = fields.text(key).partition("/")
    if not (service and user):
        raise fields.refused(key, f"must be a service and a user, like {KEYRING_SERVICE}/openai")
    return service, user


def _number(kind: type[int] | type[float], least: float, what: str) -> Reader:
    def read(fields: Fields, key: str) -> float:
        value = fields.values[key]
        if isinstance(value, bool) or not isinstance(value, (int, kind)) or not least <= value < math.inf:
            raise fields.refused(key, f"must be {what}")
        return kind(value)

    return read


_KEYS = ("api_key_env", "keyring")
_READERS: Mapping[str, Reader] = {
    "model": Fields.text,
    "base_url": _url,
    "api_key_env": _variable,
    "keyring": _keyring_entry,
    "timeout": Fields.positive,
    "max_retries": _number(int, 0, "a whole number, 0 or more"),
    "temperature": _number(float, 0, "a number, 0 or more"),
    "max_tokens": _number(int, 1, "a whole number above 0"),
}
