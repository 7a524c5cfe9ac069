"""Whether a statement needs the user's consent before it is believed. Pure."""

from collections.abc import Iterator

from sandbox.extensions.memory.authority import is_users_word
from sandbox.extensions.memory.claims import USER, predicate
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.store.rows import EXTRACTION, INFERRED, Draft

PRIVATE = "private"
"""In the setting ``consent``: what the registry of predicates calls private, as health and belief."""

_CONCLUDED = 0.6  # confidence of what a model concluded rather than read


def marked(draft: Draft, config: Config) -> Draft:
    """A draft that says whether it waits: for the user's consent (``ask``), or for a second signal (``twice``). What
    the user says outright waits for neither. What is not the user's word waits for nothing but consent: a second signal
    does not make it theirs.
    """
    is_own = is_users_word(draft.trust)
    if is_own and not _is_concluded(draft):
        return draft
    modes = {config.consent.get(name, "never") for name in _names(draft)}
    if "ask" in modes:
        return draft._replace(waits_for="ask")
    return draft._replace(waits_for="twice") if "twice" in modes and is_own else draft


def _is_concluded(draft: Draft) -> bool:
    return draft.source == INFERRED or (draft.source == EXTRACTION and draft.confidence <= _CONCLUDED)


def _names(draft: Draft) -> Iterator[str]:
    """The fields, predicates and categories that a draft says something of the user by."""
    yield from (filling.field for filling in draft.fills)
    for claim in draft.claims:
        if claim.subject == USER:
            known = predicate(claim.predicate)
            yield from filter(None, (known.name, known.profile, PRIVATE if known.private else None))
    if draft.category is not None:
        yield draft.category
