"""Clients of a memory, each calling as the real ones do; whatever is not answered as it should be raises."""

import json
import os
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from filelock import FileLock

from benchmarks.mcp import HEADERS, HELLO, begin
from sandbox.extensions.memory_hooks import client as resident

COMMAND = (sys.executable, "-m", "sandbox.cli")
PATIENCE = 60.0
"""Seconds for an answer, or an end."""

_MIX = ("save",) * 4 + ("recall",) * 4 + ("update", "forget")


class Client(ABC):
    """One that calls. ``mix`` are its calls, as often as it makes them."""

    kind: str
    mix: tuple[str, ...] = _MIX

    @abstractmethod
    def save(self, text: str) -> str:
        """The id under which it is kept."""

    @abstractmethod
    def recall(self, text: str) -> None:
        """Ask."""

    def update(self, id: str, text: str) -> None:
        """Put one right, where it is in the mix."""
        raise NotImplementedError

    def forget(self, id: str) -> None:
        """Forget one, likewise."""
        raise NotImplementedError

    @abstractmethod
    def close(self) -> None:
        """End."""


class Mcp(Client):
    """The tools of the profile `agent`, over whatever sends a message and gives its answer."""

    @abstractmethod
    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request."""

    def save(self, text: str) -> str:
        return str(self._call("save_memory", content=text, category="fact", source="explicit")["id"])

    def recall(self, text: str) -> None:
        self._call("recall_memories", query=text, limit=10)

    def update(self, id: str, text: str) -> None:
        self._call("manage_memory", action="update", memory_id=id, updates={"content": text})

    def forget(self, id: str) -> None:
        self._call("manage_memory", action="delete", memory_id=id)

    def _call(self, tool: str, **arguments: object) -> dict[str, Any]:
        params = {"name": tool, "arguments": arguments}
        answer = self.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        result: dict[str, Any] = answer.get("result", {"isError": True, "content": answer.get("error")})
        if result.get("isError"):
            raise RuntimeError(f"{tool}: {result['content']}")
        return dict(result["structuredContent"])


class Stdio(Mcp):
    """`memory mcp`, a process of its own."""

    kind = "mcp over stdio"

    def __init__(self, home: Path) -> None:
        pipe, arguments = subprocess.PIPE, [*COMMAND, "--home", str(home), "mcp"]
        self._process = subprocess.Popen(arguments, stdin=pipe, stdout=pipe, text=True)
        self.send({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO})
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        self._write(message)
        assert self._process.stdout
        for line in self._process.stdout:
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == message["id"]:
                return answer
        raise RuntimeError(f"memory mcp ended with {self._process.wait()}")

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        if code := self._process.wait(PATIENCE):
            raise RuntimeError(f"memory mcp ended with {code}")

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()


class Http(Mcp):
    """A client of `memory serve` at `/mcp`."""

    kind = "mcp over http"

    def __init__(self, url: str) -> None:
        self._client = httpx.Client(base_url=f"{url}/mcp", trust_env=False, timeout=PATIENCE, headers=HEADERS)
        begin(self._client)

    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        text = self._client.post("", json=message).raise_for_status().text
        answers = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
        return next(each for each in answers if each.get("id") == message["id"])

    def close(self) -> None:
        self._client.delete("").raise_for_status()
        self._client.close()


class Rest(Client):
    """A client of `memory serve` at `/api`."""

    kind = "rest"

    def __init__(self, url: str) -> None:
        self._client = httpx.Client(base_url=f"{url}/api", trust_env=False, timeout=PATIENCE)

    def save(self, text: str) -> str:
        new = {"content": text, "category": "fact", "on_similar": "keep"}
        return str(self._client.post("/memory/", json=new).raise_for_status().json()["id"])

    def recall(self, text: str) -> None:
        self._client.post("/context", json={"prompt": text}).raise_for_status()

    def update(self, id: str, text: str) -> None:
        self._client.put(f"/memory/{id}", json={"content": text}).raise_for_status()

    def forget(self, id: str) -> None:
        self._client.delete(f"/memory/{id}").raise_for_status()

    def close(self) -> None:
        self._client.close()


class Shell(Client):
    """The command, a process for each call."""

    kind = "command"

    def __init__(self, home: Path) -> None:
        self._home = home

    def save(self, text: str) -> str:
        return str(json.loads(self._run("remember", text, "--json"))["id"])

    def recall(self, text: str) -> None:
        self._run("search", text)

    def update(self, id: str, text: str) -> None:
        self._run("correct", id, text)

    def forget(self, id: str) -> None:
        self._run("forget", id)

    def close(self) -> None:
        pass

    def _run(self, *arguments: str) -> str:
        ran = subprocess.run([*COMMAND, "--home", str(self._home), *arguments], capture_output=True, text=True)
        if ran.returncode:
            raise RuntimeError(f"{arguments[0]}: {ran.stderr[-300:]}")
        return ran.stdout


class Agent(Client):
    """A coding agent: what it saves is a turn in its transcript, which a hook has taken in."""

    kind, mix = "hook", ("save", "recall")
    session = "agent"

    def __init__(self, home: Path, folder: Path) -> None:
        self._home, self._folder = home, folder
        self._transcript = folder / "transcript.jsonl"
        self._turns = 0

    def save(self, text: str) -> str:
        self._turns += 1
        line = {"type": "user", "uuid": f"turn-{self._turns}", "sessionId": self.session, "cwd": str(self._folder)}
        with self._transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**line, "message": {"role": "user", "content": text}}) + "\n")
        self._hook("Stop")
        return f"turn-{self._turns}"

    def recall(self, text: str) -> None:
        self._hook("UserPromptSubmit", prompt=text)

    def _hook(self, event: str, **given: str) -> None:
        values = {"session_id": self.session, "cwd": str(self._folder), "transcript_path": str(self._transcript)}
        text = json.dumps({**values, **given})
        ran = subprocess.run(
            [*COMMAND, "hook", event, "--home", str(self._home)], input=text, capture_output=True, text=True
        )
        log = self._home / "hooks.log"
        if ran.returncode or ran.stderr or log.exists():
            raise RuntimeError(f"{event}: {ran.stderr[-300:] or log.read_text()[-300:]}")

    def close(self) -> None:
        resident.wait_until_answering(self._home)  # the first hook may still be starting it, to take in its transcript
        end_resident(self._home, signal.SIGTERM)


def end_resident(home: Path, how: signal.Signals) -> None:
    """End the process that keeps the memory open, and return once it is gone. It holds a lock until then, and stops
    answering before it has stored what it was given.
    """
    with suppress(resident.NoResident):
        os.kill(json.loads(resident.ask(home, {"do": "ping"}))["pid"], how)
    with FileLock(home / resident.LOCK, timeout=PATIENCE):
        pass
