"""Claims as they can be stored: checked, without secrets, of the user where they speak of the user. Pure."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from sandbox.extensions.memory.claims import MODALITIES, Claim
from sandbox.extensions.memory.claims.compare import of_user
from sandbox.extensions.memory.claims.moments import is_time
from sandbox.extensions.memory.claims.schema import PREDICATE
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.govern import secrets
from sandbox.support.characters import storable

_MOST = 20  # claims of one statement
_LONGEST = 400  # characters of a value


def clean_claims(claims: Sequence[Claim], own: Collection[str] = ()) -> tuple[Claim, ...]:
    """Claims in order, each once; ``own`` are names of the user. Raises ``InvalidArgument`` or ``SecretRefused``."""
    if len(claims) > _MOST:
        raise InvalidArgument(argument="claims", value=len(claims), expected=f"give at most {_MOST}")
    return tuple(dict.fromkeys(of_user(_clean(claim), own) for claim in claims))


def _clean(claim: Claim) -> Claim:
    texts = (claim.subject, claim.predicate, claim.value)
    if not all(isinstance(text, str) for text in texts) or max(map(len, texts)) > _LONGEST:
        raise _invalid(claim, f"subject, predicate and value are texts of at most {_LONGEST} characters")
    if not re.fullmatch(PREDICATE, claim.predicate):
        raise _invalid(claim, "a predicate is words of small letters joined by _; `memory schema` lists those known")
    if claim.modality not in MODALITIES:
        raise _invalid(claim, f"the modality is one of {', '.join(MODALITIES)}")
    if claim.time is not None and not is_time(claim.time):
        raise _invalid(claim, "the time is 2026, 2026-03, 2026-03-02, 2026-03-02T18:20, 2026-03/.. or ../2026-03")
    subject, value = (" ".join(storable(text).split()) for text in (claim.subject, claim.value))
    if claim.is_affirmed and not value:
        raise _invalid(claim, "only what is denied can have no value")
    secrets.refuse(subject, value)
    return replace(claim, subject=subject, value=value)


def _invalid(claim: Claim, expected: str) -> InvalidArgument:
    return InvalidArgument(argument="claims", value=claim, expected=expected)
