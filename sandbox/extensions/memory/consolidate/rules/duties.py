"""What somebody is there for: ``Farid runs the billing team``, ``I'm head of QA at Brightleaf``. English. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sandbox.extensions.memory.consolidate.rules.clauses import PROJECT, Clause, team_of
from sandbox.extensions.memory.consolidate.rules.statements import Said
from sandbox.extensions.memory.consolidate.rules.wordforms import Word, third

_VERBS = frozenset(
    """runs leads heads manages owns handles covers coordinates oversees supervises maintains does takes looks
    approves reviews organises organizes answers""".split()
)
_DUTY = re.compile(
    r"\b(?:our|us|teams?|departments?|squads?|groups?|crew|hiring|accounting|accounts|payroll|marketing|sales|books"
    r"|finances"
    r"|finance|billing|support|on-?call|design|offices?|shop|projects?|services?|front-?end|back-?end|servers?"
    r"|infrastructure|releases|deployments|deploys|invoices|invoicing|contracts|legal|hr|recruiting|recruitment|qa"
    r"|testing"
    r"|ops|operations|logistics|purchasing|procurement|security|database|databases|website|branch|factory|warehouse"
    r"|customers?|clients?|orders|taxes|translations|training|onboarding|compliance|cases|division|unit|lab|store)\b",
    re.IGNORECASE,
)
_RANK = (
    r"(?:(?:deputy|vice|assistant|associate|senior|junior|acting|interim|regional|general|managing|executive|group"
    r"|technical|creative|art|medical|finance|sales|marketing|product|engineering|design|project|team|tech|staff"
    r"|global)[ -])"
)
_OFFICE = (
    r"(?:head|directors?|chief|president|vice[- ]president|s?vp|evp|c[a-z]o|ciso|leads?|leader|managers?|editor"
    r"|editor-in-chief|principal|dean|controller|superintendent|commander|professor)"
)
_HONORARY = (
    r"(?:chair|chairman|chairwoman|chairperson|treasurer|secretary|captain|co-?founder|founder|owner|partner|governor"
    r"|trustee|member|mayor|godfather|godmother)"
)
_ROLE = re.compile(
    rf"^(?P<role>{_RANK}*(?:(?P<office>{_OFFICE})|{_HONORARY})(?: (?:of|for|on) (?!the user$)[\w&'. -]+?)??)"
    r"(?: (?:at|with|in|for) (?P<where>(?:(?:an?|the) |(?-i:[A-Z]))[\w&'. -]+))?$",
    re.IGNORECASE,
)


def is_duty(words: Sequence[Word], at: int) -> bool:
    """Whether a verb with what follows it says what somebody is there for."""
    return words[at].low in _VERBS and bool(_DUTY.search(" ".join(word.text for word in words[at + 1 :])))


_OF_WORK = re.compile(
    r"\b(?:(?:chang|switch)\w* (?:jobs?|employers?|compan\w+)|(?:new|old|last|another) (?:job|role|employer|gig)"
    r"|hired|quit|resigned|headhunted|(?:the|a) job (?:at|offer)|, still \w+)\b",
    re.IGNORECASE,
)


def is_of_work(text: str) -> bool:
    """Whether a turn speaks of another job."""
    return _OF_WORK.search(text) is not None


def duty(clause: Clause) -> Said | None:
    """``runs the billing team``; None where that is no duty, or of nobody in particular."""
    about = clause.about
    if about.is_self or about.is_thing or clause.ended or not is_duty(clause.words, clause.at):
        return None
    said = clause.value(clause.at + 1)
    return clause.said(clause.low(), said, clause.kind) if len(said.split()) > 1 or said else None


_TOOLED = frozenset(
    """run test lint build format deploy release track document log monitor publish package install host ship manage
    write keep generate bundle serve schedule profile benchmark""".split()
)
_WITH_TOOL = re.compile(
    r"(?:(?:the |our |all |everything |the user's |all our |all the )?[\w -]{2,30}? )?(?:with|via|using|through"
    r"|by running|in|to|on)"
    r" [`'\"]?(?!(?:the|an?|my|our|no|all|this|that)\b)[\w./-]+"
)


def tooling(clause: Clause) -> Said | None:
    """How a team does a part of its work: ``we run the tests with pytest``; None where that is not said."""
    if not (clause.about.is_team and clause.setting.to_assistant) or clause.low() not in _TOOLED or clause.ended:
        return None
    said = clause.value(clause.at + 1)
    if not _WITH_TOOL.match(said) or _ONCE.search(said):
        return None
    return replace(clause, about=team_of(clause.about)).said(third(clause.low()), said, PROJECT)


_ONCE = re.compile(
    r"\b(?:today|tonight|tomorrow|now|again|this (?:week|time|morning)|error\w*|trouble|problems?)\b", re.I
)


def role(clause: Clause, said: str) -> Iterator[Said]:
    """An office that is held, without an article: ``CTO at Lumen``; nothing where it is none."""
    match = _ROLE.match(said)
    if match is None or (" " not in said and not match["office"]):
        return
    where = match["where"] or ""
    if not match["office"]:
        yield clause.said("is", said, clause.kind)
        return
    yield clause.said("works as", match["role"], clause.kind)
    if where:
        yield clause.said("works at", where, clause.kind)
