"""The OpenAPI document is true: schemathesis sends requests that it allows, and that it forbids."""

import subprocess
import sys
from pathlib import Path

from tests.web.serving import serving


def schemathesis(url: str, token: str, *options: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "schemathesis"), "run", f"{url}/openapi.json", "--checks", "all"]
    endless = ("--exclude-path", "/api/events")
    told = ["--no-color", *endless, "-H", f"Authorization: Bearer {token}", *options]
    return subprocess.run([*command, *told], cwd=folder, capture_output=True, text=True, timeout=900, check=False)


def test_a_short_run_of_schemathesis_finds_no_problem(tmp_path: Path) -> None:
    options = ("--phases", "fuzzing,stateful", "--max-examples", "2", "--seed", "7")
    with serving(tmp_path / "home", "--require-token") as server:
        ran = schemathesis(server.url, server.token, *options, folder=tmp_path)
        told = {"Authorization": f"Bearer {server.token}"}
        paths = server.client.get("/openapi.json", headers=told).json()["paths"]
    assert ran.returncode == 0, ran.stdout
    assert f"Tested: {sum(map(len, paths.values())) - 1}" in ran.stdout  # changes as they happen have no end
