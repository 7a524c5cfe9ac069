"""The commands of the page about coding agents run, and the names on it exist."""

import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory_hooks.install.clients import CLIENTS
from tests.hooks.conftest import Started
from tests.test_docs import ROOT, blocks

PAGE = (ROOT / "docs" / "coding-agents.md").read_text(encoding="utf-8")


def test_the_commands_of_the_page_run(started: Started, tmp_path: Path) -> None:
    """The test runs them in their order and answers yes to each question."""
    agent = started()
    (tmp_path / "person").mkdir()
    scripts = [block for block in blocks("sh", PAGE) if "claude plugin" not in block]
    text = "\n".join(scripts).replace("memory install c", "memory install --yes c")
    text = re.sub(r"^memory install (vscode|gemini|qwen)$", r"memory install --yes \1", text, flags=re.MULTILINE)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    ran = subprocess.run(
        ["sh", "-e"],
        input=text,
        cwd=agent.folder,
        env={"PATH": path, "HOME": str(tmp_path / "person"), "MEMORY_HOME": str(agent.home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "I prefer tabs over spaces." in ran.stdout
    assert '"mcpServers"' in ran.stdout
    assert "Everything is in order." in ran.stdout
    for file in (
        ".claude/settings.json",
        ".codex/hooks.json",
        ".copilot/settings.json",
        ".cursor/mcp.json",
        ".gemini/settings.json",
        ".qwen/settings.json",
    ):
        assert (tmp_path / "person" / file).exists()


def test_every_name_on_the_page_exists() -> None:
    assert re.findall(r"^memory install (\S+)$", "\n".join(blocks("sh", PAGE)), re.MULTILINE) == [*CLIENTS, "--print"]
    (folder,) = re.findall(r"marketplace add (\S+)", PAGE)
    plugin = ROOT / folder
    assert (plugin / ".claude-plugin" / "plugin.json").exists()
    for name in re.findall(r"`/memory:(\w+)`", PAGE):
        assert (plugin / "commands" / f"{name}.md").exists()
    (setting,) = map(yaml.safe_load, blocks("yaml", PAGE))
    assert Config.load(setting["memory"])
