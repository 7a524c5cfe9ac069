"""Test suites of others for servers of MCP, by `python -m tests.mcp.conformance`. It needs npm, and exits with 1 if a
check fails. The protocol's own suite runs against `memory serve`, the inspector against every profile over stdio. The
official memory server and the profile graph get the same calls and have to answer the same.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters

from sandbox.extensions.memory_mcp.profiles import NAMES
from tests.mcp.conftest import started
from tests.web.serving import serving

NODE, SUITE = "node@22", "@modelcontextprotocol/conformance@0.1.16"
INSPECTOR, OFFICIAL = "@modelcontextprotocol/inspector@2.12.0", "@modelcontextprotocol/server-memory@2026.8.31"
EXPECTED = Path(__file__).with_name("conformance-expected-failures.yml")
_STEPS = 60  # that both servers are told


def npx(package: str, command: str, *arguments: str) -> list[str]:
    return ["npx", "--yes", "--package", NODE, "--package", package, command, *arguments]


def suite(folder: Path) -> bool:
    """The scenarios that apply to any server."""
    with serving(folder / "served") as server:
        options = ("server", "--url", f"{server.url}/mcp", "--suite", "all", "--expected-failures", str(EXPECTED))
        ran = subprocess.run(
            npx(SUITE, "conformance", *options), cwd=folder, capture_output=True, text=True, check=False
        )
        _, log = server.stop()
    print(ran.stdout.partition("=== SUMMARY ===")[2] or ran.stdout + ran.stderr, log if "Traceback" in log else "")
    return ran.returncode == 0 and "Traceback" not in log


def inspector(folder: Path) -> bool:
    """The tools of every profile, as the inspector sees them."""
    good = True
    for name in NAMES:
        server = started(folder / name, "--profile", name)
        command = npx(INSPECTOR, "mcp-inspector", "--cli", server.command, *server.args, "--method", "tools/list")
        ran = subprocess.run(command, cwd=server.cwd, capture_output=True, text=True, check=False)
        try:
            found = [each["name"] for each in json.loads(ran.stdout)["tools"]]
        except (ValueError, KeyError):
            found, good = [], False
        print(f"{name}: {', '.join(found) or ran.stdout + ran.stderr}")
    return good


async def drop_in(folder: Path, seed: int = 0) -> bool:
    """Both servers, with the same calls in the same order."""
    environment = {**os.environ, "MEMORY_FILE_PATH": str(folder / "official.jsonl")}
    command, *arguments = npx(OFFICIAL, "mcp-server-memory")
    official = StdioServerParameters(command=command, args=arguments, env=environment)
    ours = started(folder / "graph", "--profile", "graph")
    good = True
    async with Client(official, mode="legacy") as theirs, Client(ours, mode="legacy") as mine:
        shown = [[each.name for each in (await side.list_tools()).tools] for side in (theirs, mine)]
        good = shown[0] == shown[1]
        for name, given in _steps(random.Random(seed)):
            answers = [await side.call_tool(name, given) for side in (theirs, mine)]
            same = answers[0].is_error == answers[1].is_error and (
                answers[0].is_error or answers[0].structured_content == answers[1].structured_content
            )
            if not same:
                good = False
                print(name, given, *(each.structured_content or each.content for each in answers), sep="\n  ")
    print(f"{_STEPS} calls, tools {'the same' if shown[0] == shown[1] else shown}")
    return good


def _steps(chance: random.Random) -> list[tuple[str, dict[str, Any]]]:
    names, types = ["Ann", "Bo", "Cy & Co", "Dé_sirée"], ["person", "place"]
    facts = ["likes tea", "lives in Porto", "lives in Rome", "works at Acme", "plays chess on Sundays"]

    def some(of: list[str]) -> list[str]:
        return chance.sample(of, chance.randint(0, 2))

    def relation() -> dict[str, str]:
        return {
            "from": chance.choice(names),
            "to": chance.choice(names),
            "relationType": chance.choice(["knows", "helps"]),
        }

    def step() -> tuple[str, dict[str, Any]]:
        name = chance.choice(names)
        calls: list[tuple[str, dict[str, Any]]] = [
            (
                "create_entities",
                {"entities": [{"name": name, "entityType": chance.choice(types), "observations": some(facts)}]},
            ),
            ("create_relations", {"relations": [relation()]}),
            ("add_observations", {"observations": [{"entityName": name, "contents": some(facts)}]}),
            ("delete_observations", {"deletions": [{"entityName": name, "observations": some(facts)}]}),
            ("delete_relations", {"relations": [relation()]}),
            ("delete_entities", {"entityNames": some(names)[:1]}),
            ("search_nodes", {"query": chance.choice([*facts, *types, "an", "zebra"])}),
            ("open_nodes", {"names": some(names)}),
        ]
        return chance.choice(calls)

    steps = [step() for _ in range(_STEPS // 2)]
    return [each for done in steps for each in (done, ("read_graph", {}))]


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        place, results = Path(folder), dict[str, bool]()
        print(f"--- {SUITE}")
        results["suite"] = suite(place)
        print(f"--- {INSPECTOR}")
        results["inspector"] = inspector(place)
        print(f"--- {OFFICIAL}")
        results["drop-in"] = asyncio.run(drop_in(place))
    print(results)
    sys.exit(not all(results.values()))
