"""Over stdio, as a client starts it, and over HTTP."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation

from tests.mcp.conftest import Talking, started
from tests.mcp.test_orchestrator import TOOLS
from tests.web.serving import serving

ROOT = Path(__file__).parents[2]


async def test_a_memory_saved_over_stdio_survives_the_process(tmp_path: Path) -> None:
    """A client of the older protocol saves it, one of the newer reads it."""
    ann = Implementation(name="ann", version="1")
    async with Client(started(tmp_path), mode="legacy", client_info=ann) as client:
        agent = Talking(client)
        assert [each.name for each in (await client.list_tools()).tools] == TOOLS["agent"]
        assert "When to SAVE memories" in (client.instructions or "")
        saved = await agent.call("save_memory", content="The user lives in Porto.", category="fact", source="explicit")
    async with Client(started(tmp_path, "--profile", "orchestrator"), mode="auto") as client:
        explained = await Talking(client).call("explain_fact", id=saved["id"])
        assert explained["memory"]["content"] == "The user lives in Porto."


async def test_several_processes_share_a_home(tmp_path: Path) -> None:
    async with Client(started(tmp_path)) as one, Client(started(tmp_path)) as other:
        first, second = Talking(one), Talking(other)
        words = "cats rain Porto bread chess trains maths tulips salt violins".split()
        facts = [f"The user likes {word}." for word in words]
        sides = [first, second]
        saves = [sides[n % 2].call("save_memory", content=fact, category="fact") for n, fact in enumerate(facts)]
        await asyncio.gather(*saves)
        for side in sides:
            assert (await side.call("manage_memory", action="list"))["total"] == len(facts)


async def test_a_server_goes_on_with_a_new_memory_where_its_home_was_deleted(tmp_path: Path) -> None:
    async with Client(started(tmp_path / "home")) as client:
        agent = Talking(client)
        await agent.call("save_memory", content="The user lives in Porto.", category="fact")
        shutil.rmtree(tmp_path / "home")
        assert (await agent.call("recall_memories", query="Porto"))["count"] == 0
        await agent.call("save_memory", content="The user likes tulips.", category="fact")
        assert (await agent.call("manage_memory", action="list"))["total"] == 1


async def test_a_client_is_told_why_the_memory_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_text("a shopping list\n" * 100)
    async with Client(started(tmp_path)) as client:
        agent = Talking(client)
        assert "is not a memory database" in await agent.refused("recall_memories", query="Porto")
        (tmp_path / "memory.db").unlink()
        assert (await agent.call("recall_memories", query="Porto"))["count"] == 0


async def test_the_address_sets_user_and_project_over_http(address: str) -> None:
    fact = {"content": "The user lives in Porto.", "category": "fact", "source": "explicit"}
    async with Client(address) as own, Client(f"{address}?user=ann") as ann, Client(address, mode="legacy") as again:
        await Talking(own).call("save_memory", **fact)
        assert (await Talking(ann).call("recall_memories", query="Porto"))["count"] == 0
        assert (await Talking(again).call("recall_memories", query="Porto"))["count"] == 1
    async with Client(f"{address}?profile=orchestrator&user=ann&project=x") as client:
        assert (await Talking(client).call("memory_stats"))["entities"] == 0


@pytest.mark.parametrize("slip", ["?usr=ann", "?user=", "?user=a&user=b", "?profile=nothing"])
async def test_an_invalid_address_is_refused(address: str, slip: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *("curl", "-s", "-X", "POST", "-d", "{}", f"{address}{slip}"), stdout=asyncio.subprocess.PIPE
    )
    answer, _ = await process.communicate()
    assert json.loads(answer)["status"] == 400


# --- the process ------------------------------------------------------------------------------------------------------


def begin(home: Path, *options: str) -> "subprocess.Popen[bytes]":
    server, pipe = started(home, *options), subprocess.PIPE
    return subprocess.Popen([server.command, *server.args], stdin=pipe, stdout=pipe, stderr=pipe, cwd=server.cwd)


def saving(process: "subprocess.Popen[bytes]") -> None:
    """Let it save a memory, and wait for the answer."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(lines(*HELLO, SAVE))
    process.stdin.flush()
    while json.loads(process.stdout.readline()).get("id") != 2:
        pass


def lines(*messages: dict[str, Any]) -> bytes:
    return b"".join(json.dumps({"jsonrpc": "2.0", **each}).encode() + b"\n" for each in messages)


HELLO: tuple[dict[str, Any], ...] = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "a script", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
)
SAVE = {
    "id": 2,
    "method": "tools/call",
    "params": {"name": "save_memory", "arguments": {"content": "It rains in Porto.", "category": "fact"}},
}


def test_requests_before_the_end_of_stdin_are_answered(tmp_path: Path) -> None:
    process = begin(tmp_path)
    out, err = process.communicate(b"no JSON\n" + lines(*HELLO, SAVE), timeout=60)
    answers = {each.get("id"): each for each in map(json.loads, out.splitlines())}
    assert process.returncode == 0, err
    assert answers[2]["result"]["structuredContent"]["action"] == "created"
    assert err == b""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM")
def test_sigterm_ends_the_server_while_stdin_is_open(tmp_path: Path) -> None:
    with begin(tmp_path) as process:
        saving(process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
        assert process.stderr
        assert process.stderr.read() == b""
    assert [path.name for path in tmp_path.glob("*-wal")] == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM")
@pytest.mark.parametrize("is_closed", [False, True])
def test_signals_during_the_end_change_nothing(is_closed: bool, tmp_path: Path) -> None:
    """From the end of the last request on, or from the moment when the memory is closed."""
    with begin(tmp_path) as process:
        saving(process)
        assert process.stdin
        assert process.stderr
        process.stdin.close()
        while is_closed and process.poll() is None and list(tmp_path.glob("*-wal")):
            pass
        while process.poll() is None:
            process.send_signal(signal.SIGTERM)
        assert (process.returncode, process.stderr.read()) == (0, b"")
    assert [path.name for path in tmp_path.glob("*-wal")] == []


@pytest.mark.parametrize(
    ("options", "problem"),
    [(("--profile", "all"), "one of agent"), (("--trust", "confirmed"), "one of user, assistant")],
)
def test_a_failed_start_is_reported_on_stderr(tmp_path: Path, options: tuple[str, ...], problem: str) -> None:
    process = begin(tmp_path, *options)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, b"")
    assert problem in err.decode()


# --- beside REST ------------------------------------------------------------------------------------------------------


async def test_memory_serve_offers_mcp_with_the_same_access_check(tmp_path: Path) -> None:
    with serving(tmp_path / "home", "--require-token") as server:
        assert server.client.post("/mcp", json={}).status_code == 401
        bearer = {"Authorization": f"Bearer {server.token}"}
        evil = {"host": "evil.example", **bearer}
        assert server.client.post("/mcp", json={}, headers=evil).status_code == 421
        elsewhere = {"origin": "https://evil.example", **bearer}
        assert server.client.get("/mcp", headers=elsewhere).status_code == 403
        async with (
            httpx2.AsyncClient(headers=bearer) as http,
            Client(streamable_http_client(f"{server.url}/mcp?user=bo", http_client=http)) as client,
        ):
            saved = await Talking(client).call("save_memory", content="It rains in Porto.", category="fact")
        got = server.client.get(f"/api/memory/{saved['id']}", params={"user": "bo"}, headers=bearer)
        assert got.json()["content"] == "It rains in Porto."
        code, log = server.stop()
        assert code == 0
        assert "Traceback" not in log
