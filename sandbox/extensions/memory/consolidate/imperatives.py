"""Decide whether a speaker gives the assistant an order in their own words; only such words make a standing wish. Pure.

A language without the class ``wishes`` does not distinguish orders: any sentence may be one.
"""

import re
from collections.abc import Sequence

from sandbox.extensions.memory.parse import clauses
from sandbox.extensions.memory.parse.language import Language, language_of
from sandbox.extensions.memory.parse.pattern import phrase_ends, stands_in
from sandbox.extensions.memory.parse.reader import told_code
from sandbox.extensions.memory.parse.tokens import Token, forms, tokens

QUOTED = re.compile(r"«[^«»]*»|[\"“„][^\"”“„]*[\"”“]|(?<!\w)['‘][^'’‘\n]{2,}['’](?!\w)")
_BEGINNINGS = frozenset(("order", "imperative", "begins_order"))  # classes of words with which an order begins


def gives_order(text: str) -> bool:
    """Whether a turn gives its listener an order, outside of quotations."""
    own = QUOTED.sub(" ", text)
    code = told_code(own)
    language = language_of(code or "en")
    said = [tokens(each, language) for each in clauses.sentences(own, language)]
    said = [each for each in said if not _is_reported(each)]
    if code is None or "wishes" not in language.classes:
        return bool(said)
    return any(_orders(each, language) for each in said)


def _is_reported(said: Sequence[Token]) -> bool:
    """Whether somebody else's words follow, or somebody else gives the order."""
    return any(
        "reported" in token.classes and (not at or "self" not in said[at - 1].classes) for at, token in enumerate(said)
    )


def _orders(said: Sequence[Token], language: Language) -> bool:
    if stands_in(language.classes["wishes"], said, forms(said)):
        return True
    parts = (said[part.start : part.end] for part in clauses.segments(said, language))
    return any(_begins_with_order(part[at:], language) for part in parts for at in clauses.starts(part, language))


def _begins_with_order(said: Sequence[Token], language: Language) -> bool:
    is_order = any("/impr" in token.lemmas for token in said[:2]) or any(
        phrase_ends(language.classes["from_now"], said, 0)
    )
    return is_order or (bool(said) and not said[0].classes.isdisjoint(_BEGINNINGS))
