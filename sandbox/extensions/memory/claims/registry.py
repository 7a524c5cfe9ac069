"""The known predicates, from ``predicates.yaml``, and the JSON Schema of a claim. An unknown predicate may have several
values at a time, unless it is an attribute: ``the_capital``.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sandbox.extensions.memory.claims.moments import PATTERN
from sandbox.extensions.memory.model import MODALITIES
from sandbox.extensions.memory.profile import Field
from sandbox.extensions.memory.text.words import CYRILLIC

ValueKind = Literal[
    "person",
    "organization",
    "place",
    "project",
    "tool",
    "animal",
    "thing",
    "text",
    "date",
    "number",
    "language",
    "pronouns",
]
Lasts = Literal["always", "years", "months", "weeks", "days", "date"]
Core = Literal["user", "project"]

SAID = "said"
"""The predicate of knowledge in a person's own words, without a claim."""

OF_ONE = frozenset(("favourite", "works_with"))
"""Predicates beside which an attribute says what there is one of: the favourite colour, the team lead."""

ATTRIBUTES = THE, A = "the_", "a_"
"""Beginnings of the names of attributes: of ``the_capital`` its subject has one at a time, of ``a_citizenship`` perhaps
several.
"""

PREDICATE = f"[a-z{CYRILLIC}][a-z{CYRILLIC}0-9_]{{0,63}}"
"""The form of a predicate's name, known or not."""

ENTITIES: frozenset[ValueKind] = frozenset({"person", "organization", "place", "project", "tool", "animal"})
"""Kinds of values that are entities with names."""


class Predicate(NamedTuple):
    """One predicate; ``predicates.yaml`` says what each field means."""

    name: str
    value: ValueKind = "text"
    many: bool = True
    one_of: Sequence[str] = ()
    versions: bool = False
    means: str | None = None
    inverse: str | None = None
    opposite: str | None = None
    profile: Field | None = None
    core: Core | None = None
    private: bool = False
    lasts: Lasts = "years"
    category: str = "fact"

    @property
    def rivals(self) -> Collection[str]:
        """The predicates of which a value may exclude one of its values, beside the opposite."""
        every = predicates().items()
        versions = [name for name, each in every if self.versions and each.versions]
        return {self.name, *versions, *(name for name, each in every if each.means == self.name)}

    @property
    def is_state(self) -> bool:
        """Whether it has one value at a time that lasts for years, such as a home or a job."""
        return not self.many and self.lasts == "years"

    @property
    def may_end(self) -> bool:
        """Whether a word of the user may end it. What lasts always does not end, but for a reminder, a diet and a
        marriage.
        """
        return self.lasts != "always" or self.name in ("reminder", "diet", "spouse")


def is_attribute(name: str) -> bool:
    """Whether a predicate is an attribute, which only serves to compare statements."""
    return name.startswith(ATTRIBUTES)


def predicate(name: str) -> Predicate:
    """A predicate by name; an unknown one has text as values, and may have several, unless it is an attribute."""
    return predicates().get(name) or Predicate(name, many=not is_attribute(name))


@cache
def predicates() -> Mapping[str, Predicate]:
    """Every known predicate, by name."""
    from sandbox.support.yaml_files import read_packaged  # slow to import, and seldom needed

    rows: Mapping[str, Mapping[str, Any]] = read_packaged(Path(__file__).with_name("predicates.yaml"))
    return {name: Predicate(name, **{"many": False, **row}) for name, row in rows.items()}


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
