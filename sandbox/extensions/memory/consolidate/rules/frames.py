"""What an English statement says but for its value, so that another value of the same is found.

``plans to get married`` of ``plans to get married on 6 June``, ``uses Postgres`` of ``uses Postgres 14``. Pure.
"""

import re
from collections.abc import Iterator

from sandbox.extensions.memory.consolidate.proposal import Manner, Replaced
from sandbox.extensions.memory.consolidate.rules.dates import without
from sandbox.extensions.memory.consolidate.rules.statements import Said

_FIGURE = re.compile(r"\s+(?:v|version )?\d[\w.:]*(?: ?(?:am|pm|%|percent|euros?|dollars?|hours?|days?|people))?$")
_NAMES = re.compile(r"\s+(?:[A-Z][\w&'-]*\s?)+$")
_JOINT = re.compile(r"\s+(?:on|in|at|by|for|until|around|this|next|the)$")
_COUNT = re.compile(
    r"^(?:about |around )?"
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|an?) (?P<what>[a-z][\w-]*)$"
)
_BESIDES = re.compile(
    r"\b(?:also|too|as well|another|besides|on the side|second|part-time|in addition|additionally)\b", re.I
)


def same_but_for_value(sentence: str, said: Said, manner: Manner) -> Iterator[Replaced]:
    """What is known of the same with another value, where there is one of it; ``sentence`` says that it is another."""
    if _BESIDES.search(sentence) or said.wording:
        return
    whose, verb, value = said.subject.name, said.verb, said.value
    if verb == "works as":
        yield Replaced(manner, statement=whose, verbs=("works as",))
    elif said.subject.is_thing and verb == "is" and "'s " in whose:
        yield Replaced(manner, statement=whose, verbs=("is",))
    elif verb in ("has", "owns", "have") and (counted := _COUNT.match(value)):
        yield Replaced(manner, statement=f"{whose} {verb} {counted['what']}.")
    elif (kept := _without_value(f"{verb} {value}")) and kept != verb:
        yield Replaced(manner, statement=whose, verbs=(kept,))


def _without_value(text: str) -> str:
    """Without when, and without the figure it ends on; of a plan without where or with whom, too."""
    kept = _JOINT.sub("", without(text).strip(" ,."))
    if text.startswith("plans to "):
        named = _NAMES.sub("", kept)
        kept = named if len(named.split()) > 2 else kept
    if (figure := _FIGURE.sub("", kept)) != kept and len(figure.split()) > 1:
        kept = figure
    return kept if kept != text and len(kept.split()) > 1 else ""
