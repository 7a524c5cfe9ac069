"""Parameters and answers of the official MCP memory server's tools."""

from pydantic import BaseModel, ConfigDict, Field


class Given(BaseModel):
    """The arguments of a tool; unknown ones are ignored, as in the official server."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Entity(Given):
    """A person or thing."""

    name: str = Field(min_length=1, description="The name of the entity")
    entity_type: str = Field(alias="entityType", description="The type of the entity")
    observations: list[str] = Field(description="An array of observation contents associated with the entity")


class Relation(Given):
    """A relation between two entities."""

    source: str = Field(alias="from", min_length=1, description="The name of the entity where the relation starts")
    target: str = Field(alias="to", min_length=1, description="The name of the entity where the relation ends")
    relation_type: str = Field(alias="relationType", min_length=1, description="The type of the relation")


class Added(Given):
    """New observations of an entity."""

    entity_name: str = Field(alias="entityName", description="The name of the entity to add the observations to")
    contents: list[str] = Field(description="An array of observation contents to add")


class Deleted(Given):
    """Observations of an entity to delete."""

    entity_name: str = Field(alias="entityName", description="The name of the entity containing the observations")
    observations: list[str] = Field(description="An array of observations to delete")


class Entities(Given):
    """Entities that were created."""

    entities: list[Entity]


class Relations(Given):
    """Relations that were created."""

    relations: list[Relation]


class Result(Given):
    """The observations that were added to one entity."""

    entity_name: str = Field(alias="entityName")
    added_observations: list[str] = Field(alias="addedObservations")


class Results(Given):
    """The observations that were added to each entity."""

    results: list[Result]


class Done(Given):
    """It was deleted, or was not there."""

    success: bool
    message: str


class Whole(Given):
    """Entities, and relations that begin or end at them."""

    entities: list[Entity]
    relations: list[Relation]
