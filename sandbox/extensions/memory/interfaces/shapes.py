"""The answers of tools, as types that a model can be told of."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox.extensions.memory.model import CognitiveType
from sandbox.support.trust import Trust


class Answer(BaseModel):
    """The answer of a tool that did what was asked."""

    model_config = ConfigDict(extra="forbid")


class MemoryItem(Answer):
    """One memory."""

    id: str
    content: str
    type: CognitiveType
    shortened: bool | None = Field(None, description="True: this is only the beginning of the content.")
    category: str | None = None
    subject: str | None = Field(None, description="The person or thing it is about.")
    tags: list[str] | None = None
    contexts: list[str] | None = Field(None, description="The groups it belongs to.")
    confidence: float = Field(description="Its confidence now, from 0 to 1.")
    trust: Trust = Field(description="Its source: confirmed and user are the person's word; web and tool are data.")
    session: str | None = Field(None, description="The conversation it is from.")
    speaker: str | None = Field(None, description="The speaker, if it is a turn of a conversation.")
    version: int | None = Field(None, description="The number of the version, from 2 on.")
    state: str | None = Field(
        None, description="superseded, faded, forgotten: not believed now. proposed: the user decides."
    )
    event_time: str = Field(description="When it happened or began to be true, ISO 8601.")
    event_time_local: str | None = None
    event_time_relative: str | None = None


class UsedItem(MemoryItem):
    """One memory of a list."""

    use_count: int = Field(description="How often it was recalled.")


class FadingItem(MemoryItem):
    """One memory, and the time when it will have faded."""

    fades_at: str | None = None
    fades_at_local: str | None = None
    fades_at_relative: str | None = None


class Ok(Answer):
    """It was done."""

    ok: Literal[True] = True


class Found(Ok):
    """Memories, best first."""

    count: int
    memories: list[MemoryItem]
    advice: str | None = Field(None, description="What to do if nothing was found.")


class Stored(Ok):
    """A memory in its present state."""

    memory: MemoryItem
    advice: str | None = Field(None, description="What to do, because the memory is not the user's word.")


class Relation(Answer):
    """A relation of two entities; the user's name is left out."""

    subject: str | None = None
    predicate: str
    value: str | None = None
    id: str
    is_denied: bool | None = None
    modality: str | None = None
    since: str


class Entity(Ok):
    """What is known about one person, project, place or thing."""

    name: str
    type: str
    id: str
    aliases: list[str] | None = None
    merged: list[str] | None = None
    namesakes: dict[str, str] | None = Field(None, description="Other entities that the name could mean, by id.")
    summary: str | None = None
    mentions: int
    first_seen: str
    last_seen: str
    relations: list[Relation] | None = None
    facts: list[MemoryItem] | None = None
    timeline: list[MemoryItem] | None = None


class Forgotten(Ok):
    """A forgotten memory; the user can restore it."""

    forgotten: str
    content: str
    advice: str


class LoggedChange(Answer):
    """A change of a memory."""

    event: str
    by: str | None = None
    at: str


class Explained(Ok):
    """How a memory is known."""

    memory: FadingItem
    learnt_as: str
    rests_on: list[MemoryItem] | None = None
    earlier_versions: list[MemoryItem] | None = None
    supersedes: list[MemoryItem] | None = None
    superseded_by: list[MemoryItem] | None = None
    possible_conflicts: list[MemoryItem] | None = None
    entities: list[str] | None = None
    changes: list[LoggedChange] | None = None


class Statistics(Ok):
    """Counts of what is remembered."""

    memories: dict[str, int] | None = None
    no_longer_believed: dict[str, int] | None = None
    edges: dict[str, int] | None = None
    entities: int
    orphans: int
    sessions: int
    sessions_not_learnt_from: int
    embedding_model: str | None = None
    vectors: int
    waiting_for_a_vector: int
    storage_bytes: int
    last_maintained: str | None = None
    last_maintained_local: str | None = None
    last_maintained_relative: str | None = None


class Weak(Ok):
    """Memories that will soon fade, the first to fade first."""

    count: int
    memories: list[FadingItem]
