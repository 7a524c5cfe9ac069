"""What the documents say exists, and what they show runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.memory import DATABASE

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def test_the_python_of_the_readme_runs(tmp_path: Path) -> None:
    """It prints a block that holds the corrected fact, and leaves a memory."""
    (example,) = blocks("python")
    (tmp_path / "example.py").write_text(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{example}", encoding="utf-8")
    ran = run(sys.executable, "example.py", folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "Ann lives in Potsdam." in ran.stdout
    assert "Ann lives in Berlin." not in ran.stdout
    assert (tmp_path / "my-memory" / DATABASE).exists()


def test_every_command_of_the_readme_exists_and_the_other_way_round() -> None:
    shown = set(re.findall(r"^memory (\w+)", "\n".join(blocks("sh")), re.MULTILINE))
    helped = run(sys.executable, "-m", "sandbox.cli", "--help", folder=ROOT).stdout
    existing = set(re.findall(r"^  (\w+)  ", helped, re.MULTILINE))
    assert shown <= existing
    assert existing >= {"demo", "import", "search", "context", "remember", "correct", "confirm", "forget", "restore"}
    assert existing >= {"explain", "entity", "weak", "stats", "maintain", "doctor"}


def test_every_method_of_the_readme_exists_and_the_other_way_round() -> None:
    table = re.findall(r"^\| (`.*?`) \|", README, re.MULTILINE)
    shown = {name for row in table for name in re.findall(r"`(\w+)`", row)}
    methods = {name for name in vars(Memory) if not name.startswith("_")}
    assert methods - shown == {"open", "wait_until_embedded"}
    assert shown <= methods


def test_every_setting_of_the_readme_is_taken() -> None:
    (example,) = blocks("yaml")
    settings = yaml.safe_load(example)
    settings.pop("embedding")
    assert Config.load(settings)


@pytest.mark.parametrize("target", re.findall(r"^make (\w+)", README, re.MULTILINE))
def test_every_target_of_the_readme_is_in_the_makefile(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)\)", README + ARCHITECTURE))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_the_layers_of_the_page_are_those_that_are_checked() -> None:
    """The order on the page names every layer that import-linter holds, from the top."""
    contract = (ROOT / ".importlinter").read_text(encoding="utf-8")
    layers = re.findall(r"\w+", re.search(r"exhaustive = true\nlayers =\n(.*?)\n\n", contract, re.DOTALL)[1])  # type: ignore[index]
    page = re.findall(r"\w+", re.search(r"`cli > (.*?)`\.", ARCHITECTURE, re.DOTALL)[1])  # type: ignore[index]
    assert page == layers
