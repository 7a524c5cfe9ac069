"""Reduce the turns of a session to their speakers' own words (``text/pasted.py``), also by announcements in earlier
turns.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sandbox.extensions.memory.consolidate.extraction import Turn
from sandbox.extensions.memory.text.pasted import announces, asks_to_play, said


def own_words(turns: Iterable[Turn], before: Sequence[Turn] = ()) -> list[Turn]:
    """The turns, each with its speaker's own words as text. ``before`` are the turns right before them. Documents and
    code of an assistant are its own words.
    """
    heard, announced, is_played = [], False, any(map(_plays, before))
    for turn in before:
        announced = announces(turn.text, is_persons=turn.role == "user", announced=announced)
    for turn in turns:
        is_persons = turn.role == "user" or turn.speaker is not None
        is_played |= _plays(turn)
        is_others = (announced or is_played) and turn.role == "user"
        own = "" if is_others else said(turn.text, documents=not is_persons)
        heard.append(replace(turn, text=own))
        announced = announces(turn.text, is_persons=turn.role == "user", announced=announced)
    return heard


def _plays(turn: Turn) -> bool:
    return turn.role == "user" and asks_to_play(turn.text)
