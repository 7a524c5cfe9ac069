"""One user's actions change nothing that another user can read at the command line. Every command, and a conversation
with `memory chat`, runs in a home that both have used and in one that only knows the other user.
"""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sandbox.cli.app import app
from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.listings import ListedMemory
from tests.cli.conftest import Answer, Cli, Pipe, configure, lines, turn
from tests.twins import (
    HISTORY,
    NAME,
    NEW,
    SESSION,
    USERS,
    WORDS,
    Aim,
    aimed,
    aims,
    everything,
    lived,
    plain,
    without_ids,
)

Cases = Sequence[tuple[str, ...]]

READS: Mapping[str, Cases] = {
    "search": [(WORDS[1], "--explain"), (WORDS[2],), ("", "--entity", "{name}"), ("", "--json")],
    "list": [("--order", "most_used"), ("--type", "episodic", "--json")],
    "context": [(WORDS[2],), (NAME, "--session", SESSION, "--json")],
    "explain": [("{id}",)],
    "entity": [("{name}",), ("Wilhelmina", "--json")],
    "contexts": [()],
    "profile": [("--json",)],
    "history": [("{id}", "--json")],
    "changes": [("--whole",)],
    "proposals": [("list", "--json")],
    "weak": [("--json",)],
    "sessions": [()],
    "stats": [("--json",)],
    "nights": [("--json",)],
    "export": [("-", "--markdown"), ("-", "--category", "fact")],
}
WRITES: Mapping[str, Cases] = {
    "remember": [
        (NEW, "--on-similar", "refuse"),
        (f"{NAME} collects maps.", "--context", f"of {NAME}"),
        (f"{NAME} sells maps.", "--relevant-to", "{name}", "--json"),
        (f"{NAME} buys maps.", "--relevant-to", "{id}"),
    ],
    "import": [("{file}",), ("{file}", "--json")],
    "end": [(SESSION, "--json"), ()],
    "correct": [("{id}", "Nothing is so.", "--json")],
    "confirm": [("{id}",)],
    "pin": [("{id}",)],
    "unpin": [("{id}",)],
    "importance": [("{id}", "5")],
    "restore": [("{id}",)],
    "proposals": [("approve", "{id}"), ("reject", "{id}", "--json")],
    "contexts": [(f"of {NAME}", "--priority", "1")],
    "entity": [("{name}", "--merge", "Wilhelmina"), ("Wilhelmina", "--merge", "{name}"), ("{name}", "--split")],
    "undo": [("{change}", "--yes"), ("--learning", SESSION, "--yes", "--json")],
    "forget": [("{id}",), ("--subject", NAME, "--yes", "--json")],
    "erase": [("{id}", "--yes"), ("--session", SESSION, "--yes", "--json"), ("--subject", NAME, "--yes")],
}
ELSEWHERE = {
    "maintain doctor run": "of the whole home",
    "encrypt decrypt": "of the whole file",
    "demo schema install": "use no memory of anybody",
    "mcp": "tests/mcp/test_isolation.py",
    "serve ui": "tests/web/test_isolation.py",
    "hook": "tests/hooks/test_isolation.py",
    "chat": "below",
}

_LEFT_OUT = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*(\+00:00|Z)?"  # a moment
    r"|[\d.]+ MB|--cursor \S+|(?m:^\d+(?=  ))"  # sizes, and numbers of changes
    r'|(?<="tokens": )\d+'  # an id may contain it by chance
    r"|(?<=There is no change )\d+"  # the number that was asked for
)


def told(answer: Answer, home: Path) -> tuple[Any, ...]:
    """The output of a run, without what differs between two equal homes that are asked one after the other."""
    return answer.code, _plain(answer.out, home), _plain(answer.err, home)


def _plain(text: str, home: Path) -> Any:
    text = _LEFT_OUT.sub("0", text.replace(str(home), "HOME"))
    for whole in (text, f"[{','.join(text.splitlines())}]"):
        try:
            return plain(json.loads(whole, parse_float=lambda _: "a figure"))
        except ValueError:
            continue
    return without_ids(text)


def test_no_command_shows_an_effect_of_another_user(tmp_path: Path) -> None:
    """Bob reads, and aims at ann's memories by every name that they have; ann has the same as before."""
    shared, own = Cli(tmp_path / "shared"), Cli(tmp_path / "own")
    file = lines(tmp_path / "talk.jsonl", [turn("2026-03-02", "Ann", f"I met {NAME}, who is my dentist, in Oaxaca.")])
    pairs = asyncio.run(_lived(shared.home, own.home))
    shared.fine("import", str(file), "--user", "ann")
    for each in (shared, own):
        each.fine("import", str(_diary(tmp_path)), "--user", "bob")  # waits until everything has its vector
    now = datetime.now(UTC) + timedelta(hours=1)  # later than all that bob does: no clock goes back
    before = asyncio.run(_of_ann(shared.home, now))
    again = {command: cases[:1] for command, cases in READS.items()}
    for step, (command, cases) in enumerate([*READS.items(), *WRITES.items(), *again.items()]):
        for number, case in enumerate(cases):
            scope = ("--user", "bob", *(("--project", "house") if (step + number) % 2 else ()))
            for aim, same in pairs if "{name}" in case else pairs[:1]:
                aim, same = {**aim, "file": str(file)}, {**same, "file": str(file)}
                there = told(shared(command, *map(str, aimed(case, aim)), *scope), shared.home)
                assert there == told(own(command, *map(str, aimed(case, same)), *scope), own.home), (command, case)
    assert asyncio.run(_of_ann(shared.home, now)) == before


def _diary(folder: Path) -> Path:
    return lines(folder / "diary.jsonl", [turn("2026-03-03", "Bob", "I rowed across the fjord with Wilhelmina.")])


async def _lived(shared: Path, own: Path) -> list[tuple[Aim, Aim]]:
    since = datetime.now(UTC).replace(microsecond=0) - timedelta(days=1)
    async with lived(HISTORY, USERS, shared, since) as both, lived(HISTORY, ("bob",), own, since) as alone:
        return await aims(both, alone)


TYPED = """\
I met Wilhelmina in Tromso. My sister plays the cello.
/memory erase
/memory
/memory why ID
/memory confirm ID
/memory correct ID Nobody plays the cello.
/memory delete ID
/memory restore ID
/memory approve ID
/memory reject ID
/memory proposals
/memory erase ID
/memory erase ID yes
Where does my sister live, and what does she play?
/memory erase yes
/memory list
"""


def test_no_chat_shows_an_effect_of_another_user(tmp_path: Path, piped: Pipe) -> None:
    """Ann talked before, and still has her turns afterwards."""
    shared, own = tmp_path / "shared", tmp_path / "own"
    for home in (shared, own):
        configure(home, "kernel: {context_seconds: 60}")  # a busy machine is no difference
    piped(shared, f"My sister {NAME} lives in Oaxaca and plays the oboe.\n", "--user", "ann")
    [turn] = [each.memory for each in asyncio.run(_heard(shared))]
    typed = TYPED.replace("ID", turn.id)
    there, alone = [[_plain(text, home) for text in piped(home, typed, "--user", "bob")] for home in (shared, own)]
    assert there == alone
    assert asyncio.run(_heard(shared))


async def _heard(home: Path) -> Sequence[ListedMemory]:
    async with Memory.open(home, embedder=None) as memory:
        return (await memory.list(types=["episodic"], scope=Scope("ann"))).items


async def _of_ann(home: Path, now: datetime) -> list[Any]:
    async with Memory.open(home, embedder=None, clock=lambda: now) as memory:
        return await everything(memory)


def test_every_command_is_covered() -> None:
    """Add a new command to one of the tables."""
    commands = {each.name for each in app.registered_commands}
    assert commands == {*READS, *WRITES, *" ".join(ELSEWHERE).split()}
