"""A memory in a temporary folder, a clock that can be set, and a network that is closed except for loopback."""

import gc
import shutil
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.memory import DATABASE
from sandbox.extensions.memory.store.sqlite.database_file import make
from sandbox.extensions.memory.times import to_ms
from sandbox.testing import NOON, FakeClock

# No deadlines, because machines may be busy, and the same examples each time; `make explore` tries new ones, and more.
settings.register_profile("same", deadline=None, derandomize=True, max_examples=30)
settings.register_profile("explore", deadline=None)
settings.load_profile("same")


def pytest_collection_finish() -> None:
    """The collector of garbage passes over all that was imported and collected, half a million objects."""
    gc.freeze()


@pytest.fixture
def clock() -> FakeClock:
    """A clock that stands at noon of 2 March 2026, UTC."""
    return FakeClock()


@contextmanager
def _zone(monkeypatch: pytest.MonkeyPatch, zone: str) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("Windows cannot change the zone of a process")
    with monkeypatch.context() as environment:
        environment.setenv("TZ", zone)
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The clocks of this machine are 14 hours before UTC's, so that noon in UTC is 02:00 of the next day."""
    with _zone(monkeypatch, "EAST-14"):
        yield


@pytest.fixture(params=["EAST-14", "WEST11", "CET-1CEST,M3.5.0,M10.5.0/3"])
def anywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The clocks of this machine are far before or behind UTC's, or have summer time."""
    with _zone(monkeypatch, request.param):
        yield


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an empty database: a copy is opened in half the time that a new one takes."""
    made = tmp_path_factory.mktemp("empty")
    make(made / DATABASE, to_ms(NOON))
    return made


@pytest.fixture
def folder(empty: Path, tmp_path: Path) -> Path:
    """The folder of ``memory``, with an empty database."""
    return shutil.copytree(empty, tmp_path / "memory")


@pytest.fixture
async def memory(folder: Path, clock: FakeClock, request: pytest.FixtureRequest) -> AsyncIterator[Memory]:
    """An empty memory that searches by words alone, with the settings in the mark ``settings`` of the test."""
    mark = request.node.get_closest_marker("settings")
    async with Memory.open(folder, embedder=None, clock=clock, config=mark and mark.kwargs) as opened:
        yield opened


@pytest.fixture
async def embedded(empty: Path, tmp_path: Path, clock: FakeClock) -> AsyncIterator[Memory]:
    """An empty memory with the embedder that ships with it."""
    shutil.copytree(empty, tmp_path / "embedded")
    async with Memory.open(tmp_path / "embedded", clock=clock) as opened:
        yield opened


@pytest.fixture(scope="session", autouse=True)
def no_certificates(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[None]:
    """No server is trusted: each client of a server would read all certificates of this machine, for 30 ms."""
    with pytest.MonkeyPatch.context() as environment:
        if "not agents" in pytestconfig.option.markexpr:  # their packages come from a registry
            environment.delenv("SSL_CERT_FILE", raising=False)
            environment.setenv("SSL_CERT_DIR", str(tmp_path_factory.mktemp("certificates")))
        yield


# --- no network -------------------------------------------------------------------------------------------------------

attempts: list[str] = []


class NetworkUsed(AssertionError):
    """A test reached for the network."""


@pytest.fixture(autouse=True)
def no_network() -> Iterator[None]:
    """A test fails if it connects to, sends to or looks up another machine, even if it catches the error."""
    attempts.clear()
    yield
    if attempts:
        pytest.fail(f"the network was used: {', '.join(attempts)}")


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        host = _host(arguments[1])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    else:
        return
    if not _is_here(host):
        attempts.append(f"{event} {host!r}")
        raise NetworkUsed(attempts[-1])


def _host(address: object) -> object:
    """The host of an internet address; a Unix socket has none."""
    return address[0] if isinstance(address, tuple) else None


def _is_here(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    if name is None or name in ("", "localhost"):
        return True
    try:
        return ip_address(str(name).partition("%")[0]).is_loopback
    except ValueError:
        return False


sys.addaudithook(_guard)
