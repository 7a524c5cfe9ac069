"""Reduce the turns of a session to their speakers' own words (``text/pasted.py``), also by announcements in earlier
turns.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sandbox.extensions.memory.consolidate.extraction import Turn
from sandbox.extensions.memory.text.pasted import announces, drafts, said, without_additions
from sandbox.extensions.memory.text.played import begins, left


def own_words(turns: Iterable[Turn], before: Sequence[Turn] = ()) -> list[Turn]:
    """The turns, each with its speaker's own words as text. ``before`` are the turns right before them. Documents and
    code of an assistant are its own words. Who plays a part does not speak for themselves until they leave it.
    """
    heard: list[tuple[Turn, bool]] = []  # with whether a text was drafted before
    announced = is_played = is_drafted = False
    for turn in (*before, *turns):
        text, is_users = turn.text, turn.role == "user"
        if begins(text):
            text, is_played = "" if is_users else text, True
        elif is_played and is_users:
            text = left(text)
            is_played = not text
        heard.append((replace(turn, text="" if announced and is_users else text), is_drafted and is_users))
        announced = announces(turn.text, is_persons=is_users, announced=announced)
        is_drafted |= is_users and drafts(turn.text)
    return [replace(turn, text=_own(turn, is_drafted)) for turn, is_drafted in heard[len(before) :]]


def _own(turn: Turn, is_drafted: bool) -> str:
    own = said(turn.text, documents=turn.role != "user" and turn.speaker is None)
    return without_additions(own) if is_drafted else own
