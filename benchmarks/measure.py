"""Numbers about numbers, and about the machine they were taken on."""

import asyncio
import hashlib
import importlib.metadata
import importlib.util
import os
import platform
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import sandbox
from sandbox.extensions.memory.store.sqlite.connection import driver

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MB = 1_000_000
_SOURCES = ("*.py", "*.sql", "*.yaml")
_STEADY_BYTES, _STEADY_SECONDS, _LONGEST_SECONDS = MB, 0.25, 60.0


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that ``percent`` of the values do not exceed, interpolated between neighbours."""
    return float(np.percentile(values, percent))


def spread(values: Sequence[float]) -> dict[str, float]:
    """What a series of seconds looks like, in milliseconds."""
    shares = {f"p{percent}_ms": round(percentile(values, percent) * 1000, 3) for percent in (50, 95, 99)}
    return {**shares, "max_ms": round(max(values) * 1000, 3), "count": len(values)}


def tokens(text: str) -> int:
    """How many tokens a text has for the embedded model's own tokenizer, the whole text at once."""
    return len(_tokenizer().encode(text, add_special_tokens=False).ids)


def machine(folder: Path) -> dict[str, Any]:
    """Where it runs; ``folder`` is where the stores are kept."""
    return {
        "cpu": _after_colon(Path("/proc/cpuinfo"), "model name") or platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "os": platform.platform(),
        "file_system": _file_system(folder),
        "load": load(),
    }


def load() -> list[float]:
    """The load averages of 1, 5 and 15 minutes: how busy the machine is with other things."""
    return [round(value, 2) for value in os.getloadavg()]


def versions() -> dict[str, str]:
    """What it runs with. ``code`` is a digest of the package's sources: versions stand still while they change."""
    used = driver()
    packages = (used.name, "sqlite-vec", "aiosqlite", "numpy", "wordllama", "tokenizers", "assistant-memory")
    return {
        "python": platform.python_version(),
        "sqlite": used.module.sqlite_version,
        "sqlite_driver": used.name,
        "vec0": "yes" if used.has_vec else "no",
        **{name: _version(name) for name in packages if name != "sqlite3"},
        "code": code_digest(),
    }


def code_digest() -> str:
    """A short digest of the sources of the memory."""
    root, digest = Path(sandbox.__file__).parent, hashlib.sha256()
    for path in sorted(path for pattern in _SOURCES for path in root.rglob(pattern)):
        digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def resident() -> tuple[int, int]:
    """Bytes of this process in memory: now, and at most so far (which is all that some systems tell)."""
    status = Path("/proc/self/status")
    if status.exists():
        now, most = (int((_after_colon(status, key) or "0 kB").split()[0]) * 1024 for key in ("VmRSS", "VmHWM"))
        return now, most
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return most, most


async def settled() -> None:
    """Returns once the process's memory has stopped changing: what loads in the background is loaded."""
    deadline, last = time.monotonic() + _LONGEST_SECONDS, 0
    while abs(resident()[0] - last) > _STEADY_BYTES and time.monotonic() < deadline:
        last = resident()[0]
        await asyncio.sleep(_STEADY_SECONDS)


@cache
def _tokenizer() -> "Tokenizer":
    from tokenizers import Tokenizer  # whether it was imported before is looked at elsewhere

    spec = importlib.util.find_spec("wordllama")  # importing it would set up logging
    if spec is None or spec.origin is None:
        raise RuntimeError("wordllama, whose tokenizer counts, is not installed")
    tokenizer = Tokenizer.from_file(str(Path(spec.origin).parent / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _after_colon(path: Path, key: str) -> str | None:
    if not path.exists():
        return None
    lines = (line.partition(":") for line in path.read_text().splitlines())
    return next((value.strip() for name, _, value in lines if name.strip() == key), None)


def _file_system(folder: Path) -> str:
    """The kind of file system a folder is on; a sync to one in memory costs nothing and means nothing."""
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return "unknown"
    lines = [line.split()[1:3] for line in mounts.read_text().splitlines()]
    holding = [(mount, kind) for mount, kind in lines if folder.resolve().is_relative_to(mount)]
    return max(holding, key=lambda pair: len(pair[0]))[1]


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
