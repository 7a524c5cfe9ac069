"""Cut Markdown prose at its own boundaries, into pieces for search or into statements."""

import re
from collections.abc import Iterator
from datetime import datetime

from sandbox.extensions.memory.parse import claims_of
from sandbox.support.times import LOCAL

_LONG = 2_000  # characters; a longer piece is cut between paragraphs
_HEADING = re.compile(r"#{1,6}\s")
_BOLD = re.compile(r"^\*\*[^*]+\*\*:?$")  # a bold line is a heading
_LABEL = re.compile(r"^([*_])[^*_.!?]+\1:?$")  # an italic line that is no sentence
_POINT = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s")
_FENCE = ("```", "~~~")


def pieces(text: str) -> Iterator[str]:
    """The sections of a text under their headings; long ones are cut between paragraphs."""
    for heading, paragraphs in _sections(text):
        held = [heading] if heading else []
        for paragraph in paragraphs:
            if held and held != [heading] and sum(map(len, held)) + len(paragraph) > _LONG:
                yield "\n\n".join(held)
                held = [heading] if heading else []
            held.append(paragraph)
        if held and held != [heading]:
            yield "\n\n".join(held)


def statements(text: str) -> Iterator[tuple[str, str]]:
    """Every list item with its heading, and every other paragraph with an empty text."""
    for heading, paragraphs in _sections(text):
        topic = heading.strip("#*: ")
        for paragraph in paragraphs:
            for line in paragraph.split("\n") if _POINT.match(paragraph.lstrip()) else [" ".join(paragraph.split())]:
                point = _POINT.match(line.lstrip())
                said = (line.lstrip()[point.end() :] if point else line).strip()
                if said and not _BOLD.match(said) and not _LABEL.match(said) and said.strip("-*_ "):
                    yield said, topic if point else ""


def with_topic(said: str, topic: str) -> str:
    """A text with what it is about in brackets, unless it is read by itself: *nuts* says nothing without *allergy*."""
    return said if not topic or claims_of(said, datetime.now(LOCAL)) else f"{said} ({topic})"


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each heading with its paragraphs. In code there is no heading, and no end of a paragraph."""
    heading, paragraphs, lines, in_code = "", list[str](), list[str](), False

    def ended() -> list[str]:
        return [*paragraphs, *(["\n".join(lines)] if lines else [])]

    for line in text.splitlines():
        if line.lstrip().startswith(_FENCE):
            in_code = not in_code
        is_heading = not in_code and (_HEADING.match(line) or _BOLD.match(line.strip()))
        if is_heading:
            yield heading, ended()
            heading, paragraphs, lines = line.strip(), [], []
        elif line.strip() or in_code:
            lines.append(line.rstrip())
        elif lines:
            paragraphs.append("\n".join(lines))
            lines = []
    yield heading, ended()
