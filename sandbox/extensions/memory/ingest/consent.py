"""Whether a statement needs the user's consent before it is believed. Pure."""

from collections.abc import Iterator

from sandbox.extensions.memory.authority import is_users_word
from sandbox.extensions.memory.claims import USER, predicate
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.store.rows import EXTRACTION, INFERRED, Draft

PRIVATE = "private"
"""In the setting ``consent``: all predicates that are private in the registry, such as health and belief."""

_CONCLUDED = 0.6  # the confidence of a model's conclusion


def marked(draft: Draft, config: Config) -> Draft:
    """A draft with the consent it waits for: the user's (``ask``), or a second statement (``twice``). The user's own
    outright statement waits for neither. A statement of somebody else never waits for a second one, because that does
    not make it the user's word.
    """
    is_own = is_users_word(draft.trust)
    is_concluded = draft.source == INFERRED or (draft.source == EXTRACTION and draft.confidence <= _CONCLUDED)
    if is_own and not is_concluded:
        return draft
    modes = {config.consent.get(name, "never") for name in _names(draft)}
    if "ask" in modes:
        return draft._replace(waits_for="ask")
    return draft._replace(waits_for="twice") if "twice" in modes and is_own else draft


def _names(draft: Draft) -> Iterator[str]:
    """The fields, predicates and categories in which a draft says something about the user."""
    yield from (filling.field for filling in draft.fills)
    for claim in draft.claims:
        if claim.subject == USER:
            known = predicate(claim.predicate)
            yield from filter(None, (known.name, known.profile, PRIVATE if known.private else None))
    if draft.category is not None:
        yield draft.category
