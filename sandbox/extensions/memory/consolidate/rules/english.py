"""English sentences: taken apart into clauses that can stand alone. Pure."""

import re
from collections.abc import Iterator
from datetime import datetime

from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.contractions import expand, without_leads
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.introductions import at_once, relative
from sandbox.extensions.memory.consolidate.rules.rewording import reworded
from sandbox.extensions.memory.consolidate.rules.texts import headless, words_in
from sandbox.extensions.memory.consolidate.rules.typing_slips import restored
from sandbox.extensions.memory.consolidate.rules.wordforms import Word, grammar

_WORD = re.compile(r"\d+(?:[.,:/]\d+)*%?\w*|[\w#@&+]+(?:['.\-/@+&]+\w+)*[+#]*|[,:()—–…!.]")
_ADDRESSED = re.compile(r"^[A-Z]\w+[,!] (?=I\b|my\b|we\b)")
_AND_I = re.compile(r"^(?:(?:My|Our) [a-z][\w -]{1,30}?|[A-Z]\w+|Some [\w ]{3,30}) and I (?=[a-z])")
_PARTED = re.compile(
    r"(?:^|(?<=, )|(?<=; )|(?<=because )|(?<=since )|(?<=so ))(?P<whom>(?:[Mm]y|[Oo]ur) [a-zé]\w+(?: [A-Z]\w+)?"
    r"|[A-Z]\w+) and I "
    r"(?:have |just |recently |finally |are |got )*(?:(?:broke|broken|split) up|separated|no longer together"
    r"|not together any"
    r" ?more|parted ways|ended (?:it|things)|called it quits|divorced|getting divorced)\b"
)
_TIME_FIRST = re.compile(
    r"^(?:Just |Actually |Only |From |Starting |As of )*(?P<time>[^,]{3,40}?),? (?=(?:I|we|my|our)\b)"
)
_BESIDE = re.compile(
    r"(?<=, )(?:honestly|actually|frankly|tbh|to be honest|basically|personally|well|ngl),? (?=(?:I|we|my|our)\b)"
)
_WITHIN = re.compile(
    r"^(?:in|at|on) (?:my|our|the) (?:company|team|family|office|house|household|home|department|class|band|club|school"
    r"|flat|project|group|lab|shop|neighbou?rhood|street),? (?=[A-Z][a-z]+ [a-z]+s\b)",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?![^,]* (?:is|are|was|were|got|fell|has|have) )"
    r"(?!my\b|our\b|i\b|we\b|he\b|she\b|they\b|it\b|if\b|when|while|unless|whenever|once|as\b|because|since|imagine"
    r"|had\b|were\b|for you|to you|like you)[A-Za-z][\w' -]{2,45}, (?=(?:I|we|my)\b(?!'))",
    re.IGNORECASE,
)
_BARE = re.compile(r"^(?:Just |Finally |Recently )?([A-Za-z]\w+)(?= )", re.IGNORECASE)  # "Went hiking last week"
_UNSAID = re.compile(
    r"^((?:not (?:a|an|really a|a big|much of a) |(?:a )?(?:big|huge|great) )(?:fan|person|lover)\b|allergic to\b"
    r"|not (?:really |that |so |too |very |at all |particularly )*(?:into|keen on|fond of|big on)\b"
    r"|born (?:and raised )?in\b"
    r"|based in (?=[A-Z])|(?:originally )?from (?=[A-Z]\w+$)|married (?:to|for|since)\b"
    r"|laid off (?:from|by|at)\b|fired from\b)",
    re.IGNORECASE,
)
_DONE_TO = frozenset(("lai", "fir", "bor"))  # laid off, fired, born
_TELLS = re.compile(
    r"^(?:\w+, )?I (?:(?:am|was) (?:so |really |super |very )?(?:excited|happy|glad|thrilled|proud"
    r"|pleased) to (?:tell you|say|announce|share|report|let you know)|(?:just |also )?(?:want|wanted|need"
    r"|have) to (?:tell you|let you know|mention|share|say)|(?:should|must|can) (?:mention|add"
    r"|say))(?: that)?,? (?=(?:I|my|we|our)\b)",
    re.IGNORECASE,
)
_TITLE = re.compile(r"(?<=\b(?:Dr|Mr|Ms|St|Mt|Ft))\.(?= [A-Z])|(?<=\bMrs)\.(?= [A-Z])|(?<=\bProf)\.(?= [A-Z])")


def plain(sentence: str, at: datetime) -> str:
    """A sentence without what leads it in; a time said first stands last."""
    sentence = expand(sentence)
    sentence = _TITLE.sub("", sentence) if ". " in sentence else sentence
    sentence = headless(without_leads(restored(sentence).strip(" .!*_")), _TELLS)
    match = _TIME_FIRST.match(sentence)
    if match and (found := moments(match["time"], at)) and found[0].end - found[0].start > len(match["time"]) - 3:
        return _behind(sentence[match.end() :].rstrip(" .!"), match["time"])
    sentence = _BESIDE.sub("", sentence) if ", " in sentence else sentence
    sentence = reworded(at_once(headless(sentence, _WITHIN)))
    if " time" in sentence:
        sentence = _PART_TIME.sub(r"\1-time", sentence)
    if " instead" in sentence:
        sentence = _GOING_INSTEAD.sub(", I am ", sentence)
    if sentence[:3].lower() == "we ":
        sentence = _HERE.sub("", sentence)
    elif " for us" in sentence:
        sentence = _FOR_US.sub("", sentence)
    if " is called " in sentence or " is named " in sentence:
        sentence = _CALLED.sub(r"\1 called ", sentence)
    if "changed" in sentence:
        sentence = _CHANGED.sub(r"\g<what> is \g<new> now", sentence)
    if view := _VIEW.match(sentence):
        sentence = f"I think {sentence[view.end() :]}"
    sentence = _ahead(sentence)
    last = None if words_in(sentence).isdisjoint(_VIEWED) else _VIEW_LAST.search(sentence)
    if last and not re.match(r"I (?:think|find|feel)\b", sentence):
        sentence = f"I think {sentence[: last.start()]}"
    sentence = headless(sentence, _ADDRESSED)
    if " and I " in sentence:
        sentence = _AND_I.sub("I ", _PARTED.sub(r"I broke up with \g<whom>", sentence))
    if ", " in sentence:
        sentence = headless(sentence, _OPENING)
    if unsaid := _UNSAID.match(sentence):
        sentence = f"I {'was' if unsaid[1][:3].lower() in _DONE_TO else 'am'} {sentence[:1].lower()}{sentence[1:]}"
    if (bare := _BARE.match(sentence)) and (
        bare[1].lower() in grammar().events
        or (bare[1].lower().endswith("ed") and bare[1].lower() not in verbs_of.NO_EVENT and moments(sentence, at))
        or bare[1].lower() == "been"
        or (
            bare[1].lower() in verbs_of.AHEAD
            and any(each.at.date() > at.date() for each in moments(sentence, at, ahead=True))
        )
        or _TASTE.match(sentence)
    ):
        verb = bare[1].lower()
        helping = "have " if verb == "been" else "am " if verb in verbs_of.AHEAD else ""
        sentence = f"I {helping}{verb}{sentence[bare.end() :]}"
    return sentence


_VIEW = re.compile(
    r"^(?:in my (?:humble )?(?:opinion|view|experience|book)|to my mind|imo|imho|if you ask me|the way I see it"
    r"|for my taste|my (?:opinion|view) is(?: that)?|I (?:feel|believe|find|reckon|would say"
    r"|am convinced)(?: like)? that|I feel like)\b[\s,:]*(?!I\b)",
    re.IGNORECASE,
)
_VIEW_LAST = re.compile(
    r",?\s+(?:in my (?:humble )?(?:opinion|view|book)|imo|imho|if you ask me|to my mind)[\s.!]*$",
    re.I,
)
_VIEWED = ("my", "me", "imo", "imho")
_TASTE = re.compile(r"(?:Love|Enjoy|Hate|Prefer) \w+ing\b")
_FIRST = re.compile(
    r"^(?P<first>(?:for|on|in|at|with|during|after|before|when it comes to|by|instead of"
    r"|since(?= (?:last|\d|(?!I\b)[A-Z]))) [\w' -]{2,40}?),? (?=(?:I|we|my|our)\b(?!'))",
    re.IGNORECASE,
)


_GOING_INSTEAD = re.compile(
    r",? (?:and |so |but )?(?:now )?(?=(?<=, )(?:going|doing|taking|flying|driving|having|visiting"
    r"|getting)\b[^,]* instead)"
)
_PART_TIME = re.compile(r"\b(full|part) time\b")
_FOR_US, _HERE = (re.compile(rf"(?<=\w) (?:{said})(?=$|[,.]| and )") for said in ("for us", words_of.HERE))
_CALLED = re.compile(
    r"(\b(?:an?|own|new|two) [a-z][\w -]{2,40}?),? (?:and )?(?:it|which|that|he|she|who) is (?:called|named) (?=[A-Z])"
)
_CHANGED = re.compile(
    r"^(?P<what>(?:my|our|the) [\w' -]{3,40}?) (?:has |just |recently )*changed"
    r"(?:,? (?:it is|and is|and it is)(?: now)?| to|:) (?P<new>\S.*)$",
    re.IGNORECASE,
)


def _ahead(sentence: str) -> str:
    """What a sentence begins with beside its clause stands behind that: ``On weekends I run``."""
    match = _FIRST.match(sentence)
    if match is None or " and " in match["first"]:
        return sentence
    rest, first = sentence[match.end() :], match["first"]
    if re.search(
        r"\b(?:this|that|these|those|my|general|fact|case|addition|short|total|all|first|least|last"
        r"|now|note|way|meantime|meanwhile)\b",
        first,
        re.I,
    ):
        return rest
    first = re.sub(r"^when it comes to", "for", first, flags=re.I)
    return _behind(rest, first)


_CLAUSE_END = re.compile(
    r",(?! (?:and |or )?[\w-]+(?:,| and| or))| - | (?:but|because|since|so|and (?:I|we"
    r"|my|it)|which|although|though|where)\b"
)


def _behind(clauses: str, said: str) -> str:
    """The first clause of some with what was said before it at its end."""
    end = _CLAUSE_END.search(clauses)
    at = end.start() if end else len(clauses)
    return f"{clauses[:at]} {said[:1].lower()}{said[1:]}{clauses[at:]}"


def split(sentence: str) -> list[Word]:
    """Its words and marks."""
    return [Word(match[0], match[0].lower(), match.start()) for match in _WORD.finditer(sentence)]


_IT_IS = "an?|called|named|built|written|made|hosted|deployed|based"
_NEXT = (
    rf"(?:I|we|my|our|he|she|his name|her name|its name|it is (?:{_IT_IS}))\b"
    rf"|(?:the|this) (?:[\w-]+ ){{1,3}}?{words_of.VERBS}\b|[A-Z][\w-]+(?: [A-Z][\w-]+| (?:from|at|in"
    rf"|the) [\w' ]{{2,20}}?)? {words_of.VERBS}\b|every(?:thing|body|one) {words_of.VERBS}\b"
    r"|[A-Z][a-z]+ [a-z]+s (?:the|an?|our|in|at|to|up|after|on|with|for|all)\b"
    rf"|{words_of.PROJECT}"
)
_SUCCEEDS = r"[A-Z][a-z]+ (?:(?:has |will )?tak(?:es?|en)|took|is taking|replace[sd]|is (?:now )?my)\b"
_JOINT = re.compile(
    rf"(?=[\s,])(?:\s*(?:,\s*|\s)(?:and|but|so|plus|while|(?<!not )because)\s+(?=(?:(?:also|then|now|just"
    rf"|actually)\s+)*(?:{_NEXT}))"
    rf"|\s*,\s*(?:(?:now|also|then)\s+)?(?=(?:I|we|my|our|he|she|his|her)\s|it is (?:{_IT_IS})\b"
    rf"|every(?:thing|body|one| [\w-]+) {words_of.VERBS}\b|{words_of.PROJECT}|{_SUCCEEDS}"
    r"|the (?:[\w-]+ ){1,2}?(?:is|are|lives?|runs?|uses)\b)"
    r"|\s*,?\s+(?:and|but)\s+(?P<first>(?:on|in|at|for|from) [\w' -]{2,30}?),? (?=(?:I|we) ))",
)
_SHARED = re.compile(r"(?=[\s,])(?:\s*,?\s+(?:and|but)\s+(?:(?:also|then|now)\s+)?|,\s+)(?=(\w+)\b)")


def clauses(sentence: str) -> list[str]:
    """The clauses that can stand alone: ``I live in Leeds and work at Acme`` gives the second its subject."""
    sentence, told = relative(sentence)
    found: list[str] = []
    start, first = 0, ""
    for joint in (*_JOINT.finditer(sentence), None):
        part = sentence[start : joint.start() if joint else None]
        if part:
            whole = _behind(part.rstrip(" ,"), first) if first else part
            found.extend(both for shared in _shared(whole) for both in _both(shared))
        if joint:
            start, first = joint.end(), joint["first"] or ""
    return [*found, told] if told else found


_SHARING = re.compile(
    r"(I|[Ww]e|[Hh]e|[Ss]he|(?:[Mm]y|[Oo]ur) [a-z][\w-]*(?:'s [a-z]\w+)?(?: [A-Z]\w+)?|[A-Z][a-z]+)(?= [a-z])"
)
_OPEN = re.compile(r"\b(?:should|could|would|can|to(?= [a-z])|will|let|how|what|if|might|must)\b")


_IS_BOTH = re.compile(
    r"^(?P<who>I am|(?:[Hh]e|[Ss]he|(?:[Mm]y|[Oo]ur) [\w -]{2,30}?"
    r"|[A-Z]\w+) is) (?P<one>(?!not\b)[^,]{1,40}?),? and (?P<other>(?:from|based|living|married|single|divorced"
    r"|engaged|allergic|vegan|vegetarian|diabetic|originally|left-handed|deaf|blind|fluent"
    r"|an?(?= (?!.*\band\b)))\b.*)$"
)


def _both(clause: str) -> Iterator[str]:
    """``I am 27 and from Dublin``: two clauses; ``a poet and a painter`` is one."""
    match = _IS_BOTH.match(clause)
    if match is None or (re.match(r"an? ", match["one"]) and re.match(r"an? ", match["other"])):
        yield clause
    else:
        yield from (f"{match['who']} {match['one']}", f"{match['who']} {match['other']}")


def _can_share(verb: str, *, own: bool) -> bool:
    known = grammar()
    if verb in known.events:
        return True
    return verb in known.states or verb in ("am", "have") if own else verb in known.base or verb in ("is", "has")


def _shared(clause: str) -> Iterator[str]:
    """A verb that is joined to another one has its subject."""
    subject = _SHARING.match(clause)
    start = 0
    if subject and not _OPEN.search(clause):
        own = subject[1] in ("I", "we", "We")
        joints = [match for match in _SHARED.finditer(clause) if _can_share(match[1].lower(), own=own)]
        listed = any(match[0] != ", " or match[1] in ("joined", "started", "moved", "switched") for match in joints)
        for match in joints if listed else ():
            yield clause[start : match.start()] if not start else f"{subject[1]} {clause[start : match.start()]}"
            start = match.end()
    yield clause[start:] if not start else f"{subject[1] if subject else ''} {clause[start:]}"
