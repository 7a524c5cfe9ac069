"""What every part is given: the corpus, how much of it to measure, and stores of any size, built once."""

import asyncio
import hashlib
import json
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import track

from benchmarks.corpus import Corpus, Question
from benchmarks.data import DataFolder
from benchmarks.measure import code_digest
from sandbox.extensions.memory import Memory

T = TypeVar("T")

_CHUNK = 2000  # turns between two steps of the progress bar
_BUILT = "built.json"


@dataclass(frozen=True, slots=True)
class Options:
    """How much to measure, and with which settings of the memory."""

    seed: int = 7
    nodes: tuple[int, ...] = (10_000, 100_000)
    repeats: int = 5
    questions: int = 300
    observes: int = 2_000
    turns: int = 20_000
    kills: int = 200
    minutes: float = 0.5
    config: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Built:
    """A store of made-up turns that nobody writes to: copy it first."""

    folder: Path
    nodes: int
    seconds: float
    text_bytes: int


@dataclass(frozen=True)
class Bench:
    """One run. ``root`` keeps the built stores; ``work`` is emptied at the end."""

    data: DataFolder
    options: Options
    root: Path
    work: Path
    console: Console = field(default_factory=lambda: Console(stderr=True))

    @cached_property
    def corpus(self) -> Corpus:
        """Real turns and questions. Raises ``DataMissing``."""
        return Corpus.load(self.data)

    @property
    def largest(self) -> int:
        """The largest size of store asked for."""
        return max(self.options.nodes)

    def say(self, what: str) -> None:
        """A line of progress, beside the results."""
        self.console.print(what, style="dim", highlight=False)

    def progress(self, items: Iterable[T], what: str) -> Iterable[T]:
        """The items, with a bar."""
        quiet = not self.console.is_terminal
        return track(items, what, console=self.console, transient=True, disable=quiet)

    def asked(self, count: int | None = None) -> list[Question]:
        """Questions, as many as the options say."""
        return self.corpus.asked(count or self.options.questions, self.options.seed)

    def fresh(self) -> Path:
        """A new, empty folder."""
        return Path(tempfile.mkdtemp(dir=self.work))

    @contextmanager
    def copy(self, built: Built) -> Iterator[Path]:
        """A store to write to, removed afterwards."""
        folder = self.fresh()
        shutil.copytree(built.folder, folder, dirs_exist_ok=True)
        yield folder
        shutil.rmtree(folder)

    def store(self, nodes: int) -> Built:
        """The store of that many made-up turns, embedded; built unless this code has built it before."""
        folder = self.root / f"{nodes}-nodes-{self.made_of}-{code_digest()}"
        if not folder.exists():
            building = self.fresh()
            asyncio.run(self._build(building, nodes))
            building.rename(folder)
        return Built(folder, nodes, **json.loads((folder / _BUILT).read_text()))

    @cached_property
    def made_of(self) -> str:
        """A short digest of what the made-up turns and the settings depend on."""
        made_of = (self.corpus.turns, self.options.seed, sorted(self.options.config.items()))
        return hashlib.sha256(repr(made_of).encode()).hexdigest()[:12]

    async def _build(self, folder: Path, nodes: int) -> None:
        started, text_bytes = time.perf_counter(), 0
        turns = self.corpus.made_up(0, nodes, self.options.seed)
        async with Memory.open(folder, config=self.options.config) as memory:
            chunks = range(-(-nodes // _CHUNK))
            for _ in self.progress(chunks, f"building a store of {nodes:,} nodes"):
                chunk = list(islice(turns, _CHUNK))
                text_bytes += sum(len(turn.text.encode()) for turn in chunk)
                await memory.observe_many(turn.message() for turn in chunk)
            await memory.wait_until_embedded()
            seconds = round(time.perf_counter() - started, 2)
        (folder / _BUILT).write_text(json.dumps({"seconds": seconds, "text_bytes": text_bytes}))
        self.say(f"built {nodes:,} nodes in {seconds:.0f} s")


@contextmanager
def opened(data: DataFolder, options: Options, cache: Path | None) -> Iterator[Bench]:
    """A run; what it built stays in ``cache``, and nothing stays where there is none."""
    with tempfile.TemporaryDirectory(prefix="benchmarks-", dir=cache) as work:
        yield Bench(data, options, root=cache or Path(work), work=Path(work))
