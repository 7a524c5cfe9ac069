"""A memory that learns with a model behind a server on loopback, which answers from a script."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.asking.chat import ChatModel
from sandbox.extensions.memory.model import KNOWLEDGE, Hit, Role
from sandbox.extensions.memory.reports import LearningReport
from sandbox.testing import FakeClock, Request, ScriptedModel
from tests.memory.learning.scripts import Answer, verdict

Turn = str | tuple[Role, str] | tuple[Role, str, str | None]  # of the user; of somebody; of somebody with a name


def asked_for(request: Request) -> str:
    """The name of a request's prompt."""
    return str(request.body["response_format"]["json_schema"]["name"])


def pairs_of(request: Request) -> list[str]:
    """The pairs in a request for verdicts, as they are shown."""
    return str(request.messages[0]["content"]).split("Pair ")[1:]


class Said(NamedTuple):
    """One turn and its speaker."""

    role: Role
    text: str
    speaker: str | None = None


@dataclass
class Reader:
    """A memory, and the server that reads for it."""

    memory: Memory
    server: ScriptedModel
    clock: FakeClock
    sessions: int = 0

    async def read(self, *turns: Turn, speaker: str | None = None) -> LearningReport:
        """Say that in a session of its own, and learn from it."""
        self.sessions += 1
        session = f"s{self.sessions}"
        for turn in turns:
            said = Said("user", turn, speaker) if isinstance(turn, str) else Said(*turn)
            self.clock.advance(minutes=1)
            await self.memory.observe(said.role, said.text, session=session, at=self.clock(), speaker=said.speaker)
        self.clock.advance(hours=1)
        report = await self.memory.consolidate(session)
        await self.memory.wait_until_embedded()
        return report

    async def known(self, **more: Any) -> list[Hit]:
        """All valid knowledge."""
        return list(await self.memory.search("", types=KNOWLEDGE, limit=100, reinforce=False, **more))

    async def contents(self) -> list[str]:
        """Its contents, sorted."""
        return sorted(hit.content for hit in await self.known())

    def requests(self, name: str) -> list[Request]:
        """The requests for one prompt."""
        return [request for request in self.server.requests if asked_for(request) == name]


@asynccontextmanager
async def reader(
    folder: Path,
    clock: FakeClock,
    *answers: Sequence[Answer] | Answer,
    verdicts: Sequence[dict[str, Any]] = (),
    **config: Any,
) -> AsyncIterator[Reader]:
    """A memory whose model finds some items in each session, in order, and then nothing; its verdict is different,
    unless ``verdicts`` say otherwise.
    """
    left = list(answers)

    def answer(request: Request) -> str:
        if asked_for(request) == "judge":
            given = {each["pair"]: each for each in verdicts}
            pairs = range(1, len(pairs_of(request)) + 1)
            return json.dumps({"verdicts": [given.get(pair, verdict(pair)) for pair in pairs]})
        found = left.pop(0) if left else []
        return json.dumps(found if isinstance(found, Mapping) else {"summary": "", "items": list(found)})

    with ScriptedModel(otherwise=answer) as server:
        async with opened(folder, clock, server, **config) as reading:
            yield reading


@asynccontextmanager
async def opened(folder: Path, clock: FakeClock, server: ScriptedModel, **config: Any) -> AsyncIterator[Reader]:
    """A memory in a folder, with the embedder that ships with it and a model at a server."""
    model = ChatModel("scripted", base_url=server.base_url)
    try:
        async with Memory.open(folder, model=model, clock=clock, config=config) as memory:
            yield Reader(memory, server, clock)
    finally:
        await model.close()
