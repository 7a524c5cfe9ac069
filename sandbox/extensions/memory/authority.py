"""The one place that decides by trust who may say and change what, and who writes global memories. Pure.

A memory of lower trust never replaces one of higher trust, never raises one, and never counts as the user's word.
"""

from sandbox.extensions.memory.errors import LessTrusted, NotAdministrator
from sandbox.extensions.memory.model import Scope, Visibility
from sandbox.support.trust import TRUST_ORDER, Trust, least


def is_users_word(trust: Trust) -> bool:
    """Whether it counts as said by the user: only that is a wish of theirs, speaks for them, or stays for good."""
    return least(trust, "user") == "user"


def is_wish(category: str | None, trust: Trust) -> bool:
    """Whether knowledge of a category stands among the wishes of the user: what anybody else orders does not."""
    return category == "instruction" and is_users_word(trust)


def may_change(trust: Trust, known: Trust) -> bool:
    """Whether what is trusted so far may replace or end what is known; a user may replace what a person confirmed."""
    return standing(trust) >= standing(known)


def standing(trust: Trust) -> int:
    """How much a trust counts beside another: what a person confirmed counts as much as what the user says."""
    return TRUST_ORDER.index(least(trust, "user"))


def check_change(id: str, trust: Trust, known: Trust = "user") -> None:
    """Raise ``LessTrusted`` where ``trust`` may not change what is known under an id. Without ``known`` it would be
    lifted, or what people decided undone: that takes the trust of a user, whatever it is.
    """
    if not may_change(trust, known):
        raise LessTrusted(id=id, trust=trust, needed=least(known, "user"))


def check_audience(scope: Scope, visibility: Visibility) -> None:
    """Raise ``NotAdministrator`` where a scope may not write what everybody sees."""
    if visibility == "global" and not scope.administrator:
        raise NotAdministrator()
