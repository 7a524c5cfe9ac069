"""Why nothing, or less than they say, is learnt from turns: the rules read them again, and nothing is stored.

The result is what the present rules make of the turns alone. Of turns that a model read, it is known only which text no
reader sees, and that nothing was learnt.
"""

import re
from collections.abc import AsyncIterator, Sequence
from functools import partial

from sandbox.extensions.memory.consolidate import rules_process
from sandbox.extensions.memory.consolidate.draft import turn_of
from sandbox.extensions.memory.consolidate.extraction import BEFORE
from sandbox.extensions.memory.consolidate.known import people
from sandbox.extensions.memory.consolidate.own_words import doubtful_too
from sandbox.extensions.memory.consolidate.statements import draft_of
from sandbox.extensions.memory.errors import MemoryExtensionError, SecretRefused, StoreError
from sandbox.extensions.memory.listings import PassedOver
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.parse.reader import UNKNOWN
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import browsing, graph, nodes, sessions
from sandbox.extensions.memory.store.rows import RULES, Node
from sandbox.extensions.memory.store.sessions import Session
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

_SENTENCES = re.compile(r"(?<=[.!?…])\s+")
_NOTHING = "nothing to keep"


async def passed_over(runtime: Runtime, session: str, scope: Scope, offset: int, limit: int) -> tuple[PassedOver, ...]:
    """The turns, among some of a session, from which something was not learnt, in order, with the reasons."""
    start = max(0, offset - BEFORE)

    def look(snapshot: Snapshot) -> tuple[list[Node], set[int], list[Session]]:
        found = browsing.said(snapshot, session, scope, start, limit + offset - start)
        taught = {here for here, _ in graph.sources(snapshot, [node.id for node in found], "derived_from")}
        return found, taught, sessions.homes(snapshot, scope, session)

    found, taught, homes = await runtime.store.read(look)
    before, turns = found[: offset - start], found[offset - start :]
    reasons: dict[str, dict[str, None]] = {turn.public_id: {} for turn in turns}
    for home in homes:
        read = list[Node]()
        for turn in turns:
            if turn.visibility != home.visibility:
                continue
            if turn.role not in ("user", "assistant"):
                reasons[turn.public_id]["neither a person nor an assistant said it"] = None
            elif turn.id > home.read_to:
                reasons[turn.public_id]["not read yet"] = None
            else:
                read.append(turn)
        try:
            async for id, why in _reasons(runtime, home, read, before):
                reasons[id][why] = None
        except StoreError:
            raise
        except Exception:  # an error of the rules about some text
            for turn in read:
                reasons[turn.public_id]["the rules could not read it"] = None
    for turn in turns:
        why_not = reasons[turn.public_id]
        if turn.id in taught:
            why_not.pop(UNKNOWN, None)
        elif not why_not:
            why_not[_NOTHING] = None
    return tuple(PassedOver(id, tuple(why_not)) for id, why_not in reasons.items() if why_not)


async def _reasons(
    runtime: Runtime, home: Session, turns: Sequence[Node], before: Sequence[Node]
) -> AsyncIterator[tuple[str, str]]:
    """The ids of turns that were read, with reasons: words of others, what rules pass over, what may not be stored."""
    heard, earlier, now = [turn_of(node) for node in turns], [turn_of(node) for node in before], runtime.now_ms()
    if home.read_by == RULES and heard:
        known = await runtime.store.read(lambda snapshot: people(snapshot, home.scope, now))
        own, extractions = await rules_process.read_session(heard, earlier, len(heard), known)
    else:
        own, extractions = doubtful_too((*earlier, *heard))[len(earlier) :], []
    for turn, said in zip(turns, own, strict=True):
        if len(said.text.split()) < len(turn.content.split()):
            yield turn.public_id, "in part somebody else's words" if said.text.strip() else "somebody else's words"
    asking = {turn.id for turn in own if all(each.endswith("?") for each in _SENTENCES.split(turn.text.strip()))}
    by_id = {turn.public_id: turn for turn in turns}
    for found in extractions:
        for id, why in found.passed_over:
            yield id, "question" if why == UNKNOWN and id in asking else why
        for id in by_id.keys() - {id for each in found.proposals for id in each.sources}:
            if by_id[id].role == "assistant":
                yield id, "an assistant said it"
        for each in found.proposals:
            refused: str | None = None
            try:
                sources = [by_id[id] for id in each.sources]
                draft = draft_of(each, RULES, sources, home.scope, now, runtime.config)
            except MemoryExtensionError as error:
                refused = "secret" if isinstance(error, SecretRefused) else "invalid"
            else:
                if await runtime.store.read(partial(nodes.was_rejected, draft=draft)):
                    refused = "was forgotten or corrected"
                elif draft.waits_for:
                    refused = "waits for consent"
            if refused is not None:
                for id in each.sources:
                    yield id, refused
