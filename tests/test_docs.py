"""What the documents say exists, and what they show runs."""

import os
import plistlib
import re
import shutil
import subprocess
import sys
import tomllib
from configparser import RawConfigParser
from pathlib import Path
from textwrap import dedent
from zoneinfo import ZoneInfo

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.memory import DATABASE
from sandbox.loader import installed
from sandbox.settings import CONFIG, read_settings
from sandbox.support.errors import PACKAGES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
SERVICE = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")


def blocks(language: str, document: str = README) -> list[str]:
    found = re.findall(rf"^( *)```{language}\n(.*?)```", document, re.DOTALL | re.MULTILINE)
    return [dedent(block) for _, block in found]


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
    assert existing >= {"explain", "entity", "profile", "weak", "stats", "maintain", "doctor"}


def test_every_method_of_the_readme_exists_and_the_other_way_round() -> None:
    table = re.findall(r"^\| (`.*?`) \|", README, re.MULTILINE)
    shown = {name for row in table for name in re.findall(r"`(\w+)`", row)}
    methods = {name for name in dir(Memory) if not name.startswith("_")}
    assert methods - shown == {"open", "scope_in", "wait_until_embedded"}
    assert shown <= methods


def test_every_setting_of_the_readme_is_taken(tmp_path: Path) -> None:
    (example,) = blocks("yaml")
    (tmp_path / CONFIG).write_text(example, encoding="utf-8")
    settings = read_settings(tmp_path / CONFIG)
    assert installed(settings)
    assert Config.load(settings.sections["memory"])


def test_nobody_is_told_to_install_what_is_on_no_index() -> None:
    """What is advised instead names extras that there are."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    advised = set()
    for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "sandbox").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        assert "assistant-memory[" not in text, path
        advised |= {name for found in re.findall(r"install '\.\[(.*?)\]'", text) for name in found.split(",")}
    advised = advised - {"{extra}"} | set(PACKAGES)  # which the error of a missing package fills in
    assert {"agents", "openai"} <= advised <= set(extras)


@pytest.mark.parametrize("target", re.findall(r"^make (\w+)", README, re.MULTILINE))
def test_every_target_of_the_readme_is_in_the_makefile(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)\)", README + ARCHITECTURE))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


@pytest.mark.parametrize(("container", "top"), [("sandbox", "cli"), (r"sandbox\.extensions\.memory", "main")])
def test_the_layers_of_the_page_are_those_that_are_checked(container: str, top: str) -> None:
    """The order on the page names every layer that import-linter holds, from the top."""
    contracts = (ROOT / ".importlinter").read_text(encoding="utf-8")
    contract = re.search(rf"containers =\n +{container}\nexhaustive = true\nlayers =\n(.*?)\n\n", contracts, re.DOTALL)
    page = re.search(rf"`({top} > .*?)`", ARCHITECTURE, re.DOTALL)
    assert contract
    assert page
    assert re.findall(r"\w+", page[1]) == re.findall(r"\w+", contract[1])


# --- running as a service ---------------------------------------------------------------------------------------------


def unit(text: str) -> RawConfigParser:
    """Of settings that stand there twice the last counts, as for systemd once the first was emptied."""
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return parser


def test_the_systemd_unit_runs_the_command_and_starts_it_again() -> None:
    service = unit(blocks("ini", SERVICE)[0])
    assert service["Service"]["ExecStart"] == "%h/.local/bin/memory run"
    assert service["Service"]["Restart"] == "on-failure"
    assert service["Install"]["WantedBy"] == "default.target"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_understands_every_line_of_the_unit(tmp_path: Path) -> None:
    """It complains of a line that is wrong, and of none as they stand."""
    text = blocks("ini", SERVICE)[0]
    wrong = _complaints(tmp_path, text.replace("Restart=", "Restrt="))
    if "Restrt" not in wrong:
        pytest.skip(f"systemd-analyze cannot work here: {wrong}")
    assert "assistant-memory.service" not in _complaints(tmp_path, text)


def _complaints(home: Path, unit_text: str) -> str:
    """What systemd has to say of the unit, in a home where the command is installed."""
    command, file = home / ".local" / "bin" / "memory", home / "assistant-memory.service"
    command.parent.mkdir(parents=True, exist_ok=True)
    command.write_text("#!/bin/sh\n", encoding="utf-8")
    command.chmod(0o755)
    file.write_text(unit_text, encoding="utf-8")
    environment = {**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
    verify = ["systemd-analyze", "verify", "--user", str(file)]
    return subprocess.run(verify, capture_output=True, text=True, env=environment, timeout=60, check=False).stderr


def test_the_drop_in_hands_the_credential_to_the_command(tmp_path: Path) -> None:
    """Its line of shell, as systemd would fill it in, with a command that shows its environment."""
    line = unit(blocks("ini", SERVICE)[1])["Service"]["ExecStart"]
    folder = tmp_path / ".local" / "bin"
    folder.mkdir(parents=True)
    (tmp_path / "openai_api_key").write_text("sk-of-the-credential", encoding="utf-8")
    (folder / "memory").write_text('#!/bin/sh\necho "$1 $OPENAI_API_KEY"\n', encoding="utf-8")
    (folder / "memory").chmod(0o755)
    line = line.replace("$$", "$").replace("%d", str(tmp_path)).replace("%h", str(tmp_path))
    shell, option, script = re.fullmatch(r"(\S+) (-c) '(.*)'", line).groups()  # type: ignore[union-attr]
    assert run(shell, option, script, folder=tmp_path).stdout == "run sk-of-the-credential\n"


def test_the_launchd_agent_runs_the_command_and_starts_it_again() -> None:
    (text,) = blocks("xml", SERVICE)
    agent = plistlib.loads(text.encode())
    program, *arguments = agent["ProgramArguments"]
    assert (Path(program).name, arguments) == ("memory", ["run"])
    assert f"LaunchAgents/{agent['Label']}.plist" in SERVICE
    assert agent["KeepAlive"] == {"SuccessfulExit": False}


def test_the_commands_and_settings_of_the_service_page_exist(tmp_path: Path) -> None:
    helped = run(sys.executable, "-m", "sandbox.cli", "--help", folder=ROOT).stdout
    named = set(re.findall(r"`memory (\w+)`", SERVICE))
    assert named >= {"run", "doctor", "chat"}
    assert named <= set(re.findall(r"^  (\w+)  ", helped, re.MULTILINE))
    (example,) = blocks("yaml", SERVICE)
    (tmp_path / CONFIG).write_text(example, encoding="utf-8")
    assert read_settings(tmp_path / CONFIG).kernel.timezone == ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize("block", blocks("sh", SERVICE))
def test_the_shell_of_the_service_page_is_well_formed(block: str) -> None:
    checked = subprocess.run(["sh", "-n"], input=block, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
