"""Prepare input for storage: check texts, names, keys, tags and claims, and mask or refuse secrets. Pure."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

from sandbox.extensions.memory.claims import Claim
from sandbox.extensions.memory.claims.compare import of_user
from sandbox.extensions.memory.claims.moments import is_time
from sandbox.extensions.memory.claims.registry import PREDICATE
from sandbox.extensions.memory.errors import InvalidArgument, InvalidContent, SecretInId
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.model import MOST_CHARACTERS, Scope
from sandbox.support.characters import storable

_MOST_CLAIMS = 20  # claims of one statement
_LONGEST_VALUE = 400  # characters of a value


def clean(content: str) -> str:
    """The content in the form that is stored. Raises ``InvalidContent`` if it is empty or too long."""
    if not content.replace("\x00", "").strip():
        raise InvalidContent(problem="is empty")
    if len(content) > MOST_CHARACTERS:
        raise InvalidContent(problem=f"has {len(content):,} characters, more than {MOST_CHARACTERS:,}")
    return storable(content)


@lru_cache(maxsize=1 << 10)
def clean_name(value: str | None) -> str | None:
    """The name of a session, a speaker or a source in the form that is stored, secrets masked. A blank name is None.
    Cached, because the turns of a conversation share a few names.
    """
    name = storable(value or "").strip()
    return secrets.mask_name(name).text if name else None


def session_of(session: str | None, scope: Scope) -> str | None:
    """The given session, or else that of the scope. Raises ``InvalidArgument`` if both are given and differ."""
    named, own = clean_name(session), clean_name(scope.session_id)
    if named and own and named != own:
        raise InvalidArgument(argument="session", value=named, expected=f"the scope is of the session {own!r}")
    return named or scope.session_id


def clean_key(value: str | None, argument: str = "key") -> str | None:
    """A key in the form that is stored. Raises ``SecretInId``: a masked key could be equal to another."""
    key = stripped(value)
    if key and (kinds := secrets.mask_name(key).kinds):
        raise SecretInId(argument=argument, kinds=", ".join(kinds))
    return key


def clean_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names or tags in order, without blank and repeated ones."""
    return tuple(dict.fromkeys(name for each in names if (name := stripped(each))))


def stripped(value: str | None) -> str | None:
    """Text without surrounding white space; None if nothing is left."""
    return None if value is None else storable(value).strip() or None


def one_of(argument: str, value: object, known: Sequence[str]) -> None:
    """Raise ``InvalidArgument`` if a value is not among the known ones."""
    if value not in known:
        raise InvalidArgument(argument=argument, value=value, expected=f"it is one of {', '.join(known)}")


def clean_claims(claims: Sequence[Claim], own: Collection[str] = ()) -> tuple[Claim, ...]:
    """Claims in order, each once; ``own`` are names of the user. Raises ``InvalidArgument`` or ``SecretRefused``."""
    if len(claims) > _MOST_CLAIMS:
        raise InvalidArgument(argument="claims", value=len(claims), expected=f"give at most {_MOST_CLAIMS}")
    return tuple(dict.fromkeys(of_user(_clean_claim(claim), own) for claim in claims))


def _clean_claim(claim: Claim) -> Claim:
    if max(map(len, (claim.subject, claim.predicate, claim.value))) > _LONGEST_VALUE:
        raise _invalid_claim(claim, f"subject, predicate and value are texts of at most {_LONGEST_VALUE} characters")
    if not re.fullmatch(PREDICATE, claim.predicate):
        raise _invalid_claim(
            claim, "a predicate is words of small letters joined by _; `memory schema` lists those known"
        )
    if claim.time is not None and not is_time(claim.time):
        raise _invalid_claim(claim, "the time is 2026, 2026-03, 2026-03-02, 2026-03-02T18:20, 2026-03/.. or ../2026-03")
    subject, value = (" ".join(storable(text).split()) for text in (claim.subject, claim.value))
    if claim.is_affirmed and not value:
        raise _invalid_claim(claim, "only a denied claim can have no value")
    secrets.refuse(subject, value)
    return replace(claim, subject=subject, value=value)


def _invalid_claim(claim: Claim, expected: str) -> InvalidArgument:
    return InvalidArgument(argument="claims", value=claim, expected=expected)
