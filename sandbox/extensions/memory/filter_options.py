"""The filters for questions, lists, blocks, exports and changes of many memories: one contract."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, TypedDict

from sandbox.extensions.memory.model import AsOf, CognitiveType, Role, Visibility
from sandbox.support.trust import Trust

State = Literal["live", "quarantined", "retired", "forgotten"]
"""``live`` is believed and true now, ``quarantined`` as well but kept out of blocks; ``retired`` was replaced, has
ended or faded; ``forgotten`` was forgotten on request, and ``restore`` brings it back.
"""

Order = Literal["relevance", "newest", "oldest", "most_used", "most_important", "fading_first"]
ListOrder = Literal["newest", "oldest", "most_used", "most_important", "fading_first"]


class FilterOptions(TypedDict, total=False):
    """Which memories are meant. Each field is optional; a memory has to fit all that are given. A field with several
    values fits if one of them does; of ``tags`` a memory needs all. The database applies the filter before ranking and
    limits.

    ``entity`` is the person or thing that a memory is about, ``context`` a group that it belongs to, each by name or
    id; ``session_id`` is its conversation (a "run" in other systems). A time is a datetime, ``last_week``,
    ``last_month``, ``last_year`` or ``YYYY-MM-DD``: ``after`` and ``before`` bound when it happened, ``created_*`` when
    it was first stored, ``updated_*`` when its current version was stored. Without ``state``, memories are believed and
    true now; ``history`` adds replaced and faded ones; ``as_of`` asks for what was believed and true then.
    """

    types: Sequence[CognitiveType] | None
    category: str | Sequence[str] | None
    tags: Sequence[str] | None
    subject: str | None
    entity: str | None
    context: str | Sequence[str] | None
    role: Role | Sequence[Role] | None
    source: str | Sequence[str] | None
    trusted_as: Trust | Sequence[Trust] | None
    pinned: bool | None
    importance_min: int | None
    importance_max: int | None
    agent_id: str | None
    actor_id: str | None
    session_id: str | None
    project_id: str | None
    visibility: Visibility | None
    after: datetime | str | None
    before: datetime | str | None
    created_after: datetime | str | None
    created_before: datetime | str | None
    updated_after: datetime | str | None
    updated_before: datetime | str | None
    state: State | None
    history: bool
    as_of: datetime | AsOf | None
