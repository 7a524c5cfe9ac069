"""Everything that is measured; each part also runs singly, as ``python -m benchmarks.PART``."""

import sys

from benchmarks import (
    ablation,
    command,
    factconsolidation,
    imports,
    kernel,
    locomo,
    longmemeval,
    observe,
    scale,
    syncs,
    xquad,
)

PARTS: dict[str, command.Part] = {
    "locomo": locomo.QUESTIONS.measure,
    "longmemeval": longmemeval.QUESTIONS.measure,
    "factconsolidation": factconsolidation.QUESTIONS.measure,
    "xquad": xquad.QUESTIONS.measure,
    "ablation": ablation.measure,
    "syncs": syncs.measure,
    "imports": imports.measure,
    "observe": observe.measure,
    "kernel": kernel.measure,
    "scale": scale.measure,
}

if __name__ == "__main__":
    sys.exit(command.run(PARTS))
