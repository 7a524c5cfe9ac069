"""Memories that other programs saved: a statement on a line, mem0, the MCP memory server, ChatGPT."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.model import Statement
from sandbox.extensions.memory.reports import BrokenRecord
from tests.memory.importers.reading import broken_between, every, some
from tests.memory.importers.test_import_chatgpt import conversation, message


def memory(**fields: object) -> dict[str, Any]:
    given = {"id": "m-1", "scope": "user", "text": "Prefers rye bread", "tags": ["preference"]}
    return {**given, "ts": "2026-02-26T12:00:00Z", **fields}


def test_a_memory_is_read(jsonl_file: Callable[..., Path]) -> None:
    (statement,) = every(jsonl_file(memory(tags=["preference", "food"])), Statement)
    assert statement == Statement(
        "Prefers rye bread",
        category="preference",
        tags=("preference", "food"),
        at=datetime(2026, 2, 26, 12, tzinfo=UTC),
        source="explicit",
        key=statement.key,
    )


@pytest.mark.parametrize(
    ("tags", "category"),
    [
        (["instruction"], "instruction"),
        (["convention", "person"], "convention"),
        (["infra", "preference"], "fact"),
        ([], "fact"),
        (None, "fact"),
    ],
)
def test_the_first_tag_may_be_a_category(tags: object, category: str, jsonl_file: Callable[..., Path]) -> None:
    assert [statement.category for statement in every(jsonl_file(memory(tags=tags)), Statement)] == [category]


def test_memories_without_an_id_get_keys(jsonl_file: Callable[..., Path]) -> None:
    path = jsonl_file(memory(), memory(id=None), memory(id=None), memory(id=None, text="Bakes on Fridays"))
    assert len({statement.key for statement in every(path, Statement)}) == 4
    assert list(read(path)) == list(read(path))


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (memory(text=" "), "has no text"),
        (memory(text=None), "has no text"),
        (memory(text=["Prefers rye"]), "its text is not text"),
        (memory(tags="preference"), "its tags are not a list of texts"),
        (memory(tags=[1]), "its tags are not a list of texts"),
        (memory(ts="today"), "its ts is not a time like 2026-03-02 or 2026-03-02T18:30"),
        (memory(id={}), "its id is not text"),
    ],
)
def test_a_broken_memory_leaves_the_others(broken: object, problem: str, jsonl_file: Callable[..., Path]) -> None:
    assert broken_between(jsonl_file(memory(), broken, memory(id="m-3"))) == BrokenRecord("line 2", problem)


MEM0 = {
    "id": "892db2ae-06d9-49e5-8b3e-585ef9b85b8e",
    "memory": "Name is Ines",
    "hash": "f1e2",
    "metadata": None,
    "score": None,
    "categories": ["personal_details"],
    "created_at": "2024-07-20T01:30:36.275141-07:00",
    "updated_at": None,
    "user_id": "ines",
}


@pytest.mark.parametrize("layout", [{"results": [MEM0]}, [MEM0], {"count": 1, "next": None, "results": [MEM0]}])
def test_an_export_of_mem0_is_read(layout: object, json_file: Callable[..., Path]) -> None:
    path = json_file(layout)
    (told,) = every(path, Statement)
    assert read(path).format == "mem0 memories"
    assert (told.content, told.tags) == ("Name is Ines", ("personal_details",))
    assert told.at == datetime(2024, 7, 20, 8, 30, 36, 275_141, tzinfo=UTC)


def test_the_memories_of_a_second_user_in_an_export_of_mem0_are_left_out_and_named(
    json_file: Callable[..., Path],
) -> None:
    """An import is for one user, who must not read what another one said."""
    others = [{**MEM0, "id": name, "memory": f"Name is {name}", "user_id": name} for name in ("olga", "ines")]
    path = json_file({"results": [MEM0, *others, {"id": "1", "memory": "Likes rye"}]})
    assert [told.content for told in some(path, Statement)] == ["Name is Ines", "Name is ines", "Likes rye"]
    (left,) = some(path, BrokenRecord)
    assert "is of another user than those before" in left.problem


@pytest.mark.parametrize("there", ["target", "destination"])
def test_an_export_of_mem0_with_a_graph_is_read(there: str, json_file: Callable[..., Path]) -> None:
    relation = {"source": "ines", "relationship": "lives_in", there: "potsdam"}
    _, related = every(json_file({"results": [MEM0], "relations": [relation]}), Statement)
    assert (related.content, related.subject) == ("ines lives in potsdam.", "ines")


GRAPH: list[dict[str, Any]] = [
    {
        "type": "entity",
        "name": "Ines_Kern",
        "entityType": "person",
        "observations": ["Runs a bakery", "Speaks Portuguese"],
    },
    {"type": "entity", "name": "Rye & Co", "entityType": "organization", "observations": []},
    {"type": "relation", "from": "Ines_Kern", "to": "Rye & Co", "relationType": "works_at"},
]
OF_GRAPH = [
    ("Ines_Kern: person", "Ines_Kern", ("graph:entity", "type=person")),
    ("Runs a bakery", "Ines_Kern", ()),
    ("Speaks Portuguese", "Ines_Kern", ()),
    ("Rye & Co: organization", "Rye & Co", ("graph:entity", "type=organization")),
    ("Ines_Kern works at Rye & Co", "Ines_Kern", ("graph:relation", "is=works_at", "to=Rye & Co")),
]


@pytest.mark.parametrize(
    ("lines", "count"), [(GRAPH, 5), ([GRAPH[0]], 3), ([{"entities": GRAPH[:2], "relations": GRAPH[2:]}], 5)]
)
def test_the_graph_of_the_mcp_memory_server_is_read(
    lines: list[object], count: int, jsonl_file: Callable[..., Path]
) -> None:
    """On lines, of one entity alone, and in one document."""
    path = jsonl_file(*lines)
    assert read(path).format == "knowledge graph of the MCP memory server"
    assert [(each.content, each.subject, each.tags) for each in every(path, Statement)] == OF_GRAPH[:count]


def test_a_null_among_observations_leaves_the_others(jsonl_file: Callable[..., Path]) -> None:
    """The server writes one if a model gives an observation without a text."""
    entity = GRAPH[0] | {"observations": ["Runs a bakery", None, "Speaks Portuguese"]}
    assert [each.content for each in every(jsonl_file(entity), Statement)] == [each[0] for each in OF_GRAPH[:3]]


def test_a_broken_line_of_a_graph_is_named(jsonl_file: Callable[..., Path]) -> None:
    broken = {"type": "entity", "name": "X", "entityType": "person", "observations": "one"}
    *_, last = read(jsonl_file(*GRAPH, broken))
    assert last == BrokenRecord("line 4", "its observations are not a list of texts")


def test_memories_saved_by_chatgpt_are_read(json_file: Callable[..., Path]) -> None:
    """It is stored once and with its day, even if several conversations contain it."""
    saves = message("assistant", "User runs a bakery.\nUser has a cat.", recipient="bio", id="b")
    done = message("tool", "Model set context updated.")
    told = some(json_file([conversation(message("user", "Note this"), saves, done)] * 2), Statement)
    assert [each.content for each in told] == ["User runs a bakery.", "User has a cat."]
    assert told[0].at == datetime.fromtimestamp(1_700_000_060, UTC)


def wishes(about: str, style: str, **more: object) -> dict[str, Any]:
    """Custom instructions, as they stand before the first message of a conversation."""
    content = {
        "content_type": "user_editable_context",
        "user_profile": f"The user told this.\n```{about}```",
        "user_instructions": f"```{style}```",
    }
    data = {"about_user_message": about, "about_model_message": style}
    metadata = {"is_visually_hidden_from_conversation": True, "user_context_message_data": data}
    return message("user", content=content, metadata=metadata, create_time=None, **more)


def test_the_newest_custom_instructions_for_chatgpt_are_read(json_file: Callable[..., Path]) -> None:
    """Each conversation holds those of its day, and the newest conversation may stand first."""
    old = conversation(wishes("I bake in Oulu.", "Answer in ounces."), message("user", "Q"), create_time=1_600_000_000)
    new = conversation(wishes("I bake.", "Answer in grams."), message("user", "Q"))
    told = some(json_file([old, new, new, old]), Statement)
    at = datetime.fromtimestamp(1_700_000_000, UTC)
    assert [(item.content, item.category, item.at) for item in told] == [
        ("I bake.", "person", at),
        ("Answer in grams.", "instruction", at),
    ]


def test_the_fields_of_chatgpts_settings_are_read_as_sentences(json_file: Callable[..., Path]) -> None:
    about = "Preferred name: Ann\nRole: Baker.\nOther Information: I live in Oulu.\nI have a cat.\n"
    told = some(json_file([conversation(wishes(about, ""), message("user", "Q"))]), Statement)
    assert [item.content for item in told] == [
        "The user's preferred name is Ann.",
        "The user's role is Baker.",
        "I live in Oulu.\nI have a cat.",
    ]


SAVED = {"id": "mem-1", "content": "User likes rye.", "updated_at": "2025-05-02T10:00:00Z", "enabled": True}


OFF = SAVED | {"content": "User likes wheat.", "enabled": False}


@pytest.mark.parametrize("layout", [[OFF, SAVED], {"memories": [SAVED, OFF], "memory_max_tokens": 5000}])
def test_the_memories_of_chatgpts_settings_are_read(layout: object, json_file: Callable[..., Path]) -> None:
    """Those that are not switched off."""
    (told,) = every(json_file(layout), Statement)
    assert (told.content, told.key) == ("User likes rye.", "chatgpt:mem-1")


def test_memories_copied_as_dated_lines_are_read(tmp_path: Path) -> None:
    """In the form in which an assistant lists what it remembers."""
    path = tmp_path / "memories.txt"
    path.write_text(
        "Here they are:\n```\n[2025-05-02] - Likes rye.\n[unknown] - Has a cat.\n1. [2025-06-01]. Bakes.\n```\n"
    )
    told = every(path, Statement)
    assert read(path).format == "list of memories"
    assert [each.content for each in told] == ["Likes rye.", "Has a cat.", "Bakes."]
    assert [each.at for each in told] == [datetime(2025, 5, 2, tzinfo=UTC), None, datetime(2025, 6, 1, tzinfo=UTC)]
