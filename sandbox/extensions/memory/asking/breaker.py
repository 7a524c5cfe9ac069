"""A pause after several failures in a row, and a longer one after each further failure."""

from collections.abc import Callable

_MOST = 3  # failures in a row before a pause
_PAUSE, _LONGEST = 30.0, 3600.0  # seconds


class Breaker:
    """Opens after three failures in a row for 30 seconds; each further failure doubles the pause, up to an hour. After
    a pause it allows one try. ``clock`` gives seconds and never goes back.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failed = 0
        self._closed_from = 0.0

    def wait(self) -> float:
        """Seconds until the next try; 0 means now. A caller that gets 0 has to report success or failure."""
        left = self._closed_from - self._clock()
        if left > 0:
            return left
        if self._failed >= _MOST:
            self._hold()  # the others wait for the result of this try
        return 0.0

    def succeeded(self) -> None:
        """Report a success."""
        self._failed, self._closed_from = 0, self._clock()

    def failed(self) -> None:
        """Report a failure."""
        self._failed += 1
        if self._failed >= _MOST:
            self._hold()

    def _hold(self) -> None:
        doublings = min(self._failed - _MOST, 30)  # more doublings would give a huge number, and no longer pause
        self._closed_from = self._clock() + min(_LONGEST, _PAUSE * 2**doublings)
