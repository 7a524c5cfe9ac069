"""Words of thanks, greeting and applause: a turn of such words alone tells nothing. ``courtesies.yaml`` of a language.

Folded as ``words.fold`` folds. Languages without stop words of their own have the function words that stand in such
phrases there as well.
"""

from functools import cache

from sandbox.extensions.memory.lexicon import words
from sandbox.extensions.memory.text.words import terms


@cache
def courtesies() -> frozenset[str]:
    """Their search terms."""
    return frozenset(terms(" ".join(words("courtesies", "said"))))
