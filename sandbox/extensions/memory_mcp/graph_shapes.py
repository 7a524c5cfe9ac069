"""Parameters and answers of the official MCP memory server's tools."""

from pydantic import BaseModel, ConfigDict, Field


class Given(BaseModel):
    """Of a tool; what it does not know is passed over, as the official server does."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Entity(Given):
    """Who or what is remembered."""

    name: str = Field(min_length=1, description="The name of the entity")
    entity_type: str = Field(alias="entityType", description="The type of the entity")
    observations: list[str] = Field(description="An array of observation contents associated with the entity")


class Relation(Given):
    """How one stands to another."""

    source: str = Field(alias="from", min_length=1, description="The name of the entity where the relation starts")
    target: str = Field(alias="to", min_length=1, description="The name of the entity where the relation ends")
    relation_type: str = Field(alias="relationType", min_length=1, description="The type of the relation")


class Added(Given):
    """What is new of an entity."""

    entity_name: str = Field(alias="entityName", description="The name of the entity to add the observations to")
    contents: list[str] = Field(description="An array of observation contents to add")


class Deleted(Given):
    """What no longer holds of an entity."""

    entity_name: str = Field(alias="entityName", description="The name of the entity containing the observations")
    observations: list[str] = Field(description="An array of observations to delete")


class Entities(Given):
    """Of `create_entities`."""

    entities: list[Entity]


class Relations(Given):
    """Of `create_relations` and `delete_relations`."""

    relations: list[Relation]


class Observations(Given):
    """Of `add_observations`."""

    observations: list[Added]


class EntityNames(Given):
    """Of `delete_entities`."""

    entity_names: list[str] = Field(alias="entityNames", description="An array of entity names to delete")


class Deletions(Given):
    """Of `delete_observations`."""

    deletions: list[Deleted]


class Nothing(Given):
    """No parameters."""


class Query(Given):
    """Of `search_nodes`."""

    query: str = Field(description="The search query to match against entity names, types, and observation content")


class Names(Given):
    """Of `open_nodes`."""

    names: list[str] = Field(description="An array of entity names to retrieve")


class Result(Given):
    """What was added to one entity."""

    entity_name: str = Field(alias="entityName")
    added_observations: list[str] = Field(alias="addedObservations")


class Results(Given):
    """What was added to each."""

    results: list[Result]


class Done(Given):
    """It was deleted, or was not there."""

    success: bool
    message: str


class Whole(Given):
    """Entities, and relations that begin or end at them."""

    entities: list[Entity]
    relations: list[Relation]
