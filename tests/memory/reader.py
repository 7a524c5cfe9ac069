"""A process that holds a snapshot of a memory: `python -m tests.memory.reader FILE`."""

import sys
from pathlib import Path

from tests.memory.store import raw


def main() -> None:
    """Hold a snapshot from the first printed line until a line comes in."""
    connection = raw.connect(Path(sys.argv[1]))
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM nodes").fetchone()
    print("reading", flush=True)
    sys.stdin.readline()
    connection.close()


if __name__ == "__main__":
    main()
