"""Checks of what a person configured; an error names the key, not the value, which may be a secret."""

import math
import os
import re

from sandbox.extensions.embedding.errors import InvalidSetting, MissingKey
from sandbox.support.openai_server import OPENAI_KEY, is_address


def name(key: str, value: object) -> str:
    """The value, if it is a text with something in it."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidSetting(key=key, expected="a text")
    return value


def count(key: str, value: object) -> int:
    """The value, if it is a whole number above 0."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidSetting(key=key, expected="a whole number above 0")
    return value


def seconds(key: str, value: object) -> float:
    """The value, if it is a finite number above 0."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < math.inf:
        raise InvalidSetting(key=key, expected="a number of seconds above 0")
    return float(value)


def url(key: str, value: object) -> str:
    """The value, if it is an address of http or https."""
    text = name(key, value)
    if not is_address(text):
        raise InvalidSetting(key=key, expected="an address like http://127.0.0.1:8080/v1")
    return text


def api_key(variable: object, *, is_needed: bool) -> str | None:
    """The API key in the environment variable, or in ``OPENAI_API_KEY`` where none is named but one is needed.

    Raises:
        InvalidSetting: that is no name of a variable (perhaps it is a key), or no key is in it.
        MissingKey: the variable is not set.
    """
    if variable is None and not is_needed:
        return None
    named = OPENAI_KEY if variable is None else variable
    if not isinstance(named, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", named):
        raise InvalidSetting(key="api_key_env", expected="the name of an environment variable, not the key itself")
    key = os.environ.get(named, "").strip()
    if not key:
        raise MissingKey(variable=OPENAI_KEY if variable is None else "that `api_key_env` names")
    if not (key.isascii() and key.isprintable()):
        raise InvalidSetting(key="api_key_env", expected="a variable that holds a key of printable ASCII characters")
    return key
