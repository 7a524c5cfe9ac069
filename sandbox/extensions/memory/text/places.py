"""Places by name, and their size: ``places.yaml`` of each language.

A small gazetteer of continents, countries with some of their states, and cities. It tells "lives in Germany" and "lives
in Berlin", which can both hold, from two cities, which cannot. Russian names are compared by their stems, so that ``в
Германии`` is found. A name that is not listed has no known size.
"""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Literal

from sandbox.extensions.memory.lexicon import texts
from sandbox.extensions.memory.text.words import fold, stemmed_name

Size = Literal["continent", "country", "city"]


def size(name: str) -> Size | None:
    """The size of the place with this name, in any inflection; None for an unknown name."""
    return _sizes().get(_key(name))


def nominative(name: str) -> str:
    """The name of a place as listed: ``Москве`` is Москва; an unknown name does not change."""
    return name if name.isascii() else _listed().get(_key(name), name)


def without_place(name: str) -> str:
    """A name without the known place behind it: ``Acme in Porto`` is Acme."""
    bare, _, place = name.rpartition(" in ")
    return bare if bare and size(place) else name


@lru_cache(maxsize=1 << 12)
def _key(name: str) -> str:
    folded = fold(name)
    return folded if folded.isascii() else stemmed_name(folded)


def _named(size: str) -> Iterable[tuple[str, str]]:
    names = (" ".join(name.split()) for listed in texts("places", size) for name in listed.split(","))
    return ((_key(name), name) for name in names)


@cache
def _sizes() -> Mapping[str, Size]:
    found: dict[str, Size] = {key: "city" for key, _ in _named("cities")}
    found |= {key: "country" for key, _ in _named("countries")}
    return found | {key: "continent" for key, _ in _named("continents")}


@cache
def _listed() -> Mapping[str, str]:
    return dict((*_named("countries"), *_named("cities")))
