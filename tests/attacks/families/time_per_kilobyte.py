"""For every method the time grows at most linearly with the text: texts of many shapes, up to a megabyte."""

import asyncio
import json
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.attacks.report import Report
from tests.attacks.timing import SHAPES

_SIZES = (1_000, 16_000, 64_000)  # characters
_LARGEST = (1_000_000,)  # of every tenth shape
_SHORT_SIZES = (4_000, 32_000)
_HANGS = 60.0  # seconds of one call, after which it is ended
_NOISE = 3.0  # the factor above linear growth that other work may cause
_FLOOR = 0.3  # too few seconds to judge growth

_Times = dict[tuple[str, str], dict[int, float]]


async def attack(folder: Path, short: bool) -> Report:
    """Run every method with every shape in several sizes, in a process that can be killed, and compare the times."""
    plan: list[tuple[str, tuple[int, ...]]] = [
        (shape, _SHORT_SIZES if short else _SIZES if place % 10 else _SIZES + _LARGEST)
        for place, shape in enumerate(SHAPES)
        if not short or place % 20 == 0
    ]
    times: _Times = defaultdict(dict)
    hung: set[tuple[str, str]] = set()
    while (found := await _measured(folder / str(len(hung)), plan, hung, times)) is not None:
        hung.add(found)
        plan = plan[[shape for shape, _ in plan].index(found[1]) :]
    through = [f"{entry} with {shape}: takes more than {_HANGS:.0f} s" for entry, shape in sorted(hung)]
    through += [
        f"{entry} with {shape}: {took[smaller]:.2f} s at {smaller:,} characters, {took[larger]:.2f} s at {larger:,}"
        for (entry, shape), took in times.items()
        for smaller, larger in pairwise(took)
        if took[larger] > max(_FLOOR, _NOISE * took[smaller] * larger / smaller)
    ]
    return Report("texts that take more than linear time", len(times), tuple(through), _worst(times))


async def _measured(
    folder: Path, plan: list[tuple[str, tuple[int, ...]]], hung: set[tuple[str, str]], times: _Times
) -> tuple[str, str] | None:
    """The times of a process, and the call that hangs, if one does."""
    given = json.dumps([str(folder), plan, sorted(hung)])
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.attacks.timing", given, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    called: list[Any] = []
    try:
        async with asyncio.timeout(None) as limit:
            while True:
                limit.reschedule(asyncio.get_running_loop().time() + _HANGS)
                line = await process.stdout.readline()
                if not line:
                    break
                called = json.loads(line)
                if len(called) == 4:
                    entry, shape, characters, seconds = called
                    times[entry, shape][characters] = seconds
    except BaseException as error:
        process.kill()
        await process.wait()
        if isinstance(error, TimeoutError):
            return called[0], called[1]
        raise
    assert await process.wait() == 0, f"the process failed at {called}"
    return None


def _worst(times: _Times) -> str:
    """The worst time for a kilobyte of each method, in milliseconds."""
    worst: dict[str, float] = defaultdict(float)
    for (entry, _), took in times.items():
        largest = max(took)
        worst[entry] = max(worst[entry], 1e6 * took[largest] / largest)
    return "ms a kB at worst: " + ", ".join(f"{entry} {each:.2f}" for entry, each in worst.items())
