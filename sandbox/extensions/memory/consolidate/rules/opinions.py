"""What somebody thinks of something general, and what it is to them. English. Pure."""

import re
from collections.abc import Iterator

from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.clauses import TASTE, THOUGHT, Clause, no_passing
from sandbox.extensions.memory.consolidate.rules.holding import holds
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said, Setting, Subject, upper
from sandbox.extensions.memory.consolidate.rules.texts import words_in
from sandbox.extensions.memory.consolidate.rules.values import value
from sandbox.extensions.memory.consolidate.rules.wordforms import mid

_OPINION = re.compile(
    r"^(?:that )?(?P<what>[\w#+.'/& -]{2,40}?) (?P<is>is|are|beats?|needs?|should|can|helps?|makes?|brings?"
    r"|matters?) (?P<how>.+)"
)
_FINDING = re.compile(
    r"[\w-]+(?: [\w-]+)? (?:really |so |very |quite )?(?:\w+(?:ing|ful|ive|able|ous|al|ic|ary)|hard|easy|fun"
    r"|boring|useless|great)\b"
)
_JUDGES = re.compile(
    r"\b(?:over-?rated|underrated|better|best|worse|worst|key|crucial|awesome|incredible|powerful|rewarding"
    r"|priceless|vital|fantastic|boring|bad|good|great|terrible|awful|amazing|beautiful|ugly|useless|useful|too"
    r"|important|evil|stupid|silly|fun|hard|easy|essential|waste|future|harmful|dangerous|interesting|expensive"
    r"|cheap|fine|overkill|bloated|clunky|pointless|confusing|messy|slow|excellent|nonsense|hype|overhyped)\b",
    re.I,
)


def thinks(clause: Clause) -> Iterator[Said]:
    """``think that X is overrated``: of something named, not of what was just said."""
    if (clause.low(), clause.low(1)) == ("believe", "in"):
        yield from holds(clause)
        return
    rest = clause.after(clause.at + 1)
    found = (_FINDING.match(rest) or _JUDGES.search(rest)) if clause.low() == "find" else None
    if found and not re.match(r"(?:it|this|that|the|a|an|my|your|them|him|her|out|peace|joy)\b", rest):
        yield clause.said("finds", clause.value(clause.at + 1), THOUGHT)
        return
    match = _OPINION.match(rest)
    named = clause.setting.to_assistant and match and re.match(r"[Tt]he (?:\w+ )*[A-Z]|[Tt]he \w+ \w+", match["what"])
    if match is None or (
        (not named or not _JUDGES.search(match["how"]))
        and re.match(
            r"(?:the|this|that|it|we|you|i|he|she|they|there|what|how|my|your|a|an|these|those|everything|things"
            r"|people)\b",
            match["what"],
            re.I,
        )
    ):
        raise NotLearnt("no lasting statement")
    said = value(f"{match['what']} {match['is']} {match['how']}", clause.about, clause.setting)
    if len(said.split()) < 4 and not _JUDGES.search(said):
        raise NotLearnt("no lasting statement")
    yield clause.said("thinks", said, THOUGHT)


def rather(clause: Clause) -> Iterator[Said]:
    """``would rather walk than drive``: what is preferred to what; without that it is a wish of the moment."""
    clause = clause.ahead()
    if clause.low() not in ("rather", "sooner"):
        raise NotLearnt("hypothetical")
    said = clause.value(clause.at + 1)
    if not (re.search(r"\bthan\b", said) or (said.startswith("not ") and re.search(r"^not \w+ (?!the\b|an?\b)", said))):
        raise NotLearnt("hypothetical")
    no_passing(said)
    yield clause.said("would rather", said, TASTE)


def matters(text: str, setting: Setting) -> Said | None:
    """``Dancing brings me joy``: what something general is to the speaker; None for any other sentence."""
    if words_in(text).isdisjoint(("my", "me")):
        return None
    text = upper(text)
    if dear := _DEAR.match(text):
        return Said(setting.speaker, "", kind=Kind("preference", 3, "opinion"), wording=_dear(dear, setting))
    match = re.match(
        r"(?P<what>[A-Z]\w+(?: (?!my\b|is\b|are\b)[\w'-]+){0,4}?) (?P<verb>\w+) (?P<rest>.*\b(?:my|me)\b.*)$", text
    )
    if (
        match is None
        or match["verb"] not in verbs_of.FOR_ME
        or ("my" not in match["rest"].split()[:5] and "me" not in match["rest"].split()[:2])
        or not words_of.PRONOUNS.isdisjoint(match["what"].lower().split())
        or match["what"].split()[0].lower() in _NOT_GENERAL
    ):
        return None
    about = Subject(match["what"], match["what"].lower(), is_thing=True)
    said = value(match["rest"], setting.speaker, setting)
    if re.search(rf"(?:^|\b(?!for |to |of |with |in |like |about )\w+ ){re.escape(setting.speaker.name)}$", said):
        return None
    return Said(about, match["verb"], said, Kind("preference", 3, "opinion"))


_DEAR = re.compile(
    r"^(?P<what>(?!(?:It|This|That|These|Those|They|He|She|What|Which|There|Everything|The|Your|His"
    r"|Her)\b)[A-Z][\w' -]{2,60}?) "
    r"(?P<be>is|are) (?:really |so |very |super |always )*(?P<how>important|everything|dear|sacred|key) to me$"
)


def _dear(match: re.Match[str], setting: Setting) -> str:
    name = mid(setting.speaker.name)
    what = re.sub(r"\b[Mm]y\b", f"{name}'s", match["what"])
    return f"{what} {match['be']} {match['how']} to {name}"


_FAVOURITE = re.compile(
    r"^(?P<what>[A-Z\"][\w'\".:& -]{2,50}?) (?:is|are|was|were|has always been) (?:one of |definitely |still "
    r"|probably )*my (?:all-time |absolute )?(?P<noun>fav(?:ou?rite|e)s?(?: [a-z]+){0,2}|(?:[a-z]+ ){0,2}(?:passion"
    r"|therapy|escape|hobby|happy place|dream|goal|inspiration|comfort food|priority|specialty|speciality"
    r"|stress relief|dream job|weakness|guilty pleasure|chill time|safe (?:space|haven|place)|main focus|focus"
    r"|pride and joy|calling|prized possession|comfort zone|strong suit|number one goal|go-to(?: [a-z]+){0,3}))$"
)


def favours(text: str, setting: Setting) -> Said | None:
    """``Harry Potter is my favourite book``; None for any other sentence."""
    match = _FAVOURITE.match(upper(text)) if "my" in words_in(text) else None
    if match is None or not words_of.PRONOUNS.isdisjoint(match["what"].lower().split()):
        return None
    if match["what"].split()[0].lower() in ("the", "my", "our", "your", "his", "her", "what", "which", "one", "some"):
        return None
    speaker, one = setting.speaker, "one of " if match["noun"].split()[0].endswith("s") or " one of " in text else ""
    wording = f"{match['what']} is {one}{mid(speaker.name)}'s {match['noun']}"
    return Said(speaker, "", kind=Kind("preference", 3, "opinion"), wording=wording)


_GENERAL = re.compile(
    r"^(?P<what>[A-Z][\w'+#.-]*(?: [\w'+#.-]+){0,5}?)"
    r"(?P<is> is| are|'s| can| has| have| helps?| brings?| makes?| gives?| takes?| keeps?) (?P<how>.+)$"
)
_GENERIC = re.compile(r"\w+ing\b|[A-Z]\w+(?:,? and | [A-Z])|[A-Z][a-z]+ \w+s$")
_NOT_GENERAL = frozenset(
    """
    the a an this that these those here there it he she they you we i my your our his her their what who how when where
    why which some all any every one things everything something nothing life people thanks yes no and but so today
    tomorrow now let please hope wow hey yeah both each another such if as being seeing having getting next last first
    friends everyone lots tons sure kinda always never sometimes usually often meanwhile also just maybe only most
    because thank god still even though me then oh been can could would will do does did glad happy well was its has
    sounds looks seems makes guess gonna others hearing knowing since although while whereas unless until before after
""".split()
)


def judges(text: str, setting: Setting) -> Said | None:
    """``Watching movies is a fun way to relax``: an opinion of something general; None for any other sentence."""
    match = _GENERAL.match(upper(text))
    if match is None or not _NOT_GENERAL.isdisjoint(match["what"].lower().split()):
        return None
    what, verb = match["what"], "is" if match["is"] == "'s" else match["is"].strip()
    is_said = verb in ("is", "are")
    if (is_said and not _JUDGES.search(match["how"][:40])) or (" " in what and not _GENERIC.match(what)):
        return None
    if not is_said and not re.match(r"\w+(?:ing|s)\b", what):
        return None
    said = value(match["how"], setting.speaker, setting)
    if (len(said.split()) < (3 if is_said else 4) and "overrated" not in said) or said.endswith("ing"):
        return None
    common = what if not re.match(r"[A-Z][a-z]+ing\b", what) else what[0].lower() + what[1:]
    return Said(setting.speaker, "thinks", f"{common} {verb} {said}", THOUGHT)
