"""Explain a block to people: list the candidates and what became of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sandbox.extensions.memory.assemble.gather import Material, repeated
from sandbox.extensions.memory.listings import LeftOut
from sandbox.extensions.memory.model import Block
from sandbox.extensions.memory.retrieve.recall import Recollection


@dataclass(slots=True)
class Trace:
    """Filled on the way to a block: what was ``found`` by the search, best first, what of that is ``relevant`` and
    ``telling``, and the ``material`` the block is chosen from.
    """

    budget: int = 0
    found: Sequence[Recollection] = ()
    relevant: Sequence[Recollection] = ()
    telling: Sequence[Recollection] = ()
    material: Material | None = None

    def note(
        self,
        budget: int,
        found: Sequence[Recollection],
        relevant: Sequence[Recollection],
        telling: Sequence[Recollection],
    ) -> None:
        """What a prompt was answered from."""
        self.budget, self.found, self.relevant, self.telling = budget, found, relevant, telling

    def left_out(self, block: Block | None) -> Mapping[str, LeftOut]:
        """Why what was found is not in the block, by its id."""
        shown = {item.id for item in block.items} if block else set[str]()
        ids = {each.node.id for each in self.found if each.node.public_id in shown}
        relevant, telling = ({each.node.id for each in some} for some in (self.relevant, self.telling))
        said = repeated(self.material, ids) if self.material and block else set[int]()

        def reason(id: int) -> LeftOut:
            if id not in relevant:
                return "irrelevant"
            if id not in telling:
                return "far_behind"
            if block is None:
                return "unsure"
            return "said_already" if id in said else "no_room"

        return {each.node.public_id: reason(each.node.id) for each in self.found if each.node.public_id not in shown}
