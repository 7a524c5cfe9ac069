"""The parameters of each tool: typed, described for a model, and bounded."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, create_model

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.model import CognitiveType


class Arguments(BaseModel):
    """Of a tool; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid")


class Nothing(Arguments):
    """No parameters."""


class Search(Arguments):
    """Of `search_memory`."""

    query: str = Field(description="What you want to know, as a question or as keywords; empty for the latest.")
    type: CognitiveType | None = Field(
        None,
        description="Only these: episodic (what was said), semantic (facts), procedural (how-tos), opinion.",
    )
    entity_name: str | None = Field(None, description="Only what is about this person, project, place or thing.")
    after: str | None = Field(None, description="Not before: last_week, last_month or YYYY-MM-DD.")
    before: str | None = Field(None, description="Only earlier than: last_week, last_month or YYYY-MM-DD.")
    limit: int | None = Field(
        None, ge=1, le=50, description="At most so many memories; without it 5, or 20 for a complex question."
    )


class Remember(Arguments):
    """Of `remember_fact`; ``fitted`` adds what the settings say."""

    content: str = Field(min_length=1, description="One fact, in a sentence that can be understood on its own.")
    category: str = Field("fact", description="What kind of fact it is.")
    subject: str | None = Field(None, max_length=200, description="Whom or what it is about, by name.")
    tags: list[Annotated[str, Field(max_length=50)]] = Field([], max_length=5, description="Words to file it under.")
    event_time: str | None = Field(
        None, description="When it happened or began to be true, if not now: YYYY-MM-DD or ISO 8601."
    )
    is_another_fact: bool = Field(
        False, description="True only after a refusal, where the similar memory it named is about something else."
    )


class Correct(Arguments):
    """Of `correct_fact`; ``fitted`` adds what the settings say."""

    id: str = Field(description="The id of the memory, as your context or search_memory shows it.")
    content: str = Field(min_length=1, description="The whole fact as it is right, not only what changed.")


class Id(Arguments):
    """Of `confirm_fact`, `forget_fact` and `explain_fact`."""

    id: str = Field(description="The id of the memory, as your context or search_memory shows it.")


class Name(Arguments):
    """Of `get_entity_info`."""

    name: str = Field(min_length=1, description="The name of a person, project, place or thing.")


class Limit(Arguments):
    """Of `weak_facts`."""

    limit: int = Field(10, ge=1, le=50, description="At most so many memories.")


def fitted(config: Config) -> tuple[type[Remember], type[Correct]]:
    """The parameters that settings bound: how long a fact may be, which categories there are."""
    length = Field(max_length=config.max_fact_characters)
    known = Field(json_schema_extra={"enum": list(config.categories)})
    category = "fact" if "fact" in config.categories else config.categories[0]
    remember: dict[str, Any] = {
        "content": (Annotated[str, Remember.model_fields["content"], length], ...),
        "category": (Annotated[str, Remember.model_fields["category"], known], category),
    }
    correct: dict[str, Any] = {"content": (Annotated[str, Correct.model_fields["content"], length], ...)}
    return create_model("Remember", __base__=Remember, **remember), create_model("Correct", __base__=Correct, **correct)
