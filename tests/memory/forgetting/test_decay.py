"""Forgetting as a function of time."""

import math

import pytest
from hypothesis import assume, given, strategies as st

from sandbox.extensions.memory.decay import DAY, confidence_at, fades_at, is_fading, reinforced

CONFIDENCES = st.floats(0.01, 1.0)
RATES = st.floats(0.001, 2.0)
FADED = 0.05
MOMENTS = st.integers(0, 100 * 365 * DAY)
SPANS = st.integers(0, 50 * 365 * DAY)


@pytest.mark.parametrize(("days", "left"), [(0, 1.0), (1, 0.9048), (10, 0.5320), (70, 0.0502), (71, 0.0485)])
def test_the_curve_is_that_of_the_specification(days: int, left: float) -> None:
    """confidence * exp(-decay_rate * days^0.8), at the default rate; faded on day 71."""
    assert confidence_at(1.0, 0.1, 0, days * DAY) == pytest.approx(left, abs=1e-4)


@given(CONFIDENCES, RATES, MOMENTS, SPANS, SPANS)
def test_confidence_only_falls_and_not_before_the_anchor(
    confidence: float, rate: float, anchor: int, one: int, other: int
) -> None:
    sooner, later = sorted((one, other))
    fallen = [confidence_at(confidence, rate, anchor, anchor + span) for span in (-later, sooner, later)]
    assert confidence == fallen[0] >= fallen[1] >= fallen[2] >= 0.0


@given(CONFIDENCES, RATES, MOMENTS)
def test_the_moment_of_fading_inverts_the_curve(confidence: float, rate: float, anchor: int) -> None:
    assume(confidence > FADED * 1.001)
    faded = fades_at(confidence, rate, anchor)
    assert faded is not None
    assert confidence_at(confidence, rate, anchor, faded) == pytest.approx(FADED, rel=1e-6)
    before = faded - max(2, (faded - anchor) // 1_000_000)
    assert confidence_at(confidence, rate, anchor, before) > FADED * (1 - 1e-12)


@given(st.floats(0.001, FADED), RATES, MOMENTS)
def test_a_memory_below_the_threshold_fades_at_once(confidence: float, rate: float, anchor: int) -> None:
    assert fades_at(confidence, rate, anchor) == anchor


@given(CONFIDENCES, st.integers(0, 10_000))
def test_recalls_raise_confidence_up_to_one(confidence: float, count: int) -> None:
    assert confidence <= reinforced(confidence, count) <= 1.0
    assert reinforced(confidence, count) <= reinforced(confidence, count + 1)
    assert reinforced(0.5, 20) == pytest.approx(0.5 + 0.05 * math.log(2))


@pytest.mark.parametrize(("window", "first"), [(1000, 1050), (10, 1090)])
def test_a_memory_is_weak_only_in_the_second_half_of_its_life(window: int, first: int) -> None:
    weak = [now for now in range(1000, 1200) if is_fading(1100, anchored_at=1000, now=now, window=window)]
    assert weak == list(range(first, 1100))
    assert not is_fading(None, anchored_at=1000, now=1099, window=window)
