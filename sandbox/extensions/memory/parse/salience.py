"""The probability that a sentence says something lasting: logistic regression over its words.

``python -m benchmarks.salience`` learns the weights in ``languages/salience.json`` from conversations in which people
marked the sentences worth keeping.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sandbox.extensions.memory.lexicon import learnt_weights
from sandbox.extensions.memory.parse import clauses
from sandbox.extensions.memory.parse.language import Language
from sandbox.extensions.memory.parse.tokens import Token

_MARKS = frozenset("/1 /we /3 /past /f /m /impr /inf /plur /name /anim /place /v".split())
_SUFFIX, _PREFIX = 3, 5  # letters
_OPENING = 5  # words at the beginning of a sentence whose pairs are features
_MOST = 6  # classes of length
_SALIENT = 0.88  # probability from which a sentence is stored as a report
_ASIDE = 0.1  # probability below which nothing is learnt from a long sentence
_SHORT = 16  # words and marks of a plain sentence
_FEWEST, _MOST_WORDS = 2, 60  # words of a report
_SIGNS = frozenset(",;:-–—")  # before a sentence


def salience(said: Sequence[Token], language: Language) -> float:
    """The probability, 0 to 1, that a sentence says something worth keeping."""
    weights = learnt_weights("salience")
    # a sum that no order of the features changes
    return 1 / (1 + math.exp(-math.fsum(weights.get(each, 0.0) for each in features(said, language))))


def lasting(said: Sequence[Token], language: Language) -> int | None:
    """Where a sentence to store as a report begins, behind *and* and signs; None for one that is not stored."""
    if not may_be_reported(said) or salience(said, language) < _SALIENT:
        return None
    start = 0
    while "and" in said[start].classes or said[start].text in _SIGNS:
        start += 1
    return start


def is_aside(said: Sequence[Token], language: Language) -> bool:
    """Whether a long sentence is unlike those that say something lasting."""
    return len(said) > _SHORT and salience(said, language) < _ASIDE


def may_be_reported(said: Sequence[Token]) -> bool:
    """Whether a sentence is one whole statement of its speaker: no question, condition or quotation."""
    count = sum(token.is_word for token in said)
    is_own = not clauses.is_doubtful(said) and not clauses.is_quoting(said)
    return _FEWEST <= count <= _MOST_WORDS and is_own


def features(said: Sequence[Token], language: Language) -> frozenset[str]:
    """The features: the words, their forms, beginnings and endings, and the beginning."""
    return frozenset(_features(said, language.code))


def _features(said: Sequence[Token], code: str) -> Iterator[str]:
    words = [token for token in said if token.is_word]
    yield "bias"
    yield f"{code}:bias"
    yield f"words:{min(_MOST, len(words) // 4)}"
    for at, token in enumerate(words):
        forms = {token.lower, *(each for each in token.lemmas if each[0] != "/")}
        yield from (f"{code}:{each}" for each in forms)
        yield from (f"mark:{each}" for each in token.lemmas & _MARKS)
        yield f"{code}:-{token.lower[-_SUFFIX:]}"
        yield f"{code}:{token.lower[:_PREFIX]}-"
        yield from ("digit",) if any(sign.isdigit() for sign in token.lower) else ()
        yield from ("capital",) if at and token.text[0].isupper() else ()
        yield from ("identifier",) if not token.lower.isalnum() else ()
    opening = ["^", *(token.lower for token in words[:_OPENING])]
    yield from (f"{code}:{one} {other}" for one, other in pairwise(opening))
    yield from (f"sign:{token.text}" for token in said if not token.is_word)
