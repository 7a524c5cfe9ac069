"""A kernel that is killed during turns continues at the same place: nothing is lost, and nothing is there twice."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Timer

import pytest

from sandbox.testing import Answer, Request, ScriptedModel
from tests.kernel.buses import rows

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked processes")

KILLS = 20  # `python -m benchmarks --only crashes` tries more
CUT_OFF, REPLIED = (5, 3)  # fewest turns that were killed and later answered: a busy machine needs more kills
MOST_KILLS = 200
LONGEST = 0.6  # seconds until a kernel is killed, at most; its first reply takes 0.3


def reply_to(request: Request) -> Answer:
    """A reply that names the message, streamed with a pause in it."""
    said = request.messages[-1]["content"]
    return Answer(f"This is the whole reply to: {said}", stall=0.02)


class Forker:
    """Kernels in processes of their own, one after the other, over one home."""

    def __init__(self, home: Path, base_url: str) -> None:
        arguments = [sys.executable, "-m", "tests.kernel.forker", str(home), base_url]
        self._process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._line() == "ready"

    def run(self, first: int, last: int, seconds: float | None, *, in_turn: bool = False) -> Iterator[str]:
        """The lines of a kernel until it ends, or is killed so many seconds after its start or its first turn."""
        assert self._process.stdin
        self._process.stdin.write(f"{first} {last}\n")
        self._process.stdin.flush()
        pid = int(self._line().removeprefix("pid "))
        timer = Timer(seconds or 0, _kill, [pid])
        is_due = seconds is not None and not in_turn
        if is_due:
            timer.start()
        while (line := self._line()) != "gone":
            if seconds is not None and not is_due:
                is_due = True
                timer.start()
            yield line
        timer.cancel()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def test_a_killed_kernel_loses_and_doubles_no_message(tmp_path: Path) -> None:
    chance = random.Random(7)
    taken: set[int] = set()
    replied: set[int] = set()
    kills = cut_off = 0
    with ScriptedModel(otherwise=reply_to) as model, closing(Forker(tmp_path, model.base_url)) as kernels:
        while kills < KILLS or (kills < MOST_KILLS and (cut_off < CUT_OFF or len(replied) < REPLIED)):
            next_message = max(taken, default=-1) + 1
            in_turn = bool(kills % 2)
            seconds = chance.uniform(0, 0.4) if in_turn else chance.uniform(0.02, LONGEST)
            lines = list(kernels.run(next_message, next_message + 1000, seconds, in_turn=in_turn))
            kills += 1
            taken |= {int(line.split()[1]) for line in lines if line.startswith("taken")}
            replied |= {int(line.split()[1]) for line in lines if line.startswith("replied")}
            cut_off += bool(lines) and lines[-1].startswith("taken")
            assert "end" not in lines
        last = max(taken) + 1
        assert "end" in list(kernels.run(last, last + 1, None))
        taken.add(last)
    assert cut_off >= CUT_OFF
    assert len(replied) >= REPLIED
    _check_memory(tmp_path, taken, replied)
    _check_conversation(tmp_path)
    assert rows(tmp_path, "SELECT * FROM deliveries") == []
    assert rows(tmp_path, "SELECT * FROM turns WHERE reply IS NULL") == []
    assert rows(tmp_path, "SELECT * FROM events WHERE payload IS NOT NULL") == []


def _check_memory(home: Path, taken: set[int], replied: set[int]) -> None:
    """The memory holds every acknowledged message once, and every reply that was shown."""
    remembered = Counter(row[0] for row in rows(home, "SELECT key FROM nodes WHERE type = 'episodic'", "memory.db"))
    assert set(remembered.values()) == {1}
    assert {f"m-{number}" for number in taken} <= remembered.keys()
    assert {f"m-{number}-reply" for number in replied} <= remembered.keys()
    for key, content in rows(home, "SELECT key, content FROM nodes WHERE key LIKE '%-reply'", "memory.db"):
        number = key.removeprefix("m-").removesuffix("-reply")
        assert content == f"This is the whole reply to: Message number {number}."


def _check_conversation(home: Path) -> None:
    """The agent's history has no message twice, and no half replies."""
    items = [row[0] for row in rows(home, "SELECT message_data FROM agent_messages ORDER BY id", "conversations.db")]
    assert len(set(items)) == len(items)


def test_another_kernel_takes_over_from_a_killed_one_at_once(tmp_path: Path) -> None:
    """The next kernel does not wait for a lease to end."""
    with ScriptedModel(otherwise=reply_to) as model, closing(Forker(tmp_path, model.base_url)) as kernels:
        lines = kernels.run(0, 1, 0.25)
        list(lines)
        began = time.monotonic()
        assert "end" in list(kernels.run(1, 2, None))
        assert time.monotonic() - began < 10
