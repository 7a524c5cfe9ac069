"""Reduce the turns of a session to their speakers' own words (``text/pasted.py``), also by announcements in earlier
turns.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sandbox.extensions.memory.consolidate.extraction import Turn
from sandbox.extensions.memory.text.pasted import announces, said
from sandbox.extensions.memory.text.played import begins, left


def own_words(turns: Iterable[Turn], before: Sequence[Turn] = ()) -> list[Turn]:
    """The turns, each with its speaker's own words as text. ``before`` are the turns right before them. Documents and
    code of an assistant are its own words. Who plays a part does not speak for themselves until they leave it.
    """
    heard, announced, is_played = list[Turn](), False, False
    for turn in (*before, *turns):
        text, is_users = turn.text, turn.role == "user"
        if begins(text):
            text, is_played = "" if is_users else text, True
        elif is_played and is_users:
            text = left(text)
            is_played = not text
        own = "" if announced and is_users else said(text, documents=not is_users and turn.speaker is None)
        heard.append(replace(turn, text=own))
        announced = announces(turn.text, is_persons=is_users, announced=announced)
    return heard[len(before) :]
