"""The relations of a question's named entities to others, and the knowledge about them."""

from collections.abc import Sequence
from dataclasses import replace

from sandbox.extensions.memory.model import KNOWLEDGE
from sandbox.extensions.memory.retrieve.protocols import SearchContext, shared
from sandbox.extensions.memory.store import claims, search
from sandbox.extensions.memory.store.claims import Related
from sandbox.extensions.memory.text.words import terms

MOST = 40  # nodes for one chain or entity


@shared
def asked(context: SearchContext) -> list[Related]:
    """The relations of named entities of which the question has a word: "works" of ``works_with``."""
    if context.query.intent not in ("who", "what") or not context.entities or not context.resolved.has_knowledge:
        return []
    related = claims.related(context.visibility.snapshot, list(context.entities), context.visibility.filter, MOST)
    return [each for each in related if not predicate_terms(each).isdisjoint(context.query.terms)]


def predicate_terms(related: Related) -> frozenset[str]:
    """The search terms of a relation's predicate."""
    return frozenset(terms(related.relation.predicate.replace("_", " ")))


def known(context: SearchContext, entity_ids: Sequence[int]) -> list[int]:
    """Knowledge that mentions some entities, without turns."""
    types = context.visibility.filter.among(*KNOWLEDGE).types
    return speaking_of(context, entity_ids, types, MOST) if types and context.resolved.has_knowledge else []


def speaking_of(
    context: SearchContext, entity_ids: Sequence[int], types: tuple[str, ...] | None, limit: int
) -> list[int]:
    """The latest nodes of some types that mention some entities."""
    filter_ = replace(context.visibility.filter, types=types)
    return search.of_entities(context.visibility.snapshot, entity_ids, filter_, limit, search.SPOKEN_OF)
