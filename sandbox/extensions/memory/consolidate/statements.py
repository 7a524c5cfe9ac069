"""Turn a proposal into a draft with its scope, its validity and its trust. Pure."""

from collections.abc import Collection, Sequence

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.consolidate.extraction import ProposedStatement
from sandbox.extensions.memory.consolidate.own_facts import at_home_everywhere
from sandbox.extensions.memory.ingest import consent, drafts
from sandbox.extensions.memory.ingest.cleaning import clean_claims
from sandbox.extensions.memory.ingest.profile_extraction import fillings
from sandbox.extensions.memory.model import Scope, Statement
from sandbox.extensions.memory.store.rows import EXTRACTION, RULES, Draft, Node
from sandbox.extensions.memory.times import to_ms


def draft_of(
    proposal: ProposedStatement,
    by: str,
    sources: Sequence[Node],
    scope: Scope,
    now: int,
    config: Config,
    own: Collection[str] = (),
) -> Draft:
    """The draft of a proposal. It holds from the time when it was said, or from an earlier one if it was told: a plan
    is known before its day. ``own`` are the user's names. Raises like ``drafts.knowledge``.
    """
    said = max(source.event_time for source in sources)
    happened = said if proposal.at is None else to_ms(proposal.at)
    statement = Statement(
        proposal.content,
        proposal.type,
        proposal.category,
        proposal.subject,
        proposal.tags,
        source="inferred",
        claims=proposal.claims,
    )
    draft = drafts.knowledge(statement, scope, now, config)
    # claims that name the user become claims of the user
    draft = draft._replace(claims=clean_claims(draft.claims, own))
    draft = drafts.trusted_as(
        draft._replace(
            source=RULES if by == RULES else EXTRACTION,
            event_time=happened,
            told=proposal.told,
            valid_from=min(happened, said),
            importance=min(5, max(1, proposal.importance)),
            confidence=proposal.confidence,
            fills=fillings(draft.content, draft.claims) if any(each.role == "user" for each in sources) else (),
        ),
        sources,
        now,
        config,
    )
    return consent.marked(at_home_everywhere(draft, sources, config), config)
