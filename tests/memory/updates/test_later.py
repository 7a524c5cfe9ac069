"""What a later conversation tells changes what is believed; ``later.yaml`` holds the pairs."""

from datetime import timedelta
from pathlib import Path

import pytest
import yaml

from sandbox.extensions.memory import Memory
from sandbox.testing import FakeClock

_PAIRS = yaml.load((Path(__file__).parent / "later.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
_BETWEEN = timedelta(days=20)


@pytest.mark.parametrize(("told", "later", "believed", "over"), _PAIRS, ids=lambda text: text)
async def test_what_is_told_later_changes_what_is_believed(
    memory: Memory, clock: FakeClock, told: str, later: str, believed: str, over: str
) -> None:
    for session, text in enumerate((told, later)):
        clock.moment += _BETWEEN
        await memory.observe("user", text, session=str(session))
        await memory.consolidate(str(session))
        known = [
            hit.content for hit in await memory.search("", types=("semantic", "opinion", "procedural"), reinforce=False)
        ]
        assert session or known
    told_again = later.casefold()  # a report of the change itself names what is over
    known = [content for content in known if told_again not in content.casefold()]
    assert not believed or any(believed in content for content in known), known
    assert not over or not any(over in content for content in known), known
