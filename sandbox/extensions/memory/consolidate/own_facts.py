"""Separate facts about the user, which hold in every project, from facts about a project. Pure.

Statements in a project are seen only in that project, except facts about the user and the user's tastes and standing
wishes. A wish that names the project belongs to the project.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from sandbox.extensions.memory.authority import is_users_word
from sandbox.extensions.memory.claims import USER, Claim, predicate
from sandbox.extensions.memory.claims.compare import typed
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.lexicon import pattern
from sandbox.extensions.memory.model import CODING_AGENTS
from sandbox.extensions.memory.store.rows import Draft, Node

_WISHES = ("instruction", "preference")


def at_home_everywhere(draft: Draft, sources: Sequence[Node], config: Config) -> Draft:
    """The draft of a statement; if it is about the user, without its project."""
    if config.across_projects != "own" or draft.scope.visibility != "project" or not _is_own(draft, sources):
        return draft
    return draft._replace(scope=replace(draft.scope, visibility="user", project_id=None))


def _is_own(draft: Draft, sources: Sequence[Node]) -> bool:
    if not is_users_word(draft.trust) or any(each.source not in CODING_AGENTS for each in sources):
        return False
    of_project = pattern("function_words", "of_project", re.IGNORECASE)
    if draft.category in _WISHES and any(of_project.search(each.content) for each in sources):
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
