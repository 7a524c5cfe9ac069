"""Random histories of several users in two memories: one lives through all of it, its twin only through one user's
part. Both answer every question of that user alike.
"""

import dataclasses
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import strategies as st

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.testing import NOON, FakeClock

USERS = ("ann", "bob")
SCOPES = {
    user: (Scope(user), Scope(user, "house", visibility="project"), Scope(user, agent_id="cook")) for user in USERS
}
SECRETS = {"ann": ("Zephyrine", "Oaxaca", "persimmons"), "bob": ("Wilhelmina", "Tromso", "lingonberries")}
WORDS = ("Wilhelmina", "Zephyrine", "who lives in Oaxaca, and who loves lingonberries?")

MINUTES = timedelta(minutes=7)  # between two steps
Step = tuple[str, int, str, int]
WHAT = ("tell", "talk", "end", "correct", "forget", "confirm", "pin", "file", "night")
steps: st.SearchStrategy[list[Step]] = st.lists(
    st.tuples(st.sampled_from(USERS), st.integers(0, 2), st.sampled_from(WHAT), st.integers(0, 3)),
    min_size=4,
    max_size=14,
)

HISTORY: Sequence[Step] = (
    ("ann", 0, "tell", 1),
    ("bob", 0, "tell", 2),
    ("ann", 0, "talk", 0),
    ("bob", 0, "talk", 1),
    ("ann", 1, "tell", 3),
    ("bob", 1, "tell", 3),
    ("ann", 0, "correct", 0),
    ("ann", 1, "file", 1),
    ("ann", 0, "end", 0),
    ("bob", 0, "end", 0),
    ("ann", 0, "pin", 0),
    ("ann", 0, "tell", 0),
)
END = NOON + len(HISTORY) * MINUTES
"""When it is over."""
NAME = SECRETS["ann"][0]
NEW = f"My sister {NAME} lives in Oaxaca."
SESSION = f"about-{NAME}"
NEVER = 2**52  # a change without an actor

Aim = dict[str, Any]
Told = dict[str, list[str]]
Lived = tuple[Memory, Told]

_ID = re.compile(r"\b[A-Za-z0-9]{8}\b")
_ROWS = {"source", "target"}  # numbers of rows, in the log's lines about links
_LEFT_OUT = {"seq", "batch", "database_bytes", "storage_bytes", "seconds", "cursor", "next"}


def said(user: str, which: int, number: object) -> str:
    """One of a user's statements."""
    name, city, food = SECRETS[user]
    return [
        f"My sister {name} lives in {city}.",
        f"I love {food}, order {number}.",
        f"I work at {city} Harbour with {name}.",
        f"{name} planted {food} on day {number}.",
    ][which]


@asynccontextmanager
async def lived(
    history: Sequence[Step], whose: Sequence[str], home: Path | None = None, since: datetime = NOON
) -> AsyncIterator[Lived]:
    """A memory after the steps of a history by some users, and the ids that each user got."""
    clock = FakeClock(since)
    with TemporaryDirectory() as folder:
        async with Memory.open(home or Path(folder) / "home", embedder=None, clock=clock) as memory:
            told: Told = {user: [] for user in USERS}
            for number, (user, place, what, which) in enumerate(history):
                clock.moment += MINUTES
                if user in whose or what == "night":
                    await _do(memory, SCOPES[user][place], what, f"{number}", which, told[user])
            yield memory, told


async def _do(memory: Memory, scope: Scope, what: str, number: str, which: int, told: list[str]) -> None:
    name, city, _ = SECRETS[scope.user_id]
    text = said(scope.user_id, which, number)
    if what == "tell":
        told.append(await memory.remember(text, subject=name if which % 2 else None, scope=scope))
    elif what == "file":
        told.append(await memory.remember(text, contexts=[f"of {name}", city][: which % 2 + 1], scope=scope))
        await memory.set_context(city, priority=which / 3, scope=scope)
    elif what == "talk":
        await memory.observe("user", text, session=f"about-{name}", scope=scope)
    elif what == "end":
        await memory.end_session(f"about-{name}", scope=scope)
        await memory.consolidate(scope=scope)
    elif what == "night":
        await memory.maintain()
    elif told:
        change = getattr(memory, what)
        more = (f"{name} left {city}, note {number}.",) if what == "correct" else ()
        try:
            await change(told[which % len(told)], *more, scope=scope)
        except MemoryExtensionError:  # it was forgotten, or is another project's
            return


async def aims(shared: Lived, own: Lived) -> list[tuple[Aim, Aim]]:
    """What bob could aim at: ann's memories, beside his own, and the same for a home without ann."""
    ann = Scope("ann")
    (both, told), (_, alone) = shared, own
    entities = [each.id for each in (await both.entities(scope=ann)).items]
    change = (await both.changes(limit=500, scope=ann))[-1].seq
    return [
        (
            {"id": id, "other": told["bob"][-1], "name": name, "session": SESSION, "change": change},
            {"id": id, "other": alone["bob"][-1], "name": name, "session": SESSION, "change": NEVER},
        )
        for id, name in ((told["ann"][-1], NAME), (told["ann"][0], entities[0]))
    ]


def aimed(asked: Any, aim: Mapping[str, Any]) -> Any:
    """The call with the values of an aim for ``{id}``, ``{name}`` and so on."""
    if isinstance(asked, dict):
        return {key: aimed(value, aim) for key, value in asked.items()}
    if isinstance(asked, list | tuple):
        return [aimed(each, aim) for each in asked]
    if isinstance(asked, str) and asked[:1] == "{" and asked[1:-1] in aim:
        return aim[asked[1:-1]]
    return asked


async def everything(memory: Memory) -> list[Any]:
    """Everything that ann has, literally."""
    return [
        [await memory.list(limit=500, history=True, scope=scope), await memory.changes(limit=500, scope=scope)]
        for scope in (Scope("ann"), Scope("ann", "house"))
    ]


def plain(answer: Any) -> Any:
    """An answer without the differences of two equal files: ids, numbers of changes, sizes."""
    if dataclasses.is_dataclass(answer) and not isinstance(answer, type):
        return plain({each.name: getattr(answer, each.name) for each in dataclasses.fields(answer)})
    if isinstance(answer, Mapping):
        kept = [(key, value) for key, value in answer.items() if key not in _LEFT_OUT]
        return [(plain(key), plain(value)) for key, value in kept if key not in _ROWS or isinstance(value, str)]
    if isinstance(answer, set | frozenset):
        return sorted((plain(each) for each in answer), key=repr)
    if isinstance(answer, list | tuple):
        return [plain(each) for each in answer]
    if isinstance(answer, float):
        return round(answer, 6)
    return without_ids(answer) if isinstance(answer, str) else answer


def without_ids(text: str) -> str:
    """A text in a form that does not depend on ids."""
    return _ID.sub("id", text)
