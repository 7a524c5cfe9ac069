"""Typed claims: subject, predicate and value. The predicates are data. Pure."""

from sandbox.extensions.memory.claims.registry import (
    ENTITIES,
    OF_ONE,
    SAID,
    Core,
    Lasts,
    Predicate,
    ValueKind,
    predicate,
    predicates,
)
from sandbox.extensions.memory.model import MODALITIES, USER, Claim, Modality

__all__ = [
    "ENTITIES",
    "MODALITIES",
    "OF_ONE",
    "SAID",
    "USER",
    "Claim",
    "Core",
    "Lasts",
    "Modality",
    "Predicate",
    "ValueKind",
    "predicate",
    "predicates",
]
