"""The breaker: when it opens, for how long, and what closes it."""

from sandbox.extensions.memory.asking.chat import Breaker


class Failing(Breaker):
    """A breaker with some failures, and a clock that stands still until it is moved."""

    def __init__(self, failures: int) -> None:
        self.now = 1000.0
        super().__init__(lambda: self.now)
        for _ in range(failures):
            self.failed()


def test_consecutive_failures_open_the_breaker() -> None:
    assert [Failing(count).wait() for count in (2, 3)] == [0, 30]
    breaker = Failing(2)
    breaker.succeeded()
    breaker.failed()
    breaker.failed()
    assert breaker.wait() == 0


def test_one_request_passes_after_each_pause_and_the_pause_grows_up_to_the_longest() -> None:
    breaker, pauses = Failing(3), []
    for _ in range(9):
        pauses.append(breaker.wait())
        breaker.now += pauses[-1]
        assert (breaker.wait(), breaker.wait()) == (0, pauses[-1])
        breaker.failed()
    assert pauses == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_a_success_closes_the_breaker() -> None:
    breaker = Failing(3)
    breaker.now += 30
    assert breaker.wait() == 0
    breaker.succeeded()
    assert breaker.wait() == 0
    breaker.failed()
    assert breaker.wait() == 0
