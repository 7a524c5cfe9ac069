"""Conversations that once taught something false, and no longer do, and sentences that people say first; ``cases.yaml``
holds them.
"""

import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.notes import Conversation, note
from sandbox.extensions.memory import Message

_CASES = yaml.load((Path(__file__).parent / "cases.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
async def test_a_case_is_learnt_as_expected(case: dict[str, Any], empty: Path, tmp_path: Path) -> None:
    await _learn(case, _said(case), empty, tmp_path)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
async def test_the_same_is_learnt_where_each_turn_is_read_by_itself(
    case: dict[str, Any], empty: Path, tmp_path: Path
) -> None:
    """As the hooks of coding agents do."""
    await _learn(case, [(turn,) for session in _said(case) for turn in session], empty, tmp_path)


def _said(case: dict[str, Any]) -> list[tuple[Message, ...]]:
    at = datetime.fromisoformat(case.get("at", "2026-03-02")).replace(tzinfo=UTC)
    turns = case.get("said") or list(case["told"])
    sessions = turns if isinstance(turns[0], list) else [turns]
    return [tuple(_turn(text, str(name), at) for text in each) for name, each in enumerate(sessions)]


def _turn(text: str, session: str, at: datetime) -> Message:
    said = text.removeprefix("A: ")
    return Message("user" if said == text else "assistant", said, session, at)


async def _learn(case: dict[str, Any], said: Sequence[tuple[Message, ...]], empty: Path, tmp_path: Path) -> None:
    told = case.get("told", {})
    shutil.copytree(empty, tmp_path / "0")
    (noted,) = await note([Conversation(case["name"], "", tuple(said), (), ())], tmp_path)
    if not case.keys() & {"keeps", "never"}:
        assert sorted(noted.learnt) == sorted(
            [*case.get("believed", ()), *(each for said in told.values() for each in said)]
        )
    for words in case.get("keeps", ()):
        assert any(words in statement for statement in noted.learnt), noted.learnt
    for words in case.get("never", ()):
        assert not [statement for statement in noted.learnt if words.casefold() in statement.casefold()]
