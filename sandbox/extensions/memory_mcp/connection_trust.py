"""The trust of a connection's input: the configured trust, and less for a while after an answer contained less trusted
text.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from sandbox.support.trust import Trust, least

_SEEN = 30 * 60.0  # seconds that a model may still see an answer; sessions are idle for at most as long


@dataclass(slots=True)
class ConnectionTrust:
    """The trust of one connection."""

    trust: Trust = "user"
    clock: Callable[[], float] = time.monotonic
    _lowered: dict[Trust, float] = field(default_factory=dict)  # the last time for each trust

    def lower(self, trust: Trust) -> None:
        """Note that an answer contains text of this trust."""
        self._lowered[trust] = self.clock()

    @property
    def now(self) -> Trust:
        """The trust of the next call."""
        oldest = self.clock() - _SEEN
        return least(self.trust, *(trust for trust, at in self._lowered.items() if at > oldest))
