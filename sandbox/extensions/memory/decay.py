"""Forgetting as a function of time.

A confidence is stored with the moment it was set; nothing rewrites it as time passes. Times are UTC milliseconds.
"""

import math

DAY = 86_400_000  # milliseconds
FADING = 28 * DAY  # a memory is weak in the last 28 days of its life, and never before half of it
_FADED = 0.05  # confidence; below it a memory has faded
_STRETCH = 0.8  # an exponent of days: the longer a memory was kept, the slower it fades
_BOOST = 0.05
_BOOST_SCALE = 20
_FOREVER = 253_402_300_799_000  # the end of the year 9999, the last that a datetime has


def confidence_at(confidence: float, decay_rate: float, anchored_at: int, now: int) -> float:
    """The rest of ``confidence`` at ``now``; before the anchor, all of it."""
    days = max(0, now - anchored_at) / DAY
    return confidence * math.exp(-decay_rate * days**_STRETCH)


def fades_at(confidence: float, decay_rate: float, anchored_at: int) -> int | None:
    """When a memory has faded: the inverse of ``confidence_at``. None if it never does."""
    if decay_rate <= 0:
        return None
    if confidence <= _FADED:
        return anchored_at
    days = (math.log(confidence / _FADED) / decay_rate) ** (1 / _STRETCH)
    faded = anchored_at + math.ceil(days * DAY) if days < _FOREVER / DAY else _FOREVER
    return faded if faded < _FOREVER else None


def is_fading(fades_at: int | None, anchored_at: int, now: int, window: int) -> bool:
    """Whether a memory fades soon: within ``window`` milliseconds, and in the second half of its life."""
    return fades_at is not None and 0 < fades_at - now <= min(window, (fades_at - anchored_at) // 2)


def reinforced(confidence: float, access_count: int) -> float:
    """The stored confidence after the ``access_count``-th recall; with a new anchor it never shortens a life."""
    return min(1.0, confidence + _BOOST * math.log(1 + access_count / _BOOST_SCALE))
