"""The known predicates, from ``predicates.yaml``. An unknown predicate may have several values at a time, unless it is
an attribute: ``the_capital``.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sandbox.extensions.memory.profile import Field

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

ATTRIBUTES = THE, A = "the_", "a_"
"""Beginnings of the names of attributes: of ``the_capital`` its subject has one at a time, of ``a_citizenship`` perhaps
several.
"""

ENTITIES: frozenset[ValueKind] = frozenset({"person", "organization", "place", "project", "tool", "animal"})
"""Kinds of values that are entities with names."""


class Predicate(NamedTuple):
    """One predicate; ``predicates.yaml`` says what each field means."""

    name: str
    value: ValueKind = "text"
    many: bool = True
    inverse: str | None = None
    opposite: str | None = None
    profile: Field | None = None
    core: Core | None = None
    private: bool = False
    lasts: Lasts = "years"
    category: str = "fact"

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
    import yaml  # slow to import; a process that reads an import does not need it

    text = Path(__file__).with_name("predicates.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    rows: Mapping[str, Mapping[str, Any]] = yaml.load(text, loader)
    return {name: Predicate(name, **{"many": False, **row}) for name, row in rows.items()}
