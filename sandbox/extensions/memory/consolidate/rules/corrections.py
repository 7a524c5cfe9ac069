"""What takes back something said before: ``not X but Y``, ``I meant Y``. English and Russian. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import changes
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.statements import NotLearnt, Said

_MARKED = re.compile(
    r"^(?:(?:oh|no|and|hm+|well|а|ой|нет)[\s,]+)*(?:actually|sorry|correction|wait|oops|no,|scratch that"
    r"|my mistake|i misspoke|i meant|i mean|i was wrong|my bad|typo|i mis\\w+|to correct myself|let me "
    r"correct|not quite"
    r"|на самом деле|точнее|вернее|извини|прости|ошиб\w+|поправка|стоп|нет,|я имел\w? в виду)\b|\b(?:i misspoke"
    r"|i made a mistake)\b",
    re.IGNORECASE,
)
_VALUE = r"(?:[A-ZА-ЯЁ\d][\w@#+'-]*(?:\.\w+)*(?: [A-ZА-ЯЁ\d][\w+'-]*)*|\w[\w@#+'-]*(?:\.\w+)*)"
_BEFORE = r"(?:in |at |on |an? |the |for |в |на |во )?"
_INSTEAD = re.compile(rf"(?P<new>{_VALUE}),? (?:and not|not|а не) {_BEFORE}(?P<old>{_VALUE})[\s.!]*$")
_NOT_BUT = re.compile(
    rf"\b(?:[Nn]ot|[Нн]е) {_BEFORE}(?P<old>{_VALUE}),? (?:but|а|it is|it's) {_BEFORE}(?P<new>{_VALUE})[\s.!]*$"
)
_NOT_THIS = re.compile(
    rf"(?:\w+[,.!] )?(?:it is |it's |that's )?[Nn]ot {_BEFORE}(?P<old>{_VALUE})(?:,|\.| -| –) "
    rf"{_BEFORE}(?P<new>{_VALUE})[\s.!]*$"
)
_MEANT = re.compile(
    r"\b(?:i meant|i mean|make that|it is|it's|that's|that is|it was|should be|я имел\w? в виду|точнее"
    r"|вернее)(?: to say| actually)?[\s,:]+" + rf"{_BEFORE}(?P<new>{_VALUE})[\s.!]*$",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"^(?:.*?\b)?(?:I|my|we|our|я|мы|мой|моя|моё|у меня|меня|мне|мою|моего)\b(?!\s+mean)", re.IGNORECASE
)
_NAMED = re.compile(r"[A-ZА-ЯЁ\d][\w+.'-]*(?: [A-ZА-ЯЁ\d][\w+.'-]*)*")


def patched(sentence: str, told: Sequence[Said], at: datetime) -> Said | None:
    """What was said with another value: ``it's Porto, not Lisbon``; None where the sentence is no such correction."""
    pair = _NOT_BUT.search(sentence) or _NOT_THIS.match(sentence) or _INSTEAD.search(sentence)
    lowered = re.sub(r"^(?:\w+[,.!]? )?", "", sentence.lower())
    if pair and not re.match(r"(?:i|my|we|я|мой|моя) (?!mean)", lowered):
        for old, new in ((pair["old"], pair["new"]), (_date(pair["old"], at), _date(pair["new"], at))):
            for said in reversed(told[-12:] if old and new else ()):
                if re.search(rf"\b{re.escape(old)}\b", said.content, re.IGNORECASE):
                    return _with(said, old, new)
        return None
    meant = _MEANT.search(sentence)
    if meant and told and (_MARKED.search(sentence) or sentence.lower().startswith("i mean")):
        last = told[-1]
        names = _NAMED.findall(last.value or last.wording.partition(" ")[2])
        if (
            names
            and meant["new"][0].isupper() == names[-1][0].isupper()
            and meant["new"][0].isdecimal() == names[-1][0].isdecimal()
        ):
            return _with(last, names[-1], meant["new"])
    return None


def _date(word: str, at: datetime) -> str:
    """A day as statements write it."""
    found = moments(word, at, ahead=True)
    return re.sub(r"^(?:on|in) ", "", found[0].written) if found else ""


def corrected(sentence: str, said: Said, told: Sequence[Said]) -> Said:
    """A whole statement that replaces another one expressly: what it says in the place of what."""
    if (pair := _INSTEAD.search(sentence) or _NOT_BUT.search(sentence)) and pair["new"] in said.content:
        old = said.content.replace(pair["new"], pair["old"])
        return replace(said, replaces=(*said.replaces, Replaced("correction", statement=old)))
    is_marked = bool(_MARKED.search(sentence))
    for other in reversed(told[-12:] if is_marked else ()):
        if _same_relation(other, said) and other.content != said.content:
            return replace(said, replaces=(*said.replaces, Replaced("correction", statement=other.content)))
    return changes.changed(sentence, said, is_marked=is_marked)


def _same_relation(one: Said, other: Said) -> bool:
    if one.wording or other.wording:
        return one.kind == other.kind and one.wording.split()[:2] == other.wording.split()[:2]
    return (one.subject.name, one.verb) == (other.subject.name, other.verb)


def _with(said: Said, old: str, new: str) -> Said:
    swap = re.compile(rf"\b{re.escape(old)}\b", re.IGNORECASE)
    changed = replace(said, value=swap.sub(new, said.value, 1), wording=swap.sub(new, said.wording, 1), mentions=())
    if changed.content == said.content:
        raise NotLearnt("not self-contained")
    return replace(changed, replaces=(Replaced("correction", statement=said.content),))
