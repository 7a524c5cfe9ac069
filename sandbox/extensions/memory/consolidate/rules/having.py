"""What somebody has, has been doing for long, or is busy with. English. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import endings
from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.clauses import PROJECT, TASTE, TELLING, Clause, head_of, no_passing
from sandbox.extensions.memory.consolidate.rules.dates import without
from sandbox.extensions.memory.consolidate.rules.general import OFTEN
from sandbox.extensions.memory.consolidate.rules.happening import happened, stopped
from sandbox.extensions.memory.consolidate.rules.holding import (
    checked_interest,
    checked_taste,
    holds,
    is_possession,
)
from sandbox.extensions.memory.consolidate.rules.lasting import for_long, has_been
from sandbox.extensions.memory.consolidate.rules.planning import intends
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said
from sandbox.extensions.memory.consolidate.rules.values import dated
from sandbox.extensions.memory.consolidate.rules.wordforms import Phrase, agreeing, grammar, in_third, lookup, third


def doing(clause: Clause) -> Iterator[Said]:
    """``am restoring an old boat``: what goes on, though no table has the verb."""
    said = clause.value(clause.at + 1)
    if (
        clause.setting.to_assistant
        or clause.low() in verbs_of.NO_LASTING
        or not TELLING.search(said)
        or len(said.split()) < 3
    ):
        raise NotLearnt("passing state")
    if head_of(said) in words_of.TASKS | words_of.PASSING | words_of.VAGUE:
        raise NotLearnt("passing state")
    no_passing(said)
    yield clause.said(f"is {clause.low()}", said, Kind("fact", 2))


def equal(clause: Clause, phrase: str, said: str, kind: Kind, negated: bool) -> Said:
    """``allergic to`` ``nuts``: what somebody is, is not, or is no longer."""
    phrase = {"based in": "lives in"}.get(phrase, phrase) if clause.about.is_self else phrase
    no_passing(said)
    if phrase in ("interested in", "into", "obsessed with", "hooked on"):
        said = checked_interest(said)
    if phrase == "lives in":
        return clause.said(phrase, said, kind)
    if kind.importance == 2 and "'s " not in said:
        raise NotLearnt("passing state")
    if (phrase.endswith((" of", " to", " from", " in", " on", " at", " about", " for")) and not said) or (
        phrase in ("from", "into") and not said
    ):
        raise NotLearnt("not self-contained")
    if clause.ended:
        before = clause.said("is", f"{phrase} {said}".strip(), kind)
        return replace(
            clause.said("is no longer", before.value, kind),
            replaces=(Replaced("change", statement=before.content),),
        )
    verb = "are" if clause.about.plural else "is"
    return clause.said(f"{verb} not" if negated else verb, f"{phrase} {said}".strip(), clause.kind_of(kind))


_PASSING_NOUN = re.compile(rf"^\w+ (?:\w+ )?(?:{'|'.join(sorted(words_of.TASKS))})\b")
_TIMES = re.compile(r"\b(?:few|several|many|multiple|two|three|countless) times\b|\bbefore$")
_UNNAMED = re.compile(r"some\b|an? [a-z-]+$")
_TASTED = {"loved": "love", "liked": "like", "enjoyed": "enjoy", "hated": "hate", "preferred": "prefer"}


def has(clause: Clause) -> Iterator[Said]:
    """``have two cats``, ``have been living in``, ``have moved to``."""
    clause = clause.ahead()
    negated = clause.low() == "not"
    clause = clause.ahead() if negated else clause.without_adverbs()
    if lasting := for_long(clause, negated=negated):
        yield lasting
        return
    if (
        clause.low() == "been"
        and clause.habit != "never"
        and not negated
        and (found := lookup(grammar().be, clause.words, clause.at + 1))
    ):
        yield equal(clause, " ".join(found[0].said), clause.value(found[1]), found[0].kind, negated)
        return
    if clause.low() == "stopped" and not negated:
        yield from stopped(clause)
        return
    if clause.low() == "decided" and not negated:
        yield from intends(clause)
        return
    if clause.habit == "never" and not negated:
        yield from _has_never(clause)
        return
    if clause.low() == "been" and not negated:
        yield from has_been(clause.ahead())
        return
    if not negated and (past := _PAST_OF.get(clause.low())):
        words = list(clause.words)
        words[clause.at] = replace(words[clause.at], low=past)
        clause = replace(clause, words=words) if lookup(grammar().events, words, clause.at) else clause
    if (
        not negated
        and (found := lookup(grammar().events, clause.words, clause.at))
        and found[0].said[0] not in ("met", "got", "saw", "lost", "left")
    ):
        yield from happened(clause, *found)
        return
    if not negated and clause.low() in ("loved", "liked", "enjoyed", "hated", "preferred"):
        yield clause.said(third(_TASTED[clause.low()]), checked_taste(clause.value(clause.at + 1)), TASTE)
        return
    if not negated and clause.low() in ("wanted", "dreamed", "dreamt") and clause.low(1) in ("to", "of"):
        yield clause.said(f"has always {clause.low()} {clause.low(1)}", clause.value(clause.at + 2), Kind("fact", 3))
        return
    if (
        not negated
        and clause.habit == "always"
        and clause.low() in ("had", "felt")
        and re.match(r"an? ", clause.value(clause.at + 1))
    ):
        yield clause.said(f"has always {clause.low()}", clause.value(clause.at + 1), clause.kind)
        return
    if not negated and (
        clause.low() in verbs_of.HAVING
        or (clause.low().endswith("ed") and clause.low() not in verbs_of.NO_EVENT | {"need"})
    ):
        ahead = clause.low() in ("booked", "reserved", "scheduled", "arranged")
        said, at = dated(clause.value(clause.at + 1), clause.setting, ahead=ahead)
        told = TELLING.search(said) or _TIMES.search(said)
        if clause.setting.to_assistant and clause.low() in ("seen", "read") and _UNNAMED.match(said):
            raise NotLearnt("not self-contained")
        if len(said.split()) > 1 and told and _PASSING_NOUN.search(said) is None:
            yield clause.said(f"has {clause.low()}", said, Kind("event", 2), at)
            return
    if not negated and clause.setting.to_assistant and endings.told(clause.after(clause.at)):
        yield from holds(clause)
        return
    said = clause.value(clause.at)
    is_done = clause.low() in verbs_of.PAST and clause.low() != "got"
    if not (negated or is_done) and head_of(without(said).strip()) in words_of.HAPPENINGS and clause.lies_ahead:
        said, at = dated(said, clause.setting, ahead=True)
        yield clause.said("has", said, Kind("event", 3), at)
        return
    if negated or not (is_possession(said) or OFTEN.search(said)):
        raise NotLearnt("passing state")
    no_passing(said)
    verb = "no longer has" if clause.ended else agreeing(clause.about, "have")
    yield clause.said(verb, said, clause.kind if not clause.about.is_thing else PROJECT)


_PAST_OF = {
    "taken": "took",
    "given": "gave",
    "become": "became",
    "broken": "broke",
    "written": "wrote",
    "begun": "began",
}


def _has_never(clause: Clause) -> Iterator[Said]:
    """``have never been to Japan``, ``have never smoked``."""
    done, said = clause.low(), clause.value(clause.at + 1)
    if done not in verbs_of.HAVING | {"been", "had", "owned", "smoked", "drunk", "driven", "eaten"} and not (
        done.endswith("ed") and done not in verbs_of.NO_EVENT - {"used", "liked", "wanted", "loved", "enjoyed"}
    ):
        raise NotLearnt("passing state")
    if (not said and done != "smoked") or head_of(said) in words_of.TASKS | words_of.PASSING | words_of.VAGUE:
        raise NotLearnt("not self-contained")
    yield clause.said(f"has never {done}", said, clause.kind)


def goes_on(clause: Clause, phrase: Phrase, end: int, *, negated: bool) -> Iterator[Said]:
    """``am learning Spanish``; ``am working at Acme`` holds like ``works at Acme``."""
    said = clause.value(end)
    no_passing(said)
    learnt = phrase.learnt if phrase.learnt != " ".join(phrase.said) else ""
    if not said and not (learnt or len(phrase.said) > 2):
        raise NotLearnt("not self-contained")
    if learnt == "work for" and said[:1].isupper():
        learnt = "work at"
    if negated and not clause.ended:
        raise NotLearnt("passing state")
    if head_of(said) in words_of.TASKS or (clause.setting.to_assistant and said.startswith("more ")):
        raise NotLearnt("passing state")
    verb = in_third(learnt) if learnt else f"is {' '.join(phrase.said)}"
    verb = verb.replace(" my ", f" {clause.owner} ")
    if clause.ended:
        yield from clause.no_longer(verb, said, phrase.kind)
        return
    said, at = dated(said, clause.setting, ahead=True)
    yield clause.said(verb, said, clause.kind_of(phrase.kind), at)
