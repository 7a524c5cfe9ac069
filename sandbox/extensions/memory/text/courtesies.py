"""Words of thanks, greeting and praise: a turn of only such words says nothing. ``courtesies.yaml`` of each language.

Folded as ``words.fold`` folds. Languages without stop words of their own also list there the function words of such
phrases.
"""

from functools import cache

from sandbox.extensions.memory.lexicon import words
from sandbox.extensions.memory.text.words import terms


@cache
def courtesies() -> frozenset[str]:
    """Search terms of these words."""
    return frozenset(terms(" ".join(words("courtesies", "said"))))
