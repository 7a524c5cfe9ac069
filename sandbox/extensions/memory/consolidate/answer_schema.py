"""The schema of a model's answer about some turns. It tolerates harmless errors. Pure."""

import re
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, model_validator

from sandbox.extensions.memory.consolidate.extraction import EntityType

LearntType = Literal["semantic", "procedural", "opinion"]
Basis = Literal["stated", "inferred"]
Kind = Literal["state", "event"]


def _one_of(kind: Any, otherwise: str) -> BeforeValidator:
    """Reads what is none of the choices as a default: a word out of place is no reason to ask again."""
    return BeforeValidator(lambda value: value if value in get_args(kind) else otherwise)


def _numbers(value: Any) -> list[int]:
    """The whole numbers in `[3]`, `3`, `"3"` or `"[3]"` alike."""
    return [int(found) for found in re.findall(r"\d{1,6}", str(value))]


def _grade(value: Any) -> int:
    """A number of 1 to 5; 3 where it is none."""
    return min(5, max(1, round(value))) if isinstance(value, int | float) and value == value else 3


def _place(value: Any) -> int | None:
    """The first whole number in it, if there is one."""
    return next(iter(_numbers(value)), None)


def _pairs(value: Any) -> list[Any]:
    """Those of some values that are two texts."""
    found = value if isinstance(value, list) else []
    return [each for each in found if isinstance(each, list) and len(each) == 2 and all(map(_is_text, each))]


def _claims(value: Any) -> list[Any]:
    """Those of some values that are three to five texts."""
    found = value if isinstance(value, list) else []
    return [each for each in found if isinstance(each, list) and 3 <= len(each) <= 5 and all(map(_is_text, each))]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


class _Lenient(BaseModel):
    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: Any) -> Any:
        """What is null counts as left out."""
        return {key: each for key, each in value.items() if each is not None} if isinstance(value, dict) else value


class Named(_Lenient):
    """A named thing under its fullest name, with what else it is called."""

    name: str
    type: Annotated[EntityType, _one_of(EntityType, "concept")] = "concept"
    aliases: list[str] = []


class Item(_Lenient):
    """One thing to know. ``turns`` are the numbers of those it rests on; ``event_date`` and ``end_date`` are ISO 8601,
    ``because`` is the number of the item that is its reason, ``changes`` and ``corrects`` are labels of what is known
    (`K1`). ``claims`` are each subject, predicate, value, and
    perhaps modality and time.
    """

    turns: Annotated[list[int], BeforeValidator(_numbers)]
    content: str
    type: Annotated[LearntType, _one_of(LearntType, "semantic")] = "semantic"
    category: str = "fact"
    subject: str | None = None
    importance: Annotated[int, BeforeValidator(_grade)] = 3
    event_date: str | None = None
    kind: Annotated[Kind, _one_of(Kind, "state")] = "state"
    end_date: str | None = None
    basis: Annotated[Basis, _one_of(Basis, "inferred")] = "inferred"
    because: Annotated[int | None, BeforeValidator(_place)] = None
    claims: Annotated[list[list[str]], BeforeValidator(_claims)] = []
    changes: list[str] = []
    corrects: list[str] = []


class Learnt(_Lenient):
    """The answer: what the conversation was about, what is worth knowing, who and what is named in that, and which
    names are said to be two.
    """

    summary: str = ""
    items: list[Item]
    entities: list[Named] = []
    distinct: Annotated[list[tuple[str, str]], BeforeValidator(_pairs)] = []
