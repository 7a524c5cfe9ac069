"""Erasing and purging: unlike forgetting, they leave no text and cannot be undone.

Each version of a memory rests on its own turns and goes with them; memories that it had replaced are valid again
(``changes.py``). Names go with their last text. Only hashes stay, by which an import leaves out what was erased
(adr/0033). Memories that nobody uses are put away for some time, then purged.
"""

import json
import secrets
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from sandbox.extensions.memory.authority import check_audience
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.model import CODING_AGENTS, Scope
from sandbox.extensions.memory.reports import EXAMPLES, ErasureReport, ExportReport
from sandbox.extensions.memory.store import changes, decisions, documents, entities, nodes, sessions, vectors
from sandbox.extensions.memory.store.changes import Reinstated
from sandbox.extensions.memory.store.decisions import EXPIRED
from sandbox.extensions.memory.store.filters import whose
from sandbox.extensions.memory.store.rows import INSIGHT, LEARNT, ON_PURPOSE, Draft
from sandbox.extensions.memory.store.sql import HOLDS, load, quoted
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.text.names import UNKNOWN
from sandbox.extensions.memory.text.sightings import may_name, surely_names, without_longer
from sandbox.extensions.memory.text.words import name_key, stemmed_name, terms

_SQL = load("erasing")


_LONGEST = 100  # characters of an example

_SALT = "erased_keys_salt"
_HASH_BYTES = 16
_ANY_SOURCE = ""  # a statement counts as the same from any source


class ErasureSelection(NamedTuple):
    """A person's selection of one user's memories; one field is set. With a project, only that project's memories;
    without one, those of all projects, but a ``session`` without a project. ``before`` is in milliseconds.
    """

    id: str | None = None
    session: str | None = None
    subject: str | None = None
    before: int | None = None

    @property
    def is_all(self) -> bool:
        """Whether all memories of the user are selected."""
        return (self.id, self.session, self.subject, self.before) == (None, None, None, None)


def would_erase(snapshot: Snapshot, scope: Scope, selection: ErasureSelection) -> ErasureReport:
    """What ``erase`` would remove. Raises ``NotAdministrator``."""
    gone = _gone(snapshot, scope, selection)
    unused = _empty_contexts(snapshot, scope, selection)
    return _report(snapshot, scope, selection, gone, unused, changes.reinstated(snapshot, gone))


def erase(tx: Transaction, scope: Scope, selection: ErasureSelection) -> ErasureReport:
    """Erase every version of the selected memories, in any home, with memories learnt from them alone, and with
    entities and names that nothing else mentions. The log records that memories were erased. Raises
    ``NotAdministrator`` if one of them is global.
    """
    gone = _gone(tx, scope, selection)
    unused, plans = _empty_contexts(tx, scope, selection), changes.reinstated(tx, gone)
    report = _report(tx, scope, selection, gone, unused, plans)
    of_session = sessions.of_project(scope, selection.session)
    left = _homes(tx, scope, gone) if selection.session is None else [of_session]
    for _, node in sorted(nodes.by_ids(tx, gone).items()):  # in the order of storing, which tells nothing
        home = {"id": node.public_id, "visibility": node.visibility, "project": node.project_id}
        tx.log("erased", node.id, node.user_id, **home)
    _keep_hashes(tx, gone)
    changes.reinstate(tx, gone, plans)
    disinherit(tx, gone)
    for session in left:
        tx.execute(_SQL.erase_summaries, session)
        documents.erase_session(tx, session)
    erase_nodes(tx, gone)
    _unname(tx, unused)
    for session in left:
        if not _mend(tx, session):
            tx.execute(_SQL.erase_session, session)
            _forget_name(tx, {**session, "gone": gone})
    if selection.is_all:
        for table in [row["name"] for row in tx.execute(_SQL.tables).fetchall()]:
            tx.execute(f"DELETE FROM {table} WHERE user_id = :user_id", user_id=scope.user_id)
        tx.execute(_SQL.unname_hashes, user_id=scope.user_id)  # what stays does not show the user
    tx.set_meta("erasing", 1)  # until the bytes are overwritten, if need be by the next process to open the memory
    return report


def users(snapshot: Snapshot) -> list[str]:
    """All users with rows in the memory."""
    return [row[0] for row in snapshot.execute(_SQL.users)]


def unmark(tx: Transaction) -> None:
    """Note that the erased bytes are overwritten."""
    tx.execute(_SQL.unmark)


def is_marked(snapshot: Snapshot) -> bool:
    """Whether erased bytes must still be overwritten."""
    return snapshot.meta("erasing") is not None


def erase_nodes(tx: Transaction, gone: Sequence[int]) -> None:
    """Delete nodes with dependent rows, merges that rest on them, and unmentioned entities and names."""
    parameters = {"gone": gone}
    met = [row["id"] for row in tx.execute(_SQL.mentioned, parameters)]
    entities.take_back_merges(tx, gone)
    vectors.remove(tx, gone)
    tx.execute(_SQL.erase, parameters)
    _unname(tx, met)
    if tx.execute(_SQL.has_samples).fetchone():
        tx.execute(_SQL.erase_samples)


def _forget_name(tx: Transaction, whose: dict[str, object]) -> None:
    """Remove the name of a session, because it may say as much as its turns."""
    elsewhere = tx.value(_SQL.is_elsewhere, whose)
    of_entities = (_SQL.unname.format(table=table) for table in ("entities", "summaries"))
    sqls = [_SQL.erase_entities, _SQL.unname_nodes, *of_entities, _SQL.unname_changes]
    for sql in sqls if elsewhere else (*sqls, _SQL.erase_recalls, _SQL.unname_operations):
        tx.execute(sql, whose, elsewhere=elsewhere)


def _report(
    snapshot: Snapshot,
    scope: Scope,
    selection: ErasureSelection,
    gone: Sequence[int],
    unused: Sequence[int],
    plans: Sequence[Reinstated],
) -> ErasureReport:
    doubtful = [] if selection.subject is None else _naming(snapshot, scope, selection.subject).doubtful
    asked = {"gone": gone, "unused": unused, "doubtful": doubtful, "most": EXAMPLES}
    turns, learnt = snapshot.execute(_SQL.counted, asked).fetchone()
    kinds = snapshot.execute(_SQL.kinds, asked).fetchone()
    examples = tuple(_short(row["content"]) for row in snapshot.execute(_SQL.examples, asked))
    left = snapshot.execute(_SQL.beginnings, asked).fetchall()
    return ErasureReport(
        turns,
        learnt,
        sum(plan.holds_again for plan in plans),
        **dict(kinds),
        in_doubt=left[0]["every"] if left else 0,
        examples=examples,
        doubtful=tuple(f"{row['public_id']}: {_short(row['content'])}" for row in left),
        exports=tuple(ExportReport(*row) for row in snapshot.execute(_SQL.holding, user_id=scope.user_id, gone=gone)),
    )


def _gone(snapshot: Snapshot, scope: Scope, selection: ErasureSelection) -> list[int]:
    """The nodes to erase, with everything learnt from them alone, step by step until nothing more follows."""
    whose = sessions.of_project(scope, selection.session)
    gone = _meant(snapshot, scope, selection)
    gone += [row["id"] for row in snapshot.execute(_SQL.said_in, whose)]
    learnt = {**whose, "learnt": LEARNT, "insight": INSIGHT}
    while follows := snapshot.execute(_SQL.unfounded, learnt, gone=gone).fetchall():
        gone += [row["id"] for row in follows]
    if snapshot.execute(_SQL.everybodys, gone=gone).fetchone() is not None:
        check_audience(scope, "global")
    return gone


def _meant(snapshot: Snapshot, scope: Scope, selection: ErasureSelection) -> list[int]:
    """The selected nodes except those of a session; of each memory every version, and memories merged into it."""
    home = {"user_id": scope.user_id, "project_id": scope.project_id}
    if selection.id is not None:
        return whole(snapshot, _ids(snapshot, _SQL.named, {**home, "id": selection.id}))
    if selection.subject is not None:
        return _naming(snapshot, scope, selection.subject).sure
    if selection.before is not None:
        return _ids(snapshot, _SQL.before, {**home, "before": selection.before})
    return _ids(snapshot, _SQL.of_user, home) if selection.is_all else []


def whole(snapshot: Snapshot, ids: Iterable[int]) -> list[int]:
    """Every version of some memories, and of the memories merged into them."""
    return _ids(snapshot, _SQL.whole, {"ids": ids})


class _Naming(NamedTuple):
    """The nodes that are about somebody, and those that perhaps only have a word that is also the name."""

    sure: list[int]
    doubtful: list[int]


def _naming(snapshot: Snapshot, scope: Scope, subject: str) -> _Naming:
    """Memories about a subject: those that have it, mention it, or contain one of its names, in any session; not those
    that contain it only within a longer name of somebody else: *Ann* in *Ann Lee*.
    """
    found = entities.bearing(snapshot, scope, subject)
    names = {subject, *(row["name"] for row in snapshot.execute(_SQL.called, entities=found))}
    home = {"user_id": scope.user_id, "project_id": scope.project_id}
    linked = {*_ids(snapshot, _SQL.about, {**home, "entities": found, "who": stemmed_name(subject)})}
    spelt = [words for words in map(terms, names) if words]
    match = " OR ".join("(" + " AND ".join(map(quoted, words)) + ")" for words in spelt)
    saying = _ids(snapshot, _SQL.saying, {**home, "match": match}) if match else []
    unsearchable = [name for name in names if not terms(name) and name_key(name)]
    saying += _ids(snapshot, _SQL.written, {**home, "names": unsearchable}) if unsearchable else []
    tagged = _ids(snapshot, _SQL.tagged, {**home, "names": sorted(names)})
    sure, doubtful = dict.fromkeys(tagged), []
    for row in snapshot.execute(_SQL.whom, nodes={*linked, *saying}, entities=found):
        others = [each for each in (row["subject"], *json.loads(row["others"])) if each]
        said, has_longer = without_longer(row["content"], others, names)
        may = [name for name in names if may_name(said, name)]
        is_linked = row["id"] in linked and not has_longer and not may
        if is_linked or _is_of(row, names) or any(surely_names(said, name) for name in may):
            sure[row["id"]] = None
        elif may:
            doubtful.append(row["id"])
    return _Naming(list(sure), doubtful)


def _is_of(row: sqlite3.Row, names: Collection[str]) -> bool:
    """Whether a node has one of some names as its speaker or subject."""
    keys = set(map(name_key, names))
    return any(row[field] and name_key(row[field]) in keys for field in ("speaker", "subject"))


def _empty_contexts(snapshot: Snapshot, scope: Scope, selection: ErasureSelection) -> list[int]:
    """The contexts with the name of the selected subject in which no memory is."""
    if selection.subject is None:
        return []
    parameters = {**whose(scope), "administrator": scope.administrator}
    return _ids(snapshot, _SQL.unused, {**parameters, "entities": entities.bearing(snapshot, scope, selection.subject)})


def _homes(snapshot: Snapshot, scope: Scope, gone: Sequence[int]) -> list[dict[str, object]]:
    """The user's sessions in which the turns were said."""
    rows = snapshot.execute(_SQL.homes, gone=gone).fetchall()
    return [{"user_id": scope.user_id, "session_id": row[0], "project_id": row[1]} for row in rows]


def _mend(tx: Transaction, home: dict[str, object]) -> bool:
    """Update a session to its remaining turns; False if none remains."""
    if tx.execute(_SQL.is_left, home).fetchone() is None:
        return False
    tx.execute(_SQL.drop_homes, home)
    tx.execute(_SQL.recount, home)
    tx.execute(_SQL.rejoin, home, now=tx.now)
    return True


def _ids(snapshot: Snapshot, sql: str, asked: dict[str, Any]) -> list[int]:
    return [row[0] for row in snapshot.execute(sql, asked)]


def _short(content: str) -> str:
    line = " ".join(content.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _unname(tx: Transaction, entities: Sequence[int]) -> None:
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
    tx.execute(_SQL.unspoken, ids)
    tx.execute(_SQL.recount_mentions, ids)
    tx.execute(_SQL.untype, ids, unknown=UNKNOWN)
    for row in tx.execute(_SQL.gained, ids).fetchall():
        left = set(json.loads(row["left"]))
        names = [name for name in json.loads(row["names"]) if name in left]
        tx.execute(_SQL.note, id=row["id"], names=names)


def _said_in(tx: Transaction, name: sqlite3.Row) -> int | None:
    """A node that mentions an entity by a name, in any form, to everybody who sees the entity."""
    spelt = [words for words in (terms(name["name"]), stemmed_name(name["name"]).split()) if words]
    match = " OR ".join("(" + " AND ".join(map(quoted, words)) + ")" for words in spelt)
    found = tx.execute(_SQL.saying_name, id=name["id"], match=match).fetchone() if match else None
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
            entities.drop_links(tx, [(link["id"], node, link["role"])])


def missing_files(snapshot: Snapshot) -> list[str]:
    """The files that are gone, although their folders are there; without its folder a file may be on a missing disk."""
    paths = [Path(row["path"]) for row in snapshot.execute(_SQL.paths)]
    return [str(path) for path in paths if path.parent.exists() and not path.exists()]


def note_file(tx: Transaction, written: ExportReport, user_id: str | None, seq: int, gone: Iterable[str]) -> None:
    """Record a file of one user's memories, or of all users' (None), and drop the files that are ``gone``."""
    tx.execute(_SQL.drop_files, paths=gone)
    file = {"path": str(Path(written.file).absolute()), "lines": written.lines, "bytes": written.bytes}
    tx.execute(_SQL.note_file, file, user_id=user_id, seq=seq)


def _keep_hashes(tx: Transaction, gone: Sequence[int]) -> None:
    """Store hashes of the nodes' ids and keys, and of the statements among them with their homes."""
    if named := tx.execute(_SQL.keyed, nodes=gone).fetchall():
        if (salt := _salt(tx)) is None:
            salt = secrets.token_bytes(_HASH_BYTES)
            tx.set_meta(_SALT, salt.hex())
        tx.executemany(
            _SQL.add_hash,
            ({**each, "at": tx.now} for row in named for each in _hashes(salt, dict(row))),
        )


def remove_hashes(tx: Transaction, drafts: Iterable[Draft]) -> None:
    """Remove the hashes of drafts that are wanted again."""
    if (salt := _salt(tx)) is not None:
        tx.executemany(_SQL.remove_hash, (each for draft in drafts for each in _hashes(salt, _hashed_fields(draft))))


def not_erased(tx: Transaction, drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts that were not erased, neither by key nor as a statement under another key."""
    salt = _salt(tx)
    if salt is None:
        return list(drafts)
    return [
        draft
        for draft in drafts
        if not any(tx.execute(_SQL.is_erased, each).fetchone() for each in _hashes(salt, _hashed_fields(draft)))
    ]


def is_erased(tx: Transaction, named: Mapping[str, Any]) -> bool:
    """Whether a record with this id or key, or this statement in this home, was erased."""
    salt = _salt(tx)
    if salt is None:
        return False
    home = {**named, "session_id": named["session_id"] if named["visibility"] == "session" else None}
    return any(tx.execute(_SQL.is_erased, each).fetchone() for each in _hashes(salt, home))


def _salt(tx: Transaction) -> bytes | None:
    """The secret of this file; None if nothing was erased."""
    salt = tx.meta(_SALT)
    return None if salt is None else bytes.fromhex(salt)


def _hashed_fields(draft: Draft) -> dict[str, Any]:
    """The fields of a draft that the hashes are made of."""
    said = {"public_id": None, "source": draft.source, "key": draft.key, "fingerprint": draft.fingerprint}
    return {**draft.home._asdict(), **said}


def _hashes(salt: bytes, named: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The hashes of an id, of a key in its project, and of a statement in its home. They are keyed with the file's
    secret, because a key may itself be a hash of text that can be guessed. The project of a coding agent's turn does
    not count, since a folder may be moved or deleted.
    """
    user_id, source = named["user_id"], named["source"]
    if named["public_id"] is not None:
        text = json.dumps([user_id, named["public_id"]]).encode()
        yield {"user_id": user_id, "source": _ANY_SOURCE, "hash": _hashed(salt, b"id", text)}
    if named["key"] is not None:
        project = None if source in CODING_AGENTS else named["project_id"]
        home = [user_id, source, project, named["session_id"]]
        text = json.dumps(home).encode() + named["key"].encode()
        yield {"user_id": user_id, "source": source, "hash": _hashed(salt, b"key of project", text)}
    if named["fingerprint"] is not None:
        home = [named[part] for part in ("user_id", "visibility", "project_id", "session_id")]
        text = json.dumps(home).encode() + named["fingerprint"]
        yield {"user_id": user_id, "source": _ANY_SOURCE, "hash": _hashed(salt, b"said", text)}


def _hashed(salt: bytes, kind: bytes, text: bytes) -> bytes:
    return blake2b(text, digest_size=_HASH_BYTES, key=salt, person=kind).digest()


_IMPORTANT = 3
"""From this importance on, an unused memory is kept."""

_MAY_GO = f"""NOT n.pinned AND n.decay_rate > 0 AND {HOLDS}
    AND NOT (n.source IN (SELECT value FROM json_each(:on_purpose)) AND n.trust IN ('user', 'confirmed'))"""


def unused(snapshot: Snapshot, days: Mapping[str, int], now: int) -> list[int]:
    """Memories that were unused for as many days as ``days`` gives for their category; with 0, the category is kept."""
    asked = {"days": json.dumps(dict(days)), "day": DAY, "important": _IMPORTANT}
    return _that_may_go(snapshot, _SQL.unused_for, now, asked)


def beyond(snapshot: Snapshot, user_id: str, most: int, now: int) -> list[int]:
    """The excess memories of a user who has more than ``most``, the first to go first, as far as they may go."""
    return _that_may_go(snapshot, _SQL.beyond, now, {"user_id": user_id, "most": most})


def expire(tx: Transaction, ids: Sequence[int], purge_at: int | None, actor: str) -> list[str]:
    """Put memories away, and note that their owners must be told; return their public ids."""
    found = nodes.by_ids(tx, ids)
    for node in found.values():
        nodes.retire(tx, node, by=EXPIRED, event=EXPIRED, actor=actor)
        nodes.update(tx, node.id, purge_at=purge_at)
        decisions.announce_later(tx, node)
    return [node.public_id for node in found.values()]


def due(snapshot: Snapshot, now: int, limit: int) -> list[int]:
    """Memories that were put away, or waited for consent, and are due to be purged."""
    return [row[0] for row in snapshot.execute(_SQL.due, now=now, limit=limit)]


def purge(tx: Transaction, ids: Sequence[int]) -> None:
    """Delete every version of some memories, and of memories merged into them."""
    every_version = whole(tx, ids)
    for node in nodes.by_ids(tx, ids).values():
        home = {"id": node.public_id, "visibility": node.visibility, "project": node.project_id}
        tx.log("purged", node.id, node.user_id, was=node.retired_by, **home)
    erase_nodes(tx, every_version)


def _that_may_go(snapshot: Snapshot, sql: str, now: int, asked: dict[str, Any]) -> list[int]:
    sql = sql.replace("{may_go}", _MAY_GO)
    return [row[0] for row in snapshot.execute(sql, asked, now=now, on_purpose=ON_PURPOSE)]
