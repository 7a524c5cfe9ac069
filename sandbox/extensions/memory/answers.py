"""What is asked: hits for a question, a block for a prompt, and why that is in it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from sandbox.extensions.memory.assemble import views
from sandbox.extensions.memory.assemble.context import Assembler
from sandbox.extensions.memory.assemble.weigh import Trace
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.model import Block, Hit
from sandbox.extensions.memory.opened import Opened
from sandbox.extensions.memory.ports import TokenCounter
from sandbox.extensions.memory.reports import Weighed
from sandbox.extensions.memory.retrieve.recall import Recollection
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.text.tokens import EstimatedTokens
from sandbox.extensions.memory.text.words import terms
from sandbox.extensions.memory.wanted import Order


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
        threshold: float | None,
        order: Order,
        now: datetime,
        *,
        reinforce: bool,
    ) -> list[Hit]:
        """The best memories for a question, of those that the filter lets through."""
        opened, asked = self._opened, terms(question)
        if threshold is not None and not 0 <= threshold <= 1:
            raise InvalidArgument(argument="threshold", value=threshold, expected="give a number from 0 to 1")
        filter_ = await opened.store.read(narrowed)
        found = await opened.recall.find(question, filter_, limit, now, threshold)
        if reinforce:
            opened.recalls.count("search", [each.node.id for each in found], filter_.scope, opened.now_ms())
        if order != "relevance":
            found.sort(key=_ORDERS[order])
        return [views.hit(each, filter_.now, asked) for each in found]

    async def context(
        self,
        prompt: str,
        narrowed: Callable[[Snapshot], Filter],
        budget: int | None,
        now: datetime,
        *,
        include_session: bool,
        reinforce: bool,
    ) -> Block | None:
        """The block for a prompt that is said in the scope's session."""
        filter_ = _unasked(await self._opened.store.read(narrowed))
        hidden = None if include_session else filter_.scope.session_id
        assembled = await self._assembler.assemble(prompt, replace(filter_, without_turns_of=hidden), budget, now)
        if assembled is None:
            return None
        if reinforce:
            once_in = filter_.scope.session_id or f"day {filter_.now // DAY}"
            self._opened.recalls.count("context", assembled.node_ids, filter_.scope, self._opened.now_ms(), once_in)
        return assembled.block

    async def weigh(
        self, prompt: str, narrowed: Callable[[Snapshot], Filter], budget: int | None, now: datetime
    ) -> Weighed:
        """The block for a prompt, what was found for it, and why some of that is left out."""
        filter_ = _unasked(await self._opened.read(narrowed))
        trace, asked = Trace(), terms(prompt)
        assembled = await self._assembler.assemble(prompt, filter_, budget, now, trace=trace)
        block = None if assembled is None else assembled.block
        found = tuple(views.hit(each, filter_.now, asked) for each in trace.found)
        return Weighed(block, budget or trace.budget, found, trace.left_out(block))


def _unasked(filter_: Filter) -> Filter:
    """The same for a block that nobody asked for: what is quarantined stays out, unless it alone is wanted."""
    return replace(filter_, quarantined=filter_.state == "quarantined")


_ORDERS: Mapping[Order, Callable[[Recollection], float]] = {
    "newest": lambda found: -found.node.event_time,
    "oldest": lambda found: found.node.event_time,
    "most_used": lambda found: -found.node.access_count,
    "fading_first": lambda found: found.node.fades_at or math.inf,
}
