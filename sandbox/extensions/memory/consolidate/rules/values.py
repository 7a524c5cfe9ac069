"""What is said after an English verb: without further clauses, with names for pronouns, with dates. Pure."""

import re
from datetime import datetime

from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.dates import moments, without
from sandbox.extensions.memory.consolidate.rules.statements import NotLearnt, Setting, Subject
from sandbox.extensions.memory.consolidate.rules.texts import small
from sandbox.extensions.memory.consolidate.rules.wordforms import mid

_CLAUSE_END = re.compile(
    r"\s*(?::(?=\s|$)|\((?!\d{1,2}\))|\.{2,}|…|!|\.(?=\s)|\s[-—–]+\s)|\s*,?\s*\b(?:because|since(?=\s+(?:i|we|it|he|she|they|my"
    r"|the|there)\b)|'cause|cos|although|though|while|whereas|unless|so that|which|who|whom|where|whenever|when|once"
    r"|as(?=\s+(?:i|we|it|he|she|they|my|you)\b)|if|except|but|so(?=\s+(?:any|every|all|no|please|don't|do|what|how|the|a|an|our|i|we|it|he|she|they|that|you|my|much|many|asap"
    r"|far)\b)|(?:and|or)(?=\s+(?:i|we|it|he|she|they|you|that|this|those|these|there|my|am|is|are|was|were|have|has"
    r"|had|would|will|can|need|want|also|considering|wondering|got|felt|feel|do|did|just|even|still|really|now|then|maybe|loved|made|saw|had|not)\b)"
    r"|(?:after|before|until)(?=\s+(?:i|we|it|he|she|they|my|you)\b)|to be honest|thanks to)\b|\s*,\s*(?=(?:i|we|it"
    r"|he|she|they|you|that|this|those|these|there|my|so|and then|then|really|just|not|even|such|what|it's|hoping"
    r"|making|trying|looking|feeling|thinking|especially|like|plus|along|too)\b)",
)
_LAST = [last.strip() for last in words_of.TRAILING.split(",")]
_LAST_WORDS = tuple({last.split()[-1] for last in _LAST})
_TRAILING = re.compile(rf"(?:(?:\s*,)?\s*\b(?:{'|'.join(_LAST)}))+$")
_SEGMENT = re.compile(r",\s+(?!as well as\b|on (?:the )?(?:\d|[A-Z]\w+ \d))(?=[a-z]\w*)")
_DESCRIBED = re.compile(
    r"\b(?:an?|some|such|more) [a-z]+, (?=[a-z]+(?:ing|ive|ful|ous|able|al|ly|ed|ic|ent|ant|est|y) "
    r"(?!(?:up|out|on|in|to|the|an?|and|with|for|at|by|of|my|our|his|her)\b)[a-z]+)"
)


def _described(text: str) -> int:
    """Where the adjectives of a noun end, that have commas between them: ``a safe, inviting place``."""
    match = _DESCRIBED.search(text)
    return match.end() if match and "," not in text[: match.start()] else 0


_LISTED = re.compile(r"^[\w'&.()\- ]+(?:,\s[\w'&.()\- ]+)*,?\s+(?:and|or|&)\s+[\w'&.()\- ]+$")
_AGED = re.compile(r"[A-Z]\w+ \(\d{1,2}\)[\s.!]*$")
_BAD = re.compile(r"[?<>{}=`|\\\[\]]|https?:|\ba certain\b")


def _without_clauses(rest: str) -> str:
    match = _CLAUSE_END.search(small(rest))
    text = rest[: match.start()] if match else rest
    cut = None if _LISTED.match(text) else _SEGMENT.search(text, _described(text))
    return text[: cut.start()] if cut else text


def _without_fillers(text: str) -> str:
    text = text.strip(" ,.!;:-—*_'" if "(" in text and _AGED.search(text) else " ,.!;:-—*_)'")
    lowered = small(text)
    last = _TRAILING.search(lowered) if lowered.endswith(_LAST_WORDS) else None
    return (text[: last.start()] if last else text).strip(" ,")


def value(rest: str, about: Subject, setting: Setting) -> str:
    """What is said after a verb, without further clauses and fillers; pronouns of the speaker by name."""
    text = _without_fillers(_without_clauses(rest))
    if text.count('"') % 2:
        raise NotLearnt("not self-contained")
    text = re.sub(r"\bour (?=(?:military|country|world|society|planet|nation|government)\b)", "the ", text, flags=re.I)
    text = _resolved(_WHERE_I.sub("", text), about, setting)
    text = _OF_TALES.sub(_a_or_an, re.sub(r"\bsuch (?=an? )", "", text))
    text = re.sub(
        r",? (?:on |in )?the (?:following|next|same) (?:day|week(?:end)?|month|year|morning|evening)$", "", text
    )
    if re.search(r"'s own(?: (?:from|at|in|to|for|with|by|on|and)\b|$)", text):
        raise NotLearnt("not self-contained")
    if re.search(r"(?<!\bon )(?<!\bby )(?<!until )\bthe \d{1,2}(?:st|nd|rd|th)$", text):
        raise NotLearnt("not self-contained")
    text = _before_pronouns(" ".join(re.sub(r"\s+together\b", "", text).split()))
    undated = without(text)
    undated = (
        undated if undated == text else re.sub(r"\b(?:from(?: to)?|for)(?=$| in )", "", undated)
    )  # these are of days
    found = re.findall(r"[\w']+", undated.lower().replace("one of ", "of "))
    if not words_of.PRONOUNS.isdisjoint(found) or _BAD.search(text):
        raise NotLearnt("not self-contained")
    if len(found) > 30:
        raise NotLearnt("too long")
    last = text.lower().rsplit(" ", 1)[-1]
    ends = {last, found[-1] if found and found[-1] not in ("every", "each") else last}
    if found and (not ends.isdisjoint(_DANGLING) or found[0] in ("and", "or", "that") or text == mid(about.name)):
        raise NotLearnt("not self-contained")
    if (
        found
        and len(found) < 4
        and found[-1] in words_of.VAGUE
        and text.islower()
        and (len(found) < 3 or found[-2] in _VAGUELY)
    ):
        raise NotLearnt("not self-contained")
    return text


_DANGLING = words_of.DANGLING | verbs_of.FOR_ME
_WHERE_I = re.compile(  # "the shelter I volunteer at"
    r"\s+(?:that |where )?I (?:volunteer|work|study|live|go|train|play|teach)(?: at| in| for| to| with)?"
    r"(?=$| (?:yesterday|last|this|on|in|for)\b)"
)
_OF_TALES = re.compile(  # "adopted this cute pup": of what was not spoken of before
    r"\bthis (?=(?:really |super |so )?(?:cute|amazing|awesome|great|cool|little|huge|new|lovely|beautiful|tiny"
    r"|wonderful) )"
)


def _a_or_an(match: re.Match[str]) -> str:
    return "an " if match.string[match.end()] in "aeiou" else "a "


_PRONOUN = re.compile(rf"\b(?:{'|'.join(sorted(words_of.PRONOUNS))})\b")
_JOINING = re.compile(
    r",?\s+(?:that|to|with|for|from|about|on|in|at|by|after|before|like|than|over|as|and|how|what|during|while"
    r"|using)\s+(?:\w+\s+){0,2}$",
    re.I,
)


_RELATIVE = re.compile(r"that (?:I|we|he|she|they|you|is|are|was|were|has|had|will|would|can)\b")


def _before_pronouns(text: str) -> str:
    """Without what only says for whom, with whom or in which of them: ``baked a cake for them``."""
    plain = re.sub(r"\bone of\b|\bthis (?=week|month|year|summer|spring|winter|autumn|fall|morning|weekend)", "", text)
    match = _PRONOUN.search(small(plain))
    if match is None or plain != text:
        return text
    before = text[: match.start()]
    joint = (
        None
        if _RELATIVE.match(text, match.start())
        else _JOINING.search(before if before[-1:] == " " else f"{before} ")
    )
    if joint is None and match[0].lower() == "that":
        joint = re.search(r"\s+$", before)
    least = 1 if joint and joint[0].lstrip(" ,").startswith("and") else 3
    return text[: joint.start()] if joint and len(text[: joint.start()].split()) >= least else text


_VAGUELY = frozenset("a an new some the many great amazing cool awesome top big nice good other few different".split())


def _resolved(text: str, about: Subject, setting: Setting) -> str:
    me = mid(setting.speaker.name)
    text = re.sub(r"(?<![\"“])\b(?:my|our)\b", f"{me}'s", text, flags=re.I)
    text = re.sub(r"\b(?:me|us)\b" if setting.to_assistant else r"\bme\b", me, text)  # to another, us is both of them
    if not about.is_self:
        short = mid(about.name) if about.is_thing else about.about
        possessive = "its" if about.is_thing else {"she": "her|its", "he": "his|its"}.get(about.pronoun, "his|her|its")
        text = re.sub(rf"\b(?:{possessive})(?=\s+[a-z])", f"{short}'s", text)
    return text


_TWICE = re.compile(
    r"\b(on|in|by|at|for) (?=(?:on|in|by|around) )|(?<=\bfrom )(?:in|on) |(?<=\bto )on (?=\d)|(?<=\buntil )on (?=\d)"
)


def dated(text: str, setting: Setting, *, ahead: bool) -> tuple[str, datetime | None]:
    """The text with its times written out, and the first of them."""
    found = moments(text, setting.at, ahead=ahead)
    for moment in reversed(found):
        text = f"{text[: moment.start]}{moment.written}{text[moment.end :]}"
    return _TWICE.sub("", text), found[0].at if found else None
