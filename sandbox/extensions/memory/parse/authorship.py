"""Leave out of a message the sentences that are probably somebody else's: pasted, quoted, or drafted for others.

Logistic regression over the words and the shape of the message, of each paragraph and of each sentence. ``python -m
benchmarks.authorship`` learns the weights in ``languages/authorship.json`` from messages in which their authors marked
their own sentences. Marks and introductions that are sure (``text/pasted.py``) are taken out before.
"""

import math
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sandbox.extensions.memory.lexicon import learnt_weights

_OWN = 0.5  # probability under which a sentence is somebody else's
_FEWEST = 2  # sentences of a message that may hold a text
_READ = 10_000  # characters that are looked at; no reader reads as many
_SUFFIX = 3  # letters
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W_]+)?")
_BLANK = re.compile(r"\n[^\S\n]*\n")
_END = re.compile(r"(?<=[.!?…])(?<!\b\d\.)(?<!\b\d\d\.)[^\S\n]+")  # not behind a number: *1. Always*, *3. Mai*
_BULLET = re.compile(r"\s*(?:[-*•–—+]|\d{1,2}[.)])\s")
_CLOCK = re.compile(r"\d{1,2}:\d\d")
_COLON = re.compile(r"[:：]\s")
_SIGNS = '"“«„>*#|—–@[•(…;'
_CLOSING = ".!?…:,"
_PAIRS = (("“", "”"), ("«", "»"))


class Sentence(NamedTuple):
    """A sentence of a message, and the features of itself alone."""

    text: str
    features: frozenset[str]


class Paragraph(NamedTuple):
    """The features of a paragraph, and its lines of sentences."""

    features: frozenset[str]
    lines: list[list[Sentence]]


def own(text: str, code: str) -> str:
    """A message in the language ``code`` without the sentences that are probably not its speaker's own; the message as
    it is if all are.
    """
    message, paragraphs = described(text[:_READ], code)
    if sum(len(line) for paragraph in paragraphs for line in paragraph.lines) < _FEWEST:
        return text
    of_message = _weight(message)
    judged = [_judged(paragraph, of_message) for paragraph in paragraphs]
    if all(is_own for lines in judged for line in lines for _, is_own in line):
        return text
    return "\n\n".join(filter(None, ("\n".join(filter(None, map(_left, lines))) for lines in judged)))


def _judged(paragraph: Paragraph, of_message: float) -> list[list[tuple[str, bool]]]:
    """The sentences of each line, and whether each is probably its speaker's own."""
    least = math.log(_OWN / (1 - _OWN)) - of_message - _weight(paragraph.features)
    return [[(each.text, _weight(each.features) >= least) for each in line] for line in paragraph.lines]


def _left(line: list[tuple[str, bool]]) -> str:
    """What is left of a line. Half of a quotation goes with the rest of it."""
    is_whole = all(is_own for _, is_own in line)
    return " ".join(text for text, is_own in line if is_whole or (is_own and not _is_half_quoted(text)))


def _is_half_quoted(text: str) -> bool:
    return text.count('"') % 2 == 1 or any(text.count(one) != text.count(other) for one, other in _PAIRS)


def described(text: str, code: str) -> tuple[frozenset[str], list[Paragraph]]:
    """The features of a message, and its paragraphs."""
    text = text.replace("’", "'").replace("\r\n", "\n").strip()
    split = [[line for line in each.split("\n") if line.strip()] for each in _BLANK.split(text)]
    parts = [[_END.split(line.strip()) for line in lines] for lines in split if lines]
    count = sum(len(line) for lines in parts for line in lines)
    message = frozenset(_message(text, parts, code, count))
    paragraphs, place = [], 0
    for at, lines in enumerate(parts):
        words = _words(" ".join(each for line in lines for each in line))
        of_paragraph = {f"{code}:p:{word}" for word in words} | {f"paragraph:{_position(at, len(parts))}"}
        described_lines = []
        for number, line in enumerate(lines):
            of_line = [f"line:{_position(number, len(lines))}", f"style:{_style(' '.join(line))}"]
            sentences = []
            for each in line:
                own_features = {*of_line, f"sentence:{_position(place, count)}", *_sentence(each, code)}
                sentences.append(Sentence(each, frozenset(own_features)))
                place += 1
            described_lines.append(sentences)
        paragraphs.append(Paragraph(frozenset(of_paragraph), described_lines))
    return message, paragraphs


def _message(text: str, parts: list[list[list[str]]], code: str, count: int) -> Iterator[str]:
    words = _words(text)
    lines = [" ".join(line) for paragraph in parts for line in paragraph]
    yield from ("bias", f"{code}:bias")
    yield from (f"{code}:m:{word}" for word in words)
    yield f"paragraphs:{min(4, len(parts))}"
    yield f"lines:{min(6, len(lines))}"
    yield f"sentences:{min(8, count)}"
    yield f"words:{min(8, len(words) // 12)}"
    yield from (f"sign:{sign}" for sign in _SIGNS if sign in text)
    yield f"begins:{'/'.join(sorted({_style(line)[:3] for line in lines}))}"
    yield from ("colon",) if _COLON.search(text) else ()
    yield from ("clock",) if _CLOCK.search(text) else ()
    yield from ("asks",) if "?" in text else ()
    yield from ("bullets",) if any(map(_BULLET.match, lines)) else ()
    yield from ("capitals",) if any(line.isupper() for line in lines) else ()


def _sentence(text: str, code: str) -> Iterator[str]:
    words = _words(text)
    yield from (f"{code}:s:{word}" for word in words)
    yield from (f"{code}:-{word[-_SUFFIX:]}" for word in words)
    yield f"own words:{min(6, len(words) // 4)}"
    yield f"own style:{_style(text)}"


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _position(at: int, count: int) -> str:
    return "only" if count == 1 else "first" if at == 0 else "last" if at == count - 1 else "inside"


def _style(text: str) -> str:
    """How a text begins and ends."""
    text = text.strip()
    return f"{'cap' if text[:1].isupper() else 'low'}{text[-1:] if text[-1:] in _CLOSING else ''}"


def _weight(features: Iterable[str]) -> float:
    weights = learnt_weights("authorship")
    return math.fsum(weights.get(each, 0.0) for each in features)  # in any order
