"""The one place that decides by trust who may say and change what, and who writes global memories. Pure.

A memory of lower trust never replaces one of higher trust, never raises one, and never counts as the user's word.
"""

from sandbox.extensions.memory.errors import LessTrusted, NotAdministrator
from sandbox.extensions.memory.model import Scope, Visibility
from sandbox.support.trust import TRUST_ORDER, Trust, least


def is_users_word(trust: Trust) -> bool:
    """Whether a trust is the user's word. Only that can be a wish, speak for the user, or stay for good."""
    return least(trust, "user") == "user"


def is_wish(category: str | None, trust: Trust) -> bool:
    """Whether knowledge of a category is a wish of the user. An order of anybody else is not."""
    return category == "instruction" and is_users_word(trust)


def may_change(trust: Trust, known: Trust) -> bool:
    """Whether a memory of one trust may replace or end a known one. A user may replace what a person confirmed."""
    return trust_rank(trust) >= trust_rank(known)


def trust_rank(trust: Trust) -> int:
    """The rank of a trust in comparisons: a confirmed memory counts as much as the user's word."""
    return TRUST_ORDER.index(least(trust, "user"))


def check_change(id: str, trust: Trust, known: Trust = "user") -> None:
    """Raise ``LessTrusted`` if ``trust`` may not change the memory with this id. Without ``known``, the change raises a
    memory's trust or undoes a person's decision, and needs the user's trust.
    """
    if not may_change(trust, known):
        raise LessTrusted(id=id, trust=trust, needed=least(known, "user"))


def check_audience(scope: Scope, visibility: Visibility) -> None:
    """Raise ``NotAdministrator`` if a scope writes global memories without the right to do so."""
    if visibility == "global" and not scope.administrator:
        raise NotAdministrator()
