"""The JSON Schema of the memory's objects, made of their types, for programs that read exports and answers."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from sandbox.extensions.memory.claims.registry import schema as claim
from sandbox.extensions.memory.ingest.exporting import ExportedMemory, header_schema
from sandbox.extensions.memory.model import Block, Change, EntityProfile, Explanation, Hit, Record
from sandbox.extensions.memory.profile import UserProfile
from sandbox.extensions.memory.reports import Statistics
from sandbox.extensions.memory.store import transfer

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TYPES = (Record, Explanation, Hit, Block, EntityProfile, Change, UserProfile, Statistics, ExportedMemory)


class _Given(GenerateJsonSchema):
    """Objects as they are returned: every field is there, and no other."""

    def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: ARG002 (no field is left out)
        return True

    def dataclass_schema(self, schema: Any) -> dict[str, Any]:
        return {**super().dataclass_schema(schema), "additionalProperties": False}


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of every object, by name in ``$defs``. ``ExportLine`` is a line of `memory export`;
    ``Claim`` is an argument of ``remember``.
    """
    inputs = [(each.__name__, "serialization", TypeAdapter(each).core_schema) for each in _TYPES]
    _, found = _Given(ref_template="#/$defs/{model}").generate_definitions(inputs)  # type: ignore[arg-type]
    objects: dict[str, Any] = {str(name): each for name, each in found.items()}
    objects |= {"Claim": claim(), "ExportLine": _line()}
    return {"$schema": _DIALECT, "title": "Assistant memory", "$defs": dict(sorted(objects.items()))}


def _line() -> dict[str, Any]:
    """A header, then one row of a table by its name."""
    return {
        "oneOf": [_object(header_schema()), *(_object({table: row}) for table, row in transfer.row_schemas().items())]
    }


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
