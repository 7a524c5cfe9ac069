"""Compare two claims, and two statements by their claims: can both be true at one time? Pure.

The result does not depend on the order of the two. ``ingest/conflict_resolution.py`` decides what it means for the
one that began earlier.
"""

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence, Set
from dataclasses import replace
from datetime import datetime
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from sandbox.extensions.memory.claims import attributes
from sandbox.extensions.memory.claims.moments import ends
from sandbox.extensions.memory.claims.registry import ENTITIES, OF_ONE, ValueKind, is_attribute, predicate
from sandbox.extensions.memory.lexicon import pattern, texts, words
from sandbox.extensions.memory.model import USER, Claim
from sandbox.extensions.memory.text.names import titles
from sandbox.extensions.memory.text.places import size
from sandbox.extensions.memory.text.words import is_denied, name_key, statement_words, stem

Agreement = Literal["agree", "exclude", "doubtful", "unrelated"]

_STANDING = {"habit": "fact"}  # a habit is compared like a fact


def users_words() -> Collection[str]:
    """Words for the user in sentences, as name keys."""
    return texts("names", "user")


def typed(claims: Iterable[Claim]) -> list[Claim]:
    """Claims without those about attributes."""
    return [claim for claim in claims if not is_attribute(claim.predicate)]


class LinkedClaim(NamedTuple):
    """A claim with the entity of its subject, if that is known."""

    claim: Claim
    subject_id: int | None = None

    def is_about_same(self, other: "LinkedClaim") -> bool:
        """Whether two claims have the same subject."""
        if self.subject_id is not None and self.subject_id == other.subject_id:
            return True
        return name_key(self.claim.subject) == name_key(other.claim.subject)


def of_user(claim: Claim, own: Collection[str] = ()) -> Claim:
    """The claim about the user, if its subject is a word for the user or one of the user's ``own`` names."""
    key = name_key(claim.subject)
    is_user = key in users_words() or (key != USER and key in {name_key(name) for name in own})
    return replace(claim, subject=USER) if is_user else claim


def identity(claim: Claim) -> Hashable:
    """A key that is equal for claims that say the same, in any wording."""
    said = tuple(sorted(_words(claim.value).elements()))
    return name_key(claim.subject), claim.predicate, said, claim.is_affirmed, claim.modality, claim.time


def compare(one: Claim, other: Claim) -> Agreement:
    """The relation of two claims about one subject. ``exclude``: they cannot both be true at one time; ``doubtful``:
    perhaps they cannot.
    """
    sort = _STANDING.get(one.modality, one.modality)
    is_same_sort = sort == _STANDING.get(other.modality, other.modality)
    is_planned = _is_plan_of_state(one, other)
    if "past" in (sort, other.modality) or not (is_same_sort or is_planned or _calls_off(one, other)):
        return "unrelated"
    if one.predicate != other.predicate:
        if one.is_affirmed != other.is_affirmed:
            negated, affirmed = (other, one) if one.is_affirmed else (one, other)
            is_meant = predicate(affirmed.predicate).means == negated.predicate
            return "exclude" if is_meant and _words(negated.value) == _words(affirmed.value) else "unrelated"
        kind = predicate(one.predicate)
        if kind.opposite == other.predicate:
            return _opposed(one, other)
        is_version = kind.versions and other.predicate in kind.rivals and _are_versions(one.value, other.value)
        return "exclude" if is_version else "unrelated"
    if one.is_affirmed != other.is_affirmed:
        return _denied(*((one, other) if other.is_affirmed else (other, one)))
    if is_planned:
        return "exclude"
    kind = predicate(one.predicate)
    if kind.name == "instruction" and _is_unwanted(one.value) != _is_unwanted(other.value):
        return "exclude" if _about(one.value) == _about(other.value) != set() else "unrelated"
    if _one_says_more(one.value, other.value, kind.value):
        return "agree"
    if not one.is_affirmed or sort != "fact":
        return "unrelated"
    if kind.many:
        is_one = any(_are_of(listed, one.value, other.value) for listed in kind.one_of)
        is_one = is_one or (kind.versions and _are_versions(one.value, other.value))
        return "exclude" if is_one else "unrelated"
    if is_attribute(kind.name):
        return attributes.fit(kind.name, one.value, other.value)
    return "exclude" if _could_be_either(one.value, other.value, kind.value) else "doubtful"


def _is_plan_of_state(one: Claim, other: Claim) -> bool:
    """Whether one plans what the other states, as a home or a job: the plan holds from its day on, until the next
    statement.
    """
    is_state = one.predicate == other.predicate and predicate(one.predicate).is_state
    return is_state and sorted((one.modality, other.modality)) == ["fact", "plan"]


def _calls_off(one: Claim, other: Claim) -> bool:
    """Whether one denies what the other plans; for the future that means that it is cancelled."""
    is_of_a_date = one.predicate == other.predicate and predicate(one.predicate).lasts == "date"
    return is_of_a_date and one.is_affirmed != other.is_affirmed


def deciding(claims: Sequence[LinkedClaim]) -> list[LinkedClaim]:
    """The claims that decide whether a statement is true: those it affirms; if it affirms none, those it denies. What
    is over stays true. Of a favourite or a role decides the attribute, which says of what.
    """
    affirmed = [each for each in claims if each.claim.is_affirmed and each.claim.modality != "past"]
    return (
        [each for each in affirmed if each.claim.predicate not in OF_ONE]
        or affirmed
        or [each for each in claims if not each.claim.is_affirmed]
        or list(claims)
    )


def over(claims: Sequence[Claim]) -> datetime | None:
    """The time when all deciding claims have ended; None if one has no told end."""
    weighs = [each.claim for each in deciding([LinkedClaim(claim) for claim in claims])]
    found = [end for claim in weighs if claim.modality != "past" and (end := ends(claim.time)) is not None]
    return max(found) if found and len(found) == len(weighs) else None


def verdict(known: LinkedClaim, new: Sequence[LinkedClaim]) -> Agreement:
    """The relation of a new statement's claims to a known claim. A claim that the new statement repeats is not
    excluded. What was denied may be affirmed by mistake, but what was called off may be planned again.
    """
    found = {compare(known.claim, each.claim) for each in new if known.is_about_same(each)}
    order: tuple[Agreement, ...] = ("agree", "exclude", "doubtful")
    judged: Agreement = next((each for each in order if each in found), "unrelated")
    is_affirmed_again = judged == "exclude" and not known.claim.is_affirmed and known.claim.modality != "plan"
    return "doubtful" if is_affirmed_again else judged


def _opposed(one: Claim, other: Claim) -> Agreement:
    """Whether two predicates are opposites, as ``likes`` and ``dislikes``: only one can be true of a value."""
    mine, theirs = _words(one.value), _words(other.value)
    if mine == theirs:
        return "exclude"
    return "doubtful" if mine <= theirs or theirs <= mine else "unrelated"


def _denied(negated: Claim, affirmed: Claim) -> Agreement:
    """Whether a denial hits an affirmed value: a denial without a value hits all; one with a value hits those that say
    no less. What is not planned for one time may be for another.
    """
    denied, said = _words(negated.value), _words(affirmed.value)
    if negated.modality == affirmed.modality == "plan" and negated.time and affirmed.time not in (None, negated.time):
        return "unrelated"
    if not denied or denied == said:
        return "exclude"
    if denied <= said:  # a wish is taken back in fewer words
        is_one = not predicate(affirmed.predicate).many or affirmed.predicate == "instruction"
        return "exclude" if is_one else "doubtful"
    return "unrelated"


def _one_says_more(one: str, other: str, kind: ValueKind) -> bool:
    """Whether one value equals the other, or contains it, or is its initials."""
    if kind == "date" and one and other:
        short, long = sorted((one, other), key=len)
        return long.startswith(short) or long.endswith(short.lstrip("-"))
    mine, theirs = _words(one), _words(other)
    return mine <= theirs or theirs <= mine or _are_initials(one, other) or _are_initials(other, one)


def _could_be_either(one: str, other: str, kind: ValueKind) -> bool:
    """Whether two values may be the same thing, judged by their form: a city is in a country, and a bank may be the
    named employer. Names of tools are written in any case.
    """
    return kind not in ENTITIES or kind == "tool" or _looks(one, kind) == _looks(other, kind)


def _are_of(listed: str, one: str, other: str) -> bool:
    """Whether a listed word stands in each of two values, and both say the same beside such words."""
    mine, theirs, stems = _words(one).keys(), _words(other).keys(), _stems(listed)
    if stems.isdisjoint(mine) or stems.isdisjoint(theirs):
        return False
    return not (mine ^ theirs) - stems - _stems("beside_one_of")


def _is_unwanted(wish: str) -> bool:
    """Whether a wish is that something is not done."""
    return is_denied(wish) or pattern("statements", "unwanted", re.IGNORECASE).match(wish) is not None


def _about(wish: str) -> Set[str]:
    """What a wish is about, without the words for wishing: *no bullet points*, *always answer in bullet points*."""
    return _words(wish).keys() - _stems("beside_one_of")


@cache
def _stems(listed: str) -> Set[str]:
    return {stem(word) for word in words("statements", listed)}


def _are_versions(one: str, other: str) -> bool:
    """Whether two values differ in their numbers alone: *Postgres 14*, *Postgres 16*."""
    mine, theirs = _words(one), _words(other)
    return mine != theirs and all(each[0].isdigit() for each in mine.keys() ^ theirs.keys())


def _looks(value: str, kind: ValueKind) -> str:
    if not value[:1].isupper():
        return "word"
    return str(size(value) or "name") if kind == "place" else "name"


def _are_initials(short: str, long: str) -> bool:
    letters = "".join(word[0] for word in long.split() if word[:1].isupper())
    return len(letters) > 1 and letters in (short, short[:-1])


@lru_cache(maxsize=1 << 12)
def _words(value: str) -> Counter[str]:
    """The words of a value, stemmed for comparison. The caller must not change the result."""
    said, dropped = statement_words(value), titles() | words("names", "articles")
    return Counter(stem(word) for word in said if word not in dropped) or Counter(said)
