"""ChatGPT exports: the branch that was last shown."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.model import Message
from sandbox.extensions.memory.reports import BrokenRecord
from tests.memory.importers.reading import contents, every

START = 1_700_000_000.0


def message(role: str = "user", *parts: object, **more: object) -> dict[str, Any]:
    return {
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": START + 60,
        "content": {"content_type": "text", "parts": list(parts)},
        "status": "finished_successfully",
        "metadata": {},
        "recipient": "all",
        **more,
    }


def conversation(*messages: object, **more: object) -> dict[str, Any]:
    """A chain of nodes n0 (the empty root), n1, n2, ..."""
    mapping: dict[str, Any] = {"n0": {"id": "n0", "message": None, "parent": None, "children": ["n1"]}}
    for number, value in enumerate(messages, 1):
        content = {"id": f"n{number}", **value} if isinstance(value, dict) else value
        mapping[f"n{number}"] = {"message": content, "parent": f"n{number - 1}", "children": [f"n{number + 1}"]}
    last = f"n{len(messages)}"
    mapping[last]["children"] = []
    given = {"title": "Bread", "create_time": START, "current_node": last, "conversation_id": "c-1", "id": "c-1"}
    return {"mapping": mapping, **given, **more}


def test_a_conversation_is_read(json_file: Callable[..., Path]) -> None:
    """
    user: How long does rye dough rest?
    assistant: About an hour.
    """
    said = conversation(message("user", "How long does rye dough rest?"), message("assistant", "About an hour."))
    source = read(json_file([said]))
    at = datetime.fromtimestamp(START + 60, UTC)
    assert source.total == 2
    assert list(source) == [
        Message("user", "How long does rye dough rest?", "c-1", at, None, "n1", "chatgpt"),
        Message("assistant", "About an hour.", "c-1", at, None, "n2", "chatgpt"),
    ]


def test_conversations_in_one_object_are_read(json_file: Callable[..., Path]) -> None:
    assert contents(json_file({"conversations": [conversation(message("user", "Q"))]})) == ["Q"]


def test_only_the_current_branch_is_read(json_file: Callable[..., Path]) -> None:
    tree = conversation(message("user", "Q"), message("assistant", "first answer"))
    second = {"message": {"id": "n3", **message("assistant", "second answer")}, "parent": "n1", "children": []}
    tree["mapping"]["n3"] = second
    assert contents(json_file([tree])) == ["Q", "first answer"]
    assert contents(json_file([tree | {"current_node": "n3"}])) == ["Q", "second answer"]


@pytest.mark.parametrize("current", [None, "gone", 5, ["n1"]])
def test_without_a_current_node_the_last_leaf_is_taken(current: object, json_file: Callable[..., Path]) -> None:
    tree = conversation(message("user", "Q"), message("assistant", "A"))
    assert contents(json_file([tree | {"current_node": current}])) == ["Q", "A"]


def test_a_voice_conversation_is_read(json_file: Callable[..., Path]) -> None:
    """A voice conversation in an export of 2026, with sounds, a picture, code for a tool and thoughts."""
    sound = {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://file_1", "format": "wav"}
    live = {"content_type": "real_time_user_audio_video_asset_pointer", "audio_asset_pointer": sound}
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-2", "width": 1}

    def spoken(role: str, text: str, *parts: object, **more: object) -> dict[str, Any]:
        said = {"content_type": "audio_transcription", "text": text, "direction": "in", "decoding_id": None}
        return message(role, content={"content_type": "multimodal_text", "parts": [said, *parts]}, **more)

    code = message("assistant", content={"content_type": "code", "language": "python", "text": "1"}, recipient="python")
    output = message("tool", content={"content_type": "execution_output", "text": "1"})
    tree = conversation(spoken("user", "Rye?", live), code, output, spoken("assistant", "Yes.", sound))
    other = conversation(spoken("user", "What is this?", picture, "Please."), conversation_id="c-2")
    assert contents(json_file([tree, other])) == ["Rye?", "Yes.", "What is this?\nPlease."]


def test_the_marks_of_sources_are_left_out(json_file: Callable[..., Path]) -> None:
    """ChatGPT shows links in their place."""
    answer = (
        "Rye rests an hour.\ue200cite\ue202turn0search0\ue202turn1view2\ue201 Ask \ue200entity\ue202"
        '["people","Ann Berg","baker"]\ue201, or read \ue200url\ue202Bread\ue202https://bread.example\ue201.'
    )
    path = json_file([conversation(message("user", "Q"), message("assistant", answer))])
    assert contents(path) == ["Q", "Rye rests an hour. Ask Ann Berg, or read Bread."]


def test_a_cycle_of_messages_ends(json_file: Callable[..., Path]) -> None:
    tree = conversation(message("user", "Q"), message("assistant", "A"))
    tree["mapping"]["n1"]["parent"] = "n2"
    assert contents(json_file([tree])) == ["Q", "A"]


@pytest.mark.parametrize(
    "unsaid",
    [
        None,
        message("system", "You are ChatGPT"),
        message("tool", "search results"),
        message("user", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
        message("user", "Continue", metadata={"is_auto_proceed_message": True}),
        message("assistant", "import os", recipient="python"),
        message("assistant", "Forget that the user likes rye", recipient="bio"),
        message("assistant", content={"content_type": "thoughts", "thoughts": [{"content": "hmm"}]}),
        message("assistant", content={"content_type": "code", "language": "json", "text": "{}"}),
        message("user", content={"content_type": "user_editable_context", "user_profile": "Baker"}),
        message("user", ""),
        message("user"),
        message("user", {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x", "text": "x"}),
    ],
)
def test_hidden_messages_are_skipped(unsaid: object, json_file: Callable[..., Path]) -> None:
    assert contents(json_file([conversation(message("user", "Q"), unsaid, message("assistant", "A"))])) == ["Q", "A"]


def test_missing_times_are_those_of_the_message_before_or_the_conversation(json_file: Callable[..., Path]) -> None:
    untimed = message("user", "Q", create_time=None)
    path = json_file(
        [conversation(untimed, message("assistant", "A"), untimed), conversation(untimed, create_time=None)]
    )
    times = [item.at and item.at.timestamp() for item in every(path, Message)]
    assert times == [START, START + 60, START + 60, None]


def test_ids_fall_back_to_what_there_is(json_file: Callable[..., Path]) -> None:
    tree = conversation(message("user", "Q", id=None), conversation_id=None, id="c-2")
    (item,) = every(json_file([tree]), Message)
    assert (item.key, item.session) == ("n1", "c-2")


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (message("user", "Q", author=None), "has no author"),
        (message("user", "Q", author={}), "has no role"),
        (message("critic", "Q"), "its role is none of user, assistant, system, tool"),
        (message("user", content=None), "has no content"),
        (message("user", content={"content_type": "text"}), "has no parts"),
        (message("user", content={"content_type": "text", "parts": 5}), "has no text or list of parts as parts"),
        (message("user", "Q", create_time=True), "its create_time is not a time like 2026-03-02 or 2026-03-02T18:30"),
        (message("user", "Q", create_time=1e15), "its create_time is not a time like 2026-03-02 or 2026-03-02T18:30"),
        ("Q", "its message is not an object"),
    ],
)
def test_a_broken_message_leaves_the_others(broken: object, problem: str, json_file: Callable[..., Path]) -> None:
    whole = conversation(message("user", "Q"))
    items = list(read(json_file([whole, conversation(message("user", "Q"), broken, message("assistant", "A"))])))
    assert [type(item) for item in items] == [Message, Message, BrokenRecord, Message]
    assert items[2] == BrokenRecord("conversation 2, message 2 (id n2)", problem)


def test_broken_conversations_leave_the_others(json_file: Callable[..., Path]) -> None:
    torn = conversation(message("user", "Q"), message("assistant", "A"))
    torn["mapping"]["n1"] = 7
    items = list(read(json_file([{"title": "x"}, "x", {"mapping": []}, {"mapping": {}}, torn])))
    assert items[:4] == [
        BrokenRecord("conversation 1", "has no mapping"),
        BrokenRecord("conversation 2", "is not a JSON object"),
        BrokenRecord("conversation 3", "its mapping is not an object"),
        BrokenRecord("conversation 5, message 1 (id n1)", "is not a JSON object"),
    ]
    assert isinstance(items[4], Message)
