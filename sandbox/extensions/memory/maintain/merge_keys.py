"""Decide when two statements are provably the same: the same words, with negations and numbers. Similarity is not
sameness. Pure.
"""

import re

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.store.rows import Node
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


MergeKey = tuple[object, ...]
"""The content of a memory as a key: equal for memories that provably say the same."""


def merge_key(node: Node) -> MergeKey:
    """The merge key of a memory. An event may happen again, on another day."""
    day = node.event_time // DAY if node.category == "event" else None
    words, is_instruction = tuple(_bare_words(node.content)), node.category == "instruction"
    return node.home, node.type, words, _about(node), is_instruction, day, node.valid_until


def _bare_words(text: str) -> list[str]:
    """The words of a statement without articles; short forms are written out."""
    for pattern, full in _FORMS:
        text = pattern.sub(full, text)
    return statement_words(_ARTICLE.sub("", text)) or [fold(text).strip()]


def _about(node: Node) -> str | None:
    """The subject, if the words do not name it."""
    if node.subject is None:
        return None
    key = name_key(node.subject)
    return None if f" {key} " in f" {name_key(node.content)} " else key
