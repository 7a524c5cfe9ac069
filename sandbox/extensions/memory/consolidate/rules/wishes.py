"""Standing wishes in English: how the assistant shall always, never, from now on or no longer behave. Pure."""

import re
from dataclasses import replace

from sandbox.extensions.memory.consolidate.rules import english_verbs, english_words
from sandbox.extensions.memory.consolidate.rules.contractions import expand
from sandbox.extensions.memory.consolidate.rules.manners import as_order, ended, is_once, is_standing
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Setting
from sandbox.extensions.memory.consolidate.rules.wordforms import base_of, mid, third

_KIND = Kind("instruction", 4)

_MARK = (
    r"always|never ever|never(?! mind)|from (?:now|here|today|this point) on(?:wards)?|in (?:the )?future"
    r"|going forward|by default|for all future \w+|every (?:single )?time|each time|whenever I ask|as a (?:rule"
    r"|default)|henceforth|until further notice|at all times|whenever possible|without exception|in general"
)
_LATE = (
    rf"{_MARK}|all the time|ever again|ever|again|any ?more|any longer|in (?:all|every|any)(?: of)?(?: your| my)? \w+"
)
_POLITE = (
    r"(?:(?:hey|hi|ok|okay|also|and|but|so|then|btw|by the way|fyi|oh|yes|yeah|well|actually|sorry|perfect|only"
    r"|please|pls|plz|kindly|thanks|remember(?: to)?"
    r"|do not forget to|you (?:should|must|have to|need to)|I (?:would (?:like|love|want|prefer)|want|need"
    r"|expect) you to|I would (?:prefer|appreciate|like|love|rather)(?: it)? if you(?: would| could)?"
    r"|I would (?:prefer(?: that)?|rather) you|I prefer (?:that|if) you|(?:can|could|would|will) you"
    r"|make sure (?:that )?(?:to|you)|be sure to|try (?:not )?to|let us|just|note|important|note to self"
    r"|one (?:more )?thing|quick (?:note|request)|and one more)\b[\s,:]*)"
)
_NEVER = (
    r"(?:(?:do|did) not(?: ever)?|never|no more|avoid|stop|quit|refrain from|no need to|without|not|always|no)\b\s*"
)
_STANDING = re.compile(
    rf"^{_POLITE}*(?P<mark>{_MARK})\b[\s,:]*{_POLITE}*(?P<never>{_NEVER})?(?P<what>.+)$", re.IGNORECASE
)
_LATER = re.compile(
    rf"^{_POLITE}*(?P<never>{_NEVER})?(?P<what>.+?)[\s,]+(?P<mark>{_LATE})\b(?P<rest>.*)$", re.IGNORECASE
)
_PLAIN = re.compile(rf"^{_POLITE}*(?P<never>{_NEVER})?(?P<what>.+)$", re.IGNORECASE)
_FIRST = re.compile(
    r"^(?P<when>in (?:all|every|any|each)(?: of)?(?: your| my| our)? [\w ]{3,30}?),? (?P<what>(?!and\b)[a-z].+)$", re.I
)
_GIVEN = re.compile(
    r"^(?P<when>(?:if|when|whenever|every time|each time|before|after) (?:I|you) [^,]{3,60}), (?:please "
    r"|then )*(?P<what>.+)$",
    re.IGNORECASE,
)
_SHALL = re.compile(
    r"^(?:please |also |and )*(?P<what>(?:all |the |your |my |our |any )?[\w' -]{3,40}?) (?:should|must|shall|has to"
    r"|have to|needs? to) (?P<how>(?:(?:always|never|not|only) )?[a-z].+)$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^(?!https?)[A-Za-z][\w' -]{2,40}: (?=\S)")
_PARTS = re.compile(
    r"\s*(?:[,;]|\s[-—–])?\s+(?:(?:and|but|so|then)(?:\s*,)?\s+)+(?=(?:please|from now on|always|never|do not|don't"
    r"|stop|avoid|no|keep|call me|you (?:can|should)|use|in future|going forward)\b)|[,;]\s*(?=(?:please (?!note)"
    r"|from now on|always|never|do not|don't|stop|avoid|no (?!longer\b|more\b|one\b)|keep|call me|use)\b)",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"\b(?:always|never|now on|future|default|need|want|please|pls|plz|don't|dont|do not|stop|avoid|keep|no|you|use"
    r"|when|whenever|every|each|if I|like it|hate|habit|going forward|should|must|remember|forget|answers?|repl(?:y"
    r"|ies)|respon[ds]\w*|write|speak|skip|call me|prefer|spell|ignore|rule|rather|talk|explain|limit|format|stick"
    r"|henceforth|today on|make sure|mind|examples|samples|snippets|dates|prices|temperatures|fewer|less"
    r"|shorter|simpler|concise|tabs|spaces|quotes|metric|celsius)\b",
    re.IGNORECASE,
)
_TALK = re.compile(r"\b(?:it|this|that|these|those|him|her|them|here|there)\b", re.IGNORECASE)
_REASON = re.compile(
    r"\s*[,;:]\s*(?=(?:it|that|this|I|because|since|so|they|we|thanks?|ok|the|my)\b)|\s+(?:because|since I"
    r"|so that)\b|\s*[!?]|\.\s"
)


_ONLY_LEADS = re.compile(rf"^(?:(?:{_MARK})\b[\s,:]*|{_POLITE})+$", re.IGNORECASE)


def hints(sentence: str) -> bool:
    """Whether a sentence has a word of wishes."""
    first = re.match(r"\w+", sentence)
    return bool(_HINT.search(sentence) or (first and first[0].lower() in english_verbs.IMPERATIVES))


def parts(sentence: str) -> list[str]:
    """What may be a wish of its own in a sentence, apart from what is told beside it."""
    sentence = _LABEL.sub(_label, sentence)
    if _GIVEN.match(sentence):
        return [sentence]
    found: list[str] = []
    for part in filter(None, _PARTS.split(sentence)):
        if found and _ONLY_LEADS.match(found[-1]):
            part = f"{found.pop()} {part}"
        elif found and _ONLY_LEADS.match(part):  # "keep it short please, always"
            part = f"{found.pop()}, {part}"
        found.append(part)
    return found


def _label(label: re.Match[str]) -> str:
    """What only announces what follows is no part of it."""
    words = re.findall(r"\w+", label[0].lower())
    return "" if not _ANNOUNCES.isdisjoint(words) else label[0]


_ANNOUNCES = frozenset(
    "rule rules request requests note preference preferences wish wishes reminder instruction instructions thing "
    "things formatting style guidelines conventions remember important please".split()
)


def wish(sentence: str, setting: Setting, mark: str = "") -> Said | None:
    """``Always answer in French``; ``please don't use emojis``. None where it is none. ``mark`` is what a part of the
    same sentence before it begins with: it stands for this one as well.
    """
    text, condition = as_order(expand(sentence).strip(" .!?*_")), ""
    if first := _FIRST.match(text):
        text, mark, condition = first["what"], mark or "always", f" {first['when'].lower()}"
    if given := _GIVEN.match(text):
        text, condition = given["what"], f" {given['when'].lower().replace(' i ', ' I ')}"
        mark = mark or "always"
    elif shall := _shall(text, setting):
        return shall
    match = _matched(text, mark)
    if match is None:
        return None
    what, forbids = _worded(match, mark)
    what = _of_third(f"{what}{condition}", setting)
    told_of = _TALK.sub("", what) if _OF_KIND.match(condition) else what  # "when you write mails, sign them"
    if not what or _TALK.search(told_of) or len(what.split()) > 30 or not _is_imperative(what):
        return None
    what = what[0].lower() + what[1:]
    said = Said(setting.speaker, f"asks to {'never' if forbids else 'always'}", what, _KIND)
    return replace(said, replaces=tuple(ended(said, what, forbids=forbids)))


_NEEDS = re.compile(
    r"^(?:please |also |and |but )*I (?:always |usually |only |would )?(?P<verb>need|want|like|prefer|love"
    r"|expect)(?: to (?:have|get|see))?"
    r" (?P<what>(?!to )(?:my |all |the |your |our )*[a-z][\w -]{2,30}s "
    r"(?:(?:short|brief|concise|long|detailed|formal|plain)$|(?:in (?!\d|an? |ten|five|two|three|time|the next|general)"
    r"|as |without |with |to be |on ).+))$",
    re.IGNORECASE,
)


_REMEMBER = re.compile(r"^(?:please )?(?:remember|note|keep in mind) (?:that )?", re.IGNORECASE)


def needs(sentence: str, setting: Setting) -> Said | None:
    """``I need invoices in PDF``: how the speaker wants what is made for them; None for any other sentence."""
    match = _NEEDS.match(_REMEMBER.sub("", expand(sentence)).strip(" .!*_"))
    if match is None or is_once(sentence) or "?" in sentence:
        return None
    what = _of_third(_REASON.split(match["what"])[0] if ", not" not in match["what"] else match["what"], setting)
    verb = third(match["verb"].lower())
    return None if _TALK.search(what) else Said(setting.speaker, verb, what, Kind("preference", 3))


_OF_KIND = re.compile(r" (?:if|when(?:ever)?|every time|each time) (?!.*\b(?:the|this|that|it|my)\b)")
_ONLY_FORBIDDING = frozenset(("again", "ever again", "ever", "any more", "anymore", "any longer"))


def _matched(text: str, mark: str) -> re.Match[str] | None:
    """How it is said that it holds for good: by a word for that, or since it is about answers."""
    for pattern in (_STANDING, _LATER):
        match = pattern.match(text)
        again = match is not None and match["mark"].lower() in _ONLY_FORBIDDING and not match["never"]
        if match and not again and (_is_imperative(match["what"]) or _forbidden(match)):
            return match
    match = _PLAIN.match(text)
    if match is None or not (_is_imperative(match["what"]) or _forbidden(match)):
        return None
    mark = mark or ("never" if (match["never"] or "").strip().lower() in ("never", "do not ever") else "")
    never = (match["never"] or "").strip().lower()
    if never == "no" and not _forbidden(match):
        return None  # "no wait" puts something right
    standing = never != "no need to" and is_standing(match["what"], forbids=bool(never), text=text)
    return match if standing or mark else None


def _forbidden(match: re.Match[str]) -> bool:
    """``no emojis``, ``stop using tables``, not ``no problem``."""
    never = (match["never"] or "").lower().strip()
    words = re.findall(r"[a-z]+", match["what"].lower().split(",")[0])
    if never in ("no", "no more", "without"):
        return not _ANSWERING.issuperset(words[:1]) and not english_words.STYLE.isdisjoint(words[:4])
    return (
        never in ("stop", "quit", "avoid", "refrain from")
        and bool(words)
        and (words[0].endswith("ing") or not english_words.STYLE.isdisjoint(words[:3]))
    )


_ANSWERING = frozenset(("need", "wait", "thanks", "thank", "worries", "problem", "idea"))  # behind "no"


def _worded(match: re.Match[str], mark: str) -> tuple[str, bool]:
    """What shall be done, or never be done."""
    what = _REASON.split(match["what"])[0].strip(" ,.!")
    own = (match.groupdict().get("mark") or mark).lower()
    never = (match["never"] or "").lower().strip()
    forbids = own.startswith("never") or never not in ("", "always")
    if re.match(rf"^{_POLITE}*try not to", match.string, re.IGNORECASE):
        forbids = True
    rest = match.groupdict().get("rest") or ""
    late = (match.groupdict().get("mark") or "").lower()
    if late.startswith("in "):
        what = f"{what} {late}"
    if rest and re.match(r"\s+(?:to|for|in|with|on|instead|when|unless|about)\b", rest):
        what = f"{what}{_REASON.split(rest)[0]}".rstrip(" .!,")
    what = re.sub(
        r"(?:,?\s+(?:please|pls|thanks|thank you|ever|again|ok|anymore|instead|from now on|going forward))+$",
        "",
        what,
        flags=re.I,
    )
    first, _, more = what.partition(" ")
    if first.lower().endswith("ing") and (base := base_of(first.lower())) in english_verbs.IMPERATIVES:
        what = f"{base} {more}".strip()
    elif never in ("no", "no more", "without", "avoid", "stop") and not _is_imperative(what):
        what = f"use {what}"
    return what, forbids


def _shall(text: str, setting: Setting) -> Said | None:
    """``Commit messages should always be in English``."""
    match = _SHALL.match(text)
    if match is None or re.search(
        r"\b(?:I|we|you|it|he|she|they|there|this|that|what|which|who)\b", match["what"], re.I
    ):
        return None
    head = re.split(r" (?:to|in|for|on|about|of|with) ", match["what"].lower())[0].rsplit(" ", 1)[-1]
    marked = re.match(r"(always|never|only|not)\b", match["how"], re.I)
    of_manner = head in english_words.STYLE or (head in english_words.SETTINGS and _HOW.match(match["how"]))
    if not (marked and marked[1].lower() in ("always", "never")) and not of_manner:
        return None
    how = match["how"] if marked else f"always {match['how']}"
    said = _of_third(f"{match['what'][0].lower()}{match['what'][1:]} {_REASON.split(how)[0]}".strip(" ,.!"), setting)
    return None if _TALK.search(said) else Said(setting.speaker, "asks that", said, _KIND)


_HOW = re.compile(
    r"(?:be (?:in|written|named|prefixed|short|lower|upper|kept|under|at most)|use|start|end|follow|begin|include|never"
    r"|not)\b",
    re.I,
)


def _is_imperative(what: str) -> bool:
    words = what.lower().split()
    return bool(words) and words[0].strip(",") in english_verbs.IMPERATIVES


def _of_third(what: str, setting: Setting) -> str:
    name = mid(setting.speaker.name)
    what = re.sub(r"\b(?:I|you) (\w+)", lambda said: _agreeing(said, name), what)
    what = re.sub(r"\b(?:my|our)\b", f"{name}'s", what, flags=re.I)
    what = re.sub(r"\b(?:me|I|us|we)\b", name, what)
    return re.sub(r"\byour\b", "the assistant's", re.sub(r"\byou\b", "the assistant", what))


def _agreeing(said: re.Match[str], name: str) -> str:
    """``I ask``: the user asks; ``you answer``: the assistant answers."""
    who = name if said[0][0] == "I" else "the assistant"
    if said[1] == "am":
        return f"{who} is"
    return f"{who} {third(said[1])}" if said[1] in _PLAIN_VERBS | english_verbs.IMPERATIVES else said[0]


_PLAIN_VERBS = frozenset(
    "switch ask want need write answer give show suggest make use say send reply explain paste share commit mention "
    "talk".split()
)
