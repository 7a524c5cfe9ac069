"""The JSON Schema of a claim, for programs and models that make claims."""

from typing import Any

from sandbox.extensions.memory.claim import MODALITIES
from sandbox.extensions.memory.claims.moments import PATTERN
from sandbox.extensions.memory.claims.registry import Predicate, predicates
from sandbox.extensions.memory.text.words import CYRILLIC

PREDICATE = f"[a-z{CYRILLIC}][a-z{CYRILLIC}0-9_]{{0,63}}"
"""The form of a predicate's name, known or not."""


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a claim, with every known predicate."""
    known = [{"const": each.name, "description": _described(each)} for each in predicates().values()]
    free = {
        "type": "string",
        "pattern": f"^{PREDICATE}$",
        "description": "any other; several values at a time, or one if it begins with the_",
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Claim",
        "description": "What a statement says about a person or thing, in a form that can be compared.",
        "type": "object",
        "properties": {
            "subject": {
                "type": "string",
                "description": "the name of the person or thing that it is about; empty: the user",
            },
            "predicate": {"anyOf": [*known, free]},
            "value": {
                "type": "string",
                "description": "as it was said; empty only in a denied claim: no value is true",
            },
            "is_affirmed": {
                "type": "boolean",
                "default": True,
                "description": "false: it is not true, or not any more",
            },
            "modality": {"enum": list(MODALITIES), "default": "fact"},
            "time": {
                "type": ["string", "null"],
                "pattern": f"^{PATTERN}$",
                "description": "when it is true or happens, as told; 2026-03/.. is from then on, ../2026-03 until then",
            },
        },
        "required": ["subject", "predicate", "value"],
        "additionalProperties": False,
    }


def _described(each: Predicate) -> str:
    parts = [f"a value is {each.value}", "several at a time" if each.many else "one at a time"]
    parts += [f"{name} {value}" for name, value in (("inverse", each.inverse), ("opposite", each.opposite)) if value]
    return ", ".join(parts)
