"""The command as a process: streams, encodings, and signals at every moment."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.cli.ending import asked_to_stop, run_to_end
from sandbox.extensions.memory import Message
from tests.cli.conftest import Cli, configure, lines, process, turn
from tests.terminals import Terminal


def test_the_command_runs_as_a_module(ann: Cli) -> None:
    run = process("search", "who broke the vase", "--limit", "1", home=ann.home)
    assert (run.returncode, run.stderr) == (0, b"")
    assert b"My cat Mia broke the blue vase." in run.stdout
    refused = process("explain", "nope", "--json", home=ann.home)
    assert refused.returncode == 1
    assert json.loads(refused.stdout)["error"]["type"] == "UnknownMemory"


def test_a_closed_pipe_is_no_error(ann: Cli) -> None:
    ann.fine("import", str(lines(ann.home / "long.jsonl", [turn("2026-03-02", "Ann", "tea " * 50_000)])))
    for arguments in (["search", ""], ["search", "", "--json"], ["search", "tea", "--full"], ["export", "-"]):
        command = [sys.executable, "-m", "sandbox.cli", *arguments]
        environment = {**os.environ, "MEMORY_HOME": str(ann.home)}
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        assert run.stdout is not None
        run.stdout.close()
        _, complaint = run.communicate(timeout=60)
        assert (run.returncode, complaint) == (0, b"")


def test_ctrl_c_is_quiet() -> None:
    """Ctrl-C while it waits for stdin."""
    script = """
import signal, sys, threading
from sandbox.cli import main
sys.argv = ["memory", "remember", "-"]
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs the tests in the background ignores it
threading.Timer(1, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()
main()
"""
    run = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert run.wait(timeout=60) == 130
        assert run.stdout is not None
        assert run.stderr is not None
        assert (run.stdout.read(), run.stderr.read()) == (b"", b"")
    finally:
        run.kill()
        run.communicate()


def test_ctrl_c_while_it_learns_says_what_is_kept(cli: Cli) -> None:
    messages = [Message("user", f"I like tea {number}.", session=f"s{number}") for number in range(400)]
    cli.directly(lambda memory: memory.observe_many(messages))
    terminal = Terminal("-m", "sandbox.cli", "--home", str(cli.home), "end")
    terminal.see("learning")
    terminal.type("\x03")
    terminal.see("Stopped. What was learnt stays, and `memory end` learns the rest.")
    assert terminal.end() == 130


def test_an_ascii_terminal_gets_escaped_characters(ann: Cli) -> None:
    ann.remembered("Grüße aus 東京")
    run = process("search", "Grüße", home=ann.home, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert run.returncode == 0
    assert b"Gr\\xfc\\xdfe aus \\u6771\\u4eac" in run.stdout
    assert b"Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("package", "arguments", "extra"),
    [("fastapi", ("serve",), "web"), ("mcp", ("mcp",), "mcp"), ("openai", ("search", "bees"), "openai")],
)
def test_a_missing_package_is_named(tmp_path: Path, package: str, arguments: tuple[str, ...], extra: str) -> None:
    """As if the extra was not installed."""
    if package == "openai":
        configure(tmp_path, "embedding: {provider: openai, model: any, base_url: http://127.0.0.1:1/v1}")
    program = f"import sys; sys.modules[{package!r}] = None; from sandbox.cli import main; main()"
    command = [sys.executable, "-c", program, "--home", str(tmp_path), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert f" needs {package}" in ran.stderr
    assert f", which is not installed. Run `{sys.executable} -m pip install '.[{extra}]'`" in ran.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full: Linux only")
@pytest.mark.parametrize("arguments", [["search", "vase"], ["export", "-"], ["--help"]])
def test_output_without_room_is_an_error_in_one_line(ann: Cli, arguments: list[str]) -> None:
    command = [sys.executable, "-m", "sandbox.cli", "--home", str(ann.home), *arguments]
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    told = ["Error: the output cannot be written: No space left on device."]
    assert (run.returncode, run.stderr.decode().splitlines()) == (1, told)


@pytest.mark.skipif(os.name != "posix", reason="another system hands no closed stream on")
def test_a_closed_stdout_is_no_error(ann: Cli) -> None:
    command = f"{sys.executable} -m sandbox.cli --home {ann.home} list >&-"
    run = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, timeout=60, check=False)
    assert (run.returncode, run.stderr) == (0, b"")


HAS_SIGTERM = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM")

LATE = """
import asyncio, os, signal
from sandbox.cli.ending import asked_to_stop, run_to_end

async def fails():
    asked_to_stop()
    raise OSError("the port is taken")

try:
    run_to_end(fails())
except OSError as error:
    os.kill(os.getpid(), signal.{first})
    print(error, flush=True)
os.kill(os.getpid(), signal.{second})
print("still there")
"""


@HAS_SIGTERM
@pytest.mark.parametrize(("first", "second"), [("SIGTERM", "SIGINT"), ("SIGINT", "SIGTERM")])
def test_a_signal_after_the_end_changes_nothing_and_a_second_one_ends_the_process(first: str, second: str) -> None:
    script = LATE.format(first=first, second=second)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("the port is taken\n", "")
    assert done.returncode == -signal.Signals[second]


@HAS_SIGTERM
def test_a_signal_as_soon_as_it_listens_is_heard() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]

    async def at_once() -> bool:
        asked = asked_to_stop()
        os.kill(os.getpid(), signal.SIGTERM)
        return await asked.wait()

    try:
        assert run_to_end(at_once())
    finally:
        for number, handler in zip((signal.SIGTERM, signal.SIGINT), before, strict=True):
            signal.signal(number, handler)


def test_a_disk_that_can_hold_no_more_files_is_full(tmp_path: Path) -> None:
    """Some file systems have room for so many files; SQLite then says that it cannot open one."""
    memory = f"{sys.executable} -m sandbox.cli --home {tmp_path}/home"
    script = f"""
mount -t tmpfs -o size=20m,nr_inodes=12 none {tmp_path} || exit 77
{memory} remember "Ann likes tea." || exit 1
n=0; while touch {tmp_path}/$n 2>/dev/null; do n=$((n + 1)); done
{memory} search tea || exit 1
{memory} remember "Ann likes cake."
"""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
    if shutil.which("unshare") is None:
        pytest.skip("Linux mounts such a disk")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("this user may not mount a disk")
    assert done.returncode == 1
    assert "Ann likes tea." in done.stdout.partition("told directly")[2]
    assert "is full" in done.stderr
