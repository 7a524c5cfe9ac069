"""A pause after several failures in a row, and a longer one after each further failure."""

import time
from collections.abc import Callable


class Breaker:
    """Opens after ``failures`` in a row for ``pause`` seconds, doubled with each further failure up to ``longest``.
    After a pause one try is let through. ``clock`` gives seconds and never goes back.
    """

    def __init__(
        self,
        *,
        failures: int = 3,
        pause: float = 30.0,
        longest: float = 3600.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = failures
        self._pause = pause
        self._longest = longest
        self._clock = clock
        self._failed = 0
        self._closed_from = 0.0

    def wait(self) -> float:
        """Seconds until the next try, 0 for: now. Whoever gets 0 has to say how it went."""
        left = self._closed_from - self._clock()
        if left > 0:
            return left
        if self._failed >= self._most:
            self._hold()  # the others wait for how this one goes
        return 0.0

    def succeeded(self) -> None:
        """It works again, or still."""
        self._failed, self._closed_from = 0, self._clock()

    def failed(self) -> None:
        """Another failure in a row."""
        self._failed += 1
        if self._failed >= self._most:
            self._hold()

    def _hold(self) -> None:
        doublings = min(self._failed - self._most, 30)  # more would be no longer pause, and a huge number
        self._closed_from = self._clock() + min(self._longest, self._pause * 2**doublings)
