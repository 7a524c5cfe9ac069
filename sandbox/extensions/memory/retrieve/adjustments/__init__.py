"""The adjustments of a search, in their order: each sees the scores that the previous ones left."""

from sandbox.extensions.memory.retrieve.adjustments.contexts import Contexts
from sandbox.extensions.memory.retrieve.adjustments.knowledge import Fading, Insights, Repeated
from sandbox.extensions.memory.retrieve.adjustments.newer import Newer
from sandbox.extensions.memory.retrieve.adjustments.related import Related
from sandbox.extensions.memory.retrieve.adjustments.superseded import Superseded
from sandbox.extensions.memory.retrieve.adjustments.times import NamesATime, SpokenTime
from sandbox.extensions.memory.retrieve.protocols import Adjustment

ADJUSTMENTS: tuple[Adjustment, ...] = (
    SpokenTime(),
    NamesATime(),
    Newer(),
    Repeated(),
    Insights(),
    Fading(),
    Contexts(),
    Related(),
    Superseded(),
)
