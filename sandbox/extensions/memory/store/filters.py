"""Which memories a question may see, as one SQL condition over ``nodes AS n``."""

from dataclasses import dataclass
from typing import Any

from sandbox.extensions.memory.model import Scope

Condition = tuple[str, dict[str, Any]]

_VISIBLE = """(n.visibility = 'global' OR (n.user_id = :user_id AND (
    n.visibility = 'user'
    OR (n.visibility = 'project' AND n.project_id IS :project_id)
    OR (n.visibility = 'session' AND n.session_id IS :scope_session_id AND n.project_id IS :project_id))))"""

_WIDER = {"session": ("session", "project", "user", "global"), "project": ("project", "user", "global")}

_NOW = """n.retired_seq IS NULL
    AND (n.type = 'episodic' OR n.valid_from <= :now)
    AND (n.valid_until IS NULL OR n.valid_until > :now)
    AND (n.fades_at IS NULL OR n.fades_at > :now)"""

# Forgetting a memory hides every version of it, in history too.
_HISTORY = """(n.retired_seq IS NULL OR NOT EXISTS (
    SELECT 1 FROM nodes AS gone WHERE gone.user_id = n.user_id AND gone.public_id = n.public_id
        AND gone.retired_by IN ('forgotten', 'erased')))"""

# Looking back, what has only faded counts as believed, whether or not the night has written it down.
_BELIEVED = "(n.retired_seq IS NULL OR n.retired_by = 'decayed')"

# Of each memory the version that was believed at :seq; where it was learnt only later, what is believed of it now.
_BELIEVED_THEN = f"""((n.created_seq <= :seq AND ({_BELIEVED} OR n.retired_seq > :seq))
    OR ({_BELIEVED} AND n.created_seq > :seq AND :learnt_later AND NOT EXISTS (
        SELECT 1 FROM nodes AS earlier WHERE earlier.user_id = n.user_id AND earlier.public_id = n.public_id
            AND earlier.created_seq <= :seq)))"""

# That it ceased to be true counts only where that was known by :seq; without :seq, always.
_VALID_THEN = """n.valid_from <= :world
    AND (n.valid_until IS NULL OR n.valid_until > :world OR (n.closed_seq > :seq AND NOT :learnt_later))"""


@dataclass(frozen=True, slots=True)
class Filter:
    """Everything that narrows a search before anything is ranked or limited. Times in milliseconds."""

    scope: Scope
    now: int
    types: tuple[str, ...] | None = None
    entity_ids: tuple[int, ...] | None = None
    after: int | None = None
    before: int | None = None
    world: int | None = None
    believed_seq: int | None = None
    learnt_later: bool = True
    history: bool = False
    quarantined: bool = True
    without_turns_of: str | None = None  # a session
    in_home: bool = False  # only what stands where the scope stores
    category: str | None = None
    visibility: str | None = None  # only what is seen by just so many

    @property
    def sees_turns(self) -> bool:
        """Whether turns of conversations are wanted, or knowledge alone."""
        return self.types is None or "episodic" in self.types

    @property
    def lets_plain_turns_through(self) -> bool:
        """Whether nothing but whose it is, and its session, decides about a turn that is believed and not private."""
        times = (self.after, self.before, self.world, self.believed_seq)
        narrows = (self.entity_ids, self.category, self.visibility, *times)
        return self.sees_turns and not self.in_home and all(each is None for each in narrows)

    def condition(self) -> Condition:
        """SQL over ``n`` and its named parameters."""
        sql, parameters = visible(self.scope)
        parts = [sql, self._time(parameters)]
        if self.in_home:
            parts.append("n.user_id = :user_id AND n.visibility = :home AND n.project_id IS :project_id")
            parameters["home"] = self.scope.visibility
        for column in ("category", "visibility"):
            if (wanted := getattr(self, column)) is not None:
                parts.append(f"n.{column} = :wanted_{column}")
                parameters[f"wanted_{column}"] = wanted
        if self.types is not None:
            parts.append(_one_of("n.type", "type", self.types, parameters))
        if self.entity_ids is not None:
            inner = _one_of("l.entity_id", "entity", self.entity_ids, parameters)
            parts.append(f"n.id IN (SELECT l.node_id FROM node_entities AS l WHERE {inner})")
        if self.after is not None:
            parts.append("n.event_time >= :after")
            parameters["after"] = self.after
        if self.before is not None:
            parts.append("n.event_time < :before")
            parameters["before"] = self.before
        if not self.quarantined:
            parts.append("n.quarantined = 0")
        if self.without_turns_of is not None:
            parts.append("(n.type <> 'episodic' OR n.session_id IS NOT :without_turns_of)")
            parameters["without_turns_of"] = self.without_turns_of
        return " AND ".join(parts), parameters

    def _time(self, parameters: dict[str, Any]) -> str:
        """Both time axes. Asked as of some moment, what was forgotten on request stays out."""
        parameters.update(now=self.now, world=self.world, seq=self.believed_seq, learnt_later=self.learnt_later)
        parts = []
        if self.believed_seq is not None:
            parts += [_BELIEVED_THEN, _HISTORY]
        if self.world is not None:
            parts.append(_VALID_THEN)
        if not parts:
            return _HISTORY if self.history else _NOW
        if self.believed_seq is None:
            parts.append(_HISTORY if self.history else _BELIEVED)
        return " AND ".join(parts)


def visible(scope: Scope, table: str = "n") -> Condition:
    """What a scope may see at all, of nodes or of entities."""
    parameters = {"user_id": scope.user_id, "project_id": scope.project_id, "scope_session_id": scope.session_id}
    return _VISIBLE.replace("n.", f"{table}."), parameters


def wide_enough(scope: Scope) -> tuple[str, ...]:
    """How visible something has to be for everybody to see it who sees what a scope stores."""
    return _WIDER.get(scope.visibility, ("user", "global"))


def _one_of(column: str, name: str, values: tuple[Any, ...], parameters: dict[str, Any]) -> str:
    names = [f"{name}_{index}" for index in range(len(values))]
    parameters.update(zip(names, values, strict=True))
    return f"{column} IN ({', '.join(':' + each for each in names)})"
