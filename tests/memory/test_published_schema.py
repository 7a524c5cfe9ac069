"""Methods and exports return what `memory schema` publishes."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.model import to_plain

SCHEMA = Memory.schema()


def problems(name: str, value: Any) -> list[str]:
    """The errors of a value against the schema of that name."""
    whole = {"$schema": SCHEMA["$schema"], "$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}
    found = jsonschema_rs.validator_for(whole, validate_formats=True).iter_errors(json.loads(json.dumps(value)))
    return [f"{error.instance_path}: {error.message}" for error in found]


@pytest.fixture
async def lived(folder: Path) -> Any:
    """A memory with something of everything."""
    async with Memory.open(folder, embedder=HashEmbedder()) as memory:
        await memory.observe_many(
            [
                Message("user", "I live in Potsdam. My sister Ann works at Initech.", session="a", speaker="Mira"),
                Message("assistant", "Noted.", session="a"),
                Message("user", "Call me Mira. I moved to Berlin last week.", session="a", speaker="Mira"),
            ]
        )
        await memory.end_session("a")
        await memory.consolidate()
        id = await memory.remember("Ann's manager is Bob.", subject="Ann", tags=("work",))
        await memory.correct(id, "Ann's manager is Carol.")
        await memory.forget(await memory.remember("Ann has a cat.", subject="Ann"))
        await memory.confirm(await memory.remember("Ann moved to Bonn in 2022-05.", subject="Ann"))
        await memory.wait_until_embedded()
        await memory.maintain()
        yield memory


async def test_results_of_methods_match_the_published_schema(lived: Memory) -> None:
    hits = await lived.search("Ann")
    given: dict[str, Sequence[Any]] = {
        "Hit": hits,
        "Explanation": [await lived.explain(hit.id) for hit in hits],
        "Record": [(await lived.explain(hit.id)).memory for hit in hits],
        "Block": [await lived.context("Where does Ann live, and who is her manager?")],
        "EntityProfile": [await lived.entity("Ann")],
        "Change": await lived.changes(),
        "UserProfile": [await lived.profile()],
        "Statistics": [await lived.statistics()],
    }
    for name, values in given.items():
        assert values, name
        for value in values:
            assert problems(name, to_plain(value)) == [], name
    assert any(each.claims for each in given["Explanation"])


@pytest.mark.parametrize(
    ("wanted", "name", "fields"),
    [
        ({}, "ExportLine", {"nodes", "vectors", "claims", "entities", "edges"}),
        ({"subject": "Ann"}, "ExportedMemory", {"text", "subject"}),
    ],
)
async def test_each_line_of_an_export_matches_the_published_schema(
    lived: Memory, tmp_path: Path, wanted: dict[str, Any], name: str, fields: set[str]
) -> None:
    await lived.export(tmp_path / "some.jsonl", **wanted)
    lines = [json.loads(line) for line in (tmp_path / "some.jsonl").read_text().splitlines()]
    assert {field for line in lines for field in line} >= fields
    assert [found for line in lines if (found := problems(name, line))] == []


async def test_the_published_schema_refuses_wrong_values(lived: Memory) -> None:
    record = to_plain((await lived.explain((await lived.search("Ann"))[0].id)).memory)
    assert problems("Record", {**record, "colour": "blue"})
    assert problems("Record", {**record, "event_time": "yesterday"})
    assert problems("Record", {**record, "trust": "everybody"})
    assert problems("Record", {name: value for name, value in record.items() if name != "content"})
    assert problems("ExportLine", {"nodes": {"content": 7}})
    assert problems("ExportLine", {"cheese": {}})
