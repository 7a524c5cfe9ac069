"""The trust of a text, by its author."""

from typing import Literal

Trust = Literal["confirmed", "user", "assistant", "tool", "web"]
Unconfirmed = Literal["user", "assistant", "tool", "web"]
"""What an import or a client may have: a person confirms memories one by one."""

TRUST_ORDER: tuple[Trust, ...] = ("web", "tool", "assistant", "user", "confirmed")  # least first
FOREIGN: tuple[Trust, ...] = ("web", "tool")  # words of neither the person nor the assistant


def least(*trusts: Trust) -> Trust:
    """The lowest of several; a derived text has no more trust than its sources."""
    return min(trusts, key=TRUST_ORDER.index)
