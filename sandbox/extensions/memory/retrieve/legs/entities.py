"""People and things: memories linked with a named entity."""

from sandbox.extensions.memory.retrieve import relations
from sandbox.extensions.memory.retrieve.protocols import Leg, SearchContext, by_rank
from sandbox.extensions.memory.store.indexes.scored import Scored

_TURNS = 5  # turns that name an entity; words find the others


class Entities(Leg):
    """Finds what is known of a named entity, for *who* and *what*."""

    name = "entity"
    finds = "who or what"

    def find(self, context: SearchContext) -> Scored:
        """First how the entity stands to others where that is asked, then what else is known of it; where nothing is
        known, the latest turns that speak of it. What it said itself is lifted among the words.
        """
        if context.query.intent not in ("who", "what") or not context.entities:
            return by_rank([])
        named = list(context.entities)
        known = [*(each.node for each in relations.asked(context)), *relations.known(context, named)]
        types = context.visibility.filter.types
        turns = [] if known else relations.speaking_of(context, named, types, _TURNS)
        return by_rank(list(dict.fromkeys(known))[: relations.MOST] or turns)
