"""What versions of memories claim."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sandbox.extensions.memory.claims import Claim
from sandbox.extensions.memory.store import nodes
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import Draft
from sandbox.extensions.memory.store.writer import Transaction
from sandbox.extensions.memory.text.words import name_key

_SQL = load("claims")


def put(tx: Transaction, node_id: int, user_id: str, claims: Sequence[Claim]) -> None:
    """Note what a new version claims."""
    for claim in claims:
        row = {
            "node_id": node_id,
            "user_id": user_id,
            "subject": name_key(claim.subject),
            "named": claim.subject,
            "predicate": claim.predicate,
            "value": claim.value,
            "folded": name_key(claim.value),
            "affirmed": claim.is_affirmed,
            "modality": claim.modality,
            "time": claim.time,
        }
        tx.execute(_SQL.put, row)


def of_nodes(connection: sqlite3.Connection, node_ids: Iterable[int]) -> Mapping[int, tuple[Claim, ...]]:
    """What some versions claim; those that claim nothing are left out."""
    found: defaultdict[int, list[Claim]] = defaultdict(list)
    for row in connection.execute(_SQL.of_nodes, {"nodes": json.dumps(list(node_ids))}):
        found[row[0]].append(_claim(row))
    return {node: tuple(claims) for node, claims in found.items()}


def with_predicates(
    connection: sqlite3.Connection, predicates: Iterable[str], filter_: Filter, limit: int
) -> list[tuple[int, Claim]]:
    """Memories that the filter allows, of its user, each with a claim of one of some predicates; the latest first."""
    condition, parameters = filter_.condition()
    asked = {**parameters, "predicates": json.dumps(list(predicates)), "limit": limit}
    rows = connection.execute(_SQL.with_predicates.replace("{condition}", condition), asked)
    return [(row[0], _claim(row)) for row in rows]


def about(tx: Transaction, draft: Draft, claim: Claim) -> list[tuple[int, Claim]]:
    """Believed memories of a draft's home that claim something of the same subject with the same predicate."""
    asked = {"user_id": draft.scope.user_id, "predicate": claim.predicate, "subject": name_key(claim.subject)}
    return [(row[0], _claim(row)) for row in tx.execute(_SQL.about, {**nodes.home(draft, tx.now), **asked})]


def _claim(row: sqlite3.Row) -> Claim:
    return Claim(row["named"], row["predicate"], row["value"], bool(row["affirmed"]), row["modality"], row["time"])
