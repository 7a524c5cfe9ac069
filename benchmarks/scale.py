"""What grows with the number of memories: context, first context, memory and disk, at each size of ``--nodes``."""

import sys

from benchmarks import cold, command, context
from benchmarks.bench import Bench, Built
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
    return Figure("disk over text and vectors", stored / least, "x", nodes=built.nodes, note=note)


if __name__ == "__main__":
    sys.exit(command.run({"scale": measure}))
