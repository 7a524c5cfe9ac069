"""Explicit language of cause and effect, in English and Russian. Pure.

Rules alone join two turns where the second begins with what points back at the first ("That's why ...", "Because
..."), or repeats it on one side of such words ("I moved." "I moved because the rent was too high."). Otherwise these
join parts of one turn; a bare "so" joins nothing ("Caroline, so glad!").
"""

import re
from typing import Literal

from sandbox.extensions.memory.text.courtesies import COURTESIES
from sandbox.extensions.memory.text.words import terms

Cause = Literal["first", "second"]

_SPEAKS = re.compile(
    r"\b(because|cause[sd]?|due to|owing to|thanks to|led to|leads to|result(?:s|ed)? (?:in|from)|as a result|therefore"
    r"|thus|hence|consequently|so that|that(?:'s| is| was) (?:why|how come)|which is why|the reason"
    r"|so (?:i|we|he|she|they|it|that|now)|since then|made (?:me|us|him|her|them|it))\b"
    r"|\b(потому|поэтому|оттого|отчего|из-за|так как|благодаря|вследствие|в результате|следовательно"
    r"|приве(?:ло|ла|л|ли) к|причин(?:а|ой|у|ы)|вот почему|вызва(?:ло|ла|л|ли)|так что)\b"
)
_ASKS_WHY = re.compile(r"\b(?:why|how come|what(?:'s| is| was) the reason|what made|почему|отчего|зачем)\b")
_SUBJECT = re.compile(r"\b(?:i|we|he|she|they|я|мы|он|она|они)\b")
_OPENING = r"^(?:(?:well|yes|yeah|yep|no|ok|okay|right|sure|oh|and|but|ну|да|нет|а|и|но|ладно|угу|ага)\b[,.!—– -]*)*"
_POINTS_BACK = re.compile(
    _OPENING + r"(?:that(?:'s| is| was) (?:exactly )?why|which is why|because of (?:that|this|it)\b|as a result\b"
    r"|therefore\b|consequently\b|hence\b"
    r"|(?:that|this|it|which) (?:led to|caused|resulted in|made (?:me|us|him|her|them))\b"
    r"|so (?:i|we|he|she|they)\b|for that reason\b|due to (?:that|this)\b"
    r"|поэтому\b|потому и\b|оттого\b|вот почему\b|из-за (?:этого|того)\b|в результате\b|следовательно\b"
    r"|это (?:привело к|вызвало|заставило)\b|так что (?:я|мы|он|она|они)\b|по этой причине\b|благодаря этому\b)"
)
_FROM_EFFECT = re.compile(r"\b(?:because(?: of)?|due to|thanks to|потому[, ]+что|из-за|так как|благодаря)\b")
_FROM_CAUSE = re.compile(
    r"(?:\btherefore|\bled to|\bcaused|\bresulted in|, поэтому|, так что|\bприве(?:ло|ла|л|ли) к"
    r"|\bвызва(?:ло|ла|л|ли))\b"
)
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_GIVES_REASON = re.compile(
    _OPENING + r"(?:because(?! of (?:that|this|it)\b)\b|(?:that's|that is|it's|it was|this is|that was) because\b"
    r"|the reason (?:is|was)\b|потому[, ]+что\b|(?:это )?(?:из-за(?! (?:этого|того)\b)|потому[, ]+что|оттого[, ]+что)\b"
    r"|причина в (?:том|этом)\b|так как\b)"
)


def asks_why(text: str) -> bool:
    """Whether a text asks for a cause."""
    return "?" in text and bool(_ASKS_WHY.search(_plain(text)))


def is_filler(text: str) -> bool:
    """Whether a text tells nothing: thanks, greetings, applause, of which nobody is the subject."""
    is_courteous = all(term in COURTESIES for term in terms(text))
    return is_courteous and not (_SUBJECT.search(_plain(text)) or speaks_of_cause(text))


def speaks_of_cause(text: str) -> bool:
    """Whether a text has a word of cause or effect."""
    return bool(_SPEAKS.search(_plain(text)))


def cause_by_rule(first: str, second: str, between: str = "") -> Cause | None:
    """Which of two texts is the cause of the other: as the second begins, as it answers what was asked ``between``
    them, or as one of its sentences joins what the first tells with something else. None where that does not tell.
    """
    plain = _plain(second)
    if is_filler(first) or is_filler(second):
        return None
    if _POINTS_BACK.match(plain):
        return "first"
    if _GIVES_REASON.match(plain) or asks_why(between):
        return "second"
    told = frozenset(terms(first))
    return next(filter(None, (_joined(sentence, told) for sentence in _SENTENCE_END.split(plain))), None)


def _joined(sentence: str, told: frozenset[str]) -> Cause | None:
    """Whether the first text is what a sentence gives as cause, or what it gives as effect."""
    for pattern, is_cause_first in ((_FROM_EFFECT, False), (_FROM_CAUSE, True)):
        if found := pattern.search(sentence):
            before, after = _repeats(sentence[: found.start()], told), _repeats(sentence[found.end() :], told)
            if before != after:
                return "first" if before == is_cause_first else "second"
    return None


def _repeats(clause: str, told: frozenset[str]) -> bool:
    """Whether a clause says what was told: at least half of its terms are there."""
    said = set(terms(clause))
    return bool(said) and 2 * len(said & told) >= len(said)


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").replace("ё", "е").split())
