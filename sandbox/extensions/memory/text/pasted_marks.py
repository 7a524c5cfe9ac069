"""The forms of lines that are not talk: mail headers, chats, documents, code, logs; and the words that show where
somebody else's text begins (``pasted.yaml`` of each language). Pure.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from sandbox.extensions.memory.lexicon import form, pattern, words

_SHOWN = 240  # characters of a line that are examined

_CHAT = re.compile(
    r"\W{0,2}\d{1,4}[-./]\d{1,2}[-./]\d{2,4},?[T ]{1,2}\d{1,2}:\d\d|\d\d:\d\d:\d\d[,.]\d"  # a log, or a chat with dates
    r"|\W{0,2}\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?\W{1,4}[^\W\d][\w .'-]{0,30}[:>]\s"
    r"|\[[^\]]{1,40}\] {0,2}[^\W\d][\w .'-]{0,30}:\s"
    r"|\[(?:[^\[\]]{1,60}[, ])?\d{1,2}:\d\d(?::\d\d)?\] "  # a transcript
    r"|[^\W\d][\w .'-]{0,40}, \[\d"
    r"|[^\W\d][\w.'-]{0,20} ?[^\W\d]?[\w.'-]{0,20} {1,4}[\[(]?\d{1,2}:\d\d ?(?:[AaPp][Mm])?[\])]?$"
    r"|[^\W\d][\w.'-]{0,20} ?[^\W\d]?[\w.'-]{0,20} [\[(]\d{1,2}:\d\d[^\])]{0,6}[\])]:?"
    r"|<[@+~&]?[\w-]{1,30}>\s|[\w.-]{1,20}> \w|\d{1,2}:\d\d(?: ?[AaPp][Mm])?$|.{0,80}\d{1,2}:\d\d.{0,40}:$"
    r"|[^\W\d].{0,40} — .{0,24}\d{1,2}:\d\d(?: ?[AP]M)?$"
    r"|[^\W\d][\w.'-]{0,20}(?: [^\W\d][\w.'-]{0,20}){0,2} {1,3}\d{1,4}[-./]\d{1,2}[-./]\d{2,4},?"
    r" \d{1,2}:\d\d(?: ?[AP]M)?$"
)
_DOCUMENT = re.compile(
    r"\[[^\[\]]{1,40}\]$|\*(?!always )[a-z]{3,20}s [^*]{1,80}\*(?:\s|$)|={3,}$|<\||\[/?INST"
    r"|-{3,}$|~{3,}$|\*{3,}$|_{3,}$|\|.*\|$|\[?!\[|</?[A-Za-z!?][^>]{0,200}>|[{\[]$|\"[\w -]{1,40}\" ?:"
    r"|diff --git|@@ |\+\+\+ |--- [ab]/|\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE)\b[\]: ]|Traceback"
    r"|[\w.]{1,60}(?:Error|Exception):\s|at [\w.$<>]{1,80}\("
)
_HEADINGS = re.compile(r"^[ \t]*+#{1,6}[ \t]++", re.MULTILINE)
_CODE = re.compile(
    r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{6,40} \S"  # a commit
    r"|\$ \S|[\w.-]{1,30}@[\w.-]{1,30}:\S{0,60}[$#] "
    r"|//|/\*|\*/|<!--|-->|\"\"\"|'''|--\s|#!|#(?:include|define|ifdef|ifndef|pragma)\b|@[\w.]{1,40}\("
    r"|(?:async )?(?:def|class|func|fn|function|struct|interface|enum|impl) [\w.]{1,60} ?[(<{:]"
    r"|(?:public|private|protected|static|final|export|abstract) \w.*[{;(]$"
    r"|(?:const|let|var|int|char|void|float|double|bool|string|auto) \w{1,60} ?[=;(]"
    r"|import [\w.]{1,80}(?: as \w{1,40})?;?$|import .{1,120} from ['\"]|from [\w.]{1,80} import |package [\w.]{1,80};"
    r"|(?:SELECT|INSERT INTO|UPDATE \S+ SET|DELETE FROM|CREATE TABLE|ALTER TABLE) |return\b.*;$"
    r"|[\w.\[\]\"'$]{1,60} ?[-+*/|&:]?= ?[^\s=]|[\w.]{1,60}\([^()]{0,160}\) ?[;{:]?$|<\?(?:php|xml)"
)
_OPTION = re.compile(r"\W?([A-Ha-h])[).] ")
_HEADING = re.compile(r"#{1,6}\s")
# beginnings of lines, in every language; one of the last kind shows that the whole text is pasted
_FORWARDED = r"(?i)[-_=*> ]{0,40}(?:{marks.begins_forwarded} )?{marks.forwarded}|{marks.replied} ?:"
_HEADER = r"(?i)[*_]{0,2}(?:{marks.fields}|x-[\w-]{2,30})[*_]{0,2} ?:"
_SUBJECT = r"(?i)[*_]{0,2}{marks.subject_fields}[*_]{0,2} ?:"
_GREETED = r"(?i){marks.greetings}[, ]{0,2}(?P<whom>[^,!.:?]{0,40})[,!.:]?$"
_FORMALLY = r"(?i){marks.formal_greetings}"
_ADDRESSED = r"(?i){marks.addressing} (?P<whom>[\w .']{1,40}),"
_SIGNED = (
    r"(?i)(?P<formal>{marks.formal_closings})\b[,.!]?(?: [\w. ]{1,40})?$"
    r"|{marks.closings}[,.!]{0,2}(?: [^\W\d][\w.]{1,20}){0,2}$"
)
_SOURCE = r"(?i)\(?{marks.source} ?:|\({marks.taken_from} .{1,60}\)$"
_FURNITURE = (
    r"(?i)(?:©|\(c\) \d{4}|r/\w{3,30}(?:$| [•·])|[★☆⭐]{2})|{marks.page}"
    r"|[\d.,]{1,9}k? {marks.counted}$|{marks.start} (?:[|·•>»/]|\w{1,20} [|·•>»/])"
)
_LABELLED = re.compile(r"[*_]{0,2}(?P<label>[^\W\d_][^\W_]{0,20}(?: [^\W\d_][^\W_]{0,20}){0,2})[*_]{0,2}:[*_]{0,2}\s")
_POINTED_AT = re.compile(r"\S (?:<-{1,2}|←)(?: |$)")


@cache
def words_of(*names: str) -> frozenset[str]:
    """The words under some keys, in every language."""
    return frozenset().union(*(words("pasted", name) for name in names))


def has(said: Iterable[str], *names: str) -> bool:
    """Whether one of the words under some keys is among some words."""
    return not words_of(*names).isdisjoint(said)


@cache
def beginnings_of(name: str) -> tuple[str, ...]:
    """The beginnings of words under a key, in the form for ``startswith``."""
    return tuple(words_of(f"{name}_stems"))


def begins(lines: Sequence[str]) -> int | None:
    """The first line after which a text is not the writer's own, by its form; None if it looks like talk."""
    shown = [line.strip()[:_SHOWN] for line in lines]
    if any(form(_SOURCE).match(line) or _POINTED_AT.search(line) for line in shown):
        return 0
    if len(shown) > 1 and any(map(form(_FURNITURE).match, shown)):
        return 0
    found = [
        each
        for each in (_letter(shown), _heads(shown), _dialogue(shown), _options(shown), _document(shown))
        if each is not None
    ]
    return min(found, default=None)


def _document(lines: Sequence[str]) -> int | None:
    for at, line in enumerate(lines):
        if not line:
            continue
        if _HEADING.match(line):
            words = line.lower().split()
            if not has(words, "first_person") or not has(words, "own_lists"):
                return at
            continue
        if (
            form(_FORWARDED).match(line)
            or pattern("marks", "colleagues").match(line)
            or _CHAT.match(line)
            or _DOCUMENT.match(line)
            or _CODE.match(line)
            or line.endswith(("{", "}", ");"))
        ):
            return at
    return None


def _heads(lines: Sequence[str]) -> int | None:
    """The beginning of a mail header: two of its lines, or one with a subject."""
    heads = [at for at, line in enumerate(lines) if form(_HEADER).match(line)]
    is_head = len(heads) > 1 or (len(heads) == 1 and len(lines) > 1 and form(_SUBJECT).match(lines[heads[0]]))
    return heads[0] if is_head else None


def _dialogue(lines: Sequence[str]) -> int | None:
    """The beginning of lines that name their speakers: one name twice, two names that are not fields of data, or a
    role.
    """
    labelled = [(at, match["label"].lower()) for at, line in enumerate(lines) if (match := _LABELLED.match(line))]
    labels = Counter(label for _, label in labelled)
    others = [at for at, label in labelled if not has(label.split(), "own_lists", "labels")]
    named = [at for at, label in labelled if label in words_of("speakers") or labels[label] > 1]
    if named:
        return min(named)
    return others[0] if len(others) > 1 and not has(labels, "first_person") else None


def _options(lines: Sequence[str]) -> int | None:
    """The beginning of answers to choose from: A) and B)."""
    found = [(at, match[1].lower()) for at, line in enumerate(lines) if (match := _OPTION.match(line))]
    return found[0][0] if [letter for _, letter in found[:2]] == ["a", "b"] else None


def _letter(lines: Sequence[str]) -> int | None:
    """The beginning of a letter: it greets somebody who is no assistant, or has a formal ending."""
    if len(lines) > 2 and any(map(form(r"(?i)--$|{marks.sent}").match, lines[1:])):
        return 0
    signed = next((match for line in reversed(lines) if (match := form(_SIGNED).match(line))), None)
    addressed = form(_ADDRESSED).match(next(filter(None, lines), ""))
    if addressed and not has(addressed["whom"].lower().split(), "assistants"):
        return 0
    for at, line in enumerate(lines):
        match = form(_GREETED).match(line) if at + 1 < len(lines) else None
        if match is None:
            continue
        is_named = bool(match["whom"].strip()) and not has(match["whom"].lower().split(), "assistants")
        is_apart = at + 1 < len(lines) and not lines[at + 1]
        if (is_named and (signed or is_apart or form(_FORMALLY).match(line))) or (signed and signed["formal"]):
            return at
    return 0 if signed and signed["formal"] and len(lines) > 2 else None


def without_headings(note: str) -> str:
    """A note without the signs of its headings, which in a message mark a pasted text."""
    return _HEADINGS.sub("", note)
