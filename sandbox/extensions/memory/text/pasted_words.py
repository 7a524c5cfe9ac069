"""Words that show where somebody else's text begins: ``pasted.yaml`` of each language."""

from functools import cache

from sandbox.extensions.memory.lexicon import words


@cache
def words_of(*names: str) -> frozenset[str]:
    """The words under some keys, in every language."""
    return frozenset().union(*(words("pasted", name) for name in names))


@cache
def beginnings_of(name: str) -> tuple[str, ...]:
    """The beginnings of words under a key, in the form for ``startswith``."""
    return tuple(words_of(f"{name}_stems"))
