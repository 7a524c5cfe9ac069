"""The breaker: when it opens, for how long, and what closes it."""

from sandbox.extensions.memory.asking.breaker import Breaker


class Seconds:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def opened(clock: Seconds, failures: int = 3) -> Breaker:
    breaker = Breaker(clock)
    for _ in range(failures):
        breaker.failed()
    return breaker


def test_consecutive_failures_open_the_breaker() -> None:
    clock = Seconds()
    assert opened(clock, 2).wait() == 0
    assert opened(clock, 3).wait() == 30


def test_a_success_in_between_keeps_the_breaker_closed() -> None:
    breaker = opened(Seconds(), 2)
    breaker.succeeded()
    breaker.failed()
    breaker.failed()
    assert breaker.wait() == 0


def test_one_request_passes_after_the_pause() -> None:
    clock = Seconds()
    breaker = opened(clock)
    clock.now += 30
    assert breaker.wait() == 0
    assert breaker.wait() == 30


def test_the_pause_grows_up_to_the_longest() -> None:
    clock = Seconds()
    breaker, pauses = opened(clock), []
    for _ in range(9):
        pauses.append(breaker.wait())
        clock.now += pauses[-1]
        assert breaker.wait() == 0
        breaker.failed()
    assert pauses == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_a_success_closes_the_breaker() -> None:
    clock = Seconds()
    breaker = opened(clock)
    clock.now += 30
    assert breaker.wait() == 0
    breaker.succeeded()
    assert breaker.wait() == 0
    breaker.failed()
    assert breaker.wait() == 0
