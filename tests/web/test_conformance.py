"""The OpenAPI document is true: schemathesis sends requests that it allows, and that it forbids.

`make conformance` gives it ten minutes.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.web.serving import serving

GIVEN = """[parameters]
"query.zone" = ["UTC", "Europe/Berlin"]
"header.if-match" = "*"
"""
SHORT = "--phases fuzzing,stateful --max-examples 2 --seed 7"


def test_schemathesis_finds_no_problem(tmp_path: Path) -> None:
    options = os.environ.get("SCHEMATHESIS", SHORT).split()
    with serving(tmp_path / "home", "--require-token") as server:
        token = f"Authorization: Bearer {server.token}"
        command = [str(Path(sys.executable).parent / "schemathesis"), "run", f"{server.url}/openapi.json"]
        command += ["--checks", "all", "--no-color", "--exclude-path", "/api/events", "-H", token]
        (tmp_path / "schemathesis.toml").write_text(GIVEN)
        ran = subprocess.run(
            [*command, *options], cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False
        )
        told = {"Authorization": f"Bearer {server.token}"}
        paths = server.client.get("/openapi.json", headers=told).json()["paths"]
        code, log = server.stop()
    print(ran.stdout, log)
    assert (ran.returncode, code, "Traceback" in log) == (0, 0, False)
    assert f"Tested: {sum(map(len, paths.values())) - 1}" in ran.stdout  # changes as they happen have no end
