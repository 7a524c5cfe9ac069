"""LoCoMo: two people, dated sessions, shared pictures."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.model import Message
from sandbox.extensions.memory.reports import BrokenRecord
from tests.memory.importers.reading import broken_between, contents, every


def turn(dia_id: str, text: str, speaker: object = "Ines", **more: object) -> dict[str, object]:
    return {"speaker": speaker, "dia_id": dia_id, "text": text, **more}


def sample(sample_id: object = "conv-7", **conversation: object) -> dict[str, Any]:
    return {
        "sample_id": sample_id,
        "conversation": {"speaker_a": "Ines", "speaker_b": "Tomas", **conversation},
        "qa": [{"question": "What did Ines bake?", "answer": "bread", "evidence": ["D1:1"], "category": 1}],
    }


def test_turns_keep_their_speaker_session_and_time(json_file: Callable[..., Path]) -> None:
    """
    8 May 2023, 1:56 pm
    Ines: I baked rye bread.
    Tomas: Save me a slice!
    """
    turns = [turn("D1:1", "I baked rye bread."), turn("D1:2", "Save me a slice!", "Tomas")]
    source = read(json_file([sample(session_1=turns, session_1_date_time="1:56 pm on 8 May, 2023")]))
    at = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert source.total == 2
    assert list(source) == [
        Message("user", "I baked rye bread.", "conv-7/session_1", at, "Ines", "conv-7/D1:1", "locomo"),
        Message("user", "Save me a slice!", "conv-7/session_1", at, "Tomas", "conv-7/D1:2", "locomo"),
    ]


@pytest.mark.parametrize(
    ("text", "hour"),
    [("12:05 am on 1 June, 2023", 0), ("12:05 pm on 1 June, 2023", 12), ("9:05 am on 1 June, 2023", 9)],
)
def test_every_form_of_time_is_read(text: str, hour: int, json_file: Callable[..., Path]) -> None:
    (message,) = every(json_file(sample(session_1=[turn("D1:1", "Hi")], session_1_date_time=text)), Message)
    assert message.at == datetime(2023, 6, 1, hour, 5, tzinfo=UTC)


def test_the_caption_of_a_shared_picture_belongs_to_the_text(json_file: Callable[..., Path]) -> None:
    picture = {"blip_caption": "a photo of a loaf", "query": "rye loaf", "img_url": ["https://example.org/loaf.jpg"]}
    turns = [turn("D1:1", "Look at this.", **picture), turn("D1:2", "", **picture)]
    turns.append(turn("D1:3", "Wow.", blip_caption=""))
    texts = ["Look at this. [shared a photo of a loaf]", "[shared a photo of a loaf]", "Wow."]
    assert contents(json_file(sample(session_1=turns))) == texts


def test_several_conversations_are_read_with_sessions_in_numeric_order(json_file: Callable[..., Path]) -> None:
    sessions = {f"session_{n}": [turn(f"D{n}:1", "Hi")] for n in (10, 2, 1)}
    path = json_file([sample(session_99_date_time="", **sessions), sample("conv-8", session_1=[turn("D1:1", "Hi")])])
    keys = [item.key for item in every(path, Message)]
    assert keys == ["conv-7/D1:1", "conv-7/D2:1", "conv-7/D10:1", "conv-8/D1:1"]


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (turn("D2:2", " \n"), "has no text"),
        ({"dia_id": "D2:2", "speaker": "Ines"}, "has no text"),
        (turn("D2:2", "Hi") | {"text": ["Hi"]}, "its text is not text"),
        (turn("D2:2", "Hi", blip_caption=3), "its blip_caption is not text"),
        (turn("D2:2", "Hi") | {"speaker": {}}, "its speaker is not text"),
    ],
)
def test_a_broken_turn_leaves_the_others(broken: object, problem: str, json_file: Callable[..., Path]) -> None:
    path = json_file(sample(session_2=[turn("D2:1", "Hi"), broken, turn("D2:3", "Bye")]))
    assert broken_between(path) == BrokenRecord("conv-7, session_2, turn 2 (D2:2)", problem)


@pytest.mark.parametrize(("broken", "problem"), [("Hi", "is not a JSON object"), ({"text": "Hi"}, "has no dia_id")])
def test_a_broken_turn_without_an_id_is_named(broken: object, problem: str, json_file: Callable[..., Path]) -> None:
    assert list(read(json_file(sample(session_2=[broken])))) == [BrokenRecord("conv-7, session_2, turn 1", problem)]


def test_turns_of_a_session_at_no_known_time_are_broken(json_file: Callable[..., Path]) -> None:
    sessions = {"session_1": [turn("D1:1", "Hi")], "session_1_date_time": "a Monday", "session_2": [turn("D2:1", "Hi")]}
    broken, message = read(json_file(sample(**sessions)))
    problem = "its session's date_time is not a time"
    assert broken == BrokenRecord("conv-7, session_1, turn 1 (D1:1)", problem)
    assert isinstance(message, Message)
    assert message.at is None


def test_broken_sessions_and_conversations_leave_the_others(json_file: Callable[..., Path]) -> None:
    good = sample(session_1=None, session_2=[turn("D2:1", "Hi")])
    nameless = {"conversation": good["conversation"]}
    items = list(read(json_file([None, nameless, {"sample_id": "conv-9"}, good])))
    assert items[:4] == [
        BrokenRecord("conversation 1", "is not a JSON object"),
        BrokenRecord("conversation 2", "has no sample_id"),
        BrokenRecord("conversation 3", "has no conversation"),
        BrokenRecord("conv-7, session_1", "is not a list of turns"),
    ]
    assert isinstance(items[4], Message)
