"""The examples of the page on MCP, and the settings of the README, are true."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from mcp import Client

from sandbox.cli.configured import configs
from sandbox.extensions.memory_mcp.main import check
from sandbox.settings import CONFIG
from tests.mcp.conftest import started
from tests.mcp.test_orchestrator import TOOLS
from tests.test_docs import README, ROOT, blocks, printed

PAGE = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")


def test_the_program_runs(tmp_path: Path) -> None:
    (program,) = blocks("python", PAGE)
    assert printed(program, tmp_path) == "The user lives in Porto.\n"


@pytest.mark.parametrize("settings", [*blocks("json", README), *blocks("json", PAGE)])
async def test_the_settings_of_clients_start_a_server(settings: str, tmp_path: Path) -> None:
    server = json.loads(settings)["mcpServers"]["memory"]
    assert (server["command"], server["args"][0]) == ("memory", "mcp")
    async with Client(started(tmp_path, *server["args"][1:])) as client:
        profile = "graph" if "graph" in server["args"] else "agent"
        assert [each.name for each in (await client.list_tools()).tools] == TOOLS[profile]


def test_the_page_lists_every_profile_and_tool() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.MULTILINE)
    assert {name: re.findall(r"`(.*?)`", tools) for name, tools in rows} == TOOLS


def test_the_settings_are_taken(tmp_path: Path) -> None:
    (section,) = blocks("yaml", PAGE)
    (tmp_path / CONFIG).write_text(section, encoding="utf-8")
    chosen = configs(tmp_path)[1]["memory_mcp"]
    check(str(chosen["profile"]), str(chosen["trust"]))


def test_the_address_is_right() -> None:
    (address,) = blocks("text", PAGE)
    assert urlsplit(address.strip()).path == "/mcp"
