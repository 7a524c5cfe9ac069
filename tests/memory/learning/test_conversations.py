"""Whole conversations as people write them: nothing false is learnt, and enough of what matters. The frames of each
language are developed on them; ``python -m benchmarks.notes`` measures on another set.
"""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.notes import SETS, Conversation, by_language, conversations, counts, note

_CONVERSATIONS = conversations(SETS["development"])
_KEPT = 0.55  # of what a careful note-taker would keep
_NOT_YET = {  # and what each would need
    "en-33": "that somebody who plays a part says so in a word that is not known",
    "de-09": "that Stichpunkte and Stichpunkten are one word",
}


def _marked(conversation: Conversation) -> Any:
    reason = _NOT_YET.get(conversation.id)
    marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
    return pytest.param(conversation, id=conversation.id, marks=marks)


@pytest.mark.parametrize("conversation", list(map(_marked, _CONVERSATIONS)))
async def test_no_false_or_stale_statement_is_believed(conversation: Conversation, tmp_path: Path) -> None:
    (noted,) = await note([conversation], tmp_path)
    assert {each.text: noted.saying(each) for each in noted.wrong} == {}


async def test_enough_important_statements_are_learnt(tmp_path: Path) -> None:
    noted = await note(_CONVERSATIONS, tmp_path)
    shares = {language: counts(each)["kept"].share for language, each in by_language(noted).items()}
    assert {language: share for language, share in shares.items() if share < _KEPT} == {}
