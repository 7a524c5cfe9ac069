"""The schema of a model's answer about some turns. It tolerates harmless errors. Pure."""

import re
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, WithJsonSchema, model_validator

LearntType = Literal["semantic", "procedural", "opinion"]
Basis = Literal["stated", "inferred"]

_TEXT = WithJsonSchema({"type": "string"})  # the prompt names the choices, and any other is read as the default


def one_of(kind: Any, otherwise: str) -> BeforeValidator:
    """Reads an unknown choice as the default, because one wrong word is no reason to ask again."""
    return BeforeValidator(lambda value: value if value in get_args(kind) else otherwise)


def _numbers(value: Any) -> list[int]:
    """The whole numbers in `[3]`, `3`, `"3"` or `"[3]"`."""
    return [int(found) for found in re.findall(r"\d{1,6}", str(value))]


def _place(value: Any) -> int | None:
    """The first whole number in it; None if there is none."""
    return next(iter(_numbers(value)), None)


def _claims(value: Any) -> list[list[str]]:
    return [row for row in _rows(value) if 3 <= len(row) <= 5]


def _entities(value: Any) -> list[list[str]]:
    found = value if isinstance(value, list) else []
    return _rows([_row(each) if isinstance(each, dict) else each for each in found])


def _row(entity: dict[str, Any]) -> list[Any]:
    """The list for an entity that is given as an object."""
    names = entity.get("aliases")
    return [entity.get("name"), entity.get("type") or "", *(names if isinstance(names, list) else [])]


def _rows(value: Any) -> list[list[str]]:
    """The lists of texts in a list."""
    found = value if isinstance(value, list) else []
    return [row for row in found if isinstance(row, list) and row and all(isinstance(each, str) for each in row)]


class _Lenient(BaseModel):
    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: Any) -> Any:
        """Treat null as left out."""
        return {key: each for key, each in value.items() if each is not None} if isinstance(value, dict) else value


class Item(_Lenient):
    """One thing to know. ``turns`` are the numbers of its source turns. ``event_date`` and ``end_date`` are ISO 8601.
    ``because`` is the number of the item that is its reason. ``changes`` and ``corrects`` are labels of known memories
    (`K1`). Each of ``claims`` is subject, predicate, value, and perhaps modality and time.
    """

    turns: Annotated[list[int], BeforeValidator(_numbers)]
    content: str
    type: Annotated[LearntType, one_of(LearntType, "semantic"), _TEXT] = "semantic"
    category: str = "fact"
    subject: str | None = None
    event_date: str | None = None
    end_date: str | None = None
    basis: Annotated[Basis, one_of(Basis, "inferred"), _TEXT] = "inferred"
    because: Annotated[int | None, BeforeValidator(_place)] = None
    claims: Annotated[list[list[str]], BeforeValidator(_claims)] = []
    changes: list[str] = []
    corrects: list[str] = []


class Learnt(_Lenient):
    """The answer: a summary of the conversation, what is worth knowing, and the entities in it, each as its fullest
    name, its type and its other names.
    """

    summary: str = ""
    items: list[Item]
    entities: Annotated[list[list[str]], BeforeValidator(_entities)] = []
