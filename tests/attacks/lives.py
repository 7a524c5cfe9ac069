"""Random lives of a memory: conversations, projects or users say, learn and change things in it, each in words that no
other says.
"""

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import ArgumentsDisagree, MemoryExtensionError
from sandbox.extensions.memory.model import Role
from sandbox.testing import FakeClock

SHARED = "Marta"  # a name that everybody says
_WORD = 9  # letters of a word that stay in the files with any ending
_FIRST, _VOWELS, _CONSONANTS = "w", "aeiou", "bdfgklmnprstvz"
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
    """Words that only one of them says: ``whole``, and the parts of them that stand in files."""

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
        """A word that nobody has said. None holds the beginning of another, because only words begin so."""
        word = _FIRST + "".join(self._dice.choice(_VOWELS) + self._dice.choice(_CONSONANTS) for _ in range(4)) + "uk"
        self.said.add(word[:_WORD])
        self.whole.add(word)
        return word


class Life:
    """One memory, and what each of ``scopes``, which have names, said and stored in it. If they are ``apart``, each
    corrects only in the words of the owner, and changes and joins only what is its own.
    """

    def __init__(
        self, memory: Memory, clock: FakeClock, dice: random.Random, scopes: Mapping[str, Scope], *, apart: bool
    ) -> None:
        self.memory, self.clock, self.dice, self.scopes, self._apart = memory, clock, dice, scopes, apart
        self.words = {name: Words(dice) for name in scopes}
        self.turns: dict[str, dict[str, str]] = {name: {} for name in scopes}
        self.learnt: list[tuple[str, object]] = []
        self._facts: dict[str, list[str]] = {name: [] for name in scopes}
        self._names: dict[str, list[str]] = {name: [] for name in scopes}
        self._happens: tuple[Callable[[str, Scope], Awaitable[object]], ...] = (
            *[self._say] * 5, *[self._remember] * 3, self._correct, self._correct, self._learn, self._learn, self._ask,
            self._change, self._end, self._join, self._night,
        )  # fmt: skip

    async def happen(self, steps: int) -> None:
        """Do something at random, each time in a random scope."""
        for name in self.scopes:
            for begin in (self._say, self._say, self._remember):
                await begin(name, self.scope(name))
        for _ in range(steps):
            name = self.dice.choice(list(self.scopes))
            self.clock.advance(minutes=self.dice.randrange(1, 2_000))
            try:
                await self.dice.choice(self._happens)(name, self.scope(name))
            except MemoryExtensionError:  # gone, invisible there, or more trusted: the choice is random
                continue

    def scope(self, name: str) -> Scope:
        """The scope of the next step."""
        return self.scopes[name]

    def _of(self, kept: Mapping[str, list[str]], name: str) -> str:
        """One of what is kept of a name, or of any of them; a text that is nothing's id if there is none."""
        found = kept[name] if self._apart else [each for some in kept.values() for each in some]
        return self.dice.choice(found or [""])

    async def _say(self, name: str, scope: Scope) -> None:
        words = self.words[name]
        speaker = self.dice.choice([None, None, "Ann", SHARED, words.new().capitalize()])
        key = self.dice.choice([None, None, f"key {self.dice.randrange(8)}-{len(self.turns[name])}", words.new()])
        content = words.fill(self.dice.choice(SAID))
        message = Message(self.dice.choice(_ROLES), content, scope.session_id, self.clock(), speaker, key)
        try:
            [id] = await self.memory.observe_many([message], scope=scope)
        except ArgumentsDisagree:  # a turn of another conversation has the key
            [id] = await self.memory.observe_many([replace(message, key=None)], scope=scope)
        self.turns[name][id] = content

    async def _remember(self, name: str, scope: Scope) -> None:
        content = self.words[name].fill(self.dice.choice(KNOWN))
        subject = self.dice.choice([None, SHARED, content.split()[0]])
        fact = await self.memory.remember(
            content,
            subject=None if subject == "The" else subject,
            tags=[self.words[name].new()] if self.dice.random() < 0.4 else [],
            rests_on=self.dice.sample(list(self.turns[name]), 1) if self.dice.random() < 0.6 else [],
            on_similar="supersede",
            key=f"known {len(self._facts[name])}" if self._apart else None,
            scope=scope,
        )
        self._facts[name].append(fact)
        self._names[name] += [subject] if subject not in (None, "The", SHARED) else []

    async def _correct(self, name: str, scope: Scope) -> None:
        """Try to correct a memory of anybody."""
        owner = self.dice.choice(list(self.scopes))
        content = self.words[owner if self._apart else name].fill(self.dice.choice(KNOWN))
        rests_on = self.dice.sample(list(self.turns[name]), 1) if not self._apart and self.dice.random() < 0.6 else []
        fact = self.dice.choice(self._facts[owner] or [""])
        await self.memory.correct(fact, content, rests_on=rests_on, scope=scope)

    async def _learn(self, name: str, scope: Scope) -> None:
        report = await self.memory.consolidate(self.dice.choice([scope.session_id, None]), scope=scope)
        self.learnt.append((name, report.learnt))
        own = self.words[name].said
        self._facts[name] += [each.id for each in report.learnt if any(word in each.content.lower() for word in own)]

    async def _ask(self, name: str, scope: Scope) -> None:
        asked = self.dice.choice(sorted(self.words[name].whole))
        await self.memory.context(f"What about {asked}?", session=scope.session_id, scope=scope)
        await self.memory.search(asked, scope=scope)

    async def _change(self, name: str, scope: Scope) -> None:
        change = self.dice.choice([self.memory.forget, self.memory.restore, self.memory.confirm])
        await change(self._of(self._facts, name), scope=scope)

    async def _end(self, name: str, scope: Scope) -> None:  # noqa: ARG002 (every step gets both)
        await self.memory.end_session(str(scope.session_id), scope=scope)

    async def _join(self, name: str, scope: Scope) -> None:
        await self.memory.merge_entities(self._of(self._names, name), self._of(self._names, name), scope=scope)

    async def _night(self, name: str, scope: Scope) -> None:  # noqa: ARG002 (every step gets both)
        self.clock.advance(days=1)
        await self.memory.maintain()
