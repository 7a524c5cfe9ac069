"""Eight clients at once on one home: three of MCP over stdio, two of MCP over HTTP, one of REST, a shell and a coding
agent with its hooks, each in a process of its own beside the two servers that these need.

For some ``--minutes`` each saves, puts right, forgets and recalls, one call after the other. A call that is not
answered as it should be is an error. When all have ended, the library is asked for everything that was acknowledged.
"""

import asyncio
import re
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.bench import Bench
from benchmarks.callers import COMMAND, PATIENCE, Agent, Client, Http, Rest, Shell, Stdio
from benchmarks.floors import floor
from benchmarks.measure import percentile, spread
from benchmarks.report import Figure
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import MemoryExtensionError

_WORDS = 8  # of a statement: any two are too different for one to take the place of the other


@dataclass
class Kept:
    """What one client was told is kept, by id, and how long each kind of call took, in seconds."""

    texts: dict[str, str] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)


def measure(bench: Bench) -> list[Figure]:
    """Errors, what was lost, and how long each kind of call took."""
    home, folder = bench.fresh(), bench.fresh()
    (home / "config.yaml").write_text("memory: {facts_per_day: 1000000}\n")
    words = sorted({word for word in bench.corpus.words if word.isascii() and word.isalpha() and len(word) > 4})
    with _served(home) as url, ExitStack() as stack:
        clients: list[Client] = [Stdio(home), Stdio(home), Stdio(home), Http(url), Http(url), Rest(url)]
        clients += [Shell(home), Agent(home, folder)]
        ends = time.monotonic() + 60 * bench.options.minutes
        with ThreadPoolExecutor(len(clients)) as pool:
            randoms = [Random(bench.options.seed + place) for place in range(len(clients))]
            kept = list(pool.map(lambda each, random: _use(each, random, words, ends), clients, randoms))
        for each in clients:
            stack.callback(each.close)
    lost = asyncio.run(_lost(home, folder, clients, kept))
    return [*_whole(bench, clients, kept, lost), *_times(clients, kept)]


def _use(client: Client, random: Random, words: Sequence[str], ends: float) -> Kept:
    """Call until the time is over."""
    kept = Kept()
    calls: dict[str, Callable[[], None]] = {
        "save": lambda: _save(client, kept, _statement(random, words)),
        "recall": lambda: client.recall(_statement(random, words)),
        "update": lambda: _update(client, kept, random, words),
        "forget": lambda: _forget(client, kept, random),
    }
    while time.monotonic() < ends:
        kind = random.choice(client.mix) if kept.texts else "save"
        started = time.perf_counter()
        try:
            calls[kind]()
        except Exception as error:  # counted, and told
            kept.errors.append(f"{client.kind} {kind}: {type(error).__name__}: {error}")
        else:
            kept.seconds[kind].append(time.perf_counter() - started)
    return kept


def _save(client: Client, kept: Kept, text: str) -> None:
    kept.texts[client.save(text)] = text


def _update(client: Client, kept: Kept, random: Random, words: Sequence[str]) -> None:
    id, text = random.choice(list(kept.texts)), _statement(random, words)
    client.update(id, text)
    kept.texts[id] = text


def _forget(client: Client, kept: Kept, random: Random) -> None:
    id = random.choice(list(kept.texts))
    client.forget(id)
    kept.forgotten.add(id)
    del kept.texts[id]


def _statement(random: Random, words: Sequence[str]) -> str:
    return " ".join(random.choice(words) for _ in range(_WORDS))


async def _lost(home: Path, folder: Path, clients: Sequence[Client], kept: Sequence[Kept]) -> list[str]:
    """What was acknowledged and is not so."""
    lost = []
    async with Memory.open(home) as memory:
        for client, each in zip(clients, kept, strict=True):
            if isinstance(client, Agent):
                here = memory.scope_in(folder)
                found = await memory.search("", limit=len(each.texts) + 10, types=["episodic"], scope=here)
                said = {hit.content for hit in found}
                lost += [f"{client.kind} {id}" for id, text in each.texts.items() if text not in said]
                continue
            for id in (*each.texts, *each.forgotten):
                wanted = each.texts.get(id)
                if await _stands(memory, id) != wanted:
                    lost.append(f"{client.kind} {id}")
    return lost


async def _stands(memory: Memory, id: str) -> str | None:
    """What a memory says; None where it was forgotten."""
    try:
        known = (await memory.explain(id)).memory
    except MemoryExtensionError:
        return "nothing of the kind"
    return None if known.retired_by == "forgotten" else known.content


def _whole(bench: Bench, clients: Sequence[Client], kept: Sequence[Kept], lost: Sequence[str]) -> list[Figure]:
    errors = [error for each in kept for error in each.errors]
    calls = sum(len(seconds) for each in kept for seconds in each.seconds.values())
    saved = sum(len(each.texts) + len(each.forgotten) for each in kept)
    note = f"{len(clients)} clients, {bench.options.minutes:g} minutes, {calls:,} calls"
    return [
        Figure("errors", len(errors), floor=floor("clients: errors"), note=note, detail={"first": errors[:20]}),
        Figure(
            "lost", len(lost), floor=floor("clients: lost"), note=f"of {saved:,}", detail={"first": list(lost[:20])}
        ),
    ]


def _times(clients: Sequence[Client], kept: Sequence[Kept]) -> list[Figure]:
    together: dict[str, list[float]] = defaultdict(list)
    for client, each in zip(clients, kept, strict=True):
        for kind, seconds in each.seconds.items():
            together[f"{client.kind}, {kind}"] += seconds
    return [
        Figure(
            f"{kind} p99",
            percentile(seconds, 99) * 1000,
            "ms",
            note=f"p50 {percentile(seconds, 50) * 1000:.0f} ms, of {len(seconds):,}",
            detail=spread(seconds),
        )
        for kind, seconds in together.items()
    ]


@contextmanager
def _served(home: Path) -> Iterator[str]:
    """`memory serve`; its address."""
    arguments = [*COMMAND, "--home", str(home), "serve", "--port", "0"]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        found = re.search(r"http://\S+:\d+", line := process.stderr.readline())
        if found is None:
            raise RuntimeError(f"memory serve did not start: {line}")
        threading.Thread(target=process.stderr.read, daemon=True).start()  # lest its log stands in its way
        yield found[0]
        process.terminate()
        if code := process.wait(PATIENCE):
            raise RuntimeError(f"memory serve ended with {code}")
