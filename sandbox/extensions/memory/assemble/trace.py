"""Explain a block to people: list the search results, and why each is in the block or not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sandbox.extensions.memory.assemble.gather import Material, repeated
from sandbox.extensions.memory.listings import LeftOut
from sandbox.extensions.memory.model import Block
from sandbox.extensions.memory.retrieve.recall import Recollection


@dataclass(slots=True)
class Trace:
    """A record of how a block is made: the search results that were ``found``, best first, those that are ``relevant``
    and ``kept``, the ``material`` from which the block is chosen, and the budget that is ``needed`` for any of it.
    ``unsure`` are turns beyond the little room of a prompt that speaks of nobody.
    """

    budget: int = 0
    found: Sequence[Recollection] = ()
    relevant: Sequence[Recollection] = ()
    kept: Sequence[Recollection] = ()
    unsure: Sequence[Recollection] = ()
    material: Material | None = None
    needed: int | None = None

    def left_out(self, block: Block | None) -> Mapping[str, LeftOut]:
        """By id, why a result is not in the block."""
        shown = {item.id for item in block.items} if block else set[str]()
        ids = {each.node.id for each in self.found if each.node.public_id in shown}
        relevant, kept, unsure = ({each.node.id for each in some} for some in (self.relevant, self.kept, self.unsure))
        said = repeated(self.material, ids) if self.material and block else set[int]()

        def reason(id: int) -> LeftOut:
            if id not in relevant:
                return "irrelevant"
            if id in unsure:
                return "unsure"
            if id not in kept:
                return "far_behind"
            return "said_already" if id in said else "no_room"

        return {each.node.public_id: reason(each.node.id) for each in self.found if each.node.public_id not in shown}
