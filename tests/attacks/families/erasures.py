"""Erasures that leave bytes: conversations are held, learnt from, corrected, merged and shown at random, and then
erased. No file may contain words that only they had, and the words of others must still be there.
"""

import random
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.model import Role
from sandbox.testing import FakeClock
from tests.attacks.report import Report
from tests.files import bytes_of

_LONG, _SHORT = 72, 8  # memories, each with some conversations that are erased one by one
_STEPS = 26  # of what happens in a memory
_WORD = 7  # letters of a word that stay in the files with any ending
_VOWELS, _CONSONANTS = "aeiou", "bdfgklmnprstvz"
_ROLES: tuple[Role, ...] = ("user", "user", "user", "assistant", "tool")
SAID = (
    "My sister {A} lives in {B}.",
    "I live in {A} now.",
    "No, I live in {A}, not in {B}.",
    "{A}, also called {B}, works at {C}.",
    "My brother's name is {A}. He moved to {B} because of the {c}.",
    "Call me {A}, please, and always answer in {B}.",
    "I like {a} and {b}, {c} less. " + "It rained all day and we stayed inside with the others. " * 9,
    "I no longer work at {A}; since March I am with {B}.",
    "{A} is my doctor, her number starts with {b}.",
    "What did {A} say about the {b}?",
    "Мою сестру зовут {A}, она живёт в городе {B}.",
)
KNOWN = (
    "{A} lives in {B}.",
    "The user lives in {A}.",
    "The user works at {A}.",
    "The user's sister is called {A}.",
    "The user likes {a} and {b}.",
    "{A} keeps {b} in the {c}.",
)


class Words:
    """Words that only one conversation says: ``whole``, and the parts of them that stand in files."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self.said: set[str] = set()
        self.whole: set[str] = set()

    def fill(self, template: str) -> str:
        """Fill the template with new words, with names where its letters are capitals."""
        text = template
        for letter in "ABCabc":
            if "{" + letter + "}" in text:
                word = self.new()
                text = text.replace("{" + letter + "}", word.capitalize() if letter.isupper() else word)
        return text

    def new(self) -> str:
        """A word that nobody has said."""
        word = "".join(self._dice.choice(_CONSONANTS) + self._dice.choice(_VOWELS) for _ in range(5)) + "k"
        self.said.add(word[:_WORD])
        self.whole.add(word)
        return word


class _Told:
    """One memory with random events, and who said which words."""

    def __init__(self, memory: Memory, clock: FakeClock, seed: int) -> None:
        self._memory = memory
        self._clock = clock
        self._dice = random.Random(seed)
        self.sessions = {f"{Words(self._dice).new()}-{number}": Words(self._dice) for number in range(4)}
        self._turns: dict[str, list[str]] = {session: [] for session in self.sessions}
        self.singly = 0
        self._facts: list[str] = []
        self._names: list[str] = []
        self._happens: tuple[Callable[[str, Words, Scope], Awaitable[object]], ...] = (
            *[self._say] * 5, *[self._remember] * 3, self._correct, self._correct, self._correct_there,
            self._learn, self._learn, self._ask, self._change, self._join, self._night,
        )  # fmt: skip

    async def happen(self, steps: int) -> None:
        """Do something at random in a random conversation."""
        for session in self.sessions:
            for _ in range(3):
                await self._say(session, self.sessions[session], Scope())
            await self._remember(session, self.sessions[session], Scope(session_id=session))
        for _ in range(steps):
            session = self._dice.choice(list(self.sessions))
            self._clock.advance(minutes=self._dice.randrange(1, 2_000))
            try:
                await self._dice.choice(self._happens)(session, self.sessions[session], self._scope(session))
            except MemoryExtensionError:  # gone, or more trusted: the choice is random
                continue

    async def left(self, folder: Path) -> list[str]:
        """Erase a turn, a memory and a name, then one conversation after the other; return which of their words the
        files still contain, and which words of others are missing.
        """
        found = await self._single(folder)
        order = list(self.sessions)
        self._dice.shuffle(order)
        while order:
            session = order.pop()
            words = {*self.sessions[session].said, session}
            await self._memory.erase(session=session)
            files = bytes_of(folder)
            kept_words = " ".join(word for other in order for word in self.sessions[other].whole)
            left = [word for word in sorted(words) if word.encode() in files and word not in kept_words]
            found += [f"{word} of {session}" for word in left]
            kept = [turn for other in order for turn in self._turns[other]]
            for turn in kept:
                await self._memory.explain(turn, scope=Scope(session_id=self._session_of(turn)))
        return found

    async def _single(self, folder: Path) -> list[str]:
        """The words that remain of a turn, a memory and a name that nothing else mentions."""
        words = Words(self._dice)
        session = self._dice.choice(list(self.sessions))
        turn = await self._memory.observe("user", words.fill(SAID[0]), session=session)
        fact = await self._memory.remember(words.fill(KNOWN[0]), tags=[words.new()], rests_on=[turn])
        name = words.new().capitalize()
        await self._memory.remember(f"{name} keeps tea in the shed.", subject=name)
        await self._memory.observe("user", f"I met {name} there.", session=session)
        for id, subject in ((fact, None), (turn, None), (None, name)):
            await self._memory.erase(id, subject=subject)
            self.singly += 1
        files = bytes_of(folder)
        return [f"{word} of one alone" for word in sorted(words.said) if word.encode() in files]

    def _session_of(self, turn: str) -> str | None:
        return next((session for session, turns in self._turns.items() if turn in turns), None)

    def _scope(self, session: str) -> Scope:
        """A scope; sometimes only its conversation sees it."""
        if self._dice.random() < 0.25:
            return Scope(session_id=session, visibility="session")
        return Scope(session_id=session)

    async def _say(self, session: str, words: Words, scope: Scope) -> None:
        role = self._dice.choice(_ROLES)
        speaker = words.new().capitalize() if self._dice.random() < 0.3 else None
        key = words.new() if self._dice.random() < 0.3 else None
        message = Message(role, words.fill(self._dice.choice(SAID)), session, self._clock(), speaker, key)
        self._turns[session] += await self._memory.observe_many([message], scope=scope)

    async def _remember(self, session: str, words: Words, scope: Scope) -> None:
        rests_on = self._dice.sample(self._turns[session], 1) if self._dice.random() < 0.6 else []
        content, tags = words.fill(self._dice.choice(KNOWN)), [words.new()] if self._dice.random() < 0.4 else []
        subject = content.split()[0] if content.split()[0] != "The" else None
        fact = await self._memory.remember(
            content, subject=subject, tags=tags, rests_on=rests_on, on_similar="supersede", scope=scope
        )
        self._facts.append(fact)
        self._names += [subject] if subject else []

    async def _correct(self, session: str, words: Words, scope: Scope) -> None:
        """Correct a random memory, of this conversation or another, with words of this one."""
        rests_on = self._dice.sample(self._turns[session], 1)
        fact = self._dice.choice(self._facts)
        await self._memory.correct(fact, words.fill(self._dice.choice(KNOWN)), rests_on=rests_on, scope=scope)

    async def _correct_there(self, session: str, words: Words, scope: Scope) -> None:  # noqa: ARG002
        fact = self._dice.choice(self._facts)
        await self._memory.correct(fact, words.fill(self._dice.choice(KNOWN)), scope=scope)

    async def _learn(self, session: str, words: Words, scope: Scope) -> None:  # noqa: ARG002
        report = await self._memory.consolidate(session)
        self._facts += [each.id for each in report.learnt]

    async def _ask(self, session: str, words: Words, scope: Scope) -> None:
        said = sorted(words.said)
        await self._memory.context(f"What about {self._dice.choice(said)}?", session=session, scope=scope)
        await self._memory.search(self._dice.choice(said), scope=scope)

    async def _change(self, session: str, words: Words, scope: Scope) -> None:  # noqa: ARG002
        fact = self._dice.choice(self._facts)
        change = self._dice.choice([self._memory.forget, self._memory.restore, self._memory.confirm])
        await change(fact, scope=scope)

    async def _join(self, session: str, words: Words, scope: Scope) -> None:  # noqa: ARG002
        if len(set(self._names)) > 1:
            await self._memory.merge_entities(*self._dice.sample(sorted(set(self._names)), 2), scope=scope)

    async def _night(self, session: str, words: Words, scope: Scope) -> None:  # noqa: ARG002
        self._clock.advance(days=1)
        await self._memory.maintain()


async def attack(folder: Path, short: bool) -> Report:
    """Erase every conversation of some memories."""
    through, erased = [], 0
    for seed in range(_SHORT if short else _LONG):
        home, clock = folder / str(seed), FakeClock()
        clock.advance(days=seed)
        async with Memory.open(home, embedder=None, clock=clock) as memory:
            told = _Told(memory, clock, seed)
            await told.happen(_STEPS)
            clock.advance(seconds=timedelta(hours=1).total_seconds())
            left = await told.left(home)
        through += [f"memory {seed}: {each}" for each in left]
        erased += len(told.sessions) + told.singly
    return Report("erasures that leave a byte", erased, tuple(through))
