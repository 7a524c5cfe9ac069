"""The examples of the pages on REST and Python run, and the requests of the README."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.test_docs import README, ROOT, blocks, printed, run, shell
from tests.web.serving import serving

REST = (ROOT / "docs" / "rest.md").read_text(encoding="utf-8")
PYTHON = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
SHOWN = {  # a word of each program -> what it prints
    "page = await memory.list": "2 ['Ann lives in Potsdam.', 'My cat Mia",
    "forget_all(": "['Sort imports by module.'] 1 1",
    "administrator=True": '["The user\'s cat is called Mia."]\n2 turns',
    "ChatModel(": "qwen3 50000",
    "opened.run(": "Ann lives in Potsdam.",
    "MemoryStore(": "['tea']",
    "MemorySession(": "9 1",
    "MemoryTool(": "Ann likes tea.",
    "memory_toolset(": "memory_stats",
}


@pytest.mark.parametrize("program", blocks("python", PYTHON), ids=range(len(blocks("python", PYTHON))))
def test_every_program_of_the_python_page_runs(program: str, tmp_path: Path) -> None:
    (expected,) = [printed for word, printed in SHOWN.items() if word in program]
    assert expected in printed(program, tmp_path)


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
@pytest.mark.parametrize(
    ("page", "number", "told"), [(README, 2, "Potsdam"), (REST, 6, "blue vase")], ids=["readme", "rest"]
)
def test_every_request_is_answered(page: str, number: int, told: str, tmp_path: Path) -> None:
    requests = [line for line in shell(page) if line.startswith("curl")]
    assert len(requests) == number
    with serving(tmp_path / "home") as server:
        for request in requests:
            line = request.replace("http://127.0.0.1:7411", server.url).replace("curl -s", "curl -sS --fail-with-body")
            ran = run("sh", "-c", line, folder=tmp_path, MEMORY_HOME=str(server.home))
            assert ran.returncode == 0, (line, ran.stdout, ran.stderr)
        asked = {"prompt": "What did Mia break, and where does Ann live?"}
        assert told in server.client.post("/api/context", json=asked).text


def test_the_rest_page_names_exactly_the_existing_operations(tmp_path: Path) -> None:
    shown: set[tuple[str, str]] = set()
    for method, rest in re.findall(r"^\| `(GET|POST|PUT|DELETE) (.*?)` \|", REST, re.MULTILINE):
        shown |= {(method, path.strip("` ")) for path in rest.split(",")}
    with serving(tmp_path / "home") as server:
        document = server.client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert shown == {(method.upper(), path) for path, item in document["paths"].items() for method in item}


def test_the_options_of_the_rest_page_exist() -> None:
    helped = run(sys.executable, "-m", "sandbox.cli", "serve", "--help", folder=ROOT).stdout
    for option in re.findall(r"--[a-z]+-?[a-z]*", "".join(re.findall(r"`[^`]*--[^`]*`|memory serve.*", REST))):
        assert option in helped, option
