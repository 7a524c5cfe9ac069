"""Answers to questions: hits for a question, a block for a prompt, and the reasons for each item of the block."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from sandbox.extensions.memory.assemble import render, views
from sandbox.extensions.memory.assemble.context import Assembler, Trace
from sandbox.extensions.memory.assemble.fitting import item
from sandbox.extensions.memory.assemble.gather import Candidate, section_of
from sandbox.extensions.memory.assemble.news import news, with_news
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.listings import ExplainedBlock
from sandbox.extensions.memory.model import Block, Hit, Order, Scope
from sandbox.extensions.memory.ports import EstimatedTokens, TokenCounter
from sandbox.extensions.memory.retrieve.recall import Recollection
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import changes, decisions, entities
from sandbox.extensions.memory.store.changes import ChangesSince, Revision, delta, last_seq, mark_announced
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import EVENT, INSIGHT, Node
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.text.words import terms
from sandbox.extensions.memory.times import to_ms

T = TypeVar("T")

_LINE_BREAK = 1  # tokens
_NEWS_SHARE = 0.5  # of a budget, at most
_CONVERSATIONS = 1_000  # for so many conversations it keeps the first block and the last news

_Conversation = tuple[str, str | None, str | None]


class Answers:
    """Answers from one open memory."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        counter = runtime.embedder if isinstance(runtime.embedder, TokenCounter) else EstimatedTokens()
        self._counter = counter
        self._beginnings: dict[_Conversation, changes.Beginning] = {}
        self._revisions: dict[_Conversation, Revision] = {}  # the last change that was announced in each conversation
        self._assembler = Assembler(runtime.store, runtime.recall, counter, runtime.config)

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
        """The best memories for a question among those that the filter lets through."""
        runtime, asked = self._runtime, terms(question)
        if threshold is not None and not 0 <= threshold <= 1:
            raise InvalidArgument(argument="threshold", value=threshold, expected="give a number from 0 to 1")
        filter_ = await runtime.store.read(narrowed)
        found = await runtime.recall.find(question, filter_, limit, now, threshold)
        if reinforce:
            runtime.recalls.count("search", [each.node.id for each in found], filter_.scope, runtime.now_ms())
        if order != "relevance":
            found.sort(key=_ORDERS[order])
        known = [each.node.id for each in found if each.node.type != "episodic"]

        def hits(snapshot: Snapshot) -> list[Hit]:  # in the read, whose errors name a damaged file
            filed = entities.contexts_of(snapshot, known, filter_.scope) if known else {}
            return [views.hit(each, filter_.now, asked, filed) for each in found]

        return await runtime.store.read(hits) if found else []

    async def context(
        self,
        prompt: str,
        narrowed: Callable[[Snapshot], Filter],
        budget: int | None,
        now: datetime,
        *,
        include_session: bool | datetime,
        seen: Mapping[str, int],
        reinforce: bool,
    ) -> Block | None:
        """The block for a prompt in the scope's session, without versions of memories that were ``seen``."""
        filter_, unannounced, changed = await self._runtime.store.read(lambda snapshot: self._asked(snapshot, narrowed))
        scope = filter_.scope
        if include_session is not True:
            since = to_ms(include_session) if isinstance(include_session, datetime) else 0
            filter_ = replace(filter_, without_turns_of=scope.session_id, without_turns_since=since)
        announced = news(unannounced, changed)
        cost = self._counter.count_tokens([announced])[0] + _LINE_BREAK if announced else 0
        if budget is not None and cost > budget * _NEWS_SHARE:
            announced, cost = "", 0  # a later block with more room shows it
        assembled = await self._assembler.assemble(prompt, filter_, budget and max(1, budget - cost), now, seen=seen)
        if reinforce:
            await self._mark_announced(unannounced, changed, scope, is_announced=bool(announced))
        if assembled is None:
            return self._with_news(Block((), 0, 0.0, ""), announced) if announced else None
        if reinforce:
            once_in = scope.session_id or f"day {filter_.now // DAY}"
            self._runtime.recalls.count("context", assembled.node_ids, scope, self._runtime.now_ms(), once_in)
        return self._with_news(assembled.block, announced) if announced else assembled.block

    def _asked(
        self, snapshot: Snapshot, narrowed: Callable[[Snapshot], Filter]
    ) -> tuple[Filter, list[Node], ChangesSince | None]:
        """The filter for a block, the memories that no block has announced yet, and what others changed since the
        conversation's last block. If blocks are off, there is no news; a look back has no changes.
        """
        filter_ = _unasked(narrowed(snapshot))
        if self._runtime.config.context_mode == "off":
            return filter_, [], None
        scope, unannounced = filter_.scope, decisions.unannounced(snapshot, filter_.scope)
        if filter_.world is not None or filter_.believed_seq is not None:
            return filter_, unannounced, None
        now = Filter(scope, filter_.now, allowed=filter_.allowed)
        return filter_, unannounced, delta(snapshot, now, self._revisions.get(_conversation(scope)))

    async def _mark_announced(
        self, unannounced: Sequence[Node], changed: ChangesSince | None, scope: Scope, *, is_announced: bool
    ) -> None:
        """Record what a block has announced to the user and the conversation; without news nothing is written."""
        revision = changed.revision if changed else None
        if revision and (is_announced or not (changed and changed.updates)):
            _keep(self._revisions, _conversation(scope), revision)
        if not is_announced or self._runtime.store.read_only:
            return

        def mark(tx: Transaction) -> None:
            decisions.mark_announced(tx, scope.user_id, [node.id for node in unannounced])
            if revision and changed and changed.updates:
                mark_announced(tx, scope, revision)

        await self._runtime.write(mark)

    def _with_news(self, block: Block, announced: str) -> Block:
        text = with_news(block.text, announced)
        return replace(block, text=text, tokens=self._counter.count_tokens([text])[0])

    async def fixed_block(self, scope: Scope) -> Block | None:
        """Knowledge of lasting categories, as it was when the scope's conversation began."""
        config = self._runtime.config
        left_out = {EVENT, INSIGHT, *config.rag_length}
        categories = [each for each in config.categories if each not in left_out]

        def read(snapshot: Snapshot) -> list[Node]:
            filter_, conversation = self._runtime.filter(scope), _conversation(scope)
            began = self._beginnings.get(conversation) or changes.began(snapshot, scope)
            beginning = began or (last_seq(snapshot), filter_.now)
            if scope.session_id is not None:
                _keep(self._beginnings, conversation, beginning)
            return changes.known_then(snapshot, categories, beginning, filter_)

        known = await self._runtime.read(read)
        if not known:
            return None
        text = render.fixed(known)
        items = tuple(item(Candidate(section_of(node), node, 1.0), {}) for node in known)
        return Block(items, self._counter.count_tokens([text])[0], 1.0, text)

    async def explain_context(
        self, prompt: str, narrowed: Callable[[Snapshot], Filter], budget: int | None, now: datetime
    ) -> ExplainedBlock:
        """The block for a prompt, what was found for it, and why some of that is left out."""
        filter_ = _unasked(await self._runtime.read(narrowed))
        trace, asked = Trace(), terms(prompt)
        assembled = await self._assembler.assemble(prompt, filter_, budget, now, trace=trace)
        block = None if assembled is None else assembled.block
        found = tuple(views.hit(each, filter_.now, asked) for each in trace.found)
        return ExplainedBlock(block, budget or trace.budget, trace.needed, found, trace.left_out(block))


def _conversation(scope: Scope) -> _Conversation:
    return scope.user_id, scope.project_id, scope.session_id


def _keep(kept: dict[_Conversation, T], conversation: _Conversation, value: T) -> None:
    """Store a value, and drop the conversations that were used longest ago."""
    kept.pop(conversation, None)
    kept[conversation] = value
    while len(kept) > _CONVERSATIONS:
        kept.pop(next(iter(kept)))


def _unasked(filter_: Filter) -> Filter:
    """The filter for a block: quarantined memories stay out unless the caller asks for them alone."""
    return replace(filter_, quarantined=filter_.state == "quarantined")


_ORDERS: Mapping[Order, Callable[[Recollection], float]] = {
    "newest": lambda found: -found.node.event_time,
    "oldest": lambda found: found.node.event_time,
    "most_used": lambda found: -found.node.access_count,
    "most_important": lambda found: -found.node.importance,
    "fading_first": lambda found: found.node.fades_at or math.inf,
}
