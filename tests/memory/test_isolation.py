"""What one user does changes nothing that another user can ask for, not even counts and errors: everything is asked of
a memory that both have used, and of one that knows the other alone.
"""

import dataclasses
import inspect
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.testing import NOON, FakeClock

USERS = ("ann", "bob")
SCOPES = {
    user: (Scope(user), Scope(user, "house", visibility="project"), Scope(user, agent_id="cook")) for user in USERS
}
SECRETS = {"ann": ("Zephyrine", "Oaxaca", "kumquats"), "bob": ("Wilhelmina", "Tromso", "lingonberries")}
WORDS = ("Wilhelmina", "Zephyrine", "who lives in Oaxaca, and who loves lingonberries?")
_ID = re.compile(r"\b[A-Za-z0-9]{8}\b")

Ask = Callable[[Memory, Scope, str], Awaitable[Any]]

OF_WORDS: Mapping[str, Ask] = {
    "search": lambda memory, scope, word: memory.search(word, limit=500, reinforce=False, scope=scope),
    "context": lambda memory, scope, word: memory.context(word, budget=3000, reinforce=False, scope=scope),
    "fixed_block": lambda memory, scope, word: memory.fixed_block(session=f"about {word}", scope=scope),
    "weigh": lambda memory, scope, word: memory.weigh(word, budget=3000, scope=scope),
    "entity": lambda memory, scope, word: memory.entity(word, scope=scope),
    "around": lambda memory, scope, word: memory.around(word, hops=2, scope=scope),
    "turns": lambda memory, scope, word: memory.turns(f"about {word}", scope=scope),
}
OF_EVERYTHING: Mapping[str, Ask] = {
    "list": lambda memory, scope, _: memory.list(limit=500, history=True, scope=scope),
    "used": lambda memory, scope, _: memory.list(limit=500, order="most_used", scope=scope),
    "weak": lambda memory, scope, _: memory.weak(limit=500, scope=scope),
    "conflicts": lambda memory, scope, _: memory.conflicts(scope=scope),
    "proposals": lambda memory, scope, _: memory.proposals(scope=scope),
    "profile": lambda memory, scope, _: memory.profile(scope=scope),
    "entities": lambda memory, scope, _: memory.entities(limit=500, scope=scope),
    "sessions": lambda memory, scope, _: memory.sessions(limit=500, scope=scope),
    "changes": lambda memory, scope, _: memory.changes(limit=500, scope=scope),
    "counts": lambda memory, scope, _: memory.counts(history=True, scope=scope),
    "days": lambda memory, scope, _: memory.days(scope=scope),
    "happened": lambda memory, scope, _: memory.happened(NOON, NOON + timedelta(days=90), scope=scope),
    "projects": lambda memory, scope, _: memory.projects(scope=scope),
    "statistics": lambda memory, scope, _: memory.statistics(scope=scope),
}
OF_AN_ID: Mapping[str, Ask] = {
    "explain": lambda memory, scope, id: memory.explain(id, scope=scope),
    "life": lambda memory, scope, id: memory.life(id, scope=scope),
    "correct": lambda memory, scope, id: memory.correct(id, "Nothing is so.", scope=scope),
    "confirm": lambda memory, scope, id: memory.confirm(id, scope=scope),
    "pin": lambda memory, scope, id: memory.pin(id, scope=scope),
    "unpin": lambda memory, scope, id: memory.unpin(id, scope=scope),
    "forget": lambda memory, scope, id: memory.forget(id, scope=scope),
    "restore": lambda memory, scope, id: memory.restore(id, scope=scope),
    "erase": lambda memory, scope, id: memory.erase(id, scope=scope),
    "keep_both": lambda memory, scope, id: memory.keep_both(id, id, scope=scope),
    "approve": lambda memory, scope, id: memory.approve(id, scope=scope),
    "reject": lambda memory, scope, id: memory.reject(id, scope=scope),
}
ELSEWHERE = {
    "observe observe_many remember end_session consolidate forget_all undo": "for its own scope alone",
    "maintain check wait_until_embedded encrypt decrypt": "of the whole file",
    "merge_entities split_entity": "take names, which `entity` asks for",
    "import_file export": "files: tests/memory/test_export.py",
    "last_change": "a number that says which changes are new",
    "open": "no question",
}

Step = tuple[str, int, str, int]
steps = st.lists(
    st.tuples(
        st.sampled_from(USERS),
        st.integers(0, 2),
        st.sampled_from(["tell", "talk", "end", "correct", "forget", "confirm", "pin", "night"]),
        st.integers(0, 3),
    ),
    min_size=4,
    max_size=14,
)


@asynccontextmanager
async def lived(history: list[Step], whose: tuple[str, ...]) -> AsyncIterator[tuple[Memory, dict[str, list[str]]]]:
    """A memory after those steps of a history that are somebody's, and the ids of what each user told."""
    clock = FakeClock()
    with TemporaryDirectory() as folder:
        async with Memory.open(Path(folder) / "home", embedder=None, clock=clock) as memory:
            told: dict[str, list[str]] = {user: [] for user in USERS}
            for number, (user, place, what, which) in enumerate(history):
                clock.advance(minutes=7)
                if user in whose or what == "night":
                    await _do(memory, SCOPES[user][place], what, f"{number}", which, told[user])
            yield memory, told


async def _do(memory: Memory, scope: Scope, what: str, number: str, which: int, told: list[str]) -> None:
    name, city, food = SECRETS[scope.user_id]
    said = [
        f"My sister {name} lives in {city}.",
        f"I love {food}, order {number}.",
        f"I work at {city} Harbour with {name}.",
        f"{name} planted {food} on day {number}.",
    ][which]
    if what == "tell":
        told.append(await memory.remember(said, subject=name if which % 2 else None, scope=scope))
    elif what == "talk":
        await memory.observe("user", said, session=f"about {name}", scope=scope)
    elif what == "end":
        await memory.end_session(f"about {name}", scope=scope)
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


def plain(answer: Any) -> Any:
    """An answer without what differs between two files that say the same: ids, scores, numbers of changes, sizes."""
    if dataclasses.is_dataclass(answer) and not isinstance(answer, type):
        left_out = {"seq", "batch", "database_bytes"}
        return {
            each.name: plain(getattr(answer, each.name))
            for each in dataclasses.fields(answer)
            if each.name not in left_out
        }
    if isinstance(answer, Mapping):
        return {plain(key): plain(value) for key, value in answer.items()}
    if isinstance(answer, list | tuple | set | frozenset):
        return sorted((plain(each) for each in answer), key=repr)
    if isinstance(answer, float):
        return "a figure"
    return _ID.sub("id", answer) if isinstance(answer, str) else answer


async def asked(ask: Ask, memory: Memory, scope: Scope, word: str) -> Any:
    """What is answered, or how it is refused."""
    try:
        return plain(await ask(memory, scope, word))
    except MemoryExtensionError as error:
        return type(error).__name__, _ID.sub("id", str(error))


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
async def test_another_user_changes_nothing_that_can_be_asked(history: list[Step]) -> None:
    async with lived(history, USERS) as (both, told), lived(history, ("bob",)) as (alone, _):
        for scope in SCOPES["bob"]:
            for name, ask in {**OF_WORDS, **OF_EVERYTHING}.items():
                for word in WORDS if name in OF_WORDS else WORDS[:1]:
                    shared, own = await asked(ask, both, scope, word), await asked(ask, alone, scope, word)
                    assert shared == own, name
            for name, ask in OF_AN_ID.items():
                for id in told["ann"]:
                    shared, own = await asked(ask, both, scope, id), await asked(ask, alone, scope, id)
                    assert shared == own, name
                    assert shared[0] in ("UnknownMemory", "NoProposal"), name


def test_every_method_is_asked() -> None:
    """A new method of the memory belongs into one of the tables."""
    methods = {name for name, each in inspect.getmembers(Memory, inspect.iscoroutinefunction) if name[0] != "_"}
    assert methods <= {*OF_WORDS, *OF_EVERYTHING, *OF_AN_ID, *" ".join(ELSEWHERE).split()}
