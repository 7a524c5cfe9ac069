"""What cannot be wished for at once, so that one wish takes the place of another. English. Pure."""

import re
from collections.abc import Iterator

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules.statements import Said

_OPPOSITES = (
    ("tabs", "spaces"), ("metric", "imperial"), ("formal", "informal"), ("short", "long"), ("short", "detailed"),
    ("brief", "detailed"), ("concise", "detailed"), ("british", "american"), ("celsius", "fahrenheit"),
    ("kilometers", "miles"), ("kilograms", "pounds"), ("uppercase", "lowercase"), ("single", "double"),
    ("dark", "light"), ("12-hour", "24-hour"), ("bullet points", "paragraphs"), ("first", "last"),
)  # fmt: skip
_LANGUAGES = (
    "English", "French", "German", "Spanish", "Italian", "Portuguese", "Russian", "Dutch", "Polish", "Japanese",
    "Chinese", "Swedish",
)  # fmt: skip


def ended(said: Said, what: str, *, forbids: bool) -> Iterator[Replaced]:
    """What was asked before and cannot be done beside it: the opposite, another language, what it shall replace."""
    name = said.subject.name
    yield Replaced("change", statement=f"{name} asks to {'always' if forbids else 'never'} {what}.")
    if forbids:
        return
    if match := re.search(
        r"(?P<new>[\w-]+)(?P<for> .*?)? (?:instead of|rather than|and not|not) (?P<old>[\w-]+)$", what
    ):
        verb = what.split(" ", 1)[0]
        yield Replaced("change", statement=f"{name} asks to always {verb} {match['old']}.")
    for pair in _OPPOSITES:
        for one, other in (pair, pair[::-1]):
            if re.search(rf"\b{one}\b", what, re.I) and other not in what.lower():
                yield Replaced("change", statement=f"{name} asks to always {re.sub(one, other, what, flags=re.I)}.")
    language = re.match(r"(?:\w+)(?: [\w ]+)? in (?P<one>[A-Z][a-z]+)$", what)
    if language and language["one"] in _LANGUAGES:
        for each in _LANGUAGES:
            if each != language["one"]:
                yield Replaced("change", statement=f"{name} asks to always {what.replace(language['one'], each)}.")
