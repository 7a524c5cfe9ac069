"""Scopes that see too much. Projects, a private conversation, another user and the user without a project say, learn
and change things at random, with the same sessions, keys and names. None may find or be shown what only another said,
and none may lose its own memories.
"""

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.model import to_plain
from sandbox.testing import FakeClock
from tests.attacks.families.erasures import KNOWN, SAID, Words
from tests.attacks.report import Report

_LONG, _SHORT = 40, 5  # memories
_STEPS = 30  # of what happens in each
_SESSION = "s"
_SHARED = "Marta"  # a name that everybody says

_SCOPES = {
    "open": Scope("ann", session_id=_SESSION),
    "a": Scope("ann", "a", session_id=_SESSION, visibility="project"),
    "b": Scope("ann", "b", session_id=_SESSION, visibility="project"),
    "private": Scope("ann", session_id=_SESSION, visibility="session"),
    "private elsewhere": Scope("ann", session_id="t", visibility="session"),
    "private in a": Scope("ann", "a", session_id=_SESSION, visibility="session"),
    "bob": Scope("bob", session_id=_SESSION),
}
_SEES = {  # whose words a scope may be shown besides its own
    "open": {"private"},  # the same conversation
    "a": {"open", "private in a"},
    "b": {"open"},
    "private": {"open"},
    "private elsewhere": {"open"},
    "private in a": {"open", "a"},
    "bob": set(),
}


class _Told:
    """One memory, and who said which words."""

    def __init__(self, memory: Memory, clock: FakeClock, seed: int) -> None:
        self._memory = memory
        self._clock = clock
        self._dice = random.Random(seed)
        self._words = {name: Words(self._dice) for name in _SCOPES}
        self._turns: dict[str, dict[str, str]] = {name: {} for name in _SCOPES}
        self._facts: dict[str, list[str]] = {name: [] for name in _SCOPES}
        self._shown: list[tuple[str, str]] = []
        self._happens: tuple[Callable[[str], Awaitable[object]], ...] = (
            *[self._say] * 5, *[self._remember] * 2, self._correct, self._change, self._learn, self._learn, self._end,
            self._join, self._night,
        )  # fmt: skip

    async def happen(self, steps: int) -> None:
        """Do something at random in a random scope."""
        for name in _SCOPES:
            await self._say(name)
            await self._say(name)
        for _ in range(steps):
            self._clock.advance(minutes=self._dice.randrange(1, 900))
            try:
                await self._dice.choice(self._happens)(self._dice.choice(list(_SCOPES)))
            except MemoryExtensionError:  # invisible there, or gone: the choice is random
                continue
        for name in _SCOPES:
            await self._memory.consolidate(_SESSION if name != "private elsewhere" else "t", scope=_SCOPES[name])
        await self._memory.maintain()

    async def seen(self) -> list[str]:
        """What each scope was shown that is not its own."""
        for name, scope in _SCOPES.items():
            for asked in ("", _SHARED, *(word for words in self._words.values() for word in sorted(words.whole)[::4])):
                hits = await self._memory.search(asked, limit=200, history=not asked, reinforce=False, scope=scope)
                self._show(name, hits)
                for hit in hits if not asked else ():
                    self._show(name, await self._memory.explain(hit.id, scope=scope))
                with suppress(MemoryExtensionError):
                    self._show(name, await self._memory.entity(asked.capitalize(), scope=scope))
            block = await self._memory.context(f"Where does {_SHARED} live? What do I like?", budget=3000, scope=scope)
            self._show(name, block)
            self._show(name, await self._memory.profile(scope=scope))
            self._show(name, await self._memory.weak(limit=200, scope=scope))
        found = []
        for name, text in self._shown:
            forbidden = {word for other in _SCOPES.keys() - _SEES[name] - {name} for word in self._words[other].said}
            found += [f"{name} was shown {word}" for word in sorted(forbidden) if word in text]
        return list(dict.fromkeys(found))

    async def lost(self) -> list[str]:
        """What a scope said and no longer finds, after every other scope has erased its own conversation."""
        lost = []
        keeping = self._dice.choice(list(_SCOPES))
        home = (_SCOPES[keeping].user_id, _SCOPES[keeping].project_id, _SCOPES[keeping].session_id)
        for scope in _SCOPES.values():
            if (scope.user_id, scope.project_id, scope.session_id) != home:
                await self._memory.erase(session=str(scope.session_id), scope=scope)
        for id_, content in self._turns[keeping].items():
            try:
                kept = (await self._memory.explain(id_, scope=_SCOPES[keeping])).memory.content
            except MemoryExtensionError:
                kept = None
            lost += [f"{keeping} lost a turn"] if kept != content else []
        return lost

    def _show(self, name: str, value: Any) -> None:
        self._shown.append((name, str(to_plain(value)).lower()))

    async def _say(self, name: str) -> None:
        scope, content = _SCOPES[name], self._words[name].fill(self._dice.choice(SAID))
        key = f"key {self._dice.randrange(8)}-{len(self._turns[name])}" if self._dice.random() < 0.5 else None
        speaker = self._dice.choice([None, "Ann", _SHARED])
        message = Message("user", content, scope.session_id, self._clock(), speaker, key)
        [id_] = await self._memory.observe_many([message], scope=scope)
        self._turns[name][id_] = content

    async def _remember(self, name: str) -> None:
        content = self._words[name].fill(self._dice.choice(KNOWN))
        subject = self._dice.choice([None, _SHARED, content.split()[0]])
        rests_on = [self._dice.choice(list(self._turns[name]))] if self._dice.random() < 0.5 else []
        widest = Scope("bob") if name == "bob" else _SCOPES[name]
        key = f"known {len(self._facts[name])}"
        fact = await self._memory.remember(
            content, subject=subject, rests_on=rests_on, on_similar="supersede", key=key, scope=widest
        )
        self._facts[name].append(fact)

    async def _correct(self, name: str) -> None:
        """Try to correct a memory of a scope from any scope."""
        owner = self._dice.choice(list(_SCOPES))
        fact = self._dice.choice(self._facts[owner] or [""])
        content = self._words[owner].fill(self._dice.choice(KNOWN))
        await self._memory.correct(fact, content, scope=_SCOPES[name])

    async def _change(self, name: str) -> None:
        fact = self._dice.choice(self._facts[name] or [""])
        await self._dice.choice([self._memory.restore, self._memory.confirm])(fact, scope=_SCOPES[name])

    async def _learn(self, name: str) -> None:
        session = self._dice.choice([_SCOPES[name].session_id, None])
        self._show(name, (await self._memory.consolidate(session, scope=_SCOPES[name])).learnt)

    async def _end(self, name: str) -> None:
        await self._memory.end_session(str(_SCOPES[name].session_id), scope=_SCOPES[name])

    async def _join(self, name: str) -> None:
        said = sorted(self._words[name].whole)
        await self._memory.merge_entities(self._dice.choice(said), self._dice.choice(said), scope=_SCOPES[name])

    async def _night(self, name: str) -> None:  # noqa: ARG002
        self._clock.advance(days=1)
        await self._memory.maintain()


async def attack(folder: Path, short: bool) -> Report:
    """Ask in every scope for what the others said, then erase a conversation beside one of them."""
    through, tried = [], 0
    for seed in range(_SHORT if short else _LONG):
        clock = FakeClock()
        async with Memory.open(folder / str(seed), embedder=None, clock=clock) as memory:
            told = _Told(memory, clock, seed)
            await told.happen(_STEPS)
            got = [*await told.seen(), *await told.lost()]
        through += [f"memory {seed}: {each}" for each in got]
        tried += len(_SCOPES)
    return Report("scopes that see what is not theirs", tried, tuple(through))
