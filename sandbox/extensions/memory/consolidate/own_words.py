"""Reduce the turns of a session to their speakers' own words (``text/pasted.py``), also by announcements in earlier
turns; and to what a model is shown.
"""

from collections.abc import Iterable, Sequence

from sandbox.extensions.memory.consolidate.extraction import Turn
from sandbox.extensions.memory.text.pasted import adds, announces, said, translates, without_set_apart
from sandbox.extensions.memory.text.role_play import begins, left

_DOUBTFUL = 1000  # characters that may be somebody else's and are shown to a model, which can tell
_SHOWN = 4000  # characters of one turn
_SHOWN_OF_AN_ASSISTANT = 300  # of 153 facts worth keeping 15 needed its words; with all of them no more were learnt


def own_words(turns: Iterable[Turn], *, played: bool = False) -> list[Turn]:
    """The turns, each with its speaker's own words as text. Documents and code of an assistant are its own words. Who
    plays a part does not speak for themselves until they leave it; with ``played``, these words are kept, for a reader
    that can tell them apart.
    """
    heard, announced, is_played, is_translated = list[Turn](), False, False, False
    for turn in turns:
        text, is_users = turn.text, turn.role == "user"
        if not played and begins(text):
            text, is_played = "" if is_users else text, True
        elif is_played and is_users:
            text = left(text)
            is_played = not text
        if is_users:  # *how do I say that in French?*, *and I live in Bristol*
            is_translated = translates(text) or (is_translated and adds(text))
        is_others = is_users and (announced or (is_translated and adds(text)))
        own = "" if is_others else said(text, documents=not is_users and turn.speaker is None, played=played)
        heard.append(turn._replace(text=own))
        announced = announces(turn.text, is_persons=is_users, announced=announced)
    return heard


def doubtful_too(turns: Sequence[Turn]) -> list[Turn]:
    """The turns for a reader that can tell whose words they are: with short texts that may be somebody else's, and
    what is said in a part. Code, quotations and long texts are left out.
    """
    heard = list[Turn]()
    for turn, own in zip(turns, own_words(turns, played=True), strict=True):
        whole = without_set_apart(turn.text) if turn.role == "user" else own.text
        left_out = len("".join(whole.split())) - len("".join(own.text.split()))
        heard.append(own._replace(text=whole, own=own.text) if 0 < left_out <= _DOUBTFUL else own)
    return heard


def shown(turns: Iterable[Turn]) -> list[Turn]:
    """The turns as a model sees them: none of systems and tools, and the beginnings of long ones."""
    seen = []
    for turn in turns:
        longest = _SHOWN if turn.role == "user" or turn.speaker else _SHOWN_OF_AN_ASSISTANT
        if turn.role in ("user", "assistant") and (text := turn.text.strip()):
            seen.append(turn._replace(text=text if len(text) <= longest else f"{text[:longest]}\u2026"))
    return seen
