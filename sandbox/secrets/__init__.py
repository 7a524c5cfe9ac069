"""Find and mask secrets in texts of people and programs, before anything is stored, indexed, embedded or sent.

Built for the hot path: for an ordinary message it is enough to look for the hints of the rules. Patterns are compiled,
and detect-secrets is imported, when one of their hints is first found.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from sandbox.secrets.forms import Rule, Span
from sandbox.secrets.hints import is_hintless_id, is_ordinary, rules_for
from sandbox.secrets.rules import KINDS
from sandbox.secrets.seen import seen
from sandbox.secrets.values import BLANK, compiled

_DIGEST = "[0-9a-f-]*"  # a UUID is one, too; no token is
_ROUNDS = 6  # only texts made for it need more than three

_MASK = rf"\[secret: (?:{'|'.join(KINDS)})\]"
_OPAQUE = "|".join(
    (
        _MASK,
        r"-----BEGIN (?:[A-Z0-9 ]{0,30}(?:PUBLIC KEY|CERTIFICATE)|PGP (?:PUBLIC|MESSAGE|SIGN))[A-Z ]{0,20}-----[^-]*",
        r"(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}) [A-Za-z0-9+/]+",  # public keys
        r"[Ss][Hh][Aa](?:1|256|384|512)[-:][A-Za-z0-9+/]+",  # a fingerprint
        r"data:[\w.+-]{1,40}/[\w.+-]{1,80};base64,[A-Za-z0-9+/]+",  # a picture
    )
)

_START = attrgetter("start")


class Secret(NamedTuple):
    """The place of a secret in a text, never the secret itself. ``kind`` is a phrase for people: "password"."""

    kind: str
    start: int
    end: int


class Masked(NamedTuple):
    """A text without its secrets, and the kinds of those removed, each once, in order of appearance."""

    text: str
    kinds: tuple[str, ...] = ()


def find(text: str) -> tuple[Secret, ...]:
    """The secrets of a text in order, without overlaps. The time grows linearly with the text."""
    return () if is_ordinary(text) else _found(text)


def mask(text: str, asked: str = "") -> Masked:
    """Replace each secret by ``[secret: KIND]``. Masking a masked text changes nothing. ``asked`` is the turn before:
    after "the gate code?", "0451" is a secret, and after "my password:" any word is.
    """
    answers = asked and ("?" not in asked or compiled("[0-9]").search(text))
    return _without(text, _answered(text, asked) if answers else find(text))


def may_be_same(one: str, other: str) -> bool:
    """Whether two texts may have been the same before masking: a secret that is masked in one may be any text in the
    other. The time grows linearly.
    """
    return one == other or _fits(one, other) or _fits(other, one)


@lru_cache(maxsize=2_000)
def mask_name(name: str) -> Masked:
    """Mask a name or an id. Without a space it may be an id, which is random by nature ("msg_01AbC", "account:8844"):
    then only certain secrets count, that is tokens of a known form, and values named password, key or token.
    """
    if " " in name:
        return mask(name)
    if (name.isascii() and is_hintless_id(name)) or compiled(_DIGEST).fullmatch(name):
        return Masked(name)
    return _without(name, _found(name, is_id=True))


def _fits(masked: str, text: str) -> bool:
    first, *parts = compiled(_MASK).split(masked)
    if not parts or not text.startswith(first):
        return False
    at, end = len(first), len(text) - len(parts[-1])
    for part in parts[:-1]:
        if (found := text.find(part, at, end)) < 0:
            return False
        at = found + len(part)
    return at <= end and text.endswith(parts[-1])


def _found(text: str, *, is_id: bool = False) -> tuple[Secret, ...]:
    shown = seen(text)
    if not (rules := rules_for(shown.text, is_id=is_id)):
        return ()
    found = sorted(_search(shown.text, rules, is_id=is_id), key=_START)
    return tuple(Secret(one.kind, *shown.given(one.start, one.end)) for one in found)


def mask_values(value: Any, ids: Collection[str]) -> Any:
    """Mask every text in a JSON value; a text under one of ``ids`` is an id. ``{"password": "kitten99"}`` is read like
    "password: kitten99".
    """
    if isinstance(value, str):
        return _mask_document(value, ids) if value.lstrip()[:1] in ("{", "[") else mask(value).text
    if isinstance(value, Mapping):
        return {mask(key).text: _mask_field(key, item, ids) for key, item in value.items()}
    return [mask_values(item, ids) for item in value] if isinstance(value, list | tuple) else value


def _mask_document(text: str, ids: Collection[str]) -> str:
    """Mask a text that may be JSON, as calls and answers of tools are: both the text and its values."""
    masked = mask(text).text
    for form in (masked, text):
        with suppress(ValueError, RecursionError):
            value = json.loads(form)
            clean = mask_values(value, ids)
            return form if clean == value else json.dumps(clean, ensure_ascii=False)
    return masked


def _mask_field(key: str, value: Any, ids: Collection[str]) -> Any:
    if not isinstance(value, str):
        return mask_values(value, ids)
    if key in ids:
        return mask_name(value).text
    return mask_values(mask(value, f"{key}:").text, ids)


def _without(text: str, found: tuple[Secret, ...]) -> Masked:
    """The text with its secrets (in order) replaced."""
    if not found:
        return Masked(text)
    parts, done = [], 0
    for secret in found:
        parts += [text[done : secret.start], f"[secret: {secret.kind}]"]
        done = secret.end
    return Masked("".join((*parts, text[done:])), tuple(dict.fromkeys(secret.kind for secret in found)))


def _answered(text: str, asked: str) -> tuple[Secret, ...]:
    """The secrets of an answer that its question shows."""
    begin = len(asked) + 1
    found = (Secret(one.kind, one.start - begin, one.end - begin) for one in find(f"{asked}\n{text}"))
    return tuple(one for one in found if one.start >= 0)


def _search(text: str, rules: Sequence[Rule], *, is_id: bool) -> Iterator[Secret]:
    """Search the unsettled parts, and again without the found secrets, until nothing new is found: so the masked text
    is searched in its final form. Each round reads the whole text, so their number is limited.
    """
    if settled := [match.span() for match in compiled(_OPAQUE).finditer(text)]:
        text = _blanked(text, settled)
        rules = rules_for(text, is_id=is_id)
    for _ in range(_ROUNDS):
        if not (found := _scan(text, rules)):
            return
        yield from found
        text = _blanked(text, [(one.start, one.end) for one in found])
        rules = rules_for(text, is_id=is_id)


def _scan(text: str, rules: Sequence[Rule]) -> list[Secret]:
    """Apply the rules; overlapping finds become one, with the kind that comes first in the table."""
    spans = [(*span, place, rule.kind) for place, rule in enumerate(rules) for span in rule.spans(text)]
    merged: list[tuple[int, int, int, str]] = []
    for start, end, place, kind in sorted(spans):
        if merged and start < merged[-1][1]:
            last = merged.pop()
            place, kind = min((place, kind), last[2:])
            start, end = last[0], max(end, last[1])
        merged.append((start, end, place, kind))
    return [Secret(kind, start, end) for start, end, _, kind in merged]


def _blanked(text: str, spans: Iterable[Span]) -> str:
    """The text with other signs in ordered spans: no pattern matches across a ``BLANK``, and offsets stay."""
    parts, done = [], 0
    for start, end in spans:
        parts += [text[done:start], BLANK * (end - start)]
        done = end
    return "".join((*parts, text[done:]))
