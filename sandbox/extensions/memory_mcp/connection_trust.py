"""The trust of a connection's input: as it was set up, and less for a while after the connection brought up less
trusted text.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from sandbox.support.trust import Trust, least

_SEEN = 30 * 60.0  # seconds that a model is taken to have an answer before it: so long a session is idle at most


@dataclass(slots=True)
class ConnectionTrust:
    """Of one connection."""

    trust: Trust = "user"
    clock: Callable[[], float] = time.monotonic
    _lowered: dict[Trust, float] = field(default_factory=dict)  # when it was brought up last

    def lower(self, trust: Trust) -> None:
        """Something of this trust was brought up."""
        self._lowered[trust] = self.clock()

    @property
    def now(self) -> Trust:
        """What may be said in the name of the connection."""
        oldest = self.clock() - _SEEN
        return least(self.trust, *(trust for trust, at in self._lowered.items() if at > oldest))
