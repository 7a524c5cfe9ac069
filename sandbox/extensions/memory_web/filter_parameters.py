"""The filters of a request, as parameters of its URL."""

from dataclasses import dataclass, fields
from typing import Annotated, cast

from fastapi import Query
from pydantic import StringConstraints

from sandbox.extensions.memory.filter_options import FilterOptions, State
from sandbox.extensions.memory.model import KNOWLEDGE, CognitiveType, Role
from sandbox.extensions.memory_web.shapes import Timestamp
from sandbox.support.trust import Trust

Word = Annotated[str, StringConstraints(min_length=1, max_length=100)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowed:
    """The filters of a request."""

    types: Annotated[
        list[CognitiveType],
        Query(alias="type", default_factory=list, description="May be repeated. Not given: knowledge."),
    ]
    category: Annotated[list[Word], Query(default_factory=list, description="May be repeated: any of them.")]
    tags: Annotated[list[Word], Query(alias="tag", default_factory=list, description="May be repeated: all of them.")]
    subject: Annotated[str | None, Query(max_length=200, description="Whom or what it is about.")] = None
    entity: Annotated[str | None, Query(max_length=200, description="Whom or what it mentions.")] = None
    context: Annotated[
        list[Word], Query(default_factory=list, description="The group it belongs to; may be repeated: any.")
    ]
    role: Annotated[list[Role], Query(default_factory=list, description="Of turns; may be repeated.")]
    source: Annotated[list[Word], Query(default_factory=list, description="How it came; may be repeated.")]
    trusted_as: Annotated[list[Trust], Query(default_factory=list, description="May be repeated.")]
    pinned: bool | None = None
    importance_min: Annotated[int | None, Query(ge=1, le=5)] = None
    agent_id: Annotated[str | None, Query(max_length=200, description="Which agent stored it.")] = None
    actor_id: Annotated[str | None, Query(max_length=200, description="On whose behalf it was stored.")] = None
    session_id: Annotated[str | None, Query(max_length=200, description="The conversation it is from.")] = None
    created_after: Annotated[Timestamp | None, Query(description="First stored from then on.")] = None
    created_before: Annotated[Timestamp | None, Query(description="First stored before then.")] = None
    updated_after: Annotated[Timestamp | None, Query(description="Stored or corrected from then on.")] = None
    updated_before: Annotated[Timestamp | None, Query(description="As it is since before then.")] = None
    state: Annotated[State | None, Query(description="Not given: believed and true now.")] = None
    history: Annotated[bool, Query(description="Also versions of what was replaced, has ended or faded.")] = False
    as_of: Annotated[Timestamp | None, Query(description="What was believed and true then.")] = None

    @property
    def options(self) -> FilterOptions:
        """The same in the form for ``Memory``; an empty list filters nothing."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        given = {name: None if value == [] else value for name, value in given.items()}
        return cast(FilterOptions, {**given, "types": self.types or KNOWLEDGE})
