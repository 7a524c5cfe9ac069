"""Several people share a memory: what one says of themselves changes nothing of the others."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandbox.extensions.memory import Memory
from sandbox.testing import FakeClock

_CASES = yaml.load((Path(__file__).parent / "speakers.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
async def test_what_one_speaker_says_is_theirs(memory: Memory, clock: FakeClock, case: dict[str, Any]) -> None:
    for session, turns in enumerate(case["said"]):
        clock.moment += timedelta(days=1)
        for turn in turns:
            speaker, _, text = turn.partition(": ")
            await memory.observe("user", text, session=str(session), speaker=speaker)
        await memory.consolidate(str(session))
    found = await memory.search("", types=("semantic", "opinion", "procedural"), reinforce=False, limit=20)
    assert sorted(hit.content for hit in found) == sorted(case["believed"])


async def test_conversations_that_wait_are_of_different_people(memory: Memory) -> None:
    for speaker, home in (("Mark", "Siegen"), ("Julia", "Bonn")):
        await memory.observe("user", f"I live in {home}.", session=speaker, speaker=speaker)
        await memory.end_session(speaker)
    await memory.consolidate()
    assert {hit.content for hit in await memory.search("", types=("semantic",))} == {
        "Mark lives in Siegen.",
        "Julia lives in Bonn.",
    }
