"""Decide when two statements are provably the same: the same words, with negations and numbers. Similarity is not
sameness. Pure.
"""

import re
from typing import NamedTuple

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.store.rows import Home, Node
from sandbox.extensions.memory.text.words import fold, name_key, statement_words

_ARTICLE = re.compile(r"\b(?:a|an|the)\s+(?=\w)|^(?:A|An|The)\s+(?=\w)")  # "vitamin A" and "by The Who" keep theirs
_FORMS = (
    (re.compile(r"\bcan(?:['’]t|not)\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon['’]t\b", re.IGNORECASE), "will not"),
    (re.compile(r"n['’]t\b", re.IGNORECASE), " not"),
    (re.compile(r"['’]m\b", re.IGNORECASE), " am"),
    (re.compile(r"['’]re\b", re.IGNORECASE), " are"),
    (re.compile(r"['’]ve\b", re.IGNORECASE), " have"),
    (re.compile(r"['’]ll\b", re.IGNORECASE), " will"),
)


class MergeKey(NamedTuple):
    """The content of a memory as a key: equal for memories that provably say the same."""

    home: Home
    type: str
    words: tuple[str, ...]
    about: str | None  # the subject, if the words do not name it
    is_instruction: bool
    day: int | None  # of an event, which may happen again
    valid_until: int | None


def merge_key(node: Node) -> MergeKey:
    """The merge key of a memory."""
    happened = node.category == "event"
    return MergeKey(
        node.home,
        node.type,
        tuple(bare_words(node.content)),
        _about(node),
        node.category == "instruction",
        node.event_time // DAY if happened else None,
        node.valid_until,
    )


def bare_words(text: str) -> list[str]:
    """The words of a statement without articles; short forms are written out."""
    for pattern, full in _FORMS:
        text = pattern.sub(full, text)
    return statement_words(_ARTICLE.sub("", text)) or [fold(text).strip()]


def _about(node: Node) -> str | None:
    if node.subject is None:
        return None
    key = name_key(node.subject)
    return None if f" {key} " in f" {name_key(node.content)} " else key
