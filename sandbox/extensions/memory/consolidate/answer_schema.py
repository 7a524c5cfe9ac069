"""The schema of a model's answer about some turns. It tolerates harmless errors. Pure."""

import re
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, model_validator

from sandbox.extensions.memory.consolidate.extraction import EntityType

LearntType = Literal["semantic", "procedural", "opinion"]
Basis = Literal["stated", "inferred"]


def one_of(kind: Any, otherwise: str) -> BeforeValidator:
    """Reads an unknown choice as the default, because one wrong word is no reason to ask again."""
    return BeforeValidator(lambda value: value if value in get_args(kind) else otherwise)


def _numbers(value: Any) -> list[int]:
    """The whole numbers in `[3]`, `3`, `"3"` or `"[3]"`."""
    return [int(found) for found in re.findall(r"\d{1,6}", str(value))]


def _place(value: Any) -> int | None:
    """The first whole number in it; None if there is none."""
    return next(iter(_numbers(value)), None)


def _claims(value: Any) -> list[Any]:
    found = value if isinstance(value, list) else []
    return [each for each in found if isinstance(each, list) and 3 <= len(each) <= 5 and all(map(_is_text, each))]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


class _Lenient(BaseModel):
    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: Any) -> Any:
        """Treat null as left out."""
        return {key: each for key, each in value.items() if each is not None} if isinstance(value, dict) else value


class NamedEntity(_Lenient):
    """An entity under its fullest name, with its other names."""

    name: str
    type: Annotated[EntityType, one_of(EntityType, "concept")] = "concept"
    aliases: list[str] = []


class Item(_Lenient):
    """One thing to know. ``turns`` are the numbers of its source turns. ``event_date`` and ``end_date`` are ISO 8601.
    ``because`` is the number of the item that is its reason. ``changes`` and ``corrects`` are labels of known memories
    (`K1`). Each of ``claims`` is subject, predicate, value, and perhaps modality and time.
    """

    turns: Annotated[list[int], BeforeValidator(_numbers)]
    content: str
    type: Annotated[LearntType, one_of(LearntType, "semantic")] = "semantic"
    category: str = "fact"
    subject: str | None = None
    event_date: str | None = None
    end_date: str | None = None
    basis: Annotated[Basis, one_of(Basis, "inferred")] = "inferred"
    because: Annotated[int | None, BeforeValidator(_place)] = None
    claims: Annotated[list[list[str]], BeforeValidator(_claims)] = []
    changes: list[str] = []
    corrects: list[str] = []


class Learnt(_Lenient):
    """The answer: a summary of the conversation, what is worth knowing, and the entities in it."""

    summary: str = ""
    items: list[Item]
    entities: list[NamedEntity] = []
