"""The graph of the official MCP memory server as memories: an entity has a tag and its type, a relation is claimed, an
observation is any knowledge with the entity as its subject.
"""

import re

from sandbox.extensions.memory.model import Claim, Statement

ENTITY, RELATION = "graph:entity", "graph:relation"


def entity(name: str, kind: str) -> Statement:
    """An entity, which needs no observation."""
    tags = (ENTITY, f"type={kind}")
    return Statement(f"{name}: {kind or 'entity'}", category="context", subject=name or None, tags=tags)


def relation(here: str, how: str, there: str) -> Statement:
    """A relation as a statement about the entity where it starts."""
    predicate = re.sub(r"[^a-z]+", "_", how.lower()).strip("_")
    return Statement(
        f"{here} {how.replace('_', ' ')} {there}",
        category="context",
        subject=here or None,
        tags=(RELATION, f"is={how}", f"to={there}"),
        claims=(Claim(here, predicate, there),) if predicate else (),
    )
