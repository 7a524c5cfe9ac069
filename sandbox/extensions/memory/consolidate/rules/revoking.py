"""A standing wish taken back: ``you can use emojis again``, ``forget what I said about tables``. English. Pure."""

import re

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import english_verbs
from sandbox.extensions.memory.consolidate.rules.contractions import expand, without_leads
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Setting
from sandbox.extensions.memory.consolidate.rules.values import value
from sandbox.extensions.memory.consolidate.rules.wordforms import base_of

_KIND = Kind("instruction", 3)
_LEAD = r"^(?:(?:ok|okay|actually|hey|hi|well|and|but|so|please|also|from now on|now|oh|on second thought)\b[\s,]*)*"
_NO_NEED = re.compile(
    rf"{_LEAD}(?:you (?:no longer (?:need|have) to|(?:do not|don't) (?:need|have) to)|(?:there is )?no "
    rf"(?:more )?need to"
    r"|I (?:no longer|do not) (?:need|want|expect) you to|(?:you can |please )?stop|(?:you can |please )?quit"
    r"|you (?:may|can) stop)\s+(?P<what>.+?)(?P<late>[\s,]+(?:any ?more|any longer|from now on|now|again"
    r"|always|every time))*$",
    re.IGNORECASE,
)
_LASTING = re.compile(r"\b(?:no longer|no more need|you (?:can|may) (?:stop|quit))\b", re.IGNORECASE)
_ALLOWED = re.compile(
    rf"{_LEAD}(?:you (?:can|may|are allowed to)|feel free to|it is (?:ok|okay|fine|alright) (?:to|if you)"
    rf"|(?:ok|okay|fine) to"
    r"|go back to|switch back to|I (?:do not|no longer) mind(?: if you)?)\s+(?P<what>.+?)[\s,]+(?:again|after all"
    r"|from now on|now|if you (?:like|want))\b.*$",
    re.IGNORECASE,
)
_FINE_AGAIN = re.compile(
    rf"{_LEAD}(?P<what>[\w -]{{3,30}}?) (?:is|are) (?:fine|ok|okay|allowed|welcome|alright) (?:again|after all"
    rf"|from now on)$",
    re.IGNORECASE,
)
_FORGET = re.compile(
    rf"{_LEAD}(?:you can |you may |let us )?(?:forget|ignore|drop|scrap|disregard|cancel|remove|undo|never "
    rf"mind|skip|lift)"
    r"(?: about)? (?:what I (?:said|told you|asked|wrote)|everything I said|(?:my|the|that|your)"
    r"(?: \w+)? (?:rule|request|instruction|wish|preference|order|thing|limit|ban))(?: (?:earlier|before|last time"
    r"|yesterday|you))? (?:about|on|to|regarding|for|with|of|that)\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_OVER = re.compile(
    rf"{_LEAD}(?:my|the|that) (?:rule|request|instruction|wish|limit|ban)(?: (?:about|on|to|regarding|for"
    rf"|of) (?P<what>.+?))?"
    r" (?:no longer applies|is (?:off|over|cancelled|lifted|void|obsolete)|does not apply any ?more)\b.*$",
    re.IGNORECASE,
)


def revoked(sentence: str, setting: Setting) -> Said | None:
    """That a wish no longer holds, as far as a sentence says it; what it was is found by its words."""
    text = expand(without_leads(sentence)).strip(" .!*_")
    if match := _FORGET.match(text) or _OVER.match(text):
        return _taken_back(_plain(match["what"] or ""), setting)
    if (match := _ALLOWED.match(text)) and (what := _done(match["what"])) and _is_clear(what):
        ends = _asked(setting, what, "never")
        return Said(setting.speaker, "allows the assistant to", what, _KIND, replaces=ends)
    if (match := _FINE_AGAIN.match(text)) and (what := f"use {_plain(match['what'])}") and _is_clear(what):
        ends = _asked(setting, what, "never")
        return Said(setting.speaker, "allows the assistant to", what, _KIND, replaces=ends)
    if match := _NO_NEED.match(text):
        what = _done(match["what"])
        is_lasting = match["late"] or _LASTING.search(match[0])
        return _taken_back(what, setting) if is_lasting else None  # else it is for one answer, or an order
    return None


def _taken_back(what: str, setting: Setting) -> Said | None:
    if not what or not _is_clear(what):
        return None
    verb = "no longer asks to" if _done(what) else "no longer asks for"
    ends = _asked(setting, what, "always", "never")
    return Said(setting.speaker, verb, value(what, setting.speaker, setting), _KIND, replaces=ends)


def _asked(setting: Setting, what: str, *how: str) -> tuple[Replaced, ...]:
    return tuple(Replaced("change", statement=f"{setting.speaker.name} asks to {each} {what}.") for each in how)


def _plain(what: str) -> str:
    what = re.split(r"[,;:]|\s(?:because|since|it|that)\b", what)[0].strip(" .!")
    return re.sub(r"^(?:using|always|never|not|no|the) ", "", what, flags=re.I)


def _done(what: str) -> str:
    """What is to be done, in the base form; empty where it is nothing an assistant does."""
    what = re.sub(r"^(?:always|start|go back to) ", "", _plain(what), flags=re.I)
    first, _, rest = what.partition(" ")
    verb = base_of(first.lower()) if first.lower().endswith("ing") else first.lower()
    rest = re.sub(r"\byour\b", "the assistant's", rest)
    return f"{verb} {rest}".strip() if verb in english_verbs.IMPERATIVES else ""


def _is_clear(what: str) -> bool:
    return re.search(r"\b(?:it|this|that|these|those|them|him|her|here|there)\b", what, re.I) is None
