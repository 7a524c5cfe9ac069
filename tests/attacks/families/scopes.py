"""Scopes that see too much. Projects, a private conversation, another user and the user without a project say, learn
and change things at random, with the same sessions, keys and names. None may find or be shown what only another said,
and none may lose its own memories.
"""

import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.model import to_plain
from sandbox.testing import FakeClock
from tests.attacks.lives import SHARED, Life
from tests.attacks.report import Report

_LONG, _SHORT = 40, 5  # memories
_STEPS = 30  # of what happens in each
_SESSION = "s"

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


async def _seen(life: Life) -> list[str]:
    """What each scope is shown that is not its own, also when it learnt."""
    memory, shown = life.memory, life.learnt
    for scope in _SCOPES.values():
        await memory.consolidate(scope.session_id, scope=scope)
    await memory.maintain()
    for name, scope in _SCOPES.items():
        for asked in ("", SHARED, *(word for words in life.words.values() for word in sorted(words.whole)[::4])):
            hits = await memory.search(asked, limit=200, history=not asked, reinforce=False, scope=scope)
            shown.append((name, hits))
            shown += [(name, await memory.explain(hit.id, scope=scope)) for hit in hits if not asked]
            with suppress(MemoryExtensionError):
                shown.append((name, await memory.entity(asked.capitalize(), scope=scope)))
        prompt = f"Where does {SHARED} live? What do I like?"
        shown.append((name, await memory.context(prompt, budget=3000, scope=scope)))
        shown += [(name, await memory.profile(scope=scope)), (name, await memory.weak(limit=200, scope=scope))]
    found = dict[str, None]()
    for name, value in shown:
        text = str(to_plain(value)).lower()
        forbidden = {word for other in _SCOPES.keys() - _SEES[name] - {name} for word in life.words[other].said}
        found |= dict.fromkeys(f"{name} was shown {word}" for word in sorted(forbidden) if word in text)
    return list(found)


async def _lost(life: Life) -> list[str]:
    """What a scope said and no longer finds, after every other scope has erased its own conversation."""
    name = life.dice.choice(list(_SCOPES))
    keeping = _SCOPES[name]
    for scope in _SCOPES.values():
        if replace(scope, visibility=keeping.visibility) != keeping:
            await life.memory.erase(session=str(scope.session_id), scope=scope)
    lost = []
    for id, content in life.turns[name].items():
        try:
            kept = (await life.memory.explain(id, scope=keeping)).memory.content
        except MemoryExtensionError:
            kept = None
        lost += [f"{name} lost a turn"] if kept != content else []
    return lost


async def attack(folder: Path, short: bool) -> Report:
    """Ask in every scope for what the others said, then erase a conversation beside one of them."""
    through, tried = [], 0
    for seed in range(_SHORT if short else _LONG):
        clock = FakeClock()
        async with Memory.open(folder / str(seed), embedder=None, clock=clock) as memory:
            life = Life(memory, clock, random.Random(seed), _SCOPES, apart=True)
            await life.happen(_STEPS)
            got = [*await _seen(life), *await _lost(life)]
        through += [f"memory {seed}: {each}" for each in got]
        tried += len(_SCOPES)
    return Report("scopes that see what is not theirs", tried, tuple(through))
