"""The memories that a question may see, as one SQL condition over ``nodes AS n``."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sandbox.extensions.memory.model import Scope, State
from sandbox.extensions.memory.store.sql import HOLDS
from sandbox.extensions.memory.store.sqlite.snapshot import Condition

_VISIBLE = """(n.visibility = 'global' OR (n.user_id = :user_id AND (
    n.visibility = 'user'
    OR (n.visibility = 'project' AND (:all_projects OR n.project_id IS :project_id))
    OR (n.visibility = 'session' AND n.session_id = :scope_session_id AND n.project_id IS :project_id))))"""

_WIDER = {"session": ("session", "project", "user", "global"), "project": ("project", "user", "global")}

# What was recorded has happened, unless a caller asks for an earlier ``now`` than that of the clock.
_NOW = f"n.retired_seq IS NULL AND (n.type = 'episodic' OR n.valid_from <= max(:now, n.updated_at)) AND {HOLDS}"
_NOW = _NOW.replace("n.updated_at", "iif(n.updated_at > :clock, n.updated_at, 0)")

# Forgetting a memory hides every version of it, also from history; a proposal was never a memory.
_HISTORY = """(n.retired_seq IS NULL OR NOT EXISTS (
    SELECT 1 FROM nodes AS gone WHERE gone.user_id = n.user_id AND gone.public_id = n.public_id
        AND gone.retired_by IN ('forgotten', 'proposed', 'rejected')))"""

# In a look back, a memory that has only faded counts as believed, whether or not the night has recorded it.
_BELIEVED = "(n.retired_seq IS NULL OR n.retired_by = 'decayed')"

# The state of a version at :seq: the first state that ended after it, else the present one.
_STATE = "(SELECT {value} FROM past_states AS p WHERE p.node_id = n.id AND p.seq > :seq ORDER BY p.seq, p.id LIMIT 1)"
_STOOD = _STATE.format(value="p.retired_seq IS NULL OR p.retired_by = 'decayed' OR p.retired_seq > :seq")
_FOR_GOOD = 1 << 62
_UNTIL = _STATE.format(value=f"iif(p.valid_until IS NULL OR p.closed_seq > :seq, {_FOR_GOOD}, p.valid_until)")

# Of each memory the version that was believed at :seq; if it was learnt later, the present version.
_BELIEVED_THEN = f"""((n.created_seq <= :seq AND coalesce({_STOOD}, {_BELIEVED} OR n.retired_seq > :seq))
    OR ({_BELIEVED} AND n.created_seq > :seq AND :learnt_later AND NOT EXISTS (
        SELECT 1 FROM nodes AS earlier WHERE earlier.user_id = n.user_id AND earlier.public_id = n.public_id
            AND earlier.created_seq <= :seq)))"""

# An end of validity counts only if it was known by :seq; without :seq, always.
_VALID_NOW = "(n.valid_until IS NULL OR n.valid_until > :world)"
_VALID_THEN = f"""n.valid_from <= :world AND iif(:seq IS NULL OR :learnt_later, {_VALID_NOW},
    coalesce({_UNTIL} > :world, {_VALID_NOW} OR n.closed_seq > :seq))"""


# Fields of ``FilterOptions``, each with a parameter of its own name; several values are a JSON array.
_ONLY = {
    "category": "coalesce(n.category, n.type) IN (SELECT value FROM json_each(:only_category))",
    "tags": """NOT EXISTS (SELECT lower(value) FROM json_each(:only_tags)
        EXCEPT SELECT lower(value) FROM json_each(n.tags))""",
    "subject": "n.who = :only_subject",
    "entity": """n.id IN (SELECT l.node_id FROM node_entities AS l
        WHERE l.entity_id IN (SELECT value FROM json_each(:only_entity)))""",
    "context": """n.id IN (SELECT l.node_id FROM node_entities AS l
        WHERE l.role = 'belongs_to' AND l.entity_id IN (SELECT value FROM json_each(:only_context)))""",
    "role": "n.role IN (SELECT value FROM json_each(:only_role))",
    "source": "n.source IN (SELECT value FROM json_each(:only_source))",
    "trusted_as": "n.trust IN (SELECT value FROM json_each(:only_trusted_as))",
    "pinned": "n.pinned = :only_pinned",
    "importance_min": "n.importance >= :only_importance_min",
    "importance_max": "n.importance <= :only_importance_max",
    "agent_id": "n.agent_id = :only_agent_id",
    "actor_id": "n.actor_id = :only_actor_id",
    "session_id": "n.session_id = :only_session_id",
    "project_id": "n.project_id = :only_project_id",
    "visibility": "n.visibility = :only_visibility",
    "after": "n.event_time >= :only_after",
    "before": "n.event_time < :only_before",
    "created_after": "{first} >= :only_created_after",
    "created_before": "{first} < :only_created_before",
    "updated_after": "n.created_at >= :only_updated_after",
    "updated_before": "n.created_at < :only_updated_before",
}

_LINKED = """EXISTS (
    SELECT 1 FROM node_entities AS l CROSS JOIN nodes AS n ON n.id = l.node_id WHERE l.entity_id = e.id AND {})"""
_FIRST_STORED = """(SELECT min(first.created_at) FROM nodes AS first
    WHERE first.user_id = n.user_id AND first.public_id = n.public_id)"""

_STATES: Mapping[State, str] = {
    "live": f"{_NOW} AND n.quarantined = 0",
    "quarantined": f"{_NOW} AND n.quarantined = 1",
    "retired": f"{_HISTORY} AND NOT ({_NOW})",
    "forgotten": "n.retired_by = 'forgotten'",
}


@dataclass(frozen=True, slots=True)
class Filter:
    """All conditions of a search, which apply before ranking and limits. Times in milliseconds."""

    scope: Scope
    now: int
    types: tuple[str, ...] | None = None
    only: Mapping[str, Any] = field(default_factory=dict)
    """Fields of ``FilterOptions`` that compare one column or link, as values of SQL."""
    clock: int | None = None  # the time by the clock; None for ``now``
    world: int | None = None  # the moment at which it was true; None for now
    believed_seq: int | None = None  # the last line of the log that was known; None for all
    believed_at: int | None = None  # the moment for ``believed_seq``, if the caller gave one
    learnt_later: bool = True  # with ``believed_seq``: also the memories that were learnt after it
    history: bool = False  # also versions that were replaced or have faded
    state: State | None = None
    quarantined: bool = True
    without_turns_of: str | None = None  # a session
    without_turns_since: int = 0  # the moment from which its turns are left out
    without: tuple[str, ...] = ()  # categories, except for pinned memories
    in_home: bool = False  # only the place where the scope stores
    # categories that the scope's agent may see, and types of memories without a category; None for all
    allowed: tuple[str, ...] | None = None

    @property
    def sees_turns(self) -> bool:
        """Whether turns of conversations are wanted, beside knowledge."""
        return self.types is None or "episodic" in self.types

    @property
    def lets_plain_turns_through(self) -> bool:
        """Whether only owner and session decide about a turn that is believed and not private."""
        times = (self.world, self.believed_seq, self.state)
        narrows = self.in_home or self.only or (self.allowed is not None and "episodic" not in self.allowed)
        return self.sees_turns and not narrows and all(each is None for each in times)

    @property
    def is_particular(self) -> bool:
        """Whether the caller set a filter, or may not see every category."""
        return bool(self.only) or self.allowed is not None

    def may_use(self, category: str) -> bool:
        """Whether the scope's agent may use a category; that of a memory without one is its type."""
        return self.allowed is None or category in self.allowed

    def among(self, *types: str) -> "Filter":
        """The filter, for some types alone, as far as those are wanted."""
        return replace(self, types=tuple(each for each in types if self.types is None or each in self.types))

    def narrowed(self, **only: Any) -> "Filter":
        """The filter with other values of ``only``, without those that are None."""
        kept = {name: value for name, value in {**self.only, **only}.items() if value is not None}
        return replace(self, only=kept)

    def reach(self) -> Condition:
        """A SQL condition over ``n``: nodes in any state that the scope sees and its agent may use."""
        sql, parameters = visible(self.scope)
        if self.allowed is None:
            return sql, parameters
        allowed = "coalesce(n.category, n.type) IN (SELECT value FROM json_each(:allowed))"
        return f"{sql} AND {allowed}", {**parameters, "allowed": json.dumps(self.allowed)}

    def mentions(self) -> Condition:
        """A SQL condition over ``n``, and its parameters: nodes by which the scope may know of a name, also those that
        were replaced or have faded; in a look back, also those undone since.
        """
        sql, parameters = self.reach()
        stands = "" if self.believed_at is not None else " AND n.retired_by IS NOT 'undone'"
        return f"{sql} AND {_HISTORY}{stands}", parameters

    def known_entities(self) -> Condition:
        """A SQL condition over ``e``, and its parameters: the user's entities in the scope's sight that a memory makes
        known to it. A group may be empty, but not for an agent with a list of categories.
        """
        (sql, _), (mentions, parameters) = visible(self.scope, "e"), self.mentions()
        empty = "e.type = 'context' OR " if self.allowed is None else ""
        return f"e.user_id = :user_id AND {sql} AND ({empty}{_LINKED.format(mentions)})", parameters

    def condition(self) -> Condition:
        """A SQL condition over ``n`` and its named parameters."""
        sql, parameters = self.reach()
        parts = [sql, self._time(parameters)]
        if self.in_home:
            parts.append("n.user_id = :user_id AND n.visibility = :home AND n.project_id IS :project_id")
            parameters["home"] = self.scope.visibility
        if self.types is not None:
            nothing = ("",)  # with an empty list SQLite could not use the index that it is told to use
            parts.append(_one_of("n.type", "type", self.types or nothing, parameters))
        for name, value in self.only.items():
            parts.append(_ONLY[name].replace("{first}", _FIRST_STORED))
            parameters[f"only_{name}"] = value
        if not self.quarantined:
            parts.append("n.quarantined = 0")
        if self.without_turns_of is not None:
            parts.append(
                "(n.type <> 'episodic' OR n.session_id IS NOT :without_turns_of OR n.event_time < :its_turns_since)"
            )
            parameters |= {"without_turns_of": self.without_turns_of, "its_turns_since": self.without_turns_since}
        if self.without:
            parts.append(
                "(n.pinned = 1 OR n.category IS NULL OR n.category NOT IN (SELECT value FROM json_each(:without)))"
            )
            parameters["without"] = json.dumps(self.without)
        return " AND ".join(parts), parameters

    def _time(self, parameters: dict[str, Any]) -> str:
        """Both time axes. In a look back, memories that were forgotten on request stay out."""
        parameters.update(now=self.now, clock=self.now if self.clock is None else self.clock)
        parameters.update(world=self.world, seq=self.believed_seq, learnt_later=self.learnt_later)
        parts = []
        if self.believed_seq is not None:
            parts += [_BELIEVED_THEN, _HISTORY]
        if self.world is not None:
            parts.append(_VALID_THEN)
        if not parts:
            return _STATES[self.state] if self.state else _HISTORY if self.history else _NOW
        if self.believed_seq is None:
            parts.append(_HISTORY if self.history else _BELIEVED)
        return " AND ".join(parts)


def visible(scope: Scope, table: str = "n") -> Condition:
    """A condition for all nodes or entities that a scope may see."""
    parameters = {name: getattr(scope, name) for name in ("user_id", "project_id", "all_projects")}
    parameters["scope_session_id"] = scope.session_id
    return _VISIBLE.replace("n.", f"{table}."), parameters


def whose(scope: Any) -> dict[str, object]:
    """The home of what a scope stores, or of an entity, as parameters of SQL."""
    return {name: getattr(scope, name) for name in ("user_id", "visibility", "project_id", "session_id")}


def wide_enough(scope: Scope) -> tuple[str, ...]:
    """The visibilities of rows that everybody sees who sees the scope's memories."""
    return _WIDER.get(scope.visibility, ("user", "global"))


def _one_of(column: str, name: str, values: tuple[Any, ...], parameters: dict[str, Any]) -> str:
    names = [f"{name}_{index}" for index in range(len(values))]
    parameters.update(zip(names, values, strict=True))
    return f"{column} IN ({', '.join(':' + each for each in names)})"
