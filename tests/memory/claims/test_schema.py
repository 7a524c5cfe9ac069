"""The published schema of claims: the memory stores what it allows and refuses what it forbids."""

import json
import re
from typing import Any

import pytest

from sandbox.extensions.memory import Claim, Memory
from sandbox.extensions.memory.claims import predicates
from sandbox.extensions.memory.claims.registry import schema
from sandbox.extensions.memory.errors import InvalidArgument

TIMES = {
    "2026": True,
    "2026-03": True,
    "2026-03-02": True,
    "2026-03-02T18:20": True,
    "--05-12": True,
    "--02-29": True,
    "2026-03/..": True,
    "../2026-03-02": True,
    "": False,
    "..": False,
    "../..": False,
    "26-03": False,
    "2026-03/2026-04": False,
    "tomorrow": False,
}


def properties() -> dict[str, Any]:
    """The properties in the schema."""
    found: dict[str, Any] = json.loads(json.dumps(schema()))["properties"]
    return found


async def test_every_predicate_is_published_and_stored(memory: Memory) -> None:
    *known, free = properties()["predicate"]["anyOf"]
    assert [each["const"] for each in known] == list(predicates())
    assert all(re.match(free["pattern"], each["const"]) for each in known)
    await memory.remember("Ann is somebody.", claims=[Claim("Ann", each["const"], "x") for each in known[:20]])


@pytest.mark.parametrize(("time", "is_one"), TIMES.items())
async def test_times_are_checked(memory: Memory, time: str, is_one: bool) -> None:
    assert bool(re.match(properties()["time"]["pattern"], time)) == is_one
    claims = [Claim("Ann", "home", "Rome", time=time)]
    if is_one:
        assert await memory.remember("Ann lives in Rome.", claims=claims)
    else:
        with pytest.raises(InvalidArgument):
            await memory.remember("Ann lives in Rome.", claims=claims)


def test_the_schema_has_the_fields_of_a_claim() -> None:
    assert set(properties()) == set(Claim.__dataclass_fields__)
    made = Claim("Ann", "home", "Rome")
    assert schema()["required"] == ["subject", "predicate", "value"]
    assert (made.is_affirmed, made.modality) == (
        properties()["is_affirmed"]["default"],
        properties()["modality"]["default"],
    )
