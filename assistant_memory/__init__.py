"""A long-term memory for AI assistants, as a library.

``async with Memory.open(folder) as memory``: every use case is a method of it, every value it takes or returns has its
type here, and ``errors`` holds its errors. A program that imports this package needs nothing else of the distribution.
"""

from assistant_memory import errors as errors
from sandbox.extensions.memory.call_context import Interface as Interface
from sandbox.extensions.memory.config import Config as Config
from sandbox.extensions.memory.errors import MemoryExtensionError as MemoryExtensionError
from sandbox.extensions.memory.ingest.documents import Document as Document, Documents as Documents, Shelf as Shelf
from sandbox.extensions.memory.listings import (
    Confidence as Confidence,
    Conflict as Conflict,
    Counts as Counts,
    Day as Day,
    Duplicate as Duplicate,
    Entity as Entity,
    EntityEdge as EntityEdge,
    ExplainedBlock as ExplainedBlock,
    Failures as Failures,
    KnowledgeChange as KnowledgeChange,
    ListedMemory as ListedMemory,
    MemoryContext as MemoryContext,
    Neighbour as Neighbour,
    Neighbourhood as Neighbourhood,
    NightRun as NightRun,
    NightStep as NightStep,
    Page as Page,
    PassedOver as PassedOver,
    Proposal as Proposal,
    SessionReport as SessionReport,
    Spending as Spending,
    Turns as Turns,
    TurnWithKnowledge as TurnWithKnowledge,
)
from sandbox.extensions.memory.memory import Memory as Memory
from sandbox.extensions.memory.model import (
    AsOf as AsOf,
    Block as Block,
    BlockItem as BlockItem,
    Change as Change,
    Claim as Claim,
    CognitiveType as CognitiveType,
    EntityProfile as EntityProfile,
    Explanation as Explanation,
    FilterOptions as FilterOptions,
    GraphPath as GraphPath,
    Hit as Hit,
    ListOrder as ListOrder,
    Message as Message,
    OnSimilar as OnSimilar,
    Order as Order,
    Record as Record,
    Relation as Relation,
    Role as Role,
    Scope as Scope,
    State as State,
    Statement as Statement,
    Visibility as Visibility,
    to_plain as to_plain,
)
from sandbox.extensions.memory.ports import (
    Answer as Answer,
    Embedded as Embedded,
    LanguageModel as LanguageModel,
    Question as Question,
)
from sandbox.extensions.memory.profile import ProfileValue as ProfileValue, UserProfile as UserProfile
from sandbox.extensions.memory.reports import (
    AnswerQuality as AnswerQuality,
    BrokenRecord as BrokenRecord,
    ErasureReport as ErasureReport,
    ExportReport as ExportReport,
    ImportProgress as ImportProgress,
    ImportReport as ImportReport,
    LearningProgress as LearningProgress,
    LearningReport as LearningReport,
    MaintenanceReport as MaintenanceReport,
    NightProgress as NightProgress,
    Spent as Spent,
    Statistics as Statistics,
    StepReport as StepReport,
    UndoReport as UndoReport,
    UndoStep as UndoStep,
)
from sandbox.extensions.memory_libraries.blocking import Blocking as Blocking, blocking as blocking
from sandbox.support.diagnosis import Check as Check
from sandbox.support.embedder import Embedder as Embedder
from sandbox.support.times import Clock as Clock
from sandbox.support.trust import Trust as Trust, Unconfirmed as Unconfirmed
