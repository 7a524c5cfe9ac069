"""A coding agent as a language model: how its program is started, and the result of every kind of failure."""

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest
from filelock import FileLock

from sandbox.extensions.memory.asking.agent import AgentModel
from sandbox.extensions.memory.errors import ModelUnavailable
from sandbox.extensions.memory.ports import Question

SCHEMA = {"type": "object", "properties": {"pets": {"type": "array"}}}
QUESTION = Question("pets", "List the pets.", "Rex is my dog.", SCHEMA)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the program is a script with a shebang")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH, and a home without programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


def install(folder: Path, source: str, name: str = "claude") -> None:
    """Put a program there."""
    program = folder / name
    program.write_text(f"#!{sys.executable}\nimport os, sys, time\n{source}\n")
    program.chmod(0o755)


async def problem_of(model: AgentModel) -> str:
    with pytest.raises(ModelUnavailable) as error:
        await model.ask(QUESTION)
    return str(error.value.details["problem"])


async def test_instructions_and_schema_are_apart_from_the_conversation(folder: Path) -> None:
    """What was said is on stdin alone: other people on the machine can see a command's arguments."""
    install(
        folder, "print(sys.argv[1:], open('instructions.txt').read(), sys.stdin.read(), os.getcwd(), sep='\\n---\\n')"
    )
    answer = await AgentModel("claude-code", "haiku").ask(QUESTION)
    arguments, instructions, said, place = answer.text.strip().split("\n---\n")
    assert "'--safe-mode', '--tools', '', '--no-session-persistence', '--system-prompt-file'" in arguments
    assert arguments.endswith("'--model', 'haiku']")
    assert instructions.startswith("List the pets.\n")
    assert '"pets"' in instructions
    assert said == "Rex is my dog."
    assert not await asyncio.to_thread(Path(place).exists), "its folder is removed"
    assert answer.finish == "stop"
    assert answer.prompt_tokens > 0 < answer.completion_tokens


async def test_qwen_code_gets_the_instructions_as_an_argument_and_may_call_no_tool(folder: Path) -> None:
    install(folder, "print(sys.argv[1:], sys.stdin.read(), sep='\\n---\\n')", "qwen")
    arguments, said = (await AgentModel("qwen").ask(QUESTION)).text.strip().split("\n---\n")
    assert "'--max-tool-calls', '0', '--chat-recording', 'false', '--system-prompt', 'List the pets." in arguments
    assert said == "Rex is my dog."


async def test_a_program_is_found_where_its_installer_puts_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook may have another PATH than the person's shell, or none with such folders."""
    monkeypatch.setenv("HOME", str(folder))
    installed = folder / ".local" / "bin"
    installed.mkdir(parents=True)
    install(installed, "print('found')")
    assert (await AgentModel("claude-code").ask(QUESTION)).text.strip() == "found"


async def test_faults_are_sent_back_with_the_answer(folder: Path) -> None:
    install(folder, "print(sys.stdin.read())")
    again = Question("pets", "List.", "Rex.", SCHEMA, earlier=(("no", "It was not JSON."),))
    text = (await AgentModel("claude-code").ask(again)).text
    assert text.startswith("Rex.\n\nYour answer was:\nno\n\nThat cannot be used. It was not JSON.")


async def test_it_starts_for_a_hook_of_claude_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claude Code gives its hooks CLAUDECODE, and refuses to start inside itself; what else is set stays."""
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    install(folder, "sys.exit(1) if 'CLAUDECODE' in os.environ else print(os.environ['ANTHROPIC_BASE_URL'])")
    assert (await AgentModel("claude-code").ask(QUESTION)).text.strip() == "http://127.0.0.1:9"


async def test_a_failure_names_the_program_and_quotes_nothing(folder: Path) -> None:
    model = AgentModel("claude-code")
    assert await problem_of(model) == "its program `claude` is not on the PATH"
    install(folder, "print('Rex is not logged in'); print('Rex', file=sys.stderr); sys.exit(3)")
    assert await problem_of(model) == "`claude` ended with exit code 3; try `claude -p hello`"
    await problem_of(model)
    assert "asked again in 30 s" in await problem_of(model), "it is left alone for a while"
    (folder / "claude").write_text("#!/nowhere/node\n")
    assert await problem_of(AgentModel("claude-code")) == "its program could not be started (FileNotFoundError)"


async def test_a_program_that_does_not_answer_in_time_is_killed_with_its_children(folder: Path) -> None:
    lock = folder / "lock"  # the child holds it as long as it lives
    install(
        folder,
        f"import fcntl; os.fork() or fcntl.flock(held := open({str(lock)!r}, 'w'), fcntl.LOCK_EX); time.sleep(60)",
    )
    started = time.monotonic()
    assert await problem_of(AgentModel("claude-code", timeout=1.0)) == "no answer within 1 s"
    assert time.monotonic() - started < 20
    FileLock(lock).acquire(timeout=10)
