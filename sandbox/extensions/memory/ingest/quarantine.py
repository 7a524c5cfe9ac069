"""Decide which memories are kept out of automatic context; only a search finds them. Pure.

They are memories of too little trust, orders from outside, and turns in which a person passes on the orders of somebody
else.
"""

from sandbox.extensions.memory.authority import is_users_word
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.govern.injection import gives_orders
from sandbox.extensions.memory.model import NOTES
from sandbox.extensions.memory.store.rows import INSTRUCTION, Draft
from sandbox.extensions.memory.text.pasted import said
from sandbox.extensions.memory.text.words import terms
from sandbox.support.trust import FOREIGN, TRUST_ORDER, Trust


def quarantined(draft: Draft, config: Config) -> Draft:
    """The draft, marked if blocks must not show it."""
    is_kept_out = TRUST_ORDER.index(draft.trust) < TRUST_ORDER.index(config.quarantine_below) or _is_order(draft)
    return draft._replace(quarantined=is_kept_out)


def trust_in(content: str, text: str, trust: Trust) -> Trust:
    """The trust of a statement from a turn. Words that occur only in pasted text do not count as the speaker's."""
    own = said(text)
    if not is_users_word(trust) or own == text.strip():
        return trust
    words = set(terms(content))
    return "assistant" if words & set(terms(text)) - set(terms(own)) else trust


def _is_order(draft: Draft) -> bool:
    if draft.trust in FOREIGN:
        is_wish = draft.category == INSTRUCTION
        said_of = (draft.speaker, draft.session_id, draft.subject, *draft.tags, *draft.contexts)
        return is_wish or _any_gives_orders(draft.content, *said_of)
    return draft.type == "episodic" and is_users_word(draft.trust) and _hands_on(draft.content, draft.source)


def _hands_on(text: str, source: str) -> bool:
    return gives_orders(text) and (source == NOTES or not gives_orders(said(text)))


def _any_gives_orders(*texts: str | None) -> bool:
    return any(gives_orders(text) for text in texts if text)
