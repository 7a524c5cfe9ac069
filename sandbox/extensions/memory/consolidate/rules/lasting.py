"""What has held for long: ``have lived in Ghent since 2016``, ``have been married for twelve years``. English. Pure."""

import re
from collections.abc import Iterator
from datetime import datetime

from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules.clauses import FACT, TELLING, Clause
from sandbox.extensions.memory.consolidate.rules.date_words import MONTHS_EN
from sandbox.extensions.memory.consolidate.rules.general import OFTEN
from sandbox.extensions.memory.consolidate.rules.statements import NotLearnt, Said, Setting
from sandbox.extensions.memory.consolidate.rules.values import dated
from sandbox.extensions.memory.consolidate.rules.wordforms import Phrase, grammar, lookup
from sandbox.extensions.memory.text import spans

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_COUNTS = {word: count for count, word in enumerate(_NUMBERS)} | {"a": 1, "an": 1, "fifteen": 15, "twenty": 20}
_COUNTS |= {"thirty": 30, "forty": 40}
_FOR = re.compile(
    rf"\bfor (?:about |around |almost |over |nearly |more than |the (?:last|past) )?(\d+|{'|'.join(list(_COUNTS)[1:])})"
    r" (years?|months?|weeks?)(?: now)?",
    re.I,
)
_MONTHS = "|".join(MONTHS_EN)
_SINCE = re.compile(
    rf"\bsince (?:early |late |about |around )?(?:(?P<month>{_MONTHS}) (?:of )?)?(?P<year>(?:19|20)\d\d)\b"
)
_SINCE_MONTH = re.compile(rf"\bsince (?:early |late |about |around )?({_MONTHS})\b(?! (?:of )?\d)")
_LATELY = re.compile(r"\bsince (?:last|this) (?:year|summer|winter|spring|autumn|fall|month|[A-Z]\w+)\b")
_FOREVER = re.compile(
    r"\b(?:since (?:childhood|birth|college|school|university|I was|my )|all my life|forever)\b", re.I
)


def since(said: str, setting: Setting) -> tuple[str, datetime | None]:
    """A value with ``for three years`` as ``since 2023`` and other times written out; and when it began."""
    match = _FOR.search(said)
    count = int(match[1]) if match and match[1].isdecimal() else _COUNTS[match[1].lower()] if match else 0
    if match and count < 200:
        unit = match[2][0].lower()
        day = spans.back(setting.at.date(), count, unit)
        began = str(day.year) if unit == "y" else f"{MONTHS_EN[day.month - 1]} {day.year}"
        said = f"{said[: match.start()]}since {began}{said[match.end() :]}"
    if named := _SINCE_MONTH.search(said):
        year = setting.at.year - (MONTHS_EN.index(named[1]) >= setting.at.month)
        said = f"{said[: named.end()]} {year}{said[named.end() :]}"
    said, at = dated(said, setting, ahead=False)
    said = re.sub(r"\bsince (?:in|on|the week of) ", "since ", said)
    if begun := _SINCE.search(said):
        month = MONTHS_EN.index(begun["month"]) + 1 if begun["month"] else 1
        return said, datetime(int(begun["year"]), month, 1, tzinfo=setting.at.tzinfo)
    return said, at


def for_long(clause: Clause, *, negated: bool) -> Said | None:
    """What is so since a time that is said: ``had asthma since childhood``, ``not eaten meat for five years``."""
    word = clause.low()
    told = any(pattern.search(clause.text) for pattern in (_FOR, _SINCE, _FOREVER, _LATELY))
    if clause.about.is_thing or not told:
        return None
    if word == "been" and clause.low(1).endswith("ing"):
        return None
    said, at = since(clause.value(clause.at + 1), clause.setting)
    if not ("since" in said or _FOREVER.search(said)) or (said.startswith("since") and not negated):
        return None
    bare = re.sub(r",? since .*$", "", said)
    if not negated and word in ("lived", "worked") and re.match(r"(?:in|at|for) [A-Z]", bare):
        at_work = re.sub(r"^(?:for|in)\b", "at", bare) if word == "worked" else bare
        return clause.said("lives" if word == "lived" else "works", at_work, clause.kind, at)
    return clause.said(f"has {'not ' if negated else ''}{word}", said, clause.kind, at)


def _is_told(clause: Clause) -> bool:
    """Whether enough is said of what somebody is doing; people tell each other more of that than assistants."""
    said = clause.value(clause.at + 1)
    if not clause.setting.to_assistant:
        return bool(TELLING.search(said)) or (len(said.split()) > 1 and _LOOSE.match(said) is None)
    told = OFTEN.search(said) or _REGULAR.search(said) or TELLING.search(said.removeprefix(clause.owner))
    return bool(told) and said.split()[-1] != "since"


_REGULAR = re.compile(r"\w+ .*\b(?:daily|weekly|nightly|(?<!quite )(?<!pretty )regularly|non-?stop)\b")

_LOOSE = re.compile(
    r"(?:hard|really|a lot|busy|great|good|well|so|much|more|up|out|off|on|in"
    r"|at|to|with|like|back|around|over|down|through)\b"
)


def has_been(clause: Clause) -> Iterator[Said]:
    """``have been playing the guitar for six years``: since 2020."""
    found = lookup(grammar().for_long, clause.words, clause.at)
    if found is None and clause.low().endswith("ing") and clause.low() not in verbs_of.NO_LASTING and _is_told(clause):
        found = Phrase((clause.low(),), clause.low(), FACT), clause.at + 1
    if found is None and (clause.low(), clause.low(1)) in (("trying", "out"), ("looking", "into"), ("getting", "into")):
        said = clause.value(clause.at + 2)
        if len(said.split()) < 2:
            raise NotLearnt("not self-contained")
        yield clause.said(f"has been {clause.low()} {clause.low(1)}", said, clause.kind)
        return
    if found is None and clause.low().endswith("ing") and _FOR.search(clause.text):
        found = Phrase((clause.low(),), clause.low(), FACT), clause.at + 1
    if found is None:
        if clause.low() in ("diagnosed", "promoted", "accepted", "hired", "fired", "laid") or (
            clause.low() == "to" and clause.words[clause.at + 1 :][:1] and clause.words[clause.at + 1].text[0].isupper()
        ):
            said, at = dated(clause.value(clause.at), clause.setting, ahead=False)
            yield clause.said("has been", said, clause.kind, at)
            return
        raise NotLearnt("passing state")
    said, at = since(clause.value(found[1]), clause.setting)
    if re.match(r"(?:longer|farther|further|more|harder|faster|better)\b", said):
        raise NotLearnt("passing state")
    if said.startswith("since") and found[0].said[0] in _OF_SOMETHING:
        raise NotLearnt("not self-contained")
    if found[0].said[0] == "living" and said.startswith("in "):
        yield clause.said("lives", re.split(r" since ", said)[0], clause.kind, at)
    elif found[0].said[0] == "working" and re.match(r"(?:at|for) [A-Z]", said):
        yield clause.said("works at", re.split(r" since ", said)[0].split(" ", 1)[1], clause.kind, at)
    elif _SINCE.search(said) or (clause.low().endswith("ing") and _is_told(clause)):
        yield clause.said(f"has been {' '.join(found[0].said)}", said, clause.kind, at)
    else:
        raise NotLearnt("passing state")


_OF_SOMETHING = frozenset("playing practicing practising taking attending writing using learning studying".split())
