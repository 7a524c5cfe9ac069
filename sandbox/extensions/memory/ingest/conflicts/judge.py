"""Decide whether a statement replaces another. Pure.

Similarity plays no part. Two statements conflict only if both claim a value of one relation for one subject. One
replaces the other only if the relation has one value at a time, the values are of one kind, neither is part of the
other, and nothing else in the old statement would be lost.
"""

from typing import Literal

from sandbox.extensions.memory.ingest.conflicts.values import Value, ends, fit, one_says_more
from sandbox.extensions.memory.ingest.conflicts.worded_claims import ParsedStatement, WordedClaim

WordingVerdict = Literal["same", "supersedes", "possible conflict", "unrelated"]


def judge(old: ParsedStatement, new: ParsedStatement) -> WordingVerdict:
    """The verdict on an old statement, given a new one."""
    if old.stems == new.stems and old.negated == new.negated:
        return "same"
    if old.apart or new.apart:
        return "unrelated"
    if old.negated or new.negated:
        return "possible conflict" if old.stems == new.stems else "unrelated"
    pairs = [
        (mine, theirs)
        for mine in old.claims
        for theirs in new.claims
        if mine.relation == theirs.relation and mine.subject == theirs.subject
    ]
    return _compared(*min(pairs, key=_looseness)) if pairs else "unrelated"


def _looseness(pair: tuple[WordedClaim, WordedClaim]) -> tuple[bool, int]:
    """A sort key for pairs of readings: certain ones first, then those with more words in common."""
    old, new = pair
    return not (old.certain and new.certain), len(old.value) + len(new.value)


def _compared(old: WordedClaim, new: WordedClaim) -> WordingVerdict:
    """The verdict from the values of two claims of one relation and subject."""
    before, now = Value.of(old.value), Value.of(new.value)
    if not (before.is_said and now.is_said) or one_says_more(before, now):
        return "unrelated"
    found = {fit(before, now, old.values), ends(before, now)}
    certain = old.certain and new.certain
    if "other kind" in found or ("doubtful" in found and not certain):
        return "unrelated"
    return "supersedes" if certain and "doubtful" not in found else "possible conflict"
