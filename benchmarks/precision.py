"""What share of the facts that rules learn from LoCoMo is true, durable and self-contained.

Facts are judged one by one, with the turns they rest on in view; ``verdicts.jsonl`` keeps each verdict under a hash of
the fact, no text of the data set. ``--unjudged`` prints the facts of the sample that have none, with their turns;
``--record`` reads lines ``HASH [FAULT ...]`` from the standard input, a fault being one of

- ``untrue``: the turns do not say that, or not of that person, or not of that time
- ``passing``: of no use after some weeks: a mood, small talk, an errand, or so vague that nobody would ask for it
- ``unclear``: not to be understood without the conversation
"""

import asyncio
import hashlib
import json
import math
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.corpus import Corpus, Turn
from benchmarks.data import DataFolder
from benchmarks.floors import floor
from benchmarks.report import Figure
from sandbox.extensions.memory import Memory

VERDICTS = Path(__file__).parent / "verdicts.jsonl"
FAULTS = ("untrue", "passing", "unclear")
SAMPLE = 200

Verdicts = Mapping[str, tuple[str, ...]]
"""Faults by the hash of the fact; none of them where it is good."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """One fact, and what it rests on: lines ``time speaker: text``."""

    content: str
    sources: tuple[str, ...]

    @property
    def hash(self) -> str:
        """What verdicts are kept under."""
        return hashlib.sha256(self.content.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Judged:
    """A sample and its verdicts: how many are good, how many have each fault, and how many were not judged."""

    learnt: int
    sample: int
    good: int
    unjudged: int
    faults: Mapping[str, int]

    @property
    def precision(self) -> float:
        """Good ones among those with a verdict."""
        return self.good / max(1, self.sample - self.unjudged)

    @property
    def interval(self) -> tuple[float, float]:
        """Of 95% (Wilson 1927)."""
        z, n = 1.96, max(1, self.sample - self.unjudged)
        middle = (self.precision + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(self.precision * (1 - self.precision) / n + z * z / (4 * n * n))
        return middle - half, middle + half


def measure(bench: Bench) -> list[Figure]:
    """Precision of a sample; what has no verdict is in the note."""
    learnt = asyncio.run(learn(bench.corpus.turns, bench.fresh()))
    judged = judge(learnt, sample(learnt, bench.options.seed), verdicts())
    low, high = judged.interval
    name = "precision of what is learnt"
    note = f"{judged.unjudged} of {judged.sample} not judged; 95% between {low:.2f} and {high:.2f}"
    value = judged.precision if judged.sample > judged.unjudged else None
    return [Figure(name, value, floor=floor(name), note=note)]


async def learn(turns: Iterable[Turn], folder: Path) -> list[Learnt]:
    """Everything that rules learn from conversations, what was replaced later included."""
    async with Memory.open(folder) as memory:
        await memory.observe_many(turn.message() for turn in turns)
        report = await memory.consolidate()
        return [Learnt(fact.content, await _sources(memory, fact.id)) for fact in report.learnt]


async def _sources(memory: Memory, id: str) -> tuple[str, ...]:
    turns = (await memory.explain(id)).sources
    return tuple(f"{turn.event_time:%Y-%m-%d} {turn.speaker or turn.role}: {turn.content}" for turn in turns)


def sample(learnt: Iterable[Learnt], seed: int, size: int = SAMPLE) -> list[Learnt]:
    """Facts drawn by their hashes, so that another fact learnt, or one less, changes one of the sample and not all."""
    by_hash = {each.hash: each for each in learnt}
    drawn = sorted(by_hash, key=lambda hash: hashlib.sha256(f"{seed} {hash}".encode()).digest())
    return [by_hash[hash] for hash in drawn[:size]]


def verdicts(file: Path = VERDICTS) -> Verdicts:
    """What was judged, as it was judged last."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {row["fact"]: tuple(row["faults"]) for row in map(json.loads, lines)}


def record(lines: Iterable[str], file: Path = VERDICTS) -> int:
    """Keep verdicts, how many. Raises ``ValueError`` for what is none; then nothing is kept."""
    given = dict(_verdict(line) for line in lines if line.strip())
    kept = {**verdicts(file), **given}
    rows = (json.dumps({"fact": hash, "faults": kept[hash]}) for hash in sorted(kept))
    file.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return len(given)


def _verdict(line: str) -> tuple[str, tuple[str, ...]]:
    hash, *faults = line.split()
    if len(hash) != 16 or not set(faults) <= set(FAULTS):
        raise ValueError(f"no verdict: {line.strip()!r}; write HASH [{'|'.join(FAULTS)} ...]")
    return hash, tuple(sorted(faults))


def judge(learnt: Sequence[Learnt], drawn: Sequence[Learnt], known: Verdicts) -> Judged:
    """The verdicts of a sample."""
    found = [known[each.hash] for each in drawn if each.hash in known]
    faults = Counter(fault for each in found for fault in each)
    return Judged(len(learnt), len(drawn), sum(not each for each in found), len(drawn) - len(found), faults)


def _show(judged: Judged) -> None:
    print(f"{judged.learnt:,} learnt, {judged.sample} drawn, {judged.unjudged} of them not judged")
    if judged.sample > judged.unjudged:
        low, high = judged.interval
        print(f"good: {judged.good}, {judged.precision:.1%} of those judged (95% between {low:.1%} and {high:.1%})")
        print(*(f"{fault}: {judged.faults.get(fault, 0)}" for fault in FAULTS), sep="\n")


def main() -> int:
    """The command."""
    parser = ArgumentParser("precision", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, help="the folder with LoCoMo")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--sample", type=int, default=SAMPLE, help="facts drawn")
    parser.add_argument("--unjudged", action="store_true", help="print what has no verdict, with its turns")
    parser.add_argument("--record", action="store_true", help="read verdicts: HASH [FAULT ...], one a line")
    given = parser.parse_args()
    if given.record:
        print(f"{record(sys.stdin)} recorded")
        return 0
    if given.data is None:
        parser.error("--data names the folder to learn from")
    with tempfile.TemporaryDirectory() as folder:
        learnt = asyncio.run(learn(Corpus.load(DataFolder(given.data)).turns, Path(folder)))
    drawn, known = sample(learnt, given.seed, given.sample), verdicts()
    for each in drawn if given.unjudged else ():
        if each.hash not in known:
            print(each.hash, each.content, *(f"    {source}" for source in each.sources), sep="\n", end="\n\n")
    _show(judge(learnt, drawn, known))
    return 0


if __name__ == "__main__":
    sys.exit(main())
