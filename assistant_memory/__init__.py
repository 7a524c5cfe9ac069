"""A long-term memory for AI assistants, as a library.

``async with Memory.open(folder) as memory``: every use case is a method of it, every value it takes or returns has its
type here, and ``errors`` holds its errors. A program that imports this package needs nothing else of the distribution.
"""

from assistant_memory import errors as errors
from sandbox.extensions.memory.claim import Claim, Relation
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.filter_options import FilterOptions
from sandbox.extensions.memory.listings import (
    Confidence,
    Conflict,
    Counts,
    Day,
    Duplicate,
    Entity,
    EntityEdge,
    ExplainedBlock,
    Failures,
    KnowledgeChange,
    ListedMemory,
    MemoryContext,
    Neighbour,
    Neighbourhood,
    NightRun,
    Page,
    PassedOver,
    Proposal,
    SessionReport,
    Spending,
    Turns,
    TurnWithKnowledge,
)
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import (
    AsOf,
    Block,
    BlockItem,
    Change,
    EntityProfile,
    Explanation,
    GraphPath,
    Hit,
    Message,
    Record,
    Scope,
    Statement,
    to_plain,
)
from sandbox.extensions.memory.ports import Answer, Embedded, LanguageModel, Question
from sandbox.extensions.memory.profile import ProfileValue, UserProfile
from sandbox.extensions.memory.reports import (
    BrokenRecord,
    ErasureReport,
    ExportReport,
    ImportReport,
    LearningReport,
    MaintenanceReport,
    Spent,
    Statistics,
    StepReport,
)
from sandbox.extensions.memory_libraries.blocking import Blocking, blocking
from sandbox.support.diagnosis import Check
from sandbox.support.embedder import Embedder
from sandbox.support.times import Clock

__all__ = [
    "Answer",
    "AsOf",
    "Block",
    "BlockItem",
    "Blocking",
    "BrokenRecord",
    "Change",
    "Check",
    "Claim",
    "Clock",
    "Confidence",
    "Conflict",
    "Counts",
    "Day",
    "Duplicate",
    "Embedded",
    "Embedder",
    "Entity",
    "EntityEdge",
    "EntityProfile",
    "ErasureReport",
    "ExplainedBlock",
    "Explanation",
    "ExportReport",
    "Failures",
    "FilterOptions",
    "GraphPath",
    "Hit",
    "ImportReport",
    "KnowledgeChange",
    "LanguageModel",
    "LearningReport",
    "ListedMemory",
    "MaintenanceReport",
    "Memory",
    "MemoryContext",
    "MemoryExtensionError",
    "Message",
    "Neighbour",
    "Neighbourhood",
    "NightRun",
    "Page",
    "PassedOver",
    "ProfileValue",
    "Proposal",
    "Question",
    "Record",
    "Relation",
    "Scope",
    "SessionReport",
    "Spending",
    "Spent",
    "Statement",
    "Statistics",
    "StepReport",
    "TurnWithKnowledge",
    "Turns",
    "UserProfile",
    "blocking",
    "errors",
    "to_plain",
]
