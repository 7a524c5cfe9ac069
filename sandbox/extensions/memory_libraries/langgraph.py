"""LangGraph's ``BaseStore``: values by namespace and key, found by filters and by meaning, with a time to live."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    tokenize_path,
    validate_op_namespace as check_namespace,
)

from sandbox.extensions.memory.ingest.documents import Document, Documents, Shelf, clean_key, refuse_secrets
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.ports import Embedded
from sandbox.extensions.memory_libraries.blocking import Blocking, reached

_STORE = "langgraph"  # the place above every namespace
_MINUTE = 60_000
_LONGEST = 1e9  # minutes: longer than anybody waits


class MemoryStore(BaseStore):
    """A store in an open memory, or in the result of ``blocking(folder)``. Values are found by the texts at the paths
    ``fields``; ``$`` is the whole value. Values and names with secrets are refused (``SecretRefused``).
    """

    supports_ttl = True

    def __init__(
        self,
        memory: Memory | Blocking,
        *,
        fields: Sequence[str] = ("$",),
        ttl: TTLConfig | None = None,
        scope: Scope | None = None,
    ) -> None:
        self._at, self._fields, self._scope = reached(memory), tuple(fields), scope or Scope()
        self.ttl_config = ttl

    @property
    def _documents(self) -> Documents:
        return self._at.memory.documents

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations. Raises ``WouldWaitForItself`` in the event loop of the memory."""
        return self._at.run(self._run(list(ops)))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations. Reads see the state before; of several values for one key the last is stored."""
        return await self._at.wait(self._run(list(ops)))

    async def _run(self, ops: Sequence[Op]) -> list[Result]:
        for op in ops:
            check_namespace(op)
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        refuse_secrets([op.value for op in puts.values()])
        for namespace, key in puts:
            for name in (*namespace, str(key)):
                clean_key(name)
        found_by = {place: await self._documents.embed(self._texts(op)) for place, op in puts.items()}
        read: set[int] = set()
        results = [await self._answer(op, read) for op in ops]
        if puts or read:
            await self._documents.write(lambda shelf: _apply(shelf, puts, found_by, read), scope=self._scope)
        return results

    async def _answer(self, op: Op, read: set[int]) -> Result:
        """The result of one operation; documents whose time to live starts again are added to ``read``."""
        match op:
            case GetOp():
                get = op
                found = await self._documents.read(
                    lambda shelf: shelf.get((_STORE, *get.namespace), str(get.key)), scope=self._scope
                )
                _note([found] if found else [], op.refresh_ttl, read)
                return Item(**_shared(found)) if found else None
            case SearchOp():
                matches = await self._matches(op)
                chosen = list(islice(matches, max(op.offset, 0), max(op.offset, 0) + max(op.limit, 0)))
                _note([each for each, _ in chosen], op.refresh_ttl, read)
                return [SearchItem(**_shared(each), score=score) for each, score in chosen]
            case ListNamespacesOp():
                return await self._namespaces(op)
            case _:
                return None

    async def _matches(self, op: SearchOp) -> list[tuple[Document, float | None]]:
        place = (_STORE, *op.namespace_prefix)
        found = await self._documents.read(lambda shelf: shelf.under(place), scope=self._scope)
        wanted = op.filter or {}
        fitting = [each for each in found if all(fits(each.value.get(key), wish) for key, wish in wanted.items())]
        if op.query:
            return await self._documents.ranked(op.query, fitting, scope=self._scope)
        return [(each, None) for each in fitting]

    async def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        places = await self._documents.read(Shelf.places, scope=self._scope)
        known = {place[1:] for place in places if place[0] == _STORE}
        matching = [each for each in known if all(_matches(each, wish) for wish in op.match_conditions or ())]
        return sorted({each[: op.max_depth] for each in matching})[op.offset : op.offset + op.limit]

    def _texts(self, op: PutOp) -> list[str]:
        """The texts by which a value is found."""
        if op.value is None or op.index is False:
            return []
        paths = self._fields if op.index is None else op.index
        return [
            text for path in paths for text in get_text_at_path(op.value, path if path == "$" else tokenize_path(path))
        ]


def fits(value: Any, wish: Any) -> bool:
    """Whether a value fits a filter: it is equal, or fits the filter's operators."""
    match wish:
        case dict() if any(str(key).startswith("$") for key in wish):
            return all(_compares(value, operator, other) for operator, other in wish.items())
        case dict():
            return isinstance(value, dict) and all(fits(value.get(key), each) for key, each in wish.items())
        case list() | tuple():
            same = isinstance(value, list) and len(value) == len(wish)
            return same and all(fits(mine, each) for mine, each in zip(value, wish, strict=True))
    return bool(value == wish)


def _compares(value: Any, operator: str, other: Any) -> bool:
    match operator:
        case "$eq":
            return bool(value == other)
        case "$ne":
            return bool(value != other)
        case "$gt" | "$gte" | "$lt" | "$lte" if value is None:
            return False
        case "$gt":
            return float(value) > float(other)
        case "$gte":
            return float(value) >= float(other)
        case "$lt":
            return float(value) < float(other)
        case "$lte":
            return float(value) <= float(other)
    raise ValueError(f"Unsupported operator: {operator}")


def _matches(namespace: tuple[str, ...], wish: MatchCondition) -> bool:
    """Whether a namespace begins, or ends, with given labels; ``*`` stands for any label."""
    path = tuple(wish.path)
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if wish.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(label in ("*", mine) for label, mine in zip(path, part, strict=True))


def _apply(
    shelf: Shelf,
    puts: dict[tuple[tuple[str, ...], str], PutOp],
    found_by: dict[tuple[tuple[str, ...], str], Embedded | None],
    read: set[int],
) -> None:
    shelf.touch(read)
    for (namespace, key), op in puts.items():
        place = (_STORE, *namespace)
        if op.value is None:
            shelf.delete(place, str(key))
        else:
            lasts = None if op.ttl is None else round(min(op.ttl, _LONGEST) * _MINUTE)
            shelf.put(place, str(key), op.value, lasts=lasts, found_by=found_by[namespace, key])


def _note(found: Iterable[Document], refresh: bool, read: set[int]) -> None:
    read |= {each.id for each in found if refresh and each.lasts is not None}


def _shared(found: Document) -> dict[str, Any]:
    times = {"created_at": found.created_at, "updated_at": found.updated_at}
    return {"value": found.value, "key": found.key, "namespace": found.place[1:], **times}
