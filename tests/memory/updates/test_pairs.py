"""Which statements replace, which stay beside, and which are in doubt: some hundred pairs, stored a month apart."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from sandbox.extensions.memory import Memory, Scope
from sandbox.testing import FakeClock


class Pair(NamedTuple):
    expected: str  # of the older statement: replaces | keeps | doubtful
    kind: str
    old: str
    new: str


def pairs() -> list[Pair]:
    found: list[Pair] = []
    expected = kind = ""
    for line in Path(__file__).with_name("pairs.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            expected, kind = line.strip("[]").split(": ")
        elif " | " in line:
            found.append(Pair(expected, kind, *line.split(" | ")))
    return found


async def told(memory: Memory, pair: Pair, scope: Scope, clock: FakeClock) -> str:
    """The fate of the older statement of a pair."""
    old = await memory.remember(pair.old, scope=scope, at=clock.advance(days=30))
    new = await memory.remember(pair.new, scope=scope, at=clock.advance(days=30))
    known = await memory.explain(old, scope=scope)
    assert (known.memory.valid_until is not None) == ([each.id for each in known.superseded_by] == [new])
    if known.superseded_by:
        return "replaces"
    return "doubtful" if [each.id for each in known.possible_conflicts] == [new] else "keeps"


async def test_the_figures_of_the_pairs_hold(memory: Memory, clock: FakeClock) -> None:
    """At most 2 of 100 supersessions are false, at least 9 of 10 true ones are found, and doubt is recorded for
    doubtful pairs and hardly for others. Each pair belongs to a new user.
    """
    outcomes = [(pair, await told(memory, pair, Scope(f"{index}"), clock)) for index, pair in enumerate(pairs())]
    total = Counter(pair.expected for pair, _ in outcomes)
    wrong = [pair for pair, outcome in outcomes if outcome == "replaces" != pair.expected]
    missed = [pair for pair, outcome in outcomes if outcome != "replaces" == pair.expected]
    in_vain = [pair for pair, outcome in outcomes if outcome == "doubtful" and pair.expected == "keeps"]
    assert len(wrong) <= 0.02 * (total["keeps"] + total["doubtful"]), wrong
    assert len(missed) <= 0.1 * total["replaces"], missed
    assert len(in_vain) <= 0.05 * total["keeps"], in_vain
    assert [pair for pair, outcome in outcomes if pair.expected == "doubtful" != outcome] == []
