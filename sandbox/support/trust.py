"""The trust of a text, by its author."""

from typing import Literal

Trust = Literal["confirmed", "user", "assistant", "tool", "web"]

TRUST_ORDER: tuple[Trust, ...] = ("web", "tool", "assistant", "user", "confirmed")  # least first
FOREIGN: tuple[Trust, ...] = ("web", "tool")  # what neither the person nor the assistant said


def least(*trusts: Trust) -> Trust:
    """The least of several: what is derived is trusted no more than its sources."""
    return min(trusts, key=TRUST_ORDER.index)
