"""Find and mask secrets in what people and programs say, before anything of it is stored, indexed, embedded or sent.

Built for the hot path: an ordinary message is settled by looking for the hints of the rules. Patterns are compiled, and
detect-secrets is imported, when a hint of theirs is met for the first time.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from sandbox.extensions.memory.govern.secret_forms import Rule, Span
from sandbox.extensions.memory.govern.secret_rules import BLOB, KINDS, LONG_RUN, RULES, TOKENS
from sandbox.extensions.memory.govern.secret_told import NUMBERS
from sandbox.extensions.memory.govern.secret_values import compiled

_HINTS = tuple(dict.fromkeys(hint for rule in RULES for hint in rule.hints if hint))
_ASCII_HINTS = tuple(filter(str.isascii, _HINTS))
_RUN, _DIGIT = "a long run", "a digit"  # what is met besides hints
_NEEDED = {_RUN: frozenset((*TOKENS, BLOB)), _DIGIT: frozenset(NUMBERS)}

_LONG_TEXT = 2_000  # characters; its words are seldom met again
_LONG_WORD = 40
_WORDS_KEPT = 20_000  # some 3 MB

_OPAQUE = "|".join(
    (
        rf"\[secret: (?:{'|'.join(KINDS)})\]",  # masked already
        r"-----BEGIN (?:[A-Z0-9 ]{0,30}(?:PUBLIC KEY|CERTIFICATE)|PGP (?:PUBLIC|MESSAGE|SIGN))[A-Z ]{0,20}-----[^-]*",
        r"(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}) [A-Za-z0-9+/]+",  # public by nature
        r"[Ss][Hh][Aa](?:1|256|384|512)[-:][A-Za-z0-9+/]+",  # a fingerprint
        r"data:[\w.+-]{1,40}/[\w.+-]{1,80};base64,[A-Za-z0-9+/]+",  # a picture
    )
)


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
    if not rules_for(text):
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


def rules_for(text: str) -> tuple[Rule, ...]:
    """Return the rules that could match a text, in the order of the table: the gate, empty for ordinary talk. No hint
    has a space in it, so that what is met in a text is what is met in its words.
    """
    met = _met_in(text) if len(text) > _LONG_TEXT else frozenset().union(*map(_words.__getitem__, text.split()))
    return _meeting(met) if met else ()


def _met_in(text: str) -> frozenset[str]:
    """The hints in a text, and whether it has a long run, and a digit."""
    folded = text.casefold()
    met = [hint for hint in (_ASCII_HINTS if folded.isascii() else _HINTS) if hint in folded]
    met += [_RUN] if compiled(LONG_RUN).search(text) else []
    met += [_DIGIT] if compiled("[0-9]").search(text) else []
    return frozenset(met)


class _Words(dict[str, frozenset[str]]):
    """What is met in words, for those met before at once."""

    def __missing__(self, word: str) -> frozenset[str]:
        met = _met_in(word)
        if len(word) <= _LONG_WORD:
            if len(self) >= _WORDS_KEPT:
                self.clear()
            self[word] = met
        return met


_words = _Words()


@lru_cache(maxsize=1_000)
def _meeting(met: frozenset[str]) -> tuple[Rule, ...]:
    """The rules of which a hint was met, and what they need besides."""
    left_out = frozenset().union(*(rules for needed, rules in _NEEDED.items() if needed not in met))
    return tuple(rule for rule in RULES if rule not in left_out and not {*met, ""}.isdisjoint(rule.hints))


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
