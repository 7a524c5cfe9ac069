"""A data folder of the right shape, made up, small."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

_SAID = (
    "I adopted a tortoise called Bruno last weekend, he is older than me.",
    "How lovely! Where does he sleep at night?",
    "In a wooden box by the stove. My sister painted it green.",
    "I start at the observatory in Granada on Monday, night shifts mostly.",
    "Congratulations! Will you move there or take the train?",
    "The train for now; flats near the Alhambra cost too much.",
)
_ASKED = (
    ("What animal did {0} adopt?", "single_hop", (1,)),
    ("Who painted the box, and what colour is it?", "multi_hop", (1, 3)),
    ("When does {0} start at the observatory?", "temporal", (4,)),
    ("Why does {0} not rent near the Alhambra?", "open_domain", (6,)),
    ("What does {1}'s tortoise eat?", "adversarial", (1,)),
)
_CONVERSATIONS = {"conv-1": ("Ana", "Tom"), "conv-2": ("Ines", "Karl")}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two conversations of twelve turns in two sessions, and five questions about each."""
    folder = tmp_path / "data" / "locomo"
    folder.mkdir(parents=True)
    _write(folder / "docs.jsonl", (doc for name in _CONVERSATIONS for doc in _docs(name)))
    _write(folder / "queries.jsonl", (query for name in _CONVERSATIONS for query in _queries(name)))
    (folder / "locomo-dev.json").write_text(json.dumps([_conversation(name) for name in _CONVERSATIONS]))
    return folder.parent


def _docs(name: str) -> Iterable[dict[str, Any]]:
    for session in (1, 2):
        for turn, said in enumerate(_SAID, 1):
            yield {
                "doc_id": f"{name}/D{session}:{turn}",
                "conv_id": name,
                "session_id": f"session_{session}",
                "ts": f"2023-05-0{session}T10:00:00",
                "speaker": _CONVERSATIONS[name][turn % 2],
                "text": said,
            }


def _queries(name: str) -> Iterable[dict[str, Any]]:
    for text, category, turns in _ASKED:
        gold = [f"{name}/D1:{turn}" for turn in turns]
        query = text.format(*_CONVERSATIONS[name])
        yield {"conv_id": name, "query": query, "category": category, "gold_doc_ids": gold}


def _conversation(name: str) -> dict[str, Any]:
    sessions: dict[str, Any] = {}
    for doc in _docs(name):
        turn = {"speaker": doc["speaker"], "dia_id": doc["doc_id"].partition("/")[2], "text": doc["text"]}
        sessions.setdefault(doc["session_id"], []).append(turn)
        sessions[f"{doc['session_id']}_date_time"] = f"10:00 am on {doc['session_id'][-1]} May, 2023"
    return {"sample_id": name, "conversation": sessions}


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
