"""Remove the names that only erased text said, and entities that no remaining text names."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from sandbox.extensions.memory.store.memories import nodes
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.text.names import UNKNOWN
from sandbox.extensions.memory.text.words import name_key, stemmed_name, terms

_SQL = load("name_removal")


def unname(tx: Transaction, entities: Sequence[int]) -> None:
    """Remove the names of entities that no remaining node says, after nodes that mentioned them were deleted. What only
    private nodes say now is private.
    """
    ids = {"ids": entities}
    tx.execute(_SQL.unspoken, ids)
    tx.execute(_SQL.narrow, ids)
    for row in tx.execute(_SQL.doubtful, ids).fetchall():
        name = dict(row)
        if (node := _said_in(tx, row)) is not None:
            tx.execute(_SQL.stand, name, node=node)
            continue
        tx.execute(_SQL.drop, name)
        tx.execute(_SQL.drop_summaries, name)
        tx.execute(_SQL.rename, name)
    tx.execute(_SQL.nameless, ids)
    tx.execute(_SQL.recount, ids)
    tx.execute(_SQL.untype, ids, unknown=UNKNOWN)
    for row in tx.execute(_SQL.gained, ids).fetchall():
        left = set(json.loads(row["left"]))
        names = [name for name in json.loads(row["names"]) if name in left]
        tx.execute(_SQL.note, id=row["id"], names=names)


def _said_in(tx: Transaction, name: sqlite3.Row) -> int | None:
    """A node that mentions an entity by a name, in any form, to everybody who sees the entity."""
    spelt = [words for words in (terms(name["name"]), stemmed_name(name["name"]).split()) if words]
    match = " OR ".join("(" + " AND ".join(map(nodes.quoted, words)) + ")" for words in spelt)
    found = tx.execute(_SQL.saying, id=name["id"], match=match).fetchone() if match else None
    found = found or tx.execute(_SQL.spelling, id=name["id"], name=name["name"]).fetchone()
    return None if found is None else int(found[0])


def disinherit(tx: Transaction, gone: Sequence[int]) -> None:
    """Remove the inherited subject, tags and contexts of remaining versions that neither they, their turns nor another
    remaining version says. Call it before the nodes are deleted.
    """
    parameters = {"gone": gone}
    tx.execute(_SQL.leave, parameters)
    lost: dict[int, set[str]] = defaultdict(set)
    for row in tx.execute(_SQL.heirs, parameters).fetchall():
        lost[row["id"]].update(json.loads(row["gone_tags"]))
    for node, tags in lost.items():
        _disinherit(tx, node, tags, {**parameters, "id": node})


def _disinherit(tx: Transaction, node: int, lost: set[str], parameters: dict[str, object]) -> None:
    row = tx.execute(_SQL.inherited, parameters).fetchone()
    lost = lost.difference(json.loads(row["earlier_tags"]))
    tags = [tag for tag in json.loads(row["tags"]) if tag not in lost]
    said = [row["content"]]
    for source in tx.execute(_SQL.said_by_sources, parameters):
        said += [source["content"], source["speaker"] or ""]
    text, subject = " ".join(map(name_key, said)), row["subject"]
    is_lost = subject is not None and not row["had_subject"] and name_key(subject) not in text
    kept = None if is_lost else subject
    tx.execute(_SQL.disinherit, id=node, tags=tags, subject=kept)
    for link in tx.execute(_SQL.links, id=node).fetchall() if is_lost else ():
        if not any(name in text for name in json.loads(link["names"])):
            tx.execute(_SQL.unlink, node=node, id=link["id"], role=link["role"])
