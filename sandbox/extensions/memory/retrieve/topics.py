"""The predicates that a question asks for: ``restaurant`` asks for diet, allergies and home.

The topics are data, ``topics.yaml`` in the folder of each language.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache

from sandbox.extensions.memory.lexicon import LANGUAGES, read_data
from sandbox.extensions.memory.text.words import terms


def predicates_asked(asked: Iterable[str]) -> frozenset[str]:
    """The predicates that the search terms of a question ask for, in any language."""
    known = _predicates()
    return frozenset(name for term in asked for name in known.get(term, ()))


@cache
def _predicates() -> Mapping[str, frozenset[str]]:
    """Predicates by search term."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for code in LANGUAGES:
        for row in read_data(code, "topics"):
            for term in terms(row["words"]):
                found[term].update(row["predicates"])
    return {term: frozenset(names) for term, names in found.items()}
