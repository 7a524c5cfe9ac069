"""Find and mask secrets in what people and programs say, before anything of it is stored, indexed, embedded or sent.

Built for the hot path: an ordinary message is settled by looking for the hints of the rules. Patterns are compiled, and
detect-secrets is imported, when a hint of theirs is met for the first time.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from sandbox.extensions.memory.govern.secret_forms import Rule, Span
from sandbox.extensions.memory.govern.secret_rules import BLOB, KINDS, LONG_RUN, TOKENS, WORDS
from sandbox.extensions.memory.govern.secret_told import NUMBERS
from sandbox.extensions.memory.govern.secret_values import compiled

_HINTS = frozenset(hint for rule in WORDS for hint in rule.hints)
# what every hint holds one of: a text without "pass" has neither "passcode" nor "passphrase"
_ROOTS = tuple(hint for hint in sorted(_HINTS) if not any(other in hint for other in _HINTS - {hint}))
_ASCII_ROOTS = tuple(filter(str.isascii, _ROOTS))
# A text without a digit and without a long run, told in one pass. No iteration may fail half way: before Python 3.11.5
# a possessive group then goes on from where it failed (https://github.com/python/cpython/issues/106052).
_PLAIN = r"[^A-Za-z0-9+/_-]*+(?:[A-Za-z+/_-]{1,18}+(?:[^A-Za-z0-9+/_-]++|\Z))*+"

_KEPT, _LONGEST = 30_000, 32  # words, and characters of one: some 3 MB

_OPAQUE = "|".join(
    (
        rf"\[secret: (?:{'|'.join(KINDS)})\]",  # masked already
        r"-----BEGIN (?:[A-Z0-9 ]{0,30}(?:PUBLIC KEY|CERTIFICATE)|PGP (?:PUBLIC|MESSAGE|SIGN))[A-Z ]{0,20}-----[^-]*",
        r"(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}) [A-Za-z0-9+/]+",  # public by nature
        r"[Ss][Hh][Aa](?:1|256|384|512)[-:][A-Za-z0-9+/]+",  # a fingerprint
        r"data:[\w.+-]{1,40}/[\w.+-]{1,80};base64,[A-Za-z0-9+/]+",  # a picture
    )
)

_harmless = set[str]()  # words met that nothing is looked for in


@dataclass(frozen=True, slots=True)
class Secret:
    """A place in a text that holds a secret, never the secret itself. ``kind`` is a phrase for people: "password"."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its secrets, and the kinds of what was taken out, each once, in order of appearance."""

    text: str
    kinds: tuple[str, ...] = ()


def find(text: str) -> tuple[Secret, ...]:
    """Return the secrets of a text in order; they do not overlap. Time grows linearly with the text."""
    words = text.split(" ")
    if _harmless.issuperset(words):
        return ()
    if not rules_for(text):
        if compiled(_PLAIN).fullmatch(text):
            _keep_harmless(words)
        return ()
    return tuple(sorted(_search(text), key=lambda secret: secret.start))


def mask(text: str, asked: str = "") -> Masked:
    """Replace each secret by ``[secret: KIND]``. Masking what was masked changes nothing. ``asked`` is what was said
    before: "the gate code?" makes "0451" one.
    """
    if not (found := _answered(text, asked) if asked and compiled("[0-9]").search(text) else find(text)):
        return Masked(text)
    parts, done = [], 0
    for secret in found:
        parts += [text[done : secret.start], f"[secret: {secret.kind}]"]
        done = secret.end
    return Masked("".join((*parts, text[done:])), tuple(dict.fromkeys(secret.kind for secret in found)))


def _answered(text: str, asked: str) -> tuple[Secret, ...]:
    """The secrets of an answer, known by its question."""
    begin = len(asked) + 1
    found = (Secret(one.kind, one.start - begin, one.end - begin) for one in find(f"{asked}\n{text}"))
    return tuple(one for one in found if one.start >= 0)


def _keep_harmless(words: Iterable[str]) -> None:
    """Keep the words of a text without a hint, a digit or a long run. No root of a hint reaches over a space, so what
    is made of such words is like it.
    """
    if len(_harmless) > _KEPT:
        _harmless.clear()
    _harmless.update(word for word in words if len(word) <= _LONGEST)


def rules_for(text: str) -> list[Rule]:
    """Return the rules that could match a text, in the order of the table: the gate, empty for ordinary talk."""
    folded = text.casefold()
    roots = [root for root in (_ASCII_ROOTS if folded.isascii() else _ROOTS) if root in folded]
    words = _hinted(_rooted(tuple(roots)), folded) if roots else []
    if compiled(_PLAIN).fullmatch(text):
        return words
    has_run, has_digit = compiled(LONG_RUN).search(text), compiled("[0-9]").search(text)
    runs = _hinted(TOKENS, folded) if has_run else []
    return [*runs, *words, *(_hinted(NUMBERS, folded) if has_digit else ()), *([BLOB] if has_run else ())]


@lru_cache(maxsize=256)
def _rooted(roots: tuple[str, ...]) -> list[Rule]:
    """The rules of words with a hint that holds one of some roots."""
    return [rule for rule in WORDS if any(root in hint for hint in rule.hints for root in roots)]


def _hinted(rules: Iterable[Rule], folded: str) -> list[Rule]:
    return [rule for rule in rules if any(hint in folded for hint in rule.hints)]


def _search(text: str) -> Iterator[Secret]:
    """Search between the places that are settled, and again around each find, until nothing new turns up: what a mask
    separates is then searched as it will be in the masked text.
    """
    pending = list(_between((match.span() for match in compiled(_OPAQUE).finditer(text)), 0, len(text)))
    while pending:
        start, end = pending.pop()
        found = [Secret(one.kind, one.start + start, one.end + start) for one in _scan(text[start:end])]
        yield from found
        if found:
            pending += _between(((one.start, one.end) for one in found), start, end)


def _scan(text: str) -> list[Secret]:
    """Apply every rule that could match; of finds that overlap make one, of the kind that comes first in the table."""
    spans = [(*span, place, rule.kind) for place, rule in enumerate(rules_for(text)) for span in rule.spans(text)]
    merged: list[tuple[int, int, int, str]] = []
    for start, end, place, kind in sorted(spans):
        if merged and start < merged[-1][1]:
            last = merged.pop()
            place, kind = min((place, kind), last[2:])
            start, end = last[0], max(end, last[1])
        merged.append((start, end, place, kind))
    return [Secret(kind, start, end) for start, end, _, kind in merged]


def _between(spans: Iterable[Span], start: int, end: int) -> Iterator[Span]:
    """The gaps that ordered spans leave between ``start`` and ``end``."""
    for span_start, span_end in spans:
        if span_start > start:
            yield start, span_start
        start = span_end
    if end > start:
        yield start, end
