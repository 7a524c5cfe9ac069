"""Erasures that leave bytes: conversations are held, learnt from, corrected, merged and shown at random, and then
erased. No file may contain words that only they had, and the words of others must still be there.
"""

import random
from dataclasses import replace
from pathlib import Path

from sandbox.extensions.memory import Memory, Scope
from sandbox.testing import FakeClock
from tests.attacks.lives import KNOWN, SAID, Life, Words
from tests.attacks.report import Report
from tests.files import bytes_of

_LONG, _SHORT = 72, 8  # memories, each with some conversations that are erased one by one
_STEPS = 26  # of what happens in a memory
_ALONE = 3  # what is erased singly: a memory, a turn and a name


class _Conversations(Life):
    """The conversations of one user."""

    def scope(self, name: str) -> Scope:
        """Sometimes only the conversation sees it."""
        return replace(self.scopes[name], visibility="session" if self.dice.random() < 0.25 else "user")

    async def left(self, folder: Path) -> list[str]:
        """Erase a turn, a memory and a name, then one conversation after the other; return which of their words the
        files still contain. The turns of the others are there.
        """
        found = await self._single(folder)
        order = list(self.scopes)
        self.dice.shuffle(order)
        while order:
            session = order.pop()
            await self.memory.erase(session=session)
            files = bytes_of(folder)
            kept_words = " ".join(word for other in order for word in self.words[other].whole)
            words = sorted({*self.words[session].said, session})
            found += [f"{word} of {session}" for word in words if word.encode() in files and word not in kept_words]
            for other in order:
                for turn in self.turns[other]:
                    await self.memory.explain(turn, scope=self.scopes[other])
        return found

    async def _single(self, folder: Path) -> list[str]:
        """The words that remain of a turn, a memory and a name that nothing else mentions."""
        words, session = Words(self.dice), self.dice.choice(list(self.scopes))
        turn = await self.memory.observe("user", words.fill(SAID[0]), session=session)
        fact = await self.memory.remember(words.fill(KNOWN[0]), tags=[words.new()], rests_on=[turn])
        name = words.new().capitalize()
        await self.memory.remember(f"{name} keeps tea in the shed.", subject=name)
        await self.memory.observe("user", f"I met {name} there.", session=session)
        for id, subject in ((fact, None), (turn, None), (None, name)):
            await self.memory.erase(id, subject=subject)
        files = bytes_of(folder)
        return [f"{word} of one alone" for word in sorted(words.said) if word.encode() in files]


async def attack(folder: Path, short: bool) -> Report:
    """Erase every conversation of some memories."""
    through, erased = [], 0
    for seed in range(_SHORT if short else _LONG):
        home, clock, dice = folder / str(seed), FakeClock(), random.Random(seed)
        sessions = [f"{Words(dice).new()}-{number}" for number in range(4)]
        async with Memory.open(home, embedder=None, clock=clock) as memory:
            scopes = {session: Scope(session_id=session) for session in sessions}
            talks = _Conversations(memory, clock, dice, scopes, apart=False)
            await talks.happen(_STEPS)
            clock.advance(hours=1)
            left = await talks.left(home)
        through += [f"memory {seed}: {each}" for each in left]
        erased += len(sessions) + _ALONE
    return Report("erasures that leave a byte", erased, tuple(through))
