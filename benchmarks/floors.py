"""The floors a change must not fall below, and the goals it should reach. A floor holds at the size it was set for."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Floor:
    """The worst value that passes, the value that is aimed at (None: nothing of the kind), and which way is better."""

    limit: float | None
    goal: float | None
    better: Literal["higher", "lower"]

    def reaches(self, value: float | None, mark: float | None) -> bool | None:
        """Whether a value is as good as the limit or the goal; None where there is none of both."""
        if value is None or mark is None:
            return None
        return value >= mark if self.better == "higher" else value <= mark


def floor(name: str, nodes: int | None = None) -> Floor | None:
    """The floor of a figure, taken over a store of that many nodes. Of a set of questions, its name comes first."""
    return _FLOORS.get((name, nodes)) or _FLOORS.get((name, None))


def _least(limit: float | None, goal: float | None = None) -> Floor:
    return Floor(limit, goal, "higher")


def _most(limit: float, goal: float | None = None) -> Floor:
    return Floor(limit, goal, "lower")


_FLOORS: dict[tuple[str, int | None], Floor] = {
    ("rest over search p50", None): _most(5.0),
    ("mcp recall over search p50", None): _most(5.0),
    ("mcp: start to first tools/list", None): _most(1.0),
    ("clients: errors", None): _most(0),
    ("clients: lost", None): _most(0),
    ("locomo recall@5", None): _least(0.72, 0.77),
    ("locomo recall@10", None): _least(0.79, 0.84),
    ("locomo recall@50", None): _least(0.89, 0.93),
    ("locomo multi_hop recall@10", None): _least(0.49, 0.58),
    ("locomo recall in 500 tokens", None): _least(0.75, 0.81),
    ("locomo recall in 1,000 tokens", None): _least(0.82, 0.87),
    ("locomo recall in 2,000 tokens", None): _least(0.87, 0.92),
    ("locomo share of blocks over their budget", None): _most(0.0),
    ("unrelated tokens", None): _most(600, 250),
    ("longmemeval recall@5", None): _least(0.92, 0.96),
    ("longmemeval all@5", None): _least(0.87, 0.93),
    ("longmemeval updates: current before superseded", None): _least(0.70, 0.85),
    ("longmemeval confidence, abstention: AUROC", None): _least(None, 0.80),
    ("factconsolidation current@1", None): _least(0.70, 0.90),
    ("factconsolidation stale@1", None): _most(0.15, 0.05),
    ("factconsolidation history: superseded found in 5", None): _least(0.95, 1.0),
    ("xquad recall@10 ru-ru", None): _least(0.93, 0.97),
    ("xquad recall@10 zh-zh", None): _least(0.93, 0.97),
    ("xquad recall@10 en-en", None): _least(0.97, 0.99),
    ("context p50", 10_000): _most(6, 3),
    ("context p95", 10_000): _most(12, 6),
    ("context p50 over the references", 100_000): _most(0.8, 0.3),
    ("context p50 over the references", 1_000_000): _most(0.5, 0.12),
    ("context p95 over the references", 10_000): _most(0.8, 0.3),
    ("context p95 over the references", 100_000): _most(0.8, 0.3),
    ("context p95 over the references", 1_000_000): _most(0.8, 0.3),
    ("first context", 100_000): _most(0.4, 0.15),
    ("first context", 1_000_000): _most(3, 1),
    ("context asked once p50 over the references", 100_000): _most(0.4, 0.25),
    ("context asked once p95 over the references", 100_000): _most(0.7, 0.4),
    ("context asked once p50 over the references", 1_000_000): _most(0.15, 0.1),
    ("context asked once p95 over the references", 1_000_000): _most(0.4, 0.2),
    ("first ten questions, median", 100_000): _most(60, 30),
    ("first search, from process start", None): _most(0.4, 0.25),
    ("resident memory", 100_000): _most(400),
    ("resident memory", 1_000_000): _most(900, 500),
    ("disk over text and vectors", 100_000): _most(2.5, 1.6),
    ("import of LoCoMo", None): _least(5_000),
    ("import over its bare legs", None): _most(1.6, 1.2),
    ("observe p99 over bare", 100_000): _most(2),
    ("message remembered p99", 100_000): _most(10),
    ("kernel start", 100_000): _most(1),
    ("hook, resident process, p95", 100_000): _most(100),
    ("hook, starting it, p95", 100_000): _most(300),
    ("checkpoint saved", None): _most(100),
    ("checkpoint loaded", None): _most(100),
    ("gained by learning", None): _least(0.0),
    ("precision of what is learnt", None): _least(0.80),
    ("duplicates", None): _most(0.02),
    ("kept", None): _least(0.20, 0.35),
    ("conversations with something of never", None): _most(0.05, 0.01),
    ("questions and secrets", None): _most(0),
    ("sessions a second", None): _least(80, 200),
    ("acknowledged meanwhile p99", None): _most(10.0),
    ("ends that differ", None): _most(0),
}
