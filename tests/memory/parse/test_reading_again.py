"""The same words are read in the same way by every process."""

import os
import subprocess
import sys

READ = """
from datetime import UTC, datetime
from sandbox.extensions.memory.parse import read
said = "Ковёр у нас один, зато линяют две кошки, мейн-куны Плюша и Граф, и шерсть просто везде, даже в холодильнике"
print(read([("user", said, datetime(2026, 1, 1, tzinfo=UTC))], {"user": ""}).statements[0].content)
"""


def _read(seed: int) -> bytes:
    """What a process says whose sets have the order of a seed."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run([sys.executable, "-c", READ], env=environment, capture_output=True, check=True).stdout


def test_the_order_of_sets_does_not_decide_where_a_report_ends() -> None:
    assert _read(12) == _read(0)
