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
    text = draft.content
    if draft.trust in FOREIGN:
        texts = (text, draft.speaker, draft.session_id, draft.subject, *draft.tags, *draft.contexts)
        return draft.category == INSTRUCTION or any(gives_orders(each) for each in texts if each)
    if draft.type != "episodic" or not is_users_word(draft.trust):
        return False
    return gives_orders(text) and (draft.source == NOTES or not gives_orders(said(text)))
