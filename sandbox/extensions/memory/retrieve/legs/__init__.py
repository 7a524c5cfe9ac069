"""The legs of a search. A leg may use the results of those before it."""

from sandbox.extensions.memory.retrieve.legs.entities import Entities
from sandbox.extensions.memory.retrieve.legs.graph import Graph
from sandbox.extensions.memory.retrieve.legs.vectors import Vectors
from sandbox.extensions.memory.retrieve.legs.words import Words
from sandbox.extensions.memory.retrieve.protocols import Leg

LEGS: tuple[Leg, ...] = (Vectors(), Words(), Graph(), Entities())
