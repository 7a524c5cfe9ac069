"""Checks of a person's settings for a server."""

import os
from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from sandbox.extensions.embedding.errors import InvalidSetting, MissingKey
from sandbox.support.fields import Fields
from sandbox.support.openai_server import OPENAI_KEY, server_address, variable_name

_READERS = {
    "model": Fields.text,
    "dimensions": Fields.count,
    "base_url": server_address,
    "api_key_env": variable_name,
    "timeout": Fields.positive,
    "batch_size": Fields.count,
}


def read(given: Mapping[str, object]) -> dict[str, Any]:
    """The checked values; None counts as absent. Raises ``InvalidSetting``."""
    return Fields("", given, InvalidSetting).take(_READERS)


def check_keys(given: Mapping[str, object], of: Callable[..., object], what: str) -> None:
    """Raise ``InvalidSetting`` for a key that is no parameter ``of`` a provider, and for a missing one."""
    fields, parameters = Fields("", given, InvalidSetting), signature(of).parameters
    for key in given:
        if key not in parameters:
            raise fields.refused(key, f"is no setting of {what}; its settings are: {', '.join(parameters)}")
    for key, parameter in parameters.items():
        if parameter.default is parameter.empty and key not in given:
            raise fields.refused(key, f"is missing; {what} needs it")


def api_key(variable: str | None, *, is_needed: bool) -> str | None:
    """The API key in the environment variable; if none is named but a key is needed, in ``OPENAI_API_KEY``. Raises
    ``MissingKey`` if it is not set, and ``InvalidSetting`` if it holds no key.
    """
    if variable is None and not is_needed:
        return None
    key = os.environ.get(variable or OPENAI_KEY, "").strip()
    if not key:
        raise MissingKey(variable=OPENAI_KEY if variable is None else "that `api_key_env` names")
    if not (key.isascii() and key.isprintable()):
        raise InvalidSetting(
            key="api_key_env", problem="leads to a key that is not printable ASCII alone, as keys are; copy it anew"
        )
    return key
