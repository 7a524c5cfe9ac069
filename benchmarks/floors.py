"""The floors a change must not fall below. A floor holds at the size of store it was set for."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Floor:
    """The worst value that passes, and which way is better."""

    limit: float
    better: Literal["higher", "lower"]

    def holds(self, value: float) -> bool:
        """Whether a value passes."""
        return value >= self.limit if self.better == "higher" else value <= self.limit


_FLOORS: dict[tuple[str, int | None], Floor] = {
    ("recall@10", None): Floor(0.62, "higher"),  # bm25 alone
    ("import of LoCoMo", None): Floor(5_000, "higher"),
    ("observe p99 over bare", 100_000): Floor(2, "lower"),
    ("context p50", 10_000): Floor(8, "lower"),
    ("context p95", 10_000): Floor(20, "lower"),
    ("first context", 100_000): Floor(0.5, "lower"),
    ("resident memory", 100_000): Floor(400, "lower"),
    ("syncs before acknowledgement", None): Floor(1.0, "higher"),
}


def floor(name: str, nodes: int | None = None) -> Floor | None:
    """The floor of a figure, taken over a store of that many nodes."""
    return _FLOORS.get((name, nodes))
