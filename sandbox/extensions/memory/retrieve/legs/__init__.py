"""The legs of a search. A leg may use the results of those before it."""

from sandbox.extensions.memory.retrieve.legs.entities import EntityLeg
from sandbox.extensions.memory.retrieve.legs.graph import GraphLeg
from sandbox.extensions.memory.retrieve.legs.vectors import VectorLeg
from sandbox.extensions.memory.retrieve.legs.words import WordLeg
from sandbox.extensions.memory.retrieve.protocols import Leg

LEGS: tuple[Leg, ...] = (VectorLeg(), WordLeg(), GraphLeg(), EntityLeg())
