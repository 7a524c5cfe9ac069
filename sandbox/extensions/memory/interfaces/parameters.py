"""The parameters of each tool: typed, described for a model, and bounded."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, create_model

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.model import LONGEST_FACT, CognitiveType


class Arguments(BaseModel):
    """The arguments of a tool; an unknown one is refused."""

    model_config = ConfigDict(extra="forbid")


class Nothing(Arguments):
    """No parameters."""


class Search(Arguments):
    """The arguments of `search_memory`."""

    query: str = Field(description="What you want to know, as a question or as keywords; empty for the latest.")
    type: CognitiveType | None = Field(
        None,
        description="Only memories of this type: episodic (turns), semantic (facts), procedural (how-tos), opinion.",
    )
    entity_name: str | None = Field(None, description="Only memories about this person, project, place or thing.")
    after: str | None = Field(None, description="Only memories from this time on: last_week, last_month or YYYY-MM-DD.")
    before: str | None = Field(
        None, description="Only memories from before this time: last_week, last_month or YYYY-MM-DD."
    )
    limit: int | None = Field(
        None, ge=1, le=50, description="The largest number of memories. Default: 5, or 20 for a complex question."
    )


class Remember(Arguments):
    """The arguments of `remember_fact`."""

    content: str = Field(
        min_length=1, max_length=LONGEST_FACT, description="One fact, in a sentence that can be understood on its own."
    )
    category: str = Field("fact", description="The kind of the fact.")
    subject: str | None = Field(None, max_length=200, description="The name of the person or thing it is about.")
    tags: list[Annotated[str, Field(max_length=50)]] = Field([], max_length=5, description="Words to file it under.")
    event_time: str | None = Field(
        None, description="When it happened or began to be true, if not now: YYYY-MM-DD or ISO 8601."
    )
    is_another_fact: bool = Field(
        False, description="Set it only after a refusal, if the similar memory in it is about something else."
    )


class Correct(Arguments):
    """The arguments of `correct_fact`."""

    id: str = Field(description="The id of the memory, as your context or search_memory shows it.")
    content: str = Field(
        min_length=1, max_length=LONGEST_FACT, description="The whole correct fact, not only the part that changed."
    )


class Id(Arguments):
    """The arguments of `confirm_fact`, `forget_fact` and `explain_fact`."""

    id: str = Field(description="The id of the memory, as your context or search_memory shows it.")


class Name(Arguments):
    """The arguments of `get_entity_info`."""

    name: str = Field(min_length=1, description="The name of a person, project, place or thing.")


class Limit(Arguments):
    """The arguments of `weak_facts`."""

    limit: int = Field(10, ge=1, le=50, description="The largest number of memories.")


def remember_within(config: Config) -> type[Remember]:
    """The parameters of `remember_fact` with the categories of the settings."""
    known = Field(json_schema_extra={"enum": list(config.categories)})
    field: Any = (Annotated[str, Remember.model_fields["category"], known], config.usual_category)
    return create_model("Remember", __base__=Remember, category=field)
