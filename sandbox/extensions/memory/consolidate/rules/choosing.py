"""Which statements of a turn are kept where it makes more than a turn may teach. English and Russian. Pure."""

import re
from collections.abc import Sequence

from sandbox.extensions.memory.consolidate.proposal import Proposal
from sandbox.extensions.memory.ingest.filling import filling

_HEALTH = re.compile(
    r"\b(?:allerg|intoleran|vegan|vegetarian|pescatarian|diabet|coeliac|celiac|asthma|epilep|pregnan|gluten|lactose"
    r"|kosher|halal|diagnos|medication|does not eat|cannot eat"
    r"|аллерг|неперенос|веган|вегетариан|диабет|целиак|астм|эпилеп|беременн|глютен|лактоз|халяль|диагноз|не ест )",
    re.IGNORECASE,
)


def best(made: Sequence[Proposal], most: int) -> list[Proposal]:
    """The ``most`` that matter most, in the order they were said: what fills the profile, health and diet, then by
    importance, the first of equals.
    """
    filled = [(each, filling(each.content, each.subject)) for each in made]
    told = {fills.field for _, fills in filled if fills and fills.is_told}
    weights = [
        (
            bool(fills and (fills.is_told or fills.field not in told)) or bool(_HEALTH.search(each.content)),
            each.importance,
        )
        for each, fills in filled
    ]
    kept = sorted(range(len(made)), key=lambda index: weights[index], reverse=True)[:most]
    return [made[index] for index in sorted(kept)]
