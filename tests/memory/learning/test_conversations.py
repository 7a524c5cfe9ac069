"""Whole conversations as people write them: nothing false is learnt, and enough of what matters. The frames of each
language are developed on them; ``python -m benchmarks.notes`` measures on another set.
"""

from pathlib import Path

from benchmarks.notes import SETS, by_language, conversations, counts, note

_KEPT = 0.55  # of what a careful note-taker would keep
_NOT_YET = {  # and what each would need
    "en-27": "that 'checkout is Aisha's as well now' names another owner",
    "de-09": "that Stichpunkte and Stichpunkten are one word",
}


async def test_nothing_false_or_stale_and_enough_that_is_important_is_learnt(tmp_path: Path) -> None:
    noted = await note(conversations(SETS["development"]), tmp_path)
    wrong = {
        each.conversation.id: {item.text: each.saying(item) for item in each.wrong} for each in noted if each.wrong
    }
    assert wrong.keys() == _NOT_YET.keys(), wrong
    shares = {language: counts(each)["kept"].share for language, each in by_language(noted).items()}
    assert {language: share for language, share in shares.items() if share < _KEPT} == {}
