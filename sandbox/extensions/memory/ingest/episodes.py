"""Store episodes in one transaction: node, full text, session, temporal edge, speaker and named entities. Many come in
batches, of which the next one is prepared while the last one is written.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.model import CODING_AGENTS, Scope
from sandbox.extensions.memory.ports import Embedded
from sandbox.extensions.memory.store import entities, nodes, sessions, vectors
from sandbox.extensions.memory.store.nodes import Keyed
from sandbox.extensions.memory.store.rows import Draft, text_of
from sandbox.extensions.memory.store.sessions import NewTurn
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction

P = TypeVar("P")
R = TypeVar("R")

SIZE = 500  # records of one transaction: enough to share the fsync, few enough to let others write


async def pipelined(
    prepare: Callable[[], Awaitable[P | None]], write: Callable[[P], Awaitable[R]]
) -> AsyncIterator[tuple[P, R]]:
    """Each prepared batch with the result of writing it, in order, until ``prepare`` returns None.

    If preparing fails, the batches before are still written and yielded; then the error is raised.
    """
    writing: tuple[P, asyncio.Future[R]] | None = None
    failure: Exception | None = None
    prepared: P | None
    while True:
        try:
            prepared = await prepare()
        except Exception as error:
            prepared, failure = None, error
        if writing is not None:
            yield writing[0], await writing[1]
        if prepared is None:
            break
        writing = (prepared, asyncio.ensure_future(write(prepared)))
    if failure is not None:
        raise failure


_Name = tuple[str, str, str | None] | int
Known = Mapping[_Name, Keyed]


class Recorded(NamedTuple):
    """The public id of a message, and whether it was new."""

    id: str
    is_new: bool


def record(
    tx: Transaction, drafts: Sequence[Draft], scope: Scope, known: Known, embedded: Embedded | None = None
) -> list[Recorded]:
    """Store the episodes whose key is not ``known``; return the result for each, in order. If the active model has
    ``embedded`` all of them, none enters the backlog.
    """
    model = None if embedded is None else vectors.answering_model(tx, embedded.model)
    names = [_name(draft, place) for place, draft in enumerate(drafts)]
    fresh: dict[_Name, Draft] = {}
    for name, draft in zip(names, drafts, strict=True):
        if name not in known:
            fresh.setdefault(name, draft)
    added = nodes.add_many(tx, list(fresh.values()), waits=model is None)
    turns = [
        NewTurn(node.id, draft.session_id, draft.speaker, draft.event_time)
        for node, draft in zip(added, fresh.values(), strict=True)
    ]
    sessions.link_turns(tx, turns, scope)
    entities.link_named(
        tx,
        {node.id: (draft.content, draft.event_time) for node, draft in zip(added, fresh.values(), strict=True)},
        scope,
    )
    if embedded is not None and model is not None and added:
        places = {text: place for place, text in enumerate(embedded.texts)}
        wanted = [places[text_of(draft.speaker, draft.content)] for draft in fresh.values()]
        vectors.store_turns(tx, model, [node.id for node in added], embedded.vectors[wanted], scope)
    ids = {name: each.public_id for name, each in known.items()}
    ids |= {name: node.public_id for name, node in zip(fresh, added, strict=True)}
    met, outcomes = set(known), list[Recorded]()
    for name in names:  # it is new the first time only; so is a key that comes twice in one call
        outcomes.append(Recorded(ids[name], name not in met))
        met.add(name)
    return outcomes


def clashing(drafts: Sequence[Draft], known: Known) -> list[tuple[Draft, Draft | Keyed]]:
    """Episodes with the key of one with another text or role, each with that one, for which it would be taken. A
    secret may be masked in one of two equal texts alone: the turn before shows it.
    """
    met: dict[_Name, Draft | Keyed] = {**known}
    found = []
    for place, draft in enumerate(drafts):
        other = met.setdefault(_name(draft, place), draft)
        if other.role != draft.role or not secrets.may_be_same(other.content, draft.content):
            found.append((draft, other))
    return found


def known_episodes(tx: Transaction, drafts: Sequence[Draft], scope: Scope) -> Known:
    """The stored episodes with the keys of some, by name. A conversation of a coding agent is stored once, in whatever
    project, since its folder may have been moved or deleted.
    """
    keyed: dict[tuple[str, str | None], list[str]] = defaultdict(list)
    of_agents: dict[tuple[str, str | None, str | None], list[str]] = defaultdict(list)
    for draft in drafts:
        if draft.key is not None:
            keyed[draft.source, draft.home.session_id].append(draft.key)
            if draft.source in CODING_AGENTS:
                of_agents[draft.source, draft.home.session_id, draft.session_id].append(draft.key)
    found: dict[_Name, Keyed] = {
        (source, key, private_to): known
        for (source, private_to, session), keys in of_agents.items()
        for key, known in nodes.known_keys(tx, scope, source, keys, session, whole=True).items()
    }
    return found | {
        (source, key, session): known
        for (source, session), keys in keyed.items()
        for key, known in nodes.known_keys(tx, scope, source, keys, session).items()
    }


def _name(draft: Draft, place: int) -> _Name:
    """The identity of an episode: its key, or without one only itself."""
    return place if draft.key is None else (draft.source, draft.key, draft.home.session_id)
