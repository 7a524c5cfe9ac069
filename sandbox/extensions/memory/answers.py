"""What is asked: hits for a question, a block for a prompt, and why that is in it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from sandbox.extensions.memory.assemble import views
from sandbox.extensions.memory.assemble.context import Assembler
from sandbox.extensions.memory.assemble.weigh import Trace
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.model import AsOf, Block, Hit, Scope
from sandbox.extensions.memory.opened import Opened
from sandbox.extensions.memory.ports import TokenCounter
from sandbox.extensions.memory.reports import Weighed
from sandbox.extensions.memory.retrieve.narrow import narrow
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.text.tokens import EstimatedTokens
from sandbox.extensions.memory.text.words import terms
from sandbox.extensions.memory.times import to_ms


class Answers:
    """Answers from one open memory."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        counter = opened.embedder if isinstance(opened.embedder, TokenCounter) else EstimatedTokens()
        self._assembler = Assembler(opened.store, opened.recall, counter, opened.config)

    async def search(
        self,
        question: str,
        narrowed: Callable[[Snapshot], Filter],
        limit: int | None,
        now: datetime,
        *,
        reinforce: bool,
    ) -> list[Hit]:
        """The best memories for a question, of those that the filter lets through."""
        opened, asked = self._opened, terms(question)
        filter_ = await opened.store.read(narrowed)
        found = await opened.recall.find(question, filter_, limit, now)
        if reinforce:
            opened.recalls.count("search", [each.node.id for each in found], filter_.scope, opened.now_ms())
        return [views.hit(each, filter_.now, asked) for each in found]

    async def context(
        self,
        prompt: str,
        budget: int | None,
        now: datetime,
        scope: Scope,
        *,
        include_session: bool,
        reinforce: bool,
    ) -> Block | None:
        """The block for a prompt that is said in the scope's session."""
        hidden = None if include_session else scope.session_id
        filter_ = Filter(scope, to_ms(now, "now"), quarantined=False, without_turns_of=hidden)
        assembled = await self._assembler.assemble(prompt, filter_, budget, now)
        if assembled is None:
            return None
        if reinforce:
            once_in = scope.session_id or f"day {filter_.now // DAY}"
            self._opened.recalls.count("context", assembled.node_ids, scope, self._opened.now_ms(), once_in)
        return assembled.block

    async def weigh(
        self, prompt: str, budget: int | None, now: datetime, scope: Scope, as_of: datetime | AsOf | None
    ) -> Weighed:
        """The block for a prompt, what was found for it, and why some of that is left out."""
        filter_ = await self._opened.read(lambda snapshot: narrow(snapshot, scope, now, as_of=as_of))
        trace, asked = Trace(), terms(prompt)
        assembled = await self._assembler.assemble(
            prompt, replace(filter_, quarantined=False), budget, now, trace=trace
        )
        block = None if assembled is None else assembled.block
        found = tuple(views.hit(each, filter_.now, asked) for each in trace.found)
        return Weighed(block, budget or trace.budget, found, trace.left_out(block))
