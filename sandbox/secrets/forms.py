"""How secrets are recognised: by their own form (``Shape``) or by the name before them (``Named``).

The rows of the table are named tuples because every start imports this module; patterns are compiled, and
detect-secrets is imported, at first use.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple

from sandbox.secrets.values import Value, compiled, is_dense, is_made_up, is_token

Span = tuple[int, int]
Accept = Callable[[re.Match[str]], Span | None]

_RUN_BOUND = 100  # characters that are read after a name, so that the time stays linear
RUN = rf"(?P<value>[^\s\u2e80-\u9fff\uff00-\uffef]{{1,{_RUN_BOUND}}})"  # Chinese has no space after a value
RUN_WITH_DIGIT = rf"(?=[^\s]{{0,{_RUN_BOUND}}}?\d)" + RUN
# another value for the same name: X, Y and Z   was X but now it's Y   X. I changed it to Y
_NEXT = (
    r"(?i)[\"'`*»”)]{0,3}(?:[,.;/]|\s?(?:->|→|—)|(?=\s(?:and|or|but|then|now|to|и|или|а|но|на)\s))(?:\s(?:and|or|but|then|now|not"
    r"|also|so|both|it['’]?s|it|is|was|i|i['’]ve|have|since|changed|to|new|old|the|one|и|или|а|но|теперь|сейчас|уже|потом"
    r"|стал|новый|сменила?|поменяла?|на|это)){0,8}\s(?![\w-]+\s?[:=])"
)
_WORD = r"[^\W\d_][^\W_]*(?:['’-]\w+)?"
# sunflower   purple monkey dishwasher   "open sesame please"
PLAIN_WORDS = (
    rf"(?P<value>[\"'`«“][^\"'`»”\n]{{4,60}}[\"'`»”]|(?:{_WORD}\s){{0,5}}{_WORD}"
    r"(?=[.,;!?)]+(?:[\s\"'»]|$)|\s*(?:\n|$)|\s[—–(-]|\s(?:and|but|for|now|btw|please|а|но|и|чтобы)\b))"
)
IS = (
    r"\s(?:is|was|are|were|will\sbe|это|ist|es|est|был|lautet|lautete|heißt|heisst|war|wäre|hieß|era|sarà|será|è|é|foi|sera"
    r"|était|jest|to|är|er|var|равен|такой|будет|теперь|сейчас|є|це|je|adalah|là|είναι)(?:\s(?:jetzt|nun|now|still|just|simply|currently|actually|literally|always|такой|такая))?"
    r"(?:\s?[:=]\s{0,9}|\s{1,2})"
)
_RUN_ON = r"[^\s\"'<>;,]*"

_INSIDE_A_WORD = r"(?:[A-Za-z0-9-]|[A-Za-z0-9_-]_)\Z"
_AFTER_AN_ESCAPE = r"(?:\\[nrt]|%[0-9A-Fa-f]{2}|/bot)\Z"  # of JSON, of an address; the address of a Telegram bot
_RUN_OF_A_TOKEN = r"[A-Za-z0-9_-]*"
_ADDRESS_BEGUN = r"""://[^\s"'<>`]*\Z"""
# A module hash of Go, an IPFS address, a public key.
_PUBLIC = (
    r"(?:\bh1:[A-Za-z0-9+/]{43}=|(?<!\w)Qm[A-Za-z0-9]{44}"
    r"|(?i:public[ _-]?key)(?:\sis)?[\"'\s:=]{1,6}[A-Za-z0-9+/]{43}=)\Z"
)
_DOMAIN_ENDS = r"[a-z]{2,10}/"
_SLOT = r"(?i)[<{\[*$]|x{3}|…"
_PLACEHOLDER = r"(?i)(?:your[_-]?)?(?:password|passwd)@(?:localhost|127\.0\.0\.1|host(?:name)?|(?:[\w-]+\.)?example)\b"
_KEY_LINE = r"[A-Za-z0-9+/]{16}"
_KEY_LINES = r"""(?x)
    (?: (?:\s|\\[nr])+ [A-Z][\w-]{1,40}:\ [^\n\\]{1,200}+ )*  # Proc-Type: 4,ENCRYPTED, alone in its line
    (?: (?:\s|\\[nr])+ [A-Za-z0-9+/]{16,} ={0,2} )+
    (?: (?:\s|\\[nr])+ [A-Za-z0-9+/]{1,15} ={1,2} )?
"""


class Plugin(NamedTuple):
    """A pattern of detect-secrets: ``module.Class`` under ``detect_secrets.plugins``, and its place in ``denylist``."""

    name: str
    place: int = 0

    def form(self) -> str:
        """Import the library (0.15 s, once) and return the pattern, lengthened to the end of the token."""
        module, _, name = self.name.partition(".")
        found = getattr(import_module(f"detect_secrets.plugins.{module}"), name).denylist[self.place]
        flags = "ai" if found.flags & re.IGNORECASE else "a"
        return f"(?{flags}:{found.pattern})[A-Za-z0-9_-]*"


class Shape(NamedTuple):
    """A secret of a known form. ``accept`` says which part of a match is secret, if any."""

    kind: str
    hints: str
    wanted: str | Plugin
    accept: Accept

    @property
    def form(self) -> str:
        """The pattern."""
        return self.wanted.form() if isinstance(self.wanted, Plugin) else self.wanted

    def spans(self, text: str) -> Iterator[Span]:
        """The places of this row's secrets, in order."""
        yield from filter(None, map(self.accept, compiled(self.form).finditer(text)))


class ValueForm(NamedTuple):
    """The text between a name and its value, the form of the value, and the test that it has to pass."""

    link: str
    accept: Callable[[Value], bool]
    value: str = RUN

    def spans(self, text: str, name_end: int) -> Iterator[Span]:
        """The values of the name that ends at ``name_end``: one, and further ones added to it."""
        link, end = self.link, name_end
        while (match := _leading(link, self.value).match(text, end)) and (span := value_span(match, self.accept)):
            yield span
            link, end = _NEXT, span[1]


class Named(NamedTuple):
    """A secret that is known by the name before it. The first of ``contexts`` that gives a value decides."""

    kind: str
    hints: str
    form: str
    contexts: tuple[ValueForm, ...]

    def spans(self, text: str) -> Iterator[Span]:
        """The places of this row's secrets, in order."""
        done = 0
        for name in compiled(_followed(self.form, self.contexts)).finditer(text):
            if name.start() < done:
                continue
            found = (list(context.spans(text, name.end())) for context in self.contexts)
            for span in next(filter(None, found), ()):
                done = span[1]
                yield span


Rule = Shape | Named


@cache
def _leading(link: str, value: str) -> re.Pattern[str]:
    return compiled(link + value)


@cache
def _followed(form: str, contexts: tuple[ValueForm, ...]) -> str:
    """The name, if one of the contexts may give a value; a quick test for most names."""
    places = (_scoped(context.link) + _scoped(context.value) for context in contexts)
    return f"{_scoped(form)}(?={'|'.join(places).replace('(?P<value>', '(?:')})"


def _scoped(form: str) -> str:
    return f"(?i:{form.removeprefix('(?i)')})" if form.startswith("(?i)") else f"(?:{form})"


def any_case(pattern: str) -> str:
    """The pattern with each letter as a class of both cases: unlike IGNORECASE this keeps the fast search for a first
    letter.

    The pattern must not have escapes or ranges of letters.
    """
    return "".join(f"[{sign.lower()}{sign.upper()}]" if sign.isalpha() else sign for sign in pattern)


def value_span(match: re.Match[str], accept: Callable[[Value], bool]) -> Span | None:
    """The part of the group ``value`` that ``accept`` takes for a secret."""
    value = Value.within(match["value"], match.start("value"))
    if not accept(value):
        return None
    if len(match["value"]) < _RUN_BOUND or value.end < match.end("value"):
        return value.start, value.end
    rest = compiled(_RUN_ON).match(match.string, value.end)
    return value.start, rest.end() if rest else value.end


def valued(accept: Callable[[Value], bool]) -> Accept:
    """An ``accept`` for a shape whose group ``value`` must pass this test."""
    return lambda match: value_span(match, accept)


def group(match: re.Match[str]) -> Span | None:
    """Accept the group ``value`` as it is."""
    return match.span("value")


def token(match: re.Match[str]) -> Span | None:
    """Accept the whole match to the end of the run, if a word begins there: "task-list" contains no ``sk-`` key."""
    before = match.string[max(0, match.start() - 4) : match.start()]
    inside = compiled(_INSIDE_A_WORD).search(before) and not compiled(_AFTER_AN_ESCAPE).search(before)
    rest = compiled(_RUN_OF_A_TOKEN).match(match.string, match.end())
    return None if inside or not rest else (match.start(), rest.end())


def _token_if(accept: Callable[[str], bool]) -> Accept:
    return lambda match: token(match) if accept(match[0]) else None


random_token = _token_if(is_token)  # it has more than words after its prefix
dense_token = _token_if(is_dense)  # it is random throughout
dense_within = _token_if(is_made_up)  # it is short, and random throughout


def blob(match: re.Match[str]) -> Span | None:
    """Accept a long random run that is not part of an address, because a link to a document is no secret."""
    before = match.string[max(0, match.start() - 500) : match.start()]
    begun = before.endswith(".") and compiled(_DOMAIN_ENDS).match(match[0])
    if begun or compiled(_ADDRESS_BEGUN).search(before) or compiled(_PUBLIC).search(f"{before[-30:]}{match[0]}"):
        return None
    start = match.start() + (before.endswith("\\") and match[0][0] in "nrt")  # an escaped end of line comes first
    return (start, match.end()) if is_dense(match[0]) else None


def card(match: re.Match[str]) -> Span | None:
    """Accept digits with a correct check digit, and the expiry date with them."""
    digits = [int(sign) for sign in reversed(match["number"]) if sign.isdigit()]
    doubled = sum(digit * 2 - 9 * (digit > 4) for digit in digits[1::2])
    return None if (sum(digits[::2]) + doubled) % 10 else match.span("value")


def url_password(match: re.Match[str]) -> Span | None:
    """Accept the password in an address, unless it is a placeholder or the word "password"."""
    is_placeholder = compiled(_PLACEHOLDER).match(match.string, match.start("value"))
    return None if is_placeholder or compiled(_SLOT).match(match["value"]) else match.span("value")


def private_key(match: re.Match[str]) -> Span | None:
    """Accept the block with its armour; if its end is cut off, up to the last line of a key."""
    if match["end"]:
        return match.span() if compiled(_KEY_LINE).search(match["body"]) else None
    lines = compiled(_KEY_LINES).match(match["body"])
    return (match.start(), match.start("body") + lines.end()) if lines else None
