"""Whole conversations, untidy as people write: nothing false is left of any, and enough of what matters.

They are what the frames of each language are developed on; ``python -m benchmarks.notes`` measures on a set that nobody
developed on.
"""

from pathlib import Path

import pytest

from benchmarks.notes import SETS, Conversation, by_language, conversations, counts, note

_CONVERSATIONS = conversations(SETS["development"])
_KEPT = 0.35  # of what a careful note-taker would keep


@pytest.mark.parametrize("conversation", _CONVERSATIONS, ids=lambda each: each.id)
async def test_nothing_false_or_stale_is_believed(conversation: Conversation, tmp_path: Path) -> None:
    (noted,) = await note([conversation], tmp_path)
    assert {each.text: noted.saying(each) for each in noted.wrong} == {}


async def test_enough_of_what_matters_is_kept(tmp_path: Path) -> None:
    noted = await note(_CONVERSATIONS, tmp_path)
    shares = {language: counts(each)["kept"].share for language, each in by_language(noted).items()}
    assert {language: share for language, share in shares.items() if share < _KEPT} == {}
