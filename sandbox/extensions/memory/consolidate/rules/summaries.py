"""What a session was about, in one or two sentences taken from it: what was done, else what was asked. Pure."""

import re
from collections.abc import Sequence

from sandbox.extensions.memory.consolidate.proposal import Proposal, Turn
from sandbox.extensions.memory.consolidate.rules.morphology import gender, is_russian, speaker_name
from sandbox.extensions.memory.consolidate.rules.sentences import quotes, sentences
from sandbox.extensions.memory.govern import secrets

_LONGEST = 160  # characters of a sentence that is repeated
_NOT_DONE = re.compile(
    r"\b(?:plans?|wants?|hopes?|intends?|needs?|has|have|is|are|will|ends?|starts?|begins?)\b(?! been\b)"
    r"|\b(?:планиру|собира|хо[чт]|наде|мечта|намерен|буд)\w*",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"^(?:hi|hey|hello|thanks|thank you|ok|okay|yes|no|sure|привет|здравствуй\w*|спасибо|да|нет|ок)\b[\s,.!]*",
    re.IGNORECASE,
)


def summary(turns: Sequence[Turn], learnt: Sequence[Proposal]) -> str | None:
    """At most two sentences, past tense; None where nothing was done or asked."""
    done = [each for each in learnt if each.category == "event" and not _NOT_DONE.search(each.content)]
    best = sorted(done, key=lambda each: -each.importance)[:2]
    if best:
        return " ".join(each.content for each in done if each in best)
    return next((asked for turn in turns if turn.role == "user" and (asked := _asked(turn))), None)


def _asked(turn: Turn) -> str | None:
    """What a turn asked or told first, if that is more than a greeting."""
    for sentence in sentences(turn.text):
        text = _TALK.sub("", sentence).strip()
        if len(text.split()) < 4 or len(text) > _LONGEST or quotes(text) or secrets.find(text):
            continue
        if is_russian(text):
            who = speaker_name(turn.who)
            told = "спросил" if "?" in text else "сказал"
            return f"{who} {told}{'а' if gender(who) == 'femn' else ''}: «{text.strip('.')}»."
        return f'{turn.who} {"asked" if "?" in text else "said"}: "{text.rstrip(".")}".'
    return None
