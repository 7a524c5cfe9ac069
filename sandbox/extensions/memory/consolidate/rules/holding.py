"""What holds: states, tastes, habits; and what does not. English. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sandbox.extensions.memory.consolidate.rules import duties
from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.clauses import FACT, TASTE, Clause, no_passing, team_of
from sandbox.extensions.memory.consolidate.rules.general import in_general
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said
from sandbox.extensions.memory.consolidate.rules.values import dated
from sandbox.extensions.memory.consolidate.rules.wordforms import Phrase, agreeing, grammar, lookup


def holds(clause: Clause, *, negated: bool = False) -> Iterator[Said]:
    """``live in Leeds``, ``lives in Leeds``; ``do not eat meat``."""
    found = _state(clause)
    if (negated or clause.habit == "never") and (alone := _left_undone(clause)):
        yield clause.said(*alone, clause.kind)
        return
    if found is None and not negated and (duty := duties.duty(clause) or duties.tooling(clause)):
        yield duty
        return
    if found is None:
        yield from in_general(clause, is_possession(clause.value(clause.at + 1)), negated=negated)
        return
    phrase, end = found
    taste = phrase.said[0] in verbs_of.TASTES
    said = checked_taste(clause.value(end)) if taste else clause.value(end)
    learnt = "work at" if phrase.learnt == "work for" and said[:1].isupper() else phrase.learnt
    if not said and " " not in learnt and learnt not in ("smoke", "drink", "freelance", "meditate"):
        raise NotLearnt("not self-contained")
    no_passing(said)
    if clause.about.is_team and phrase.said[0] in verbs_of.TEAM:
        clause = replace(clause, about=team_of(clause.about))
    if learnt == "read" and not (negated or clause.habit) and (book := _read(clause, said)):
        yield book
        return
    verb = " ".join(filter(None, (clause.habit, agreeing(clause.about, learnt))))
    verb = re.sub(r"\bmy\b", clause.owner, verb)
    if clause.ended:
        yield from clause.no_longer(verb, said, phrase.kind)
    elif negated:
        yield clause.said(f"{'do' if clause.about.plural else 'does'} not {learnt}", said, phrase.kind)
    else:
        kind = clause.kind_of(phrase.kind)
        before = learnt.rsplit(" ", 1)[-1]  # "runs out in" October
        when = f"{before} {said}" if clause.about.is_thing and before in ("in", "on") and " " not in said else said
        said, at = dated(when, clause.setting, ahead=True) if clause.about.is_thing else (said, None)
        said = said if at or when == said else said.removeprefix(f"{before} ")
        with_whom = clause.setting.to_assistant and _WITH_WHOM.search(said)
        if learnt in ("live in", "live at") and not with_whom and (beside := _BESIDE.search(said)):
            yield clause.said(agreeing(clause.about, f"live {beside[1]}"), beside[2], kind)
            said = said[: beside.start()]
        if learnt == "work at" and (job := re.search(r"^(\S.*?) as (an? .+)$", said)):
            yield clause.said("works as", job[2], kind)
            said = job[1]
        if learnt == "work as" and not clause.habit and (place := _EMPLOYER.search(said)):
            yield clause.said(agreeing(clause.about, "work at"), place[1], kind)
            said = f"{said[: place.start()]}{said[place.end() :]}"
        yield clause.said(verb, said, kind, at)
        if learnt.startswith("live ") and (within := _IN_TOWN.match(said)):
            yield clause.said(agreeing(clause.about, "live in"), within["town"], kind)


def _read(clause: Clause, said: str) -> Said | None:
    """``read Dune last week``, which looks like the present; None where no day before is named."""
    said, at = dated(said, clause.setting, ahead=False)
    return clause.said("read", said, Kind("event", 3), at) if at and at.date() < clause.setting.at.date() else None


def _left_undone(clause: Clause) -> tuple[str, str] | None:
    """``do not drive``, ``never flies``: what somebody does not do at all, which needs no object."""
    word = clause.low()
    base = word if clause.about.is_self or clause.about.plural else grammar().base.get(word, word.removesuffix("s"))
    rest = clause.value(clause.at + 1)
    if base not in verbs_of.ALONE or not (not rest or _AT_ALL.fullmatch(rest)):
        return None
    does = "do" if clause.about.plural else "does"
    return (f"never {agreeing(clause.about, base)}", "") if clause.habit else (f"{does} not {base}", "")


_AT_ALL = re.compile(r"(?:at all|any ?more|much|out|outside|in the house|alone)")
_IN_TOWN = re.compile(r"(?:^|^.*[a-z] )in (?P<town>[A-Z][\w'-]*(?:,? [A-Z][\w'-]*)*)$")
_EMPLOYER = re.compile(r" (?:at|for) ([A-Z][\w&.-]*(?: [A-Z][\w&.-]*)*)(?=$|,)")
_WITH_WHOM = re.compile(r"^[A-Z][\w' -]* with the user's \w")
_BESIDE = re.compile(r" (with|near|next to|alone|close to) ?(.*)$")


def _state(clause: Clause) -> tuple[Phrase, int] | None:
    known = grammar()
    word = clause.words[clause.at]
    base = known.base.get(word.low) if not clause.about.is_self else None
    words = list(clause.words)
    if base:
        words[clause.at] = replace(word, low=base)
    elif not (clause.about.is_self or clause.about.plural):
        return None
    if clause.about.is_thing:
        return lookup(known.of_things, words, clause.at)
    return lookup(known.states, words, clause.at)


_NO_TASTE = re.compile(
    r"^(?:the (?!user's .*\b(?:strong|weak|black|white|hot|cold|iced|rare|medium|well[- ]done|\w+ed|spicy|mild|sweet"
    r"|short|dry|crispy|crunchy|soft|firm|runny|plain|brief|quiet|bright|dark|simple|loud|neat|thin|thick|raw|still"
    r"|with|without)\b"
    r"|outdoors|beach|ocean|sea|mountains?|countryside|piano|guitar|cold|heat|rain|snow|winter|summer"
    r"|arts?|theatre|theater|(?!(?:idea|thought|concept|notion|look|sound(?= of (?-i:[A-Z\d]))) )"
    r"\w+(?: and \w+)? of (?!the\b))"
    r"|how|when|what|all|to (?:hear|see|know|be able|help|say|ask)|every|both|more)\b",
    re.IGNORECASE,
)


def checked_taste(said: str) -> str:
    """A taste is for something in general, not for what is before one's eyes."""
    if not said or _NO_TASTE.match(said) or re.match(r"(?:in|on|at|for|with|of|is|are)\b", said):
        raise NotLearnt("passing state")
    return said


_REQUESTED = re.compile(
    r"(?:learning|knowing|hearing|reading|finding out) (?:more|how)\b|(?:understanding|exploring|trying|checking"
    r"|looking|seeing|watching|hearing|knowing|comparing|discussing|incorporating|adding)\b"
    r"|(?:\w+ing )?(?:some|any)\b|(?:other|different) options?\b|\w+ (?:with|of) similar\b"
)


def checked_interest(said: str) -> str:
    """An interest is in a thing itself, not in hearing of it now: ``learning more about Rome`` is what is asked."""
    if _REQUESTED.match(said):
        raise NotLearnt("passing state")
    return checked_taste(said)


_NUMBERS = frozenset("a an another one two three four five six seven eight nine ten no several many my some".split())


_NAMED = re.compile(r"(?:an?|one|two|another|the user's|\w+'s) [\w -]+ (?:called|named) [A-Z]")


def is_possession(said: str) -> bool:
    """Kin, pets, conditions and what is owned for long, not ideas and headaches."""
    if _NAMED.match(said):
        return True
    phrase = (
        re.split(r" (?:called|named|with|in|at|from|and|of|to|on|for|about|near|by) |,", said, maxsplit=1)[0]
        .lower()
        .split()
    )
    return (
        bool(phrase)
        and (phrase[-1] in words_of.HAVE or phrase[-1].removesuffix("s") in words_of.HAVE)
        and (phrase[0] in _NUMBERS or phrase[0].isdecimal() or len(phrase) <= 3)
        and (phrase[-1] not in ("friends", "friend", "mentor", "mentors", "colleagues", "doctor", "teacher"))
    )


def does(clause: Clause) -> Iterator[Said]:
    """``do not eat meat``, ``does not live in Leeds anymore``."""
    if clause.low(1) != "not":
        if clause.low() == "do":
            stressed = clause.low(1) in grammar().states  # "I do love"
            yield from holds(clause.ahead() if stressed else clause)
            return
        if duty := duties.duty(clause):
            yield duty
            return
        raise NotLearnt("no lasting statement")
    clause = clause.ahead(2).without_adverbs()
    if clause.low() == "know" and clause.low(1) not in ("how", "anyone", "anybody"):
        raise NotLearnt("passing state")
    about = clause.about
    base = replace(clause, about=replace(about, is_self=True))
    if clause.low() == "have":
        said = clause.value(clause.at + 1)
        had = clause.ended and re.match(r"(?:the |that |a )?[A-Z]", said)
        if not (had or is_possession(said.replace("any ", ""))):
            raise NotLearnt("passing state")
        if clause.ended:
            yield from clause.no_longer("has", re.sub(r"^(?:any|an?|the) ", "", said), clause.kind)
        else:
            yield clause.said("does not have", said, clause.kind)
        return
    for said_ in holds(base, negated=True):
        yield replace(said_, subject=about)


_ABLE = frozenset("speak play swim drive".split())
_ALONE = frozenset("swim drive cook dance sing whistle ski skate".split())
_CANNOT = _ABLE | _ALONE | frozenset("do handle stand eat drink tolerate have ride read stomach".split())


def can(clause: Clause) -> Iterator[Said]:
    """``can not stand onions``, ``can speak French``."""
    negated = clause.low(1) == "not"
    clause = clause.ahead(2 if negated else 1)
    verb = clause.low()
    if verb not in (_CANNOT if negated else _ABLE):
        raise NotLearnt("passing state")
    said = clause.value(clause.at + 1)
    no_passing(said)
    if (not said and verb not in _ALONE) or (
        verb == "have" and not re.search(r"gluten|dairy|milk|nuts?|sugar|meat|lactose|alcohol|kids|children", said)
    ):
        raise NotLearnt("passing state")
    taste = verb in ("stand", "tolerate", "do", "handle", "stomach")
    yield clause.said(
        f"{'cannot' if negated else 'can'} {verb}", checked_taste(said) if taste else said, TASTE if taste else FACT
    )
