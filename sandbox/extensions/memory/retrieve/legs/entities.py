"""People and things: memories linked with a named entity."""

from sandbox.extensions.memory.retrieve import relations
from sandbox.extensions.memory.retrieve.protocols import Leg, SearchContext, by_rank
from sandbox.extensions.memory.store.scored import Scored

_TURNS = 5  # turns that mention an entity; the words find the others


class EntityLeg(Leg):
    """Finds what is known about a named entity, for *who* and *what*."""

    name = "entity"
    finds = "who or what"

    def find(self, context: SearchContext) -> Scored:
        """First the relations that the question asks for, then other knowledge about the entity; if nothing is known,
        the latest turns that mention it. The entity's own turns are lifted by the leg of words.
        """
        if context.query.intent not in ("who", "what") or not context.entities:
            return by_rank([])
        named = list(context.entities)
        known = [*(each.node for each in relations.asked(context)), *relations.known(context, named)]
        types = context.visibility.filter.types
        turns = [] if known else relations.speaking_of(context, named, types, _TURNS)
        return by_rank(list(dict.fromkeys(known))[: relations.MOST] or turns)
