"""Whether a sentence introduces somebody else's text: by what it names, a text, who says it, or what is to be done with
it. English, Russian, German, Spanish and French. Pure.
"""

import re
from collections.abc import Collection, Sequence
from typing import Literal

from sandbox.extensions.memory.consolidate import pasted_words as words_of

How = Literal["colon", "line", "dash", "quoted", "bare", "within"]
"""How a text is joined to what introduces it: behind a colon, on the next lines behind a colon, behind a dash, in marks
of quotation, on the next lines, behind a full stop.
"""

Followed = Literal["apart", "list", "next"]
"""What follows on the next lines: something behind a blank line, a list, something else."""

_WORD = re.compile(r"\^|tl;dr|[\w'-]+")
_LONGEST = 25  # words of an introduction
_BARE = 15  # words of one that no colon marks
_CONTACT = re.compile(r"\S{0,60}(?:@|://|www\.)|\+?[\d(]")


def words_in(text: str) -> list[str]:
    """Its last words, folded."""
    return _WORD.findall(text.lower())[-_LONGEST:]


def introduces(head: str, how: How, followed: Followed, rest: str) -> bool:
    """Whether ``head`` introduces what follows it, of which ``rest`` is the beginning, as somebody else's."""
    words = words_in(head)
    if not words and how == "quoted":
        return True
    if not words or (how in ("bare", "within") and len(words) > _BARE):
        return False
    if (at := _said_at(words)) is not None:
        is_open = not head.rstrip().endswith((".", "!"))
        is_text = how == "bare" and _names_text(words) and _is_text(words, how, followed, rest)
        return is_text or _is_said(words, at, how, followed, is_open=is_open)
    if not words_of.FOR_GOOD.isdisjoint(words):
        return False
    is_asked = head.rstrip().endswith("?")
    if how == "within":  # a task, and behind it on the same line what it is for
        is_for_text = is_work(words) or (is_asked and is_task(words) and _names_text(words))
        return is_for_text and (not _NEAR.isdisjoint(words) or _points_here(words) or _names_text(words))
    if how == "bare" and followed == "apart" and not _NEAR.isdisjoint(words) and (is_asked or len(words) < 9):
        return True
    if _is_named(head, how, rest) or _is_titled(head, words, how, followed):
        return True
    if len(words) < 6 and how in ("colon", "line") and any(each.startswith(words_of.LANGUAGES_STEMS) for each in words):
        return True
    if how == "bare" and followed == "apart" and len(words) < 5 and _is_imperative(words, _looked_at(words)):
        return True
    if len(words) < 3 and _looked_at(words) == 0 and (how != "bare" or is_asked):
        return True
    if _is_written(words) and how in ("colon", "line"):
        return True
    if is_task(words) and not _is_for_once(words, how):
        return how != "quoted" or _worked_at(words) is not None
    if _names_text(words):
        is_titled = how == "bare" and followed == "apart" and len(words) < 7 and head.rstrip()[-1:] not in ".!"
        is_about = is_titled and (is_asked or words_of.FIRST_PERSON.isdisjoint(words) or _is_theirs(words))
        is_for = is_asked and how == "bare" and not words_of.THIS.isdisjoint(words)
        return is_about or is_for or _is_text(words, how, followed, rest)
    return _points(words, how, followed)


def _is_named(head: str, how: How, rest: str) -> bool:
    """Whether it is the name of who says what follows, of themselves."""
    match = _NAME.fullmatch(head.strip())
    if match is None or how != "colon" or not words_of.LABELS.isdisjoint(words_in(head)):
        return False
    return not words_of.FIRST_PERSON.isdisjoint(words_in(rest[:60]))


def _is_titled(head: str, words: Sequence[str], how: How, followed: Followed) -> bool:
    """Whether it stands above what follows as a title: a few words, and no full stop."""
    title = head.strip()
    if (
        how != "bare"
        or followed != "apart"
        or not 1 < len(words) < 8
        or not title[:1].isupper()
        or title[-1] in ".!?…,:"
    ):
        return False
    return _TALK.isdisjoint(words) and words_of.LABELS.isdisjoint(words)


_NAME = re.compile(r"@[\w.-]{1,30}|(?:(?:Dr|Mr|Mrs|Ms)\. )?[A-ZА-ЯЁ][^\W\d_]{1,20}")
_THEM = frozenset("him her them ему ей им ihm ihr ihnen".split())


def is_work(words: Sequence[str]) -> bool:
    """Whether it asks to do what is only done to a text: to translate it, to sum it up."""
    return _is_imperative(words, _worked_at(words))


def is_task(words: Sequence[str]) -> bool:
    """Whether it asks to do something with a text."""
    worked, looked = _worked_at(words), _looked_at(words)
    if _is_imperative(words, worked):
        return True
    if not words_of.OWN_LISTS.isdisjoint(words):
        return False
    is_named = _names_text(words) or not (words_of.THIS | words_of.ABOVE).isdisjoint(words)
    is_named = is_named or _points_here(words)
    return _is_imperative(words, looked) and is_named


def _is_for_once(words: Sequence[str], how: How) -> bool:
    return how == "bare" and "like" in words


def _said_at(words: Sequence[str]) -> int | None:
    """Where it says that somebody else said something."""
    for at in reversed(range(len(words))):
        if words[at] in words_of.SAID or words[at].startswith(words_of.SAID_STEMS):
            return at if _SPOKEN.isdisjoint(words[max(0, at - 2) : at]) else None
    return None


def _is_said(words: Sequence[str], at: int, how: How, followed: Followed, *, is_open: bool) -> bool:
    behind = len(words) - 1 - at
    if how in ("colon", "line"):
        return True
    if how in ("dash", "quoted"):
        return behind <= 2 and words_of.THIS.isdisjoint(words[at:])
    is_pointed = not words_of.THIS.isdisjoint(words) and _names_text(words)
    is_pointed = is_pointed or _points_here(words) or (len(words) < 5 and followed == "apart")
    is_written = not _WROTE.isdisjoint(words) and _SPEAKING.isdisjoint(words)
    if how == "bare" and followed == "apart" and (is_written or not _NEAR.isdisjoint(words)):
        return True
    return how == "bare" and ((behind <= 2 and is_pointed) or (not behind and is_open))


_NEAR = frozenset("this these это эту этот этом dies diesen dieser esto este esta ceci cette ce".split())
_WROTE = frozenset("wrote writes texted emailed e-mailed mailed messaged posted написал написала пишет schrieb".split())
_SPOKEN = frozenset("i i've i'd we you я мы ты вы ich wir du sie yo je vous tu".split())  # to each other


def _is_text(words: Sequence[str], how: How, followed: Followed, rest: str) -> bool:
    """Whether a text that is named is the one that follows."""
    is_here = _points_here(words)
    is_got = not words_of.GOT.isdisjoint(words)
    is_own = not words_of.FIRST_PERSON.isdisjoint(words)
    if how == "bare":
        return followed == "apart" and (is_here or is_got)
    if how == "quoted":
        return is_here or is_got
    if _CONTACT.match(rest) and is_own:
        return False
    if is_here or is_got or _is_somebodys(words) or not (words_of.OF | words_of.READ).isdisjoint(words):
        return True
    if not words_of.QUOTED.isdisjoint(words):
        return True
    if how == "line" and followed != "list" and words_of.CONTACTS.isdisjoint(words):
        return True
    return not is_own and (how == "line" or (how == "colon" and not words_of.OTHERS.isdisjoint(words)))


def _points(words: Sequence[str], how: How, followed: Followed) -> bool:
    """Whether it points at what follows, though it names no text."""
    is_sent = how == "line" or (how == "colon" and not _THEM.isdisjoint(words))
    if is_sent and words[-1] in _NEAR and words_of.LABELS.isdisjoint(words):
        return True
    if not words_of.FIRST_PERSON.isdisjoint(words):
        is_got = not words_of.GOT.isdisjoint(words) and not words_of.THIS.isdisjoint(words)
        return is_got and how in ("line", "colon")
    is_here = _points_here(words) or not words_of.GOT.isdisjoint(words)
    if how in ("line", "colon") and not words_of.OWN_LISTS.isdisjoint(words):
        return _is_theirs(words)
    if how == "bare":
        return is_here and followed == "apart" and len(words) < 6
    if how == "line":
        is_others = "that" in words or _is_theirs(words)
        return is_here or (words_of.LABELS.isdisjoint(words) and (followed != "list" or is_others))
    return how == "colon" and len(words) < 6 and not _PASTED.isdisjoint(words)


_TALK = words_of.FIRST_PERSON - {"us"} | frozenset("it that you ты вы du".split())
_PASTED = frozenset(("below", "following", "attached", "pasted", "copied", "forwarded", "ниже", "unten", "abajo"))


def _worked_at(words: Sequence[str]) -> int | None:
    return next((at for at, word in enumerate(words) if word.startswith(words_of.WORKED_ON_STEMS)), None)


def _looked_at(words: Sequence[str]) -> int | None:
    found = (
        at for at, word in enumerate(words) if word in words_of.LOOKED_AT or word.startswith(words_of.LOOKED_AT_STEMS)
    )
    return next(found, None)


def _is_imperative(words: Sequence[str], at: int | None) -> bool:
    """Whether what is done at a place is asked for, and not what somebody does."""
    if at is None or at > 8:
        return False
    return _SPEAKING.isdisjoint(words[:at]) or "you" in words[:at] or "ты" in words[:at]


_SPEAKING = frozenset("i i've i'd we я мы ich wir yo je".split())


def _points_here(words: Sequence[str]) -> bool:
    """``Here is``, ``see below``; not ``here we build``."""
    return any(
        (word in words_of.HERE and _SPOKEN.isdisjoint(words[at + 1 : at + 2])) or word.startswith(words_of.HERE_STEMS)
        for at, word in enumerate(words)
    )


def _is_written(words: Sequence[str]) -> bool:
    at = next((at for at, word in enumerate(words) if word.startswith(words_of.WRITES_STEMS)), None)
    return _is_imperative(words, at) and _names_text(words)


def _is_theirs(words: Sequence[str]) -> bool:
    return not words_of.THEIRS.isdisjoint(words) or _is_somebodys(words)


def _is_somebodys(words: Sequence[str]) -> bool:
    return any(word.endswith("'s") for word in words)


def _names_text(words: Sequence[str]) -> bool:
    return _has(words, words_of.TEXTS, words_of.TEXTS_STEMS)


def _has(words: Sequence[str], exact: Collection[str], stems: tuple[str, ...]) -> bool:
    return any(word in exact or word.startswith(stems) for word in words)
