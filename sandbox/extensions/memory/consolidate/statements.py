"""Turn a proposal into a draft with its scope, its validity and its trust. Pure.

Statements in a project are seen only in that project, except facts about the user and the user's tastes and standing
wishes. A wish that names the project belongs to the project.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from sandbox.extensions.memory.authority import is_users_word
from sandbox.extensions.memory.claims import USER, Claim, predicate
from sandbox.extensions.memory.claims.compare import of_user, typed
from sandbox.extensions.memory.claims.moments import first_moment
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.consolidate.extraction import ProposedStatement
from sandbox.extensions.memory.ingest import consent, drafts
from sandbox.extensions.memory.ingest.cleaning import clean_claims
from sandbox.extensions.memory.ingest.profile_extraction import fillings
from sandbox.extensions.memory.lexicon import pattern
from sandbox.extensions.memory.model import CODING_AGENTS, Scope, Statement
from sandbox.extensions.memory.store.rows import EXTRACTION, INSTRUCTION, RULES, Draft, Node
from sandbox.extensions.memory.text.words import name_key
from sandbox.extensions.memory.times import to_ms

_WISHES = ("instruction", "preference")


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
    told = proposal.told or ""
    begins = first_moment(told)
    happened = said if begins is None else to_ms(begins)
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
            told=None if "T" in told else told or None,  # with an hour it is a moment
            valid_from=min(happened, said),
            importance=proposal.importance,
            confidence=proposal.confidence,
            fills=fillings(draft.content, draft.claims) if any(each.role == "user" for each in sources) else (),
        ),
        sources,
        now,
        config,
    )
    in_project = config.across_projects == "own" and draft.scope.visibility == "project"
    if in_project and _is_own(draft, sources):
        draft = draft._replace(scope=replace(draft.scope, visibility="user", project_id=None))
    return consent.marked(draft, config)


def by_speaker(draft: Draft, sources: Sequence[Node], user: str | None) -> Draft:
    """The draft of what one speaker said, with claims about that speaker: the one whose name is ``user``, if that is
    known, is the user, and all others are people with names. Whoever has a wish, it is for the assistant.
    """
    speakers = {turn.speaker for turn in sources if turn.role == "user"}
    speaker = speakers.pop() if len(speakers) == 1 else None
    if not user or not speaker or draft.category == INSTRUCTION:
        return draft
    is_user = name_key(speaker) == name_key(user)
    claims = tuple(
        of_user(each, (user,)) if is_user or each.subject != USER else replace(each, subject=speaker)
        for each in draft.claims
    )
    return draft if claims == draft.claims else draft._replace(claims=claims, fills=fillings(draft.content, claims))


def _is_own(draft: Draft, sources: Sequence[Node]) -> bool:
    if not is_users_word(draft.trust) or any(each.source not in CODING_AGENTS for each in sources):
        return False
    of_project = pattern("function_words", "of_project", re.IGNORECASE)
    if draft.category in _WISHES and any(of_project.search(each.content) for each in sources):
        return False
    if draft.category == INSTRUCTION and pattern("function_words", "of_files", re.IGNORECASE).search(draft.content):
        return False
    if claims := typed(draft.claims):
        return all(map(_is_of_user, claims))
    return draft.category in _WISHES or bool(draft.fills)


def _is_of_user(claim: Claim) -> bool:
    """Whether a claim says who the user is, what they like or how they want things done, not what they are working
    on.
    """
    known = predicate(claim.predicate)
    who_they_are = known.private or (known.core == "user" and known.lasts in ("always", "years"))
    return claim.subject == USER and (who_they_are or known.category in _WISHES)
