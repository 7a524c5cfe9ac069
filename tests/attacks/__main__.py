"""`python -m tests.attacks [FAMILY ...]` runs every attack in full and prints a table; the exit code is 1 if one
succeeds.
"""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.attacks.report import attacks


def main() -> int:
    """Run the named families, or all."""
    through = 0
    print("| attack | tried | got through | |\n|---|---|---|---|", flush=True)
    for name, attack in attacks():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        with TemporaryDirectory() as folder:
            report = asyncio.run(attack(Path(folder), False))
        print(f"| {report.title} | {report.tried} | {len(report.through)} | {report.note} |", flush=True)
        print("".join(f"  {each}\n" for each in report.through), end="", file=sys.stderr, flush=True)
        through += len(report.through)
    return 1 if through else 0


if __name__ == "__main__":
    sys.exit(main())
