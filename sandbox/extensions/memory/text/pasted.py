"""Separate a speaker's own words in a turn from somebody else's text: pasted, quoted, forwarded, given for a task, or
played. Pure.

From the beginning of somebody else's text to the end of the turn nothing is the speaker's own, unless the end of that
text is marked: a fence, quotation marks up to the end of a line. A gap is better than a false memory.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sandbox.extensions.memory.lexicon import texts
from sandbox.extensions.memory.text.pasted_intros import (
    Followed,
    How,
    introduces,
    is_task,
    is_work,
    words_in,
)
from sandbox.extensions.memory.text.pasted_marks import beginnings_of, begins, has, words_of
from sandbox.extensions.memory.text.role_play import may_order, orders

_GIVEN = "\x00"  # in place of a text between marks
_RECALLED = r"<(memory|system-reminder)>.*?(?:</\1>|\Z)"  # see assemble/render.py
_SENTENCES = r"(?<!`)`[^`\n.!?]*(?:[.!?]+[^`\n.!?\s][^`\n.!?]*)*(?<!\s)[.!?]+\s[^`\n]+`"  # between backticks
_SET_APART = re.compile(
    rf"{_RECALLED}|```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|{_SENTENCES}"
    r"|<(details|pre|code|blockquote)\b.*?(?:</\2>|\Z)|<!--.*?(?:-->|\Z)"
    r"|\[shared [^\[\]]*\]"  # the caption of a picture
    r"|^[ \t]*>[^\n]*(?:\n(?![ \t]*$)[^\n]+)*$|^(?: {4,}|\t)\S[^\n]*$",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_ONLY_RECALLED = re.compile(_RECALLED, re.DOTALL | re.IGNORECASE)
_SEPARATOR = re.compile(r"[:：](?=[\s\"“«„'\x00])|\s[-–—]{1,2}\s|(?:(?<=\s)|^)(?=[\"“«„`])")
_SENTENCE = re.compile(r"[.!?…;]\s")
_LAST = re.compile(r"(?<=[.!?…])\s(?=[^.!?…]{1,100}[.!?…]?$)|\s[-–—]\s(?=[^.!?…]{1,100}[.!?…]?$)")
_LISTED = re.compile(r"\s*(?:[-*•–—+]|\d{1,2}[.)])\s")
_CLOSED = re.compile(r"[\"”»“'`][.!?,;)]{0,3}[ \t]*(?:\n|\Z)")
_OPENING = "\"“«„'`"
_READ = 10_000  # characters that are examined; no reader reads as many
_SOLID = re.compile(r"\S")
_LOOKED_AT = 300  # characters before and after the possible beginning of a text
_SHORT = 6  # words; a shorter quotation is a name, a title or a remark


def said(text: str, *, documents: bool = False, played: bool = False) -> str:
    """The speaker's own part of a text; with ``documents``, documents and code count as own, with ``played``, what they
    say in a part.
    """
    text = text.replace("’", "'").replace("\r\n", "\n").replace(_GIVEN, "")
    text = _ONLY_RECALLED.sub("\n", text).strip() if documents else _talk(_SET_APART.sub(f"\n{_GIVEN}\n", text))
    return "\n".join(line for line in _introduced(text[:_READ], played).split("\n") if _GIVEN not in line).strip()


def without_set_apart(text: str) -> str:
    """A text without what marks set apart from it: fences, quotations, code, what was recalled."""
    return _SET_APART.sub("\n", text).strip()


def _talk(text: str) -> str:
    """A text up to the point where it stops looking like talk; empty if the part before is what the task is about."""
    lines = text.split("\n")
    if _is_worked_on(lines):
        return ""
    at = begins(lines)
    if at is None:
        return text
    while at and lines[at - 1].strip():
        at -= 1
    return "\n".join(lines[:at])


def _is_worked_on(lines: Sequence[str]) -> bool:
    """Whether the last sentence is a task for the text before it."""
    last = next((at for at in reversed(range(len(lines))) if lines[at].strip()), 0)
    before, _, sentence = _LAST.sub(f"{_GIVEN}", lines[last].strip(), count=1).rpartition(_GIVEN)
    before, sentence = (before, sentence) if before else ("", lines[last])
    words = words_in(sentence)
    if before and has(words, "answered") and has(words, "it"):
        return True  # it is a letter
    if (last == 0 and not before) or _GIVEN in lines[last]:
        return False
    is_above = has(words, "above")
    is_apart = not before and not lines[last - 1].strip()
    points = has(words, "this") or len(words) < 4 if is_apart else has(words, "near_before")
    if not (is_above or points) or not (is_task(words) or "^" in words[:1]):
        return False
    return is_apart or is_above or is_work(words) or has(words[:1], "sorted")


def _introduced(text: str, played: bool) -> str:
    """A text without parts that are introduced as somebody else's."""
    kept: list[str] = []
    while (found := _first(text, played)) is not None:
        start, behind = found
        kept.append(text[:start])
        end = _closed(text, behind)
        if end is None:
            text = ""
            break
        text = text[end:]
    return "\n".join([*kept, text])


def _first(text: str, played: bool) -> tuple[int, int] | None:
    """The beginning of the first sentence that introduces a text, and the beginning of that text."""
    start = 0
    may_play = not played and (may_order(text) or any(map(text.lower().__contains__, beginnings_of("writes"))))
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        for at, head, behind, how in _heads(text, start, end) if text[start:end].strip() else ():
            if may_play and _plays(head):
                return at, len(text)
            solid = _SOLID.search(text, behind)
            if solid is None or solid[0] == _GIVEN:
                continue
            if introduces(head, how, _followed(text, behind), text[solid.start() : solid.start() + _LOOKED_AT]):
                return at, behind
        start = end + 1
    return None


def _heads(text: str, start: int, end: int) -> Iterator[tuple[int, str, int, How]]:
    """The sentences of a line that may introduce what follows: the beginning of each, its words, the beginning of what
    follows, and how the two are joined.
    """
    line = text[start:end]
    solid = len(line.rstrip())
    how: How
    cuts = [0, *(match.end() for match in _SENTENCE.finditer(line)), len(line)]
    for at, until in pairwise(cuts):
        sentence = line[at:until]
        for match in _SEPARATOR.finditer(f"{sentence}\n"):
            behind = at + match.end()
            if not match[0] and _is_short(text[start + behind : start + behind + _LOOKED_AT]):
                continue
            how = "quoted" if not match[0] else "line" if behind >= solid else "colon" if match[0] in ":：" else "dash"
            yield start + at, sentence[max(0, match.start() - _LOOKED_AT) : match.start()], start + behind, how
        how = "bare" if until >= solid else "within"
        yield start + at, sentence[-_LOOKED_AT:], start + until, how


def _is_short(quoted: str) -> bool:
    """Whether a quotation has only a few words."""
    inside = re.match(r"[\"“«„`]([^\"”»“`]{0,200})[\"”»“`]", quoted)
    return inside is not None and len(inside[1].split()) <= _SHORT and not _SENTENCE.search(inside[1])


def _followed(text: str, behind: int) -> Followed:
    following = text[behind : behind + _LOOKED_AT].lstrip(" \t").removeprefix("\n")
    if _LISTED.match(following):
        return "list"
    return "apart" if following[:1] == "\n" else "next"


def _closed(text: str, behind: int) -> int | None:
    """The end of a text in quotation marks that end a line; None if it is not marked."""
    opening = _SOLID.search(text, behind)
    if opening is None or opening[0] not in _OPENING:
        return None
    return max((match.end() for match in _CLOSED.finditer(text, opening.end())), default=None)


def _plays(head: str) -> bool:
    """Whether it asks to play a role, or to write as somebody else."""
    words = words_in(head.lower())
    writes = next((at for at, word in enumerate(words[:6]) if word.startswith(beginnings_of("writes"))), None)
    return orders(head) or (
        writes is not None and words_of("leads").issuperset(words[:writes]) and has(words[writes:], "parts")
    )


def translates(text: str) -> bool:
    """Whether a turn asks how to say something in another language."""
    words = words_in(text)
    return any(each.startswith(beginnings_of("languages")) for each in words) and has(words, "say")


def adds(text: str) -> bool:
    """Whether a turn goes on with the request of the turn before."""
    return has(words_in(text)[:1], "adds")


def announces(text: str, *, is_persons: bool, announced: bool) -> bool:
    """Whether this turn announces that the next turn of the person is a text; an assistant's agreement does not end an
    announcement.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    last = lines[-1].strip() if lines else ""
    lowered = last.lower()
    if not is_persons:
        return announced or (any(each in lowered for each in texts("pasted", "asked_for")) and _names_text(lowered))
    if any(each in lowered for each in texts("pasted", "pastes")):
        return True
    head = last.rsplit(". ", 1)[-1]
    how: How = "line" if head.endswith((":", "：")) else "bare"
    may_announce = how == "line" or has(words_in(head), "here")
    return may_announce and introduces(head, how, "apart", "")


def _names_text(lowered: str) -> bool:
    words = words_in(lowered)
    return has(words, "texts") or has(words, "here") or "it" in words
