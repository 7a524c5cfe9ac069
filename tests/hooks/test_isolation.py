"""What another user says, or what happens in another repository, changes nothing that a hook answers: the same days
happen in a home that others use and in one that nobody else uses.
"""

import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory_hooks.answers import HookAnswers
from tests.hooks.conftest import Agent, repository
from tests.twins import NAME, NEW, without_ids

Day = tuple[str, str, str, str]  # a user, a repository, a session, what is said there

OTHERS: Sequence[Day] = (
    ("ann", "house", "one", NEW),
    ("ann", "shop", "two", f"In this repository, {NAME} reviews every change."),
    ("bob", "shop", "two", "In this repository, we build the shop with Bazel."),
)
OWN: Sequence[Day] = (
    ("bob", "house", "one", "In this repository, Wilhelmina reviews every change."),
    ("bob", "house", "three", "I live in Tromso."),
    ("bob", "house", "four", "Good morning!"),
)
ASKED = ("Who reviews the changes?", "Where do I live, and how do we build?", f"Who is {NAME}?")


async def answered(answers: HookAnswers, folder: Path, day: Day) -> AsyncIterator[tuple[str, str]]:
    """Each event of a session, and the output of its hook."""
    user, project, session, said = day
    agent = Agent(folder, folder / project, folder / f"{user}-{session}.jsonl", session)
    prompts = [("UserPromptSubmit", each) for each in (*ASKED, said)]
    ends = [(event, "") for event in ("PreCompact", "Stop", "SessionEnd")]
    for event, prompt in [("SessionStart", ""), *prompts, *ends]:
        if event == "PreCompact":
            agent.says("user", said)
            agent.says("assistant", "Understood.")
        place = {"session_id": session, "cwd": str(agent.folder), "transcript_path": str(agent.transcript)}
        found = await answers.answer({"event": event, "input": json.dumps({**place, "prompt": prompt}), "user": user})
        await answers.settled()
        yield f"{day[2]} {event} {prompt}", without_ids(found)


async def lived(home: Path, folder: Path, days: Sequence[Day]) -> list[tuple[str, str]]:
    """The answers that bob gets in his house."""
    async with Memory.open(home, embedder=None, interface="hook") as memory:
        answers, found = HookAnswers(home, memory), list[tuple[str, str]]()
        for day in days:
            shown = [each async for each in answered(answers, folder, day)]
            found += shown if day[:2] == OWN[0][:2] else []
        return found


async def test_no_hook_shows_an_effect_of_another_user(tmp_path: Path) -> None:
    for home in ("both", "alone"):
        for name in ("house", "shop"):
            repository(tmp_path / home / name, f"https://example.org/{name}.git")
    days = [OTHERS[0], OWN[0], *OTHERS[1:], *OWN[1:]]
    there = await lived(tmp_path / "shared", tmp_path / "both", days)
    alone = await lived(tmp_path / "own", tmp_path / "alone", OWN)
    assert there == alone
    for known in ("Wilhelmina", "Tromso"):
        assert any(known in answer for _, answer in alone)
