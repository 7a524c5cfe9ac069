"""Why nothing, or less than they say, is learnt from turns: the rules read them again, and nothing is stored.

The result is what the present rules make of the turns alone. Of turns that a model read, it is known only which text no
reader sees, and that nothing was learnt.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.consolidate import rules_process
from sandbox.extensions.memory.consolidate.draft import turn_of
from sandbox.extensions.memory.consolidate.extraction import BEFORE, Extraction, ProposedStatement, Turn
from sandbox.extensions.memory.consolidate.known import people
from sandbox.extensions.memory.consolidate.own_words import own_words
from sandbox.extensions.memory.consolidate.statements import draft_of
from sandbox.extensions.memory.errors import MemoryExtensionError, SecretRefused, StoreError
from sandbox.extensions.memory.listings import PassedOver
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.parse.reader import UNKNOWN
from sandbox.extensions.memory.store import browsing, graph, nodes, sessions
from sandbox.extensions.memory.store.rows import RULES, Draft, Node
from sandbox.extensions.memory.store.sessions import Session
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

_SENTENCES = re.compile(r"(?<=[.!?…])\s+")
_NOTHING = "nothing to keep"

Reasons = dict[str, dict[str, None]]  # by the public id of the turn


@dataclass(frozen=True, slots=True)
class _Window:
    """Some turns of a session, those right before them, the ids of turns from which something was learnt, and the
    watermarks.
    """

    turns: Sequence[Node]
    before: Sequence[Node]
    taught: frozenset[str]
    homes: Mapping[str, Session]  # by visibility


async def passed_over(
    store: Store, config: Config, now: int, session: str, scope: Scope, offset: int, limit: int
) -> tuple[PassedOver, ...]:
    """The turns, among some of a session, from which something was not learnt, in order, with the reasons."""
    window = await store.read(lambda snapshot: _look(snapshot, session, scope, offset, limit))
    reasons: Reasons = {turn.public_id: {} for turn in window.turns}
    for visibility, home in window.homes.items():
        here = [turn for turn in window.turns if turn.visibility == visibility]
        unread = {turn.public_id: why for turn in here if (why := _why_unread(turn, home))}
        read = [turn for turn in here if turn.public_id not in unread]
        for id, why in unread.items():
            reasons[id][why] = None
        try:
            own, found = await _read_again(store, home, read, window.before, now)
            _note_taken_out(read, own, reasons)
            if found is not None:
                _note_passed_over(read, own, found, reasons)
                await _note_refused(store, config, now, home, read, found, reasons)
        except StoreError:
            raise
        except Exception:  # an error of the rules about some text
            for turn in read:
                reasons[turn.public_id]["the rules could not read it"] = None
    for id, why_not in reasons.items():
        if id in window.taught:
            why_not.pop(UNKNOWN, None)
        elif not why_not:
            why_not[_NOTHING] = None
    return tuple(PassedOver(id, tuple(why_not)) for id, why_not in reasons.items() if why_not)


def _look(snapshot: Snapshot, session: str, scope: Scope, offset: int, limit: int) -> _Window:
    start = max(0, offset - BEFORE)
    found = browsing.said(snapshot, session, scope, start, limit + offset - start)
    sources = {here for here, _ in graph.sources(snapshot, [node.id for node in found], "derived_from")}
    taught = frozenset(node.public_id for node in found if node.id in sources)
    homes: dict[str, Session] = {home.visibility: home for home in sessions.homes(snapshot, scope, session)}
    return _Window(found[offset - start :], found[: offset - start], taught, homes)


def _why_unread(turn: Node, home: Session) -> str | None:
    """Why no reader sees a turn, or none has seen it yet; None if one has."""
    if turn.role not in ("user", "assistant"):
        return "neither a person nor an assistant said it"
    return "not read yet" if turn.id > home.read_to else None


async def _read_again(
    store: Store, home: Session, turns: Sequence[Node], before: Sequence[Node], now: int
) -> tuple[Sequence[Turn], Extraction | None]:
    """The turns with their speakers' own words, and what rules find in them, if rules had read them."""
    heard, earlier = [turn_of(node) for node in turns], [turn_of(node) for node in before]
    if home.read_by != RULES or not heard:
        return own_words((*earlier, *heard), played=True)[len(earlier) :], None
    known = await store.read(lambda snapshot: people(snapshot, home.scope, now))
    own, [found] = await rules_process.read_session(heard, earlier, len(heard), known)
    return own, found


def _note_taken_out(turns: Sequence[Node], own: Sequence[Turn], reasons: Reasons) -> None:
    for turn, said in zip(turns, own, strict=True):
        if len(said.text.split()) < len(turn.content.split()):
            part = "in part somebody else's words" if said.text.strip() else "somebody else's words"
            reasons[turn.public_id][part] = None


def _note_passed_over(turns: Sequence[Node], own: Sequence[Turn], found: Extraction, reasons: Reasons) -> None:
    asking = {turn.id for turn in own if _asks(turn.text.strip())}
    for id, why in found.passed_over:
        reasons[id]["question" if why == UNKNOWN and id in asking else why] = None
    proposed = {id for each in found.proposals for id in each.sources}
    for node in turns:
        if node.role == "assistant" and node.public_id not in proposed:
            reasons[node.public_id].setdefault("an assistant said it")


async def _note_refused(
    store: Store, config: Config, now: int, home: Session, turns: Sequence[Node], found: Extraction, reasons: Reasons
) -> None:
    """Note statements that may not be stored."""
    by_id = {node.public_id: node for node in turns}
    drafts = list(_drafts(found.proposals, by_id, home, now, config, reasons))
    refused = await store.read(lambda snapshot: [nodes.was_rejected(snapshot, draft) for _, draft in drafts])
    for (ids, draft), is_refused in zip(drafts, refused, strict=True):
        if is_refused:
            _note(ids, "was forgotten or corrected", reasons)
        elif draft.waits_for:
            _note(ids, "waits for consent", reasons)


def _asks(text: str) -> bool:
    return all(sentence.endswith("?") for sentence in _SENTENCES.split(text))


def _drafts(
    proposals: Iterable[ProposedStatement],
    turns: Mapping[str, Node],
    home: Session,
    now: int,
    config: Config,
    reasons: Reasons,
) -> Iterable[tuple[Sequence[str], Draft]]:
    for each in proposals:
        try:
            yield each.sources, draft_of(each, RULES, [turns[id] for id in each.sources], home.scope, now, config)
        except MemoryExtensionError as error:
            _note(each.sources, "secret" if isinstance(error, SecretRefused) else "invalid", reasons)


def _note(ids: Iterable[str], why: str, reasons: Reasons) -> None:
    for id in ids:
        reasons[id][why] = None
