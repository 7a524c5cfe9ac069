"""The turns of the user count more for a question about the user's own life, because they mostly said the answer."""

import numpy as np

from sandbox.extensions.memory.retrieve.intent import asks_about_own_life
from sandbox.extensions.memory.retrieve.protocols import SearchContext
from sandbox.extensions.memory.store.scored import Scored

_OTHERS = 0.5  # factor for a turn that is not the user's word; flat from 0.4 to 0.5


def own_words(context: SearchContext, scores: Scored) -> Scored:
    """Lower turns that are not the user's own words: answers of assistants, and text from elsewhere."""
    if not asks_about_own_life(context.query.text):
        return scores
    rows = context.visibility.turns.rows(scores.ids)
    is_others = rows["is_turn"] & ~rows["by_user"]
    return scores.valued(np.where(is_others, scores.values * _OTHERS, scores.values))
