"""A small made-up data folder of the right shape, with every set of questions."""

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
    """Two conversations of twelve turns in two sessions, five questions about each, and the other sets."""
    folder = tmp_path / "data"
    _write(folder / "locomo" / "docs.jsonl", (doc for name in _CONVERSATIONS for doc in _docs(name)))
    _write(folder / "locomo" / "queries.jsonl", (query for name in _CONVERSATIONS for query in _queries(name)))
    _longmemeval(folder / "longmemeval")
    _factconsolidation(folder / "factconsolidation")
    _xquad(folder / "xquad")
    return folder


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
        asked = {"qid": f"{name} {text}", "conv_id": name, "asked_after": "2023-05-03T09:00:00"}
        yield {**asked, "query": query, "category": category, "gold_doc_ids": gold}


def _longmemeval(folder: Path) -> None:
    """One plain question, one about something that changed, and one without an answer."""
    said = {
        "q1/e0t0": ("q1", "e0", "2023-04-02T10:00:00", "user", "My tortoise Bruno sleeps in a wooden box."),
        "q2/e0t0": ("q2", "e0", "2023-04-03T10:00:00", "user", "I take yoga classes once a week."),
        "q2/e1t0": ("q2", "e1", "2023-05-03T10:00:00", "user", "These days I take yoga classes three times a week."),
    }
    filler = ("filler", "f1", "2023-03-01T10:00:00", "assistant", "Granite is a rock of quartz and feldspar.")
    keys = ("conv_id", "session", "ts", "speaker", "text")
    docs = [{"doc_id": id, **dict(zip(keys, row, strict=True))} for id, row in said.items()]
    _write(folder / "docs.jsonl", docs)
    _write(folder / "filler.jsonl", [{"doc_id": "filler/f1/t0", **dict(zip(keys[1:], filler[1:], strict=True))}])
    everything = {"haystack_doc_ids": ["filler/f1/t0", *said], "now": "2023-06-01T10:00:00"}
    yoga = {"current_doc_ids": ["q2/e1t0"], "superseded_doc_ids": ["q2/e0t0"]}
    asked: list[tuple[str, str, str, list[str], dict[str, Any]]] = [
        ("q1", "Where does my tortoise Bruno sleep?", "single-session-user", ["q1/e0t0"], {"answer": "a wooden box"}),
        ("q2", "How often do I take yoga classes?", "knowledge-update", ["q2/e0t0", "q2/e1t0"], yoga),
        ("q3_abs", "Which violin did I buy?", "single-session-user", [], {"abstention": True, "now": None}),
    ]
    _write(
        folder / "queries.jsonl",
        (
            {"qid": id, "query": query, "category": category, "gold_doc_ids": gold, "abstention": False}
            | everything
            | others
            for id, query, category, gold, others in asked
        ),
    )


def _factconsolidation(folder: Path) -> None:
    facts = ("The capital of Freedonia is Alba.", "Ann Lee plays the oboe.", "The capital of Freedonia is Brix.")
    _write(folder / "docs.jsonl", ({"doc_id": f"f/{n}", "serial": n, "text": fact} for n, fact in enumerate(facts)))
    asked = [("What is the capital of Freedonia?", ["f/2"], ["f/0"]), ("What does Ann Lee play?", ["f/1"], [])]
    _write(
        folder / "queries.jsonl",
        ({"qid": query, "query": query, "current_doc_ids": c, "superseded_doc_ids": s} for query, c, s in asked),
    )


def _xquad(folder: Path) -> None:
    said = {
        "en": (("Granite is a rock.", "The oboe is a woodwind."), "What is granite?"),
        "ru": (("Гранит — это горная порода.", "Гобой — духовой инструмент."), "Что такое гранит?"),
        "zh": (("花岗岩是一种岩石。", "双簧管是木管乐器。"), "花岗岩是什么？"),
    }
    for language, (paragraphs, question) in said.items():
        docs = ({"doc_id": f"0-{n}", "text": text} for n, text in enumerate(paragraphs))
        _write(folder / f"docs.{language}.jsonl", docs)
        _write(folder / f"queries.{language}.jsonl", [{"qid": "q", "query": question, "gold_doc_ids": ["0-0"]}])


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
