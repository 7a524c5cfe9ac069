"""How long a prompt waits for `memory hook UserPromptSubmit`, from the start of its process to its end: with the
process that keeps the memory open, and right after that was killed: then words alone answer while another starts.

Every question is a process of its own, started as an agent starts it; the page cache is warm.
"""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

from benchmarks.bench import Bench, Built
from benchmarks.callers import end_resident
from benchmarks.floors import floor
from benchmarks.measure import percentile
from benchmarks.report import Figure
from sandbox.extensions.memory_hooks import client

_EACH = 100  # prompts with the resident process
_COLD = 20  # prompts without it: each starts another


def measure(bench: Bench) -> list[Figure]:
    """At every size asked for."""
    return [figure for nodes in bench.options.nodes for figure in _at(bench, bench.store(nodes))]


def _at(bench: Bench, built: Built) -> list[Figure]:
    prompts = [question.text for question in bench.asked(min(_EACH, bench.options.questions))]
    with bench.copy(built) as home:
        _ask(home, prompts[0])
        client.wait_until_answering(home)
        with_it = [_ask(home, each) for each in bench.progress(prompts, "with the resident process")]
        without = []
        for each in bench.progress(prompts[:_COLD], "starting it"):
            client.wait_until_answering(home)
            end_resident(home, signal.SIGKILL)
            without.append(_ask(home, each))
        client.wait_until_answering(home)
        end_resident(home, signal.SIGKILL)
    return [
        *_figures("hook, resident process", with_it, built.nodes),
        *_figures("hook, starting it", without, built.nodes),
    ]


def _figures(name: str, seconds: Sequence[float], nodes: int) -> list[Figure]:
    p50, p95, most = (1000 * percentile(seconds, each) for each in (50, 95, 100))
    note, figure = f"p50 {p50:.0f} ms, most {most:.0f} ms, of {len(seconds)}", f"{name}, p95"
    return [Figure(figure, p95, "ms", floor(figure, nodes), nodes, note)]


def _ask(home: Path, prompt: str) -> float:
    """Seconds that the agent waits, at the first prompt of a session: it is told a memory once in each."""
    given = json.dumps({"session_id": str(uuid4()), "cwd": str(Path.home()), "prompt": prompt})
    script = Path(sys.executable).with_name("memory")
    started = time.perf_counter()
    ran = subprocess.run(
        [script, "hook", "UserPromptSubmit", "--home", home], input=given, capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - started
    if prompt and not ran.stdout:
        raise RuntimeError(f"the hook answered nothing: {(home / 'hooks.log').read_text()[-300:]}")
    return seconds
