"""Sets of secrets and of similar texts, made from the shapes in ``data/``, so that no file contains a secret. Each name
belongs to one of two halves, by its hash. Rules are written with the half ``development``; the half ``held out`` shows
how well they work for other names.
"""

import json
import random
import re
import string
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import yaml

from sandbox.secrets import find

HALVES = ("development", "held out")
_DATA = Path(__file__).parent / "data"
_LETTERS = string.ascii_letters
_SIGNS = {
    "B": _LETTERS + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "A": _LETTERS,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "d": string.digits,
    "Z": string.ascii_uppercase + "234567",
    "b": _LETTERS + string.digits + "+/",
    "w": _LETTERS + string.digits + "-_",
    "k": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "P": _LETTERS + string.digits + "!#$%^&*+",
}
_SHAPE = re.compile(r"<(?:([BlUAhHdZbwkP]):(\d+)|(uuid|word|Word))>")
ENCLOSED = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)
"""Where the secret stands in a shape."""

_ALONE = {
    "prose": "Here it is, {}, keep it for later.",
    "end of a sentence": "I found {}.",
    "Russian": "Вот, держи: {} и не потеряй.",
    "German": "Hier ist es, {}, bitte merken.",
    "environment": "export VALUE={}",
    "JSON": '{{"value": "{}"}}',
    "YAML": "spec:\n  value: {}\n",
    "option": "tool --value {} --verbose",
    "header": "X-Value: {}",
    "code": 'client = Client("{}", timeout=30)',
    "address": "https://api.example.com/v1/items?v={}&n=3",
}
_CALLED = {
    "prose": "My {name} is {value}, keep it for later.",
    "colon": "The {name}: {value}",
    "Russian": "Вот {name}: {value}, не потеряй.",
    "German": "Mein {name} lautet {value}, bitte merken.",
    "environment": "export {upper}={value}",
    "JSON": '{{"{snake}": "{value}"}}',
    "YAML": "spec:\n  {snake}: {value}\n",
    "option": "tool --{kebab} {value} --verbose",
    "header": "X-{title}: {value}",
    "code": '{snake} = "{value}"',
    "address": "https://api.example.com/v1/items?{snake}={value}&n=3",
}
_AROUND: dict[str, Callable[[str], str]] = {
    "alone": lambda text: text,
    "file": lambda text: f"This is what stands there:\n```\n{text}\n```\nCan you check it?",
    "Russian": lambda text: f"Вот что там написано:\n{text}\nПосмотри, пожалуйста.",
    "German": lambda text: f"Da steht:\n{text}\nStimmt das?",
    "JSON": lambda text: json.dumps({"role": "user", "content": f"look:\n{text}\n"}, ensure_ascii=False),
}


class Case(NamedTuple):
    """A text, its secret or None, the position, and the group."""

    group: str
    name: str
    context: str
    text: str
    secret: str = ""

    @property
    def half(self) -> str:
        """The half of a name."""
        return HALVES[sha256(self.name.encode()).digest()[0] % 2]

    def is_hidden(self) -> bool:
        """Whether every character of the secret is found; for a text without one, whether anything is."""
        places = {place for one in find(self.text) for place in range(one.start, one.end)}
        start = self.text.rindex(self.secret) if self.secret else 0
        return places >= set(range(start, start + len(self.secret))) if self.secret else bool(places)


def known_kinds() -> Iterator[Case]:
    """Secrets of known kinds in each fitting context."""
    data = read("kinds.yaml")
    for name, shape in data["forms"].items():
        for context, around in _ALONE.items():
            value = made(shape, random.Random(f"{name}, {context}"))
            if context != "address" or re.fullmatch(r"[\w.~-]+", value):
                yield Case("form", name, context, around.format(value), value)
    for name, row in data["named"].items():
        for context, around in _CALLED.items():
            value = made(row["shape"], random.Random(f"{name}, {context}"))
            snake = row["called"].replace(" ", "_").lower()
            names = {"snake": snake, "upper": snake.upper(), "kebab": snake.replace("_", "-")}
            title = "-".join(map(str.capitalize, snake.split("_")))
            text = around.format(name=row["called"], value=value, title=title, **names)
            yield Case("name", name, context, text, value)
    for name, shape in data["placed"].items():
        for context, surround in _AROUND.items():
            filled = made(shape, random.Random(f"{name}, {context}"))
            secret = ENCLOSED.search(filled)
            assert secret is not None
            shown = json.dumps(secret[1])[1:-1] if context == "JSON" else secret[1]
            yield Case("place", name, context, surround(ENCLOSED.sub(lambda match: match[1], filled)), shown)


def passwords(language: str) -> Iterator[Case]:
    """Passwords of several styles in sentences of a language."""
    data = read("passwords.yaml")
    for sentence in data[language]:
        for style, shape in data["styles"].items():
            value = made(shape, random.Random(f"{sentence}, {style}"), data["words"][language])
            yield Case(f"password, {language}", sentence, style, sentence.format(value), value)


def lookalikes() -> Iterator[Case]:
    """Texts without a secret."""
    return _texts(read("lookalikes.yaml"))


def second_hand(name: str) -> Iterator[Case]:
    """The ``secrets`` or the ``lookalikes`` of a second author, who had not seen the rules."""
    return _texts(read("second_hand.yaml")[name])


def _texts(groups: Mapping[str, list[str]]) -> Iterator[Case]:
    for group, shapes in groups.items():
        for shape in shapes:
            text = made(shape, random.Random(shape))
            secret = ENCLOSED.search(text)
            yield Case(group, shape, group, ENCLOSED.sub(r"\1", text), secret[1] if secret else "")


def read(name: str) -> Any:
    """The contents of a file of ``data/``."""
    return yaml.safe_load((_DATA / name).read_text(encoding="utf-8"))


def made(shape: str, chance: random.Random, words: list[str] | None = None) -> str:
    """A text of a shape."""

    def drawn(match: re.Match[str]) -> str:
        if match[1]:
            return "".join(chance.choices(_SIGNS[match[1]], k=int(match[2])))
        if match[3] == "uuid":
            return str(UUID(int=chance.getrandbits(128), version=4))
        assert words is not None
        word = chance.choice(words)
        return word.capitalize() if match[3] == "Word" else word

    return _SHAPE.sub(drawn, shape)
