"""The adjustments of a search, in their order: each sees the scores that the previous ones left."""

from sandbox.extensions.memory.retrieve.adjustments import knowledge, leading, newer, speakers, times
from sandbox.extensions.memory.retrieve.protocols import Adjustment
from sandbox.extensions.memory.retrieve.question_period import SPOKEN_TIME

ADJUSTMENTS: tuple[Adjustment, ...] = (
    Adjustment("own words", speakers.own_words),
    Adjustment(SPOKEN_TIME, times.spoken_time),
    Adjustment("what names a time", times.names_a_time),
    Adjustment("newer first", newer.newer_first),
    Adjustment("insights", knowledge.insights),
    Adjustment("what fades", knowledge.fading),
    Adjustment("priority of contexts", knowledge.in_contexts),
    Adjustment("relations first", leading.related),
    Adjustment("superseded behind", leading.superseded),
)
