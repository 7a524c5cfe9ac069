"""LangGraph's store over the memory: it behaves as LangGraph's own, is durable, and expires items on demand."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, GetOp, InvalidNamespaceError, ListNamespacesOp, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from assistant_memory import Blocking, Memory, Scope, blocking
from assistant_memory.errors import SecretRefused, WouldWaitForItself
from assistant_memory.langgraph import MemoryStore
from sandbox.testing import FakeClock

PETS = ("pets", "ann")


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Blocking]:
    with blocking(tmp_path_factory.mktemp("store"), embedder=None) as opened:
        yield opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MemoryStore]:
    with blocking(tmp_path) as opened:
        yield MemoryStore(opened)


# --- as LangGraph's own -------------------------------------------------------------------------------------------

labels = st.sampled_from(["a", "b", '"', "ä", "a]"])
places = st.lists(labels, min_size=1, max_size=3).map(tuple)
keys = st.sampled_from(["k", "l", "K", "%"])
atoms = st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["x", "y", 'q"', "\x00", "ä\ud800"])
values = st.dictionaries(
    st.sampled_from(["n", "m"]), atoms | st.lists(atoms, max_size=2) | st.dictionaries(st.just("d"), atoms)
)
numbers = st.fixed_dictionaries({"n": st.integers(-5, 5)})
wishes = st.dictionaries(st.sampled_from(["n", "m"]), atoms | st.fixed_dictionaries({"$eq": atoms}))
limits = st.integers(0, 4)
operations = st.one_of(
    st.builds(lambda place, key, value: PutOp(place, key, value), places, keys, values | numbers | st.none()),
    st.builds(lambda place, key: GetOp(place, key), places, keys),
    st.builds(lambda place, wish: SearchOp(place, wish, limit=100), places | st.just(()), st.none() | wishes),
)


def plain(result: Any) -> Any:
    """The parts of an answer on which two stores must agree; search results in any order."""
    if isinstance(result, list) and result and not isinstance(result[0], tuple):
        return sorted(map(repr, map(plain, result)))
    return (result.namespace, result.key, result.value) if hasattr(result, "value") else result


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(batches=st.lists(st.lists(operations, max_size=4), max_size=6))
def test_the_store_answers_like_the_store_of_langgraph(words: Blocking, batches: list[list[Any]]) -> None:
    theirs, ours = InMemoryStore(), MemoryStore(words, scope=Scope(str(uuid4())))
    for batch in batches:
        assert list(map(plain, ours.batch(batch))) == list(map(plain, theirs.batch(batch)))


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(known=st.lists(places, max_size=6), depth=st.none() | limits, limit=limits, offset=limits)
def test_the_store_lists_namespaces_like_the_store_of_langgraph(
    words: Blocking, known: list[tuple[str, ...]], depth: int | None, limit: int, offset: int
) -> None:
    theirs, ours = InMemoryStore(), MemoryStore(words, scope=Scope(str(uuid4())))
    put, asked = [PutOp(place, "k", {"n": 1}) for place in known], [ListNamespacesOp(None, depth, limit, offset)]
    ours.batch(put)
    theirs.batch(put)
    assert ours.batch(asked) == theirs.batch(asked)


def test_a_changed_value_keeps_the_time_of_its_creation(store: MemoryStore) -> None:
    store.put(PETS, "mia", {"age": 3})
    first = store.get(PETS, "mia")
    store.put(PETS, "mia", {"age": 4})
    changed = store.get(PETS, "mia")
    assert first is not None
    assert changed is not None
    assert first.created_at == changed.created_at <= changed.updated_at


@pytest.mark.parametrize(
    ("wish", "found"),
    [
        ({"kind": "cat"}, {"mia", "tom"}),
        ({"age": {"$gt": 3}}, {"rex", "tom"}),
        ({"age": {"$gte": 3, "$lt": 7}}, {"mia", "tom"}),
        ({"kind": {"$ne": "cat"}}, {"rex"}),
        ({"owner": {"name": "Ann"}}, {"mia"}),
        ({"colour": {"$gt": 1}}, set()),
        ({}, {"mia", "rex", "tom"}),
    ],
)
def test_filters_narrow_a_search(words: Blocking, wish: dict[str, Any], found: set[str]) -> None:
    store = MemoryStore(words, scope=Scope("filtered"))
    store.put(PETS, "mia", {"kind": "cat", "age": 3, "owner": {"name": "Ann"}})
    store.put(("pets", "ben"), "rex", {"kind": "dog", "age": 7})
    store.put(("pets", "ben"), "tom", {"kind": "cat", "age": 5})
    store.put(("petshops",), "zoo", {"kind": "cat", "age": 5})
    assert {each.key for each in store.search(("pets",), filter=wish)} == found
    with pytest.raises(ValueError, match=r"\$like"):
        store.search(("pets",), filter={"kind": {"$like": "c%"}})


def test_a_search_by_meaning_finds_the_nearest_indexed_value(store: MemoryStore) -> None:
    store.put(PETS, "mia", {"text": "The cat sleeps on the sofa all day", "note": "car engine"})
    store.put(PETS, "car", {"text": "The car needs a new engine"})
    store.put(PETS, "bare", {"text": "cats and kittens"}, index=False)
    store.put(PETS, "note", {"text": "kittens", "note": "a motor for the automobile"}, index=["note"])
    found = store.search(PETS, query="Where does the kitten rest?", limit=2)
    assert found[0].key == "mia"
    assert found[0].score is not None
    assert found[1].score is not None
    assert found[0].score > found[1].score
    everything = store.search(PETS, query="motor of an automobile")
    assert everything[0].key == "note"
    assert (everything[-1].key, everything[-1].score) == ("bare", None)
    store.put(PETS, "note", {"text": "kittens"}, index=["text"])
    assert store.search(PETS, query="motor of an automobile")[0].key != "note"


def test_namespaces_are_listed_by_prefix_suffix_and_depth(words: Blocking) -> None:
    store = MemoryStore(words, scope=Scope("places"))
    for place in [("a", "b", "c"), ("a", "b", "d", "e"), ("a", "f", "c"), ("g",)]:
        store.put(place, "k", {"n": 1})
    assert store.list_namespaces() == [("a", "b", "c"), ("a", "b", "d", "e"), ("a", "f", "c"), ("g",)]
    assert store.list_namespaces(prefix=("a", "b")) == [("a", "b", "c"), ("a", "b", "d", "e")]
    assert store.list_namespaces(suffix=("c",)) == [("a", "b", "c"), ("a", "f", "c")]
    assert store.list_namespaces(prefix=("a", "*", "c")) == [("a", "b", "c"), ("a", "f", "c")]
    assert store.list_namespaces(max_depth=2) == [("a", "b"), ("a", "f"), ("g",)]
    assert store.list_namespaces(limit=1, offset=1) == [("a", "b", "d", "e")]


async def test_reading_renews_the_expiry(memory: Memory, clock: FakeClock) -> None:
    store = MemoryStore(memory, ttl={"default_ttl": 10, "refresh_on_read": True})
    await store.aput(PETS, "mia", {"n": 1})
    await store.aput(PETS, "rex", {"n": 2}, ttl=None)
    clock.advance(minutes=9)
    assert await store.aget(PETS, "mia") is not None
    clock.advance(minutes=9)
    assert await store.aget(PETS, "mia", refresh_ttl=False) is not None
    clock.advance(minutes=2)
    assert await store.aget(PETS, "mia") is None
    assert [each.key for each in await store.asearch(PETS)] == ["rex"]
    await store.aput(PETS, "mia", {"n": 3})
    assert [each.value for each in await store.asearch(PETS, filter={"n": 3})] == [{"n": 3}]


async def test_the_store_is_durable_and_separate_for_each_user(folder: Path) -> None:
    async with Memory.open(folder, embedder=None) as memory:
        store = MemoryStore(memory)
        await asyncio.gather(*(store.aput(PETS, f"pet {n}", {"n": n}) for n in range(50)))
        with pytest.raises(WouldWaitForItself):
            store.get(PETS, "pet 1")
    async with Memory.open(folder, embedder=None) as memory:
        assert len(await MemoryStore(memory).asearch(PETS, limit=100)) == 50
        assert await MemoryStore(memory, scope=Scope("ben")).asearch(PETS) == []
        assert await memory.search("pet") == []  # a store has no conversation


def test_an_invalid_value_refuses_the_whole_batch(store: MemoryStore) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(("a.b",), "k", {"n": 1})
    with pytest.raises(SecretRefused):
        store.batch([PutOp(PETS, "a", {"n": 1}), PutOp(PETS, "b", {"deep": ["AKIAIOSFODNN7EXAMPLE"]})])
    for place, key in ((PETS, "AKIAIOSFODNN7EXAMPLE"), (("AKIAIOSFODNN7EXAMPLE",), "a")):
        with pytest.raises(SecretRefused):
            store.put(place, key, {"n": 1})
    assert store.search(()) == []


class Asked(TypedDict):
    """The state that the graph passes on."""

    text: str


async def test_a_graph_finds_the_values_of_an_earlier_run(embedded: Memory) -> None:
    async def remember(state: Asked, *, store: BaseStore) -> Asked:
        found = await store.asearch(PETS, query=state["text"])
        await store.aput(PETS, str(len(found)), {"text": state["text"]})
        return {"text": ", ".join(each.value["text"] for each in found)}

    graph = StateGraph(Asked)
    graph.add_node("remember", remember)
    graph.add_edge(START, "remember")
    graph.add_edge("remember", END)
    compiled = graph.compile(store=MemoryStore(embedded))
    assert (await compiled.ainvoke({"text": "Mia is a cat"}))["text"] == ""
    assert (await compiled.ainvoke({"text": "a cat"}))["text"] == "Mia is a cat"
