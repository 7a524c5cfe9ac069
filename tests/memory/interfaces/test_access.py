"""Who may connect over HTTP, tried with a real client of a real server on this machine."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn

from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.interfaces.access import TOKEN_FILE, Access, Receive, Send, is_loopback, token_of

TOKEN = "a-token-of-many-letters"
RIGHT = {"authorization": f"Bearer {TOKEN}"}


async def greet(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    """The protected application."""
    if scope["type"] == "lifespan":
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"welcome"})


@asynccontextmanager
async def served(access: Access) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the server, which listens on loopback in every case."""
    server = uvicorn.Server(uvicorn.Config(access, log_config=None))
    listening = socket.create_server(("127.0.0.1", 0))
    serving = asyncio.create_task(server.serve([listening]))
    try:
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}") as client:
            yield client
    finally:
        server.should_exit = True
        await serving


async def test_local_requests_need_no_token_and_a_wrong_one_is_refused() -> None:
    async with served(Access(greet, TOKEN)) as client:
        assert (await client.get("/")).text == "welcome"
        assert (await client.get("/", headers=RIGHT)).text == "welcome"
        wrong = await client.get("/", headers={"authorization": "Bearer another"})
        assert (wrong.status_code, wrong.headers["content-type"]) == (401, "application/problem+json")
        assert "file `token`" in wrong.json()["detail"]
        assert (await client.get("/", headers={"authorization": f"Basic {TOKEN}"})).status_code == 401
        assert (await client.get("/", headers={b"authorization": "Bearer täöken".encode()})).status_code == 401


async def test_remote_requests_need_the_token() -> None:
    async with served(Access(greet, TOKEN, host="0.0.0.0", open_paths=("/health",))) as client:
        refused = await client.get("/")
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, 'Bearer realm="assistant-memory"')
        assert TOKEN not in refused.text
        assert (await client.get("/", headers=RIGHT)).text == "welcome"
        assert (await client.get("/", headers={"host": "memory.example", **RIGHT})).text == "welcome"
        assert (await client.get("/health")).text == "welcome"
        assert (await client.get("/health/more")).status_code == 401
        twice = [("authorization", f"Bearer {TOKEN}"), ("authorization", "Bearer another")]
        assert (await client.get("/", headers=twice)).status_code == 400


@pytest.mark.parametrize(
    "header",
    [
        {"host": "box.example"},
        {"forwarded": "for=192.0.2.60"},
        {"x-forwarded-for": "192.0.2.60"},
        {"x-real-ip": "192.0.2.60"},
        {"via": "1.1 box"},
    ],
)
async def test_requests_through_a_proxy_need_the_token(header: dict[str, str]) -> None:
    """To the server they come from this machine."""
    async with served(Access(greet, TOKEN, names=("box.example",))) as client:
        assert (await client.get("/", headers=header)).status_code == 401
        assert (await client.get("/", headers={**header, **RIGHT})).text == "welcome"


OWN = ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]:80", "LOCALHOST", "box.example"]
FOREIGN = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "127.0.0.1@evil.example", "", "a:b"]


async def test_only_names_of_this_machine_are_accepted() -> None:
    """A page can make its own name mean 127.0.0.1, so that its requests have one origin."""
    async with served(Access(greet, TOKEN, names=("Box.Example",))) as client:
        found = {
            host: (await client.get("/", headers={"host": host, **RIGHT})).status_code for host in (*OWN, *FOREIGN)
        }
    assert found == dict.fromkeys(OWN, 200) | dict.fromkeys(FOREIGN, 421)


async def test_only_configured_names_are_accepted_for_remote_requests() -> None:
    async with served(Access(greet, TOKEN, host="0.0.0.0", names=("box.example",))) as client:
        assert (await client.get("/", headers={"host": "box.example", **RIGHT})).text == "welcome"
        assert (await client.get("/", headers={"host": "evil.example", **RIGHT})).status_code == 421


async def test_only_pages_of_this_machine_may_ask() -> None:
    own = ["http://localhost:6274", "http://127.0.0.1", "https://box.example"]
    foreign = ["https://evil.example", "https://localhost.evil.example", "null", "file://"]
    async with served(Access(greet, TOKEN, names=("box.example",))) as client:
        found = {origin: (await client.get("/", headers={"origin": origin})).status_code for origin in (*own, *foreign)}
    assert found == dict.fromkeys(own, 200) | dict.fromkeys(foreign, 403)


def test_only_loopback_addresses_are_loopback() -> None:
    hosts = ["127.0.0.2", "::1", "[::1]", "localhost", "0.0.0.0", "::", "192.168.1.2", "box", ""]
    assert [host for host in hosts if is_loopback(host)] == hosts[:4]


# --- the file ---------------------------------------------------------------------------------------------------------


def test_a_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    token = token_of(home)
    assert len(token) >= 43
    assert token_of(home) == token
    assert (home / TOKEN_FILE).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in home.iterdir()] == [TOKEN_FILE]
    assert token_of(tmp_path / "another") != token


def test_a_token_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    (tmp_path / TOKEN_FILE).write_text("0123456789abcdef\n")
    (tmp_path / TOKEN_FILE).chmod(0o644)
    assert token_of(tmp_path) == "0123456789abcdef"
    assert (tmp_path / TOKEN_FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "\n", "short", "two words that are long", "ünicode-of-many-letters"])
def test_a_file_without_a_token_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / TOKEN_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidArgument, match=r"token.*holds no token.*remove it") as raised:
        token_of(tmp_path)
    assert "short" not in str(raised.value).replace(str(tmp_path), "")


def test_servers_starting_at_once_share_one_token(tmp_path: Path) -> None:
    start = threading.Barrier(8)

    def begin(_: int) -> str:
        start.wait()
        return token_of(tmp_path)

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(begin, range(8)))) == 1
