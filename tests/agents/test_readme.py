"""A person with Python, make and Claude Code follows the README, and gets an agent that remembers."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.agents.conftest import PROGRAMS
from tests.agents.model_server import model_server
from tests.hooks.conftest import Agent, end, repository
from tests.test_docs import ROOT, blocks

pytestmark = pytest.mark.agents

LIMIT = 240.0  # seconds; an idle machine needs a quarter of them


def test_the_readme_leads_to_an_agent_that_remembers(tmp_path: Path) -> None:
    """The test runs the two commands of the README, then its example for Claude Code. The second session gets what was
    said in the first. Uninstalling keeps the memories.
    """
    home = tmp_path / "person"
    home.mkdir()
    folder = repository(tmp_path / "shop")
    agent = Agent(home / ".local" / "share" / "assistant-memory", folder, tmp_path / "none")
    setting_up, working = (block for block in blocks("sh") if "install" in block or "claude -p" in block)
    assert len(setting_up.splitlines()) == 2
    node = Path(str(shutil.which("node"))).parent
    with model_server() as model:
        environment = {
            "HOME": str(home),
            "PATH": os.pathsep.join([str(PROGRAMS), str(node), "/usr/bin", "/bin"]),
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }

        def types(line: str, where: Path, **more: str) -> str:
            ran = subprocess.run(
                ["sh", "-c", line],
                cwd=where,
                env={**environment, **more},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=LIMIT,
                check=False,
            )
            assert ran.returncode == 0, (line, ran.stdout, ran.stderr)
            return ran.stdout

        try:
            begun = time.monotonic()
            for line in setting_up.splitlines():
                types(line.replace("claude-code ", "claude-code --yes "), ROOT)
            for line in (each for each in working.splitlines() if each.startswith("claude")):
                model.start_over()
                types(line, folder)
                agent.settled()
            assert time.monotonic() - begun < LIMIT
            assert "pnpm" in model.seen()
            path = os.pathsep.join([str(home / ".local" / "bin"), environment["PATH"]])
            for line in (each for each in working.splitlines() if each.startswith("memory")):
                assert "pnpm" in types(line, folder, PATH=path)
            types("memory install claude-code --remove --yes", folder, PATH=path)
            types("make uninstall", ROOT)
            assert not (home / ".claude" / "settings.json").exists()
            assert not (home / ".local" / "bin" / "memory").is_symlink()
            assert (agent.home / "memory.db").exists()
        finally:
            end(agent)
