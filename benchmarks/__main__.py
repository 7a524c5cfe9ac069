"""Everything that is measured; each part also runs singly, as ``python -m benchmarks.PART``."""

import sys

from benchmarks import command, imports, locomo, observe, scale, syncs

PARTS: dict[str, command.Part] = {
    "locomo": locomo.measure,
    "syncs": syncs.measure,
    "imports": imports.measure,
    "observe": observe.measure,
    "scale": scale.measure,
}

if __name__ == "__main__":
    sys.exit(command.run(PARTS))
