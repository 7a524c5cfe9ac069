"""Whether a sentence introduces somebody else's text: it names a text, its author, or a task on the text. Pure."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

from sandbox.extensions.memory.lexicon import form
from sandbox.extensions.memory.text.pasted_marks import beginnings_of, has, words_of

How = Literal["colon", "line", "dash", "quoted", "bare", "within"]
"""How a text is joined to its introduction: after a colon, on the lines after a colon, after a dash, in quotation
marks, on the next lines, after a full stop.
"""

Followed = Literal["apart", "list", "next"]
"""What is on the next lines: something after a blank line, a list, something else."""

_WORD = re.compile(r"\^|tl;dr|[\w'-]+")
_LONGEST = 25  # words of an introduction
_BARE = 15  # words of one without a colon
_HEADING = 8  # words of a heading
# the sender of what follows
_SENDER = re.compile(r"(?:\+\d[\d ()/-]{6,20}|[\w.+-]{1,40}@[\w-]{1,40}\.[\w.-]{2,20})\)?\s*$")
_NAME = r"@[\w.-]{1,30}|(?:{pasted.titles} )?(?P<name>[^\W\d_]{2,21})"
_CONTACT = re.compile(r"\S{0,60}(?:@|://|www\.)|\+?[\d(]")


def words_in(text: str) -> list[str]:
    """The last words, folded."""
    return _WORD.findall(text.lower())[-_LONGEST:]


def introduces(head: str, how: How, followed: Followed, rest: str) -> bool:
    """Whether ``head`` introduces what follows, which begins with ``rest``, as somebody else's text."""
    words = words_in(head)
    if not words and how == "quoted":
        return True
    if not words or (how in ("bare", "within") and len(words) > _BARE):
        return False
    if (at := _said_at(words)) is not None:
        is_open = not head.rstrip().endswith((".", "!"))
        is_text = how == "bare" and _names_text(words) and _is_text(words, how, followed, rest)
        return is_text or _is_said(words, at, how, followed, is_open=is_open)
    if has(words, "for_good"):
        return False
    is_own, is_after_colon = has(words, "first_person"), how in ("colon", "line")
    if how == "colon" and has(words, "made_up") and not is_own:
        return True
    is_asked, is_apart, count = head.rstrip().endswith("?"), how == "bare" and followed == "apart", len(words)
    if how == "within":  # a task, and on the same line its material
        is_near = has(words, "near") or _points_here(words)
        is_for_text = is_work(words) or (is_asked and _names_text(words) and (is_near or is_task(words)))
        return is_for_text and (is_near or _names_text(words))
    is_doubted = count < 8 and has(words, "doubts") and (has(words, "this") or _names_text(words))  # *Is this a scam?*
    if (
        (is_apart and has(words, "near") and (is_asked or count < 9))
        or (is_apart and is_asked and is_doubted)
        or _is_named(head, how, rest)
        or _is_titled(head, words, how, followed)
        or (is_after_colon and count < 6 and any(each.startswith(beginnings_of("languages")) for each in words))
        or (is_apart and count < 5 and not is_own and _is_imperative(words, _looked_at(words)))  # not *improve my diet*
        # *and: we are from London*, after a text to translate
        or (how == "colon" and words_of("adds").issuperset(words))
        or (count < 3 and _looked_at(words) == 0 and (how != "bare" or is_asked))
        or (is_after_colon and (_is_written(words) or has(words, "recited")))
    ):
        return True
    if is_task(words) and (how != "bare" or not has(words, "stays")):
        return how != "quoted" or _worked_at(words) is not None
    if _names_text(words):
        is_titled = is_apart and count < 7 and head.rstrip()[-1:] not in ".!"
        is_about = is_titled and (is_asked or not is_own or _is_theirs(words))
        is_for = is_asked and how == "bare" and has(words, "this")
        return is_about or is_for or _is_text(words, how, followed, rest)
    return _points(words, how, followed)


def _is_named(head: str, how: How, rest: str) -> bool:
    """Whether it is the name, number or address of the speaker of what follows; a name only if that speaker talks about
    themselves.
    """
    if how in ("colon", "line") and _SENDER.search(head) and not has(words_in(head), "first_person"):
        return True
    match = form(_NAME).fullmatch(head.strip())
    if match is None or how != "colon" or has(words_in(head), "own_lists", "labels"):
        return False
    if match["name"] and not match["name"][0].isupper():
        return False
    return has(words_in(rest[:60]), "first_person")


def _is_titled(head: str, words: Sequence[str], how: How, followed: Followed) -> bool:
    """Whether it is a title: a few words without a full stop above what follows."""
    title, is_apart = head.strip(), how == "bare" and followed == "apart"
    is_written_so = is_apart and 1 < len(words) < 8 and title[:1].isupper() and title[-1] not in ".!?…,:"
    return is_written_so and _talk().isdisjoint(words) and not has(words, "own_lists", "labels")


@cache
def _talk() -> frozenset[str]:
    return words_of("first_person") - words_of("no_talk") | words_of("talk")


def is_work(words: Sequence[str]) -> bool:
    """Whether it asks for work on a text: to translate it, to summarise it."""
    return _is_imperative(words, _worked_at(words))


def is_task(words: Sequence[str]) -> bool:
    """Whether it asks to do something with a text."""
    worked, looked = _worked_at(words), _looked_at(words)
    if _is_imperative(words, worked):
        return True
    if has(words, "own_lists"):
        return False
    is_named = _names_text(words) or not (words_of("this") | words_of("above")).isdisjoint(words)
    is_named = is_named or _points_here(words)
    return _is_imperative(words, looked) and is_named


def _said_at(words: Sequence[str]) -> int | None:
    """The index of the words that say that somebody else said something."""
    for at in reversed(range(len(words))):
        if words[at] in words_of("said") or words[at].startswith(beginnings_of("said")):
            return at if not has(words[max(0, at - 2) : at], "spoken") else None
    return None


def _is_said(words: Sequence[str], at: int, how: How, followed: Followed, *, is_open: bool) -> bool:
    behind = len(words) - 1 - at
    if how in ("colon", "line"):
        return True
    if how in ("dash", "quoted"):
        return behind <= 2 and not has(words[at:], "this")
    is_pointed = has(words, "this") and _names_text(words)
    is_pointed = is_pointed or _points_here(words) or (len(words) < 5 and followed == "apart")
    is_written = has(words, "wrote") and not has(words, "speaking")
    if how == "bare" and followed == "apart" and (is_written or has(words, "near")):
        return True
    return how == "bare" and ((behind <= 2 and is_pointed) or (not behind and is_open))


def _is_text(words: Sequence[str], how: How, followed: Followed, rest: str) -> bool:
    """Whether the text that it names is the one that follows."""
    is_here = _points_here(words)
    is_got = has(words, "got")
    is_own = has(words, "first_person")
    if how == "bare":
        return (is_here or is_got) and (followed == "apart" or (followed == "next" and len(words) < _HEADING))
    if how == "quoted":
        return is_here or is_got
    if _CONTACT.match(rest) and is_own:
        return False
    if is_here or is_got or _is_somebodys(words) or not (words_of("of") | words_of("read")).isdisjoint(words):
        return True
    if has(words, "quoted"):
        return True
    if how == "line" and followed != "list" and not has(words, "contacts"):
        return True
    return not is_own and (how == "line" or (how == "colon" and has(words, "theirs", "others")))


def _points(words: Sequence[str], how: How, followed: Followed) -> bool:
    """Whether it points at what follows without naming a text."""
    is_sent = how == "line" or (how == "colon" and has(words, "them"))
    is_sent = is_sent or (how in ("colon", "dash") and _is_somebodys(words))
    if is_sent and words[-1] in words_of("near") and not has(words, "own_lists", "labels"):
        return True
    if has(words, "first_person"):
        is_got = has(words, "got") and has(words, "this")
        return is_got and how in ("line", "colon")
    is_here = _points_here(words) or has(words, "got")
    if how in ("line", "colon") and has(words, "own_lists"):
        return _is_theirs(words)
    if how == "bare":
        return is_here and followed == "apart" and len(words) < 6
    if how == "line":
        is_others = has(words, "far") or _is_theirs(words)
        return is_here or (not has(words, "own_lists", "labels") and (followed != "list" or is_others))
    return how == "colon" and len(words) < 6 and has(words, "pasted")


def _worked_at(words: Sequence[str]) -> int | None:
    return next((at for at, word in enumerate(words) if word.startswith(beginnings_of("worked_on"))), None)


def _looked_at(words: Sequence[str]) -> int | None:
    whole, begun = words_of("looked_at"), beginnings_of("looked_at")
    return next((at for at, word in enumerate(words) if word in whole or word.startswith(begun)), None)


def _is_imperative(words: Sequence[str], at: int | None) -> bool:
    """Whether the verb at an index is an imperative, and no description."""
    if at is None or at > 8:
        return False
    return not has(words[:at], "speaking") or has(words[:at], "listener")


def _points_here(words: Sequence[str]) -> bool:
    """``Here is``, ``see below``; not ``here we build``."""
    return any(
        (word in words_of("here") and not has(words[at + 1 : at + 2], "spoken"))
        or word.startswith(beginnings_of("here"))
        for at, word in enumerate(words)
    )


def _is_written(words: Sequence[str]) -> bool:
    at = next((at for at, word in enumerate(words) if word.startswith(beginnings_of("writes"))), None)
    return _is_imperative(words, at) and _names_text(words)


def _is_theirs(words: Sequence[str]) -> bool:
    return has(words, "theirs") or _is_somebodys(words)


def _is_somebodys(words: Sequence[str]) -> bool:
    return any(word.endswith("'s") for word in words)


def _names_text(words: Sequence[str]) -> bool:
    whole, begun = words_of("texts"), beginnings_of("texts")
    return not whole.isdisjoint(words) or any(word.startswith(begun) for word in words)
