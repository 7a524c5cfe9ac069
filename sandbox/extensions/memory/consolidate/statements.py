"""A proposal becomes a draft: stamped with whose it is, when it holds and how far it is trusted. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.consolidate.proposal import Proposal
from sandbox.extensions.memory.decay import fades_at
from sandbox.extensions.memory.ingest import record
from sandbox.extensions.memory.ingest.filling import checked, filling
from sandbox.extensions.memory.model import Scope, Statement
from sandbox.extensions.memory.profile import Filling
from sandbox.extensions.memory.store.rows import EXTRACTION, RULES, Draft, Node
from sandbox.extensions.memory.times import to_ms


def draft_of(
    proposal: Proposal,
    by: str,
    sources: Sequence[Node],
    scope: Scope,
    now: int,
    config: Config,
    own: Collection[str] = (),
) -> Draft:
    """The draft of what some turns taught. It began to be true when it was said, unless it lies in the past: a plan is
    known before its day. ``own`` are the user's names. Raises what ``record.knowledge`` raises.
    """
    said = max(source.event_time for source in sources)
    happened = said if proposal.at is None else to_ms(proposal.at)
    statement = Statement(
        proposal.content, proposal.type, proposal.category, proposal.subject, proposal.tags, source="inferred"
    )
    draft = record.knowledge(statement, scope, now, config)
    rate = record.decay_rate_of(replace(statement, source="explicit"), config)
    return record.trusted_as(
        draft._replace(
            source=RULES if by == RULES else EXTRACTION,
            event_time=happened,
            told=proposal.told,
            valid_from=min(happened, said),
            importance=min(5, max(1, proposal.importance)),
            confidence=proposal.confidence,
            decay_rate=rate,
            fades_at=fades_at(proposal.confidence, rate, now, config.decay_threshold),
            fills=_fills(proposal, sources, own),
            claims=proposal.claims,
        ),
        sources,
        config,
    )


def _fills(proposal: Proposal, sources: Sequence[Node], own: Collection[str]) -> Filling | None:
    """What it says of the user's profile: only the user says who they are."""
    if all(source.role != "user" for source in sources):
        return None
    read = proposal.fills and checked(proposal.fills, proposal.content, proposal.subject, own)
    return read or filling(proposal.content, proposal.subject, own)
