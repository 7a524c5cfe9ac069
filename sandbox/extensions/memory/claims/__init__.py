"""Typed claims: subject, predicate and value. The predicates are data. Pure."""

from sandbox.extensions.memory.claim import MODALITIES, USER, Claim, Modality
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
