"""`memory serve` in a process of its own, as a person starts it."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

COMMAND = (sys.executable, "-m", "sandbox.cli")


@dataclass(frozen=True)
class Served:
    """A running server, and a client of it."""

    url: str
    client: httpx.Client
    process: subprocess.Popen[str]
    home: Path

    @property
    def token(self) -> str:
        return (self.home / "token").read_text(encoding="utf-8").strip()

    def stop(self) -> tuple[int, str]:
        """Stop it as a service manager does; return its exit code and the rest of its log."""
        self.process.send_signal(signal.SIGTERM)
        _, log = self.process.communicate(timeout=20)
        return self.process.returncode, log


@contextmanager
def serving(home: Path, *options: str, env: Mapping[str, str] | None = None) -> Iterator[Served]:
    """A server over a home, at a free port."""
    command = [*COMMAND, "--home", str(home), "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env)
    try:
        assert process.stderr is not None
        log = ""
        while not (found := re.search(r"http://127\.0\.0\.1:\d+", log)):
            log += (line := process.stderr.readline())
            assert line, log
        with httpx.Client(base_url=found[0], trust_env=False, timeout=30) as client:
            yield Served(found[0], client, process, home)
    finally:
        process.kill()
        process.communicate()
