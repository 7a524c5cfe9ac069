"""The typed answers of tools. They have the keys of ``wire``, each only if it has a value."""

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
