"""What grows with the number of memories: context, first context, memory and disk, at each size of ``--nodes``.

Run by itself it also compares bulk imports with their bare legs. The sizes by default take ten minutes; a million nodes
(``--nodes 1000000 --questions 100 --repeats 3``) take half an hour, and 4 GB of disk.
"""

from benchmarks import cold, context
from benchmarks.bench import Bench, Built
from benchmarks.floors import floor
from benchmarks.measure import MB
from benchmarks.report import Figure
from sandbox.extensions.embedding import WordLlamaEmbedder

_FLOAT32_BYTES = 4


def measure(bench: Bench) -> list[Figure]:
    """Everything at one size, then at the next."""
    return [figure for nodes in bench.options.nodes for figure in _at(bench, bench.store(nodes))]


def _at(bench: Bench, built: Built) -> list[Figure]:
    bench.say(f"{built.nodes:,} nodes ...")
    return [
        *context.latency(bench, built),
        *cold.first_context(bench, built),
        *cold.memory_in_use(bench, built),
        _disk(built),
    ]


def _disk(built: Built) -> Figure:
    """The files as a multiple of what must be in them: the text and float32 vectors."""
    stored = sum(path.stat().st_size for path in built.folder.glob("memory.db*"))
    least = built.text_bytes + built.nodes * WordLlamaEmbedder().dimensions * _FLOAT32_BYTES
    note = f"{stored / MB:,.0f} MB, of which text {built.text_bytes / MB:,.0f} MB; built in {built.seconds:,.0f} s"
    name = "disk over text and vectors"
    return Figure(name, stored / least, "x", floor(name, built.nodes), built.nodes, note)
