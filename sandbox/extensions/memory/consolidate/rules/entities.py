"""Names that stand in a text: addresses, links, @mentions, #tags, and capitalised names inside sentences. Pure."""

import re
from collections.abc import Iterator

from sandbox.extensions.memory.consolidate.proposal import EntityType, Mention
from sandbox.extensions.memory.consolidate.rules import russian_names
from sandbox.extensions.memory.text.places import size

_ADDRESSED: tuple[tuple[re.Pattern[str], EntityType], ...] = (
    (re.compile(r"https?://[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]"), "concept"),
    (re.compile(r"\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+\b"), "concept"),
    (re.compile(r"(?<![\w@/.])@[A-Za-z_][\w.-]{1,38}\w"), "person"),
    (re.compile(r"(?<![\w#&/])#[^\W\d_][\w-]{1,49}"), "concept"),
)
_NAME = re.compile(r"(?<![.!?…:;\n\"'(\-*] )(?<=[\w,)] )(?:[A-ZА-ЯЁ][\w'-]*[\w](?: [A-ZА-ЯЁ][\w'-]*\w){0,3})")
_ORGANISATION = re.compile(r"\b(?:at|for|joined|left|в компании|компани[яию])\s+$", re.IGNORECASE)
_NO_NAME = frozenset(
    """
    I I'm I've I'll I'd OK TV AM PM DIY LOL Monday Tuesday Wednesday Thursday Friday Saturday Sunday January
    February March April May June July August September October November December English Russian German French
    Spanish
""".split()
)
_MOST = 12  # of one text


def found(text: str) -> tuple[Mention, ...]:
    """The named things of a text, each once, in order."""
    every = dict.fromkeys(_found(text))
    return tuple(every)[:_MOST]


def _found(text: str) -> Iterator[Mention]:
    for pattern, kind in _ADDRESSED:
        for match in pattern.finditer(text):
            yield Mention(match[0], kind)
        text = pattern.sub(" , ", text)
    for match in _NAME.finditer(text):
        if russian_names.is_russian(match[0]):
            yield from _russian(match[0], text[: match.start()])
        elif (name := match[0].removesuffix("'s")) not in _NO_NAME and len(name) > 1:
            yield Mention(name, kind_of(name, text[: match.start()]))


def _russian(said: str, before: str) -> Iterator[Mention]:
    """A Russian name, in the nominative."""
    if (name := russian_names.nominative(said)) and name not in _NO_NAME and len(name) > 1:
        yield Mention(name, russian_names.type_of(name, before) or kind_of(name, before))


def kind_of(name: str, before: str = "") -> EntityType:
    """What a name names, as far as that can be told."""
    if size(name):
        return "place"
    if re.search(r"\b(?:in|from|в|во|из)\s+$", before, re.IGNORECASE):
        return "place"
    return "organization" if _ORGANISATION.search(before) else "concept"
