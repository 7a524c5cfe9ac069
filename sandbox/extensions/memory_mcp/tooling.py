"""The parts of a profile: its tools, prompts and instructions, and the schemas of its tools.

Nothing here imports the protocol or the memory, so that a list of tools can be sent before either is loaded.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ValidationError

from sandbox.extensions.memory.interfaces.tooling import Call, Refusal, Tool


async def _nothing(_: Call, __: Mapping[str, str]) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text for a person or a client: ``text``, or what ``run`` makes of optional arguments."""

    name: str
    description: str
    text: str = ""
    run: Callable[[Call, Mapping[str, str]], Awaitable[str]] = _nothing
    arguments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Profile:
    """One set of tools, and the instructions on when to use them."""

    name: str
    guidance: str
    tools: Sequence[Tool]
    names: Mapping[str, str]  # of the tools that refusals mention
    prompts: Sequence[Prompt] = ()


# --- schemas ----------------------------------------------------------------------------------------------------------


def schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a model, without references and titles; an optional value is left out rather than null."""
    whole = model.model_json_schema()
    return _flat(whole, whole.pop("$defs", {}))  # type: ignore[no-any-return]


def _flat(part: Any, known: Mapping[str, Any]) -> Any:
    if isinstance(part, list):
        return [_flat(each, known) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _flat(
            {**known[part["$ref"].rpartition("/")[2]], **{k: v for k, v in part.items() if k != "$ref"}}, known
        )
    if "anyOf" in part and (kinds := [kind for kind in part["anyOf"] if kind != {"type": "null"}]) != part["anyOf"]:
        rest = {key: value for key, value in part.items() if key not in ("anyOf", "default")}
        return _flat({**(kinds[0] if len(kinds) == 1 else {"anyOf": kinds}), **rest}, known)
    return {key: _flat(value, known) for key, value in part.items() if not (key == "title" and isinstance(value, str))}


class InvalidRequest(Refusal):
    """The arguments are not as the tool describes them."""


def parsed(tool: Tool, arguments: Mapping[str, Any] | None) -> BaseModel:
    """The checked arguments. Raises ``InvalidRequest``, which names each wrong one and shows no content."""
    try:
        return tool.parameters.model_validate(_meant(tool, arguments or {}))
    except ValidationError as error:
        known = ", ".join(f"`{name}`" for name in schema(tool.parameters).get("properties", {})) or "none"
        wrong = "; ".join(_described(each) for each in error.errors(include_url=False, include_input=False))
        raise InvalidRequest(f"{wrong}.", f"Call {tool.name} again; its parameters are: {known}.") from None


def _meant(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as some clients mean them: null for nothing, and a text of JSON for a list or an object."""
    meant = {name: value for name, value in arguments.items() if value is not None}
    texts = {name: value for name, value in meant.items() if isinstance(value, str) and value.startswith(("[", "{"))}
    taken = schema(tool.parameters)["properties"] if texts else {}
    for name, text in texts.items():
        if taken.get(name, {}).get("type") in ("array", "object"):
            with suppress(ValueError, RecursionError):
                meant[name] = json.loads(text)
    return meant


def _described(error: Any) -> str:
    place = ".".join(map(str, error["loc"])) or "the arguments"
    what = {"missing": "is missing", "extra_forbidden": "is no parameter"}.get(error["type"])
    return f"`{place}` {what or 'is wrong: ' + error['msg'][:1].lower() + error['msg'][1:]}"
