"""Decide whether a speaker gives the assistant an order in their own words; only such words make a standing wish.

Imperatives depend on the language. Without ``orders.yaml`` a language does not distinguish them. Pure.
"""

import re
from functools import cache

from sandbox.extensions.memory.lexicon import either, pattern, words
from sandbox.extensions.memory.parse.language import language_of
from sandbox.extensions.memory.parse.reader import code_of
from sandbox.extensions.memory.text.words import fold

QUOTED = re.compile(r"«[^«»]*»|[\"“„][^\"”“„]*[\"”“]|(?<!\w)['‘][^'’‘\n]{2,}['’](?!\w)")
_BETWEEN = r"[.!?…;,:\n()—–]+|\s-\s"
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def gives_order(text: str) -> bool:
    """Whether a turn gives its listener an order, outside of quotations."""
    own = fold(QUOTED.sub(" ", text))
    reported = pattern("orders", "reported")
    sentences = [each for each in re.split(r"[.!?…\n]+", own) if each.strip() and not reported.search(each)]
    if not _is_read(own):
        return bool(sentences)
    wishes = pattern("orders", "wishes")
    return any(wishes.search(each) or any(map(_begins_with_order, _clauses().split(each))) for each in sentences)


def _is_read(text: str) -> bool:
    """Whether the text is in a language whose imperatives are known."""
    return pattern("orders", "telling").search(text) is not None


@cache
def _clauses() -> re.Pattern[str]:
    return re.compile(rf"{_BETWEEN}|\b{either('orders', 'joining')}\b")


def _begins_with_order(clause: str) -> bool:
    orders = words("orders", "orders")
    said = _WORD.findall(clause)
    while said and said[0] in words("orders", "before") - orders:
        said.pop(0)
    if not said or said[0] in orders:
        return bool(said)
    return not said[0].isascii() and any(map(_is_imperative, said[:2]))


def _is_imperative(word: str) -> bool:
    """Whether the form of a word is most likely an imperative."""
    return language_of(code_of(word)).forms.is_imperative(word)
