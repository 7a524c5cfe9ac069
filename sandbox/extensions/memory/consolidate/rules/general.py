"""What the tables do not have: what somebody does in general, and what happened once. English. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sandbox.extensions.memory.consolidate.rules import endings
from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.clauses import Clause, head_of, team_of
from sandbox.extensions.memory.consolidate.rules.dates import without
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said
from sandbox.extensions.memory.consolidate.rules.values import dated
from sandbox.extensions.memory.consolidate.rules.wordforms import third

OFTEN = re.compile(
    r"\b(?:every (?:other )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|spring|autumn|\w+day"
    r"|\w+ember|january|february|march|april|may|june|july|august|october)|(?:once|twice|\w+ (?:times|days|hours"
    r"|nights|evenings|mornings)) (?:an?|per) (?:day|week|month|year)|on \w+days|each (?:year|week|month|day"
    r"|morning)|for a living|on the (?:first|second|third|last) \w+day|everywhere|all year|year-round"
    r"|in (?:all|any) weathers?)\b",
    re.I,
)
_LOVED = re.compile(r"(?:\w+ing )?[\"A-Z]\w|.* as a (?:kid|child|teen)")
_OF_NOW = re.compile(
    r"^(?:the\b(?! user's)|this|that|these|those|some|any|so|to|up|out|off|down|over|back|how|what|why|when|all|every"
    r"|every\w+(?! (?:in|with|on) [A-Z])|no"
    r"|just|more|about|like|it|another|enough|well|hard|again|\d+ (?:errors?|lines?|files?))\b|\b(?:today|tonight"
    r"|tomorrow|right now|again|just now|error|errors|exception)\b",
    re.IGNORECASE,
)


def in_general(clause: Clause, is_possession: bool, *, negated: bool) -> Iterator[Said]:
    """A habit or an activity of somebody, a childhood love, or what was done."""
    word = clause.low()
    said = clause.value(clause.at + 1)
    if word in ("loved", "enjoyed") and _LOVED.match(said) and not negated and said.split()[0] != "The":
        yield clause.said(word, said, Kind("preference", 2, "opinion"))
    elif (
        not negated
        and clause.setting.to_assistant
        and (verb := endings.told(clause.after(clause.at), is_team=clause.about.is_team))
    ):
        said, at = dated(clause.value(clause.at + len(verb.split())), clause.setting, ahead=False)
        yield clause.said(verb, said, Kind("event", 3), at)
    elif _is_done(clause, word, said):
        is_own = clause.about.is_self
        if clause.about.is_team and clause.setting.to_assistant:
            clause = replace(clause, about=team_of(clause.about))
        infinitive = f"{'do' if clause.about.plural else 'does'} not {word}"
        verb = infinitive if negated else third(word) if is_own else word
        yield clause.said(" ".join(filter(None, (clause.habit, verb))), said, clause.kind_of(Kind("fact", 2)))
    elif negated or clause.ended or len(said.split()) < 2 or not (past := _happened(clause, word, said, is_possession)):
        raise NotLearnt("no lasting statement")
    else:
        yield past


def _is_done(clause: Clause, word: str, said: str) -> bool:
    """The present of a verb: what the speaker, or a relative, does again and again, or as long as anybody knows."""
    about = clause.about
    if not word.isalpha() or not word.islower() or word == "re" or clause.ended or not said:
        return False
    if about.is_thing:
        is_ours = not words_of.ORGANISATIONS.isdisjoint(about.name.lower().split())
        return clause.setting.to_assistant and word.endswith("s") and _is_told_of_thing(word, said, is_ours=is_ours)
    if about.is_self:
        base = word
    elif word.endswith("s") and clause.setting.to_assistant and not about.plural:
        base = word.removesuffix("s")
    else:
        return False
    if base in _passing(said, is_self=about.is_self) | verbs_of.PAST or base.endswith(("ed", "ing", "ly")):
        return False
    is_rule = clause.habit == "never" and clause.about.is_team and clause.setting.to_assistant
    often = (clause.habit and clause.habit not in ("never", "sometimes")) or OFTEN.search(said) or is_rule
    if often:
        return (len(said.split()) > 1 or base in verbs_of.BY_ITSELF) and base != "go"
    if base in verbs_of.BY_ITSELF and _ROUTINE.fullmatch(said):
        return True
    if (not clause.setting.to_assistant and len(said.split()) < 3) or {base, f"{base[:-1]}"} & verbs_of.MOMENTARY:
        return False
    return _OF_NOW.search(said) is None and head_of(said) not in words_of.TASKS | words_of.PASSING | words_of.VAGUE


def _passing(said: str, *, is_self: bool) -> frozenset[str]:
    """Verbs that tell nothing lasting, with what is said after them: ``make mistakes``, not ``make candles``."""
    known = verbs_of.NO_HABIT - {"do"}
    if not is_self:
        return known - {"run", "make"}
    if re.match(r"(?:\w+ing|the|an?|this|that|it|sure|sense|mistakes|fun)\b", said):
        return known
    return known - {"run", "make", "keep", "give"}


_ROUTINE = re.compile(r"(?:before|after) (?:work|school|breakfast|lunch|dinner|bed|sunrise)")
_OF_FAILURE = frozenset(
    "fails crashes breaks hangs throws times says gives looks seems works gets shows has does was".split()
)


def _is_told_of_thing(word: str, said: str, *, is_ours: bool) -> bool:
    """``returns JSON in snake case``, ``makes prosthetic hands``; not what just goes wrong."""
    if is_ours and word not in _OF_FAILURE:
        return re.search(r"\b(?:me|it|this|that|today|now)\b", said) is None
    return (
        word not in _OF_FAILURE
        and bool(re.search(r"\b[A-Z]\w|\d|\w[/_]\w|\b(?:two|three|four|five|six|ten|twelve|twenty|thirty) ", said))
        and not _OF_NOW.search(said)
    )


def _happened(clause: Clause, word: str, said: str, is_possession: bool) -> Said | None:
    """What was done on a day that is said, or is told well enough."""
    if word == "got" and (is_possession or _is_got(clause, said)):
        said, at = dated(said, clause.setting, ahead=False)
        return clause.said("got", said, Kind("event", 3), at)
    is_past = (word.endswith("ed") and len(word) > 4) or word in verbs_of.PAST
    if not is_past or (word in verbs_of.NO_EVENT and word != "got") or clause.habit:
        return None
    length = len(without(said).split())
    said, at = dated(said, clause.setting, ahead=False)
    object_ = said.split()[0].lower()
    noun = re.split(r" (?:of|in|at|for|with|to|from|on|about|that|and) ", said.lower(), maxsplit=1)[0].split()[-1]
    if word == "got" and (not at or (object_ in ("the",) and noun in words_of.TASKS)):
        return None
    dull = (
        (noun in words_of.TASKS | words_of.PASSING and not (at and length > 4))
        or object_ in ("to", "so", "that", "up", "out")
        or (not at and object_ == "the" and not re.search(r" [A-Z][a-z]", said))
    )
    began = word == "started" and re.match(r"\w+ing .", said)
    past = at.date() < clause.setting.at.date() if at else bool(began)
    if past and not dull and (at or not clause.about.is_thing) and (at or noun not in words_of.VAGUE):
        return clause.said(word, said, Kind("event", 2), at)
    return None


def _is_got(clause: Clause, said: str) -> bool:
    """What people tell each other they got, but for what is soon over."""
    noun = head_of(said)
    dull = words_of.TASKS | words_of.PASSING | words_of.VAGUE | {"surge", "boost", "glimpse", "taste"}
    return (
        not clause.setting.to_assistant and bool(re.match(r"an? ", said)) and len(said.split()) > 3 and noun not in dull
    )
