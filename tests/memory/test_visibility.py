"""Visibility: users never see each other's memories, and a scope sees exactly what its fields name."""

import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from sandbox.extensions.memory import Memory, Message, Scope, Statement
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import InvalidArgument, NotAdministrator, UnknownEntity, UnknownMemory
from sandbox.extensions.memory.ingest import drafts
from sandbox.extensions.memory.model import Visibility
from sandbox.extensions.memory.store import nodes
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.times import to_ms
from sandbox.testing import NOON
from tests.memory.hits import contents, text_of
from tests.memory.learning.scripts import item, learns, named, scripted

ANN, BOB = Scope("ann"), Scope("bob")
USERS, PROJECTS, SESSIONS = ("ann", "bob"), (None, "house", "garden"), (None, "mon", "tue")
VISIBILITIES: Sequence[Visibility] = ("user", "project", "global", "session")

READERS = [Scope(*each) for each in itertools.product(USERS, PROJECTS, (None,), (None,), SESSIONS)]
READERS += [Scope(user, all_projects=True) for user in USERS]
OWNERS = [
    replace(reader, visibility=visibility, administrator=visibility == "global")
    for reader, visibility in itertools.product(READERS, VISIBILITIES)
    if not (visibility == "project" and reader.project_id is None)
    and not (visibility == "session" and reader.session_id is None)
]
entries = st.lists(st.tuples(st.sampled_from(OWNERS), st.sampled_from(["turn", "fact"])), min_size=1, max_size=12)


def may_see(reader: Scope, owner: Scope) -> bool:
    """The rule, written independently: everybody sees global memories; the user sees the rest by its visibility."""
    if owner.visibility == "global":
        return True
    if reader.user_id != owner.user_id:
        return False
    return {
        "user": True,
        "project": reader.all_projects or reader.project_id == owner.project_id,
        "session": (reader.project_id, reader.session_id) == (owner.project_id, owner.session_id),
    }[owner.visibility]


async def write(memory: Memory, kind: str, content: str, scope: Scope) -> str:
    if kind == "turn":
        return await memory.observe("user", content, session=scope.session_id, speaker="Zoe", scope=scope)
    return await memory.remember(content, subject="Zoe", scope=scope)


# --- the law ------------------------------------------------------------------------------------------------------


@pytest.fixture
def told() -> dict[str, tuple[str, Scope]]:
    """Everything stored so far: content -> id and owner."""
    return {}


@settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries)
async def test_a_reader_sees_exactly_the_visible_memories(
    memory: Memory, told: dict[str, tuple[str, Scope]], entries: list[tuple[Scope, str]]
) -> None:
    """By words, in the latest, in context and by id. Memories of earlier examples are there too."""
    mark = f"example{len(told)}"
    for index, (owner, kind) in enumerate(entries):
        content = f"{mark} entry {index}"
        told[content] = (await write(memory, kind, content, owner), owner)
    for reader in READERS:
        mine = {content for content, (_, owner) in told.items() if may_see(reader, owner)}
        fresh = {content for content in mine if content.startswith(f"{mark} ")}
        for found in (
            contents(await memory.search(mark, limit=1000, scope=reader, reinforce=False)),
            contents(await memory.search("", limit=1000, scope=reader, reinforce=False)),
            contents(await memory.context(mark, budget=3000, scope=reader, reinforce=False)),
        ):
            assert fresh <= set(found) <= mine
    for reader in READERS[::4]:
        for content, (id, owner) in told.items():
            if may_see(reader, owner):
                assert (await memory.explain(id, scope=reader)).memory.content == content
            else:
                with pytest.raises(UnknownMemory):
                    await memory.explain(id, scope=reader)


async def test_visibility_holds_for_vectors(embedded: Memory) -> None:
    """For every kind of memory, with a question that shares no word with it."""
    for index, owner in enumerate(OWNERS):
        await write(embedded, "turn" if index % 2 else "fact", f"Her violin is broken, said number {index}", owner)
    await embedded.wait_until_embedded()
    for reader in READERS:
        hits = await embedded.search("fiddle, cello", limit=100, scope=reader, reinforce=False)
        assert {hit.content.rpartition(" ")[2] for hit in hits} == {
            str(index) for index, owner in enumerate(OWNERS) if may_see(reader, owner)
        }
        assert all(hit.legs.keys() == {"vector"} for hit in hits)


# --- users --------------------------------------------------------------------------------------------------------


async def test_sessions_are_separate_for_each_user(memory: Memory) -> None:
    await memory.observe("user", "Where did you grow up?", session="s", scope=ANN)
    await memory.observe("user", "Near Leeds.", session="s", scope=BOB)
    assert contents(await memory.search("when did I grow up?", scope=ANN)) == ["Where did you grow up?"]
    assert (await memory.statistics(scope=ANN)).edges == {}


async def test_public_ids_are_separate_for_each_user(memory: Memory, store: Store) -> None:
    """Two users may happen to have the same, and one's own comes before a global one."""
    await same_id(store, ANN, "Zoe lives in Berlin.")
    await same_id(store, BOB, "Zoe lives in Porto.")
    await same_id(store, Scope("boss", visibility="global", administrator=True), "The office is in Porto.")
    await memory.correct("SAMESAME", "Zoe lives in Bonn.", scope=ANN)
    mine, theirs = await memory.explain("SAMESAME", scope=ANN), await memory.explain("SAMESAME", scope=BOB)
    assert [version.content for version in mine.versions] == ["Zoe lives in Bonn.", "Zoe lives in Berlin."]
    assert [version.content for version in theirs.versions] == ["Zoe lives in Porto."]


async def same_id(store: Store, scope: Scope, content: str) -> None:
    draft = drafts.knowledge(Statement(content), scope, to_ms(NOON), Config.load())
    await store.write(lambda tx: nodes.add_many(tx, [draft], generate=lambda _: ["SAMESAME"]))


# --- projects, sessions, everybody --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scopes",
    [
        [Scope("ann", project, visibility="project") for project in ("house", "garden")],
        [Scope("ann", session_id=session, visibility="session") for session in ("mon", "tue")],
    ],
)
async def test_the_same_statement_is_kept_once_in_each_project_and_session(memory: Memory, scopes: list[Scope]) -> None:
    ids = [await memory.remember("The paint is blue.", scope=scope) for scope in scopes]
    assert ids == [await memory.remember("The paint is blue.", scope=scope) for scope in scopes]
    assert ids[0] != ids[1]
    for scope in scopes:
        assert contents(await memory.search("paint", scope=scope)) == ["The paint is blue."]


async def test_a_turn_belongs_to_the_session_of_its_scope_and_to_no_other(memory: Memory) -> None:
    """If another one is given, nothing is stored, and the error names both."""
    scope = Scope("ann", session_id="mon", visibility="session")
    for call in (partial(memory.observe, "user"), memory.context, memory.explain_context):
        with pytest.raises(InvalidArgument, match=r"'tue'.*'mon'"):
            await call("I grew up in Leeds.", session="tue", scope=scope)
    assert (await memory.statistics(scope=scope)).nodes == {}

    await memory.observe("user", "I grew up in Leeds.", session=" mon ", scope=scope)
    assert "Leeds" in text_of(await memory.context("What is in Leeds?", session="mon", scope=scope))
    await memory.observe("user", "The paint is blue.", scope=scope)
    assert contents(await memory.search("paint", scope=ANN)) == []
    assert contents(await memory.search("paint", scope=scope))[0] == "The paint is blue."


@pytest.mark.parametrize("visibility", ["friends", "project", "session", ""])
async def test_an_unreadable_visibility_is_refused(memory: Memory, visibility: Any) -> None:
    """An unknown visibility, or one whose project or session is not named."""
    scope = Scope("ann", visibility=visibility)
    with pytest.raises(InvalidArgument, match="visibility"):
        await memory.remember("The paint is blue.", scope=scope)
    with pytest.raises(InvalidArgument, match="visibility"):
        await memory.observe("user", "The paint is blue.", scope=scope)


@pytest.mark.parametrize("name", [None, 5, "", " "])
async def test_a_user_has_a_name(memory: Memory, name: Any) -> None:
    """Otherwise all whose name a program does not know would share one memory."""
    with pytest.raises(InvalidArgument, match="`user_id` cannot be"):
        await memory.remember("The paint is blue.", scope=Scope(name))


async def test_a_session_name_means_the_same_in_writes_and_reads(memory: Memory) -> None:
    await memory.observe("user", "The paint is blue.", session="\ud800")
    assert await memory.context("paint", session="\ud800") is not None


async def test_evidence_does_not_reach_invisible_memories(memory: Memory) -> None:
    """One session, in two projects."""
    house, garden = Scope("ann", "house", visibility="project"), Scope("ann", "garden", visibility="project")
    await memory.observe("user", "Where did you grow up?", session="s", scope=house)
    await memory.observe("user", "Near Leeds.", session="s", scope=garden)
    assert contents(await memory.search("when did I grow up?", scope=house)) == ["Where did you grow up?"]
    assert "Leeds" not in text_of(await memory.context("when did I grow up?", scope=house))


async def test_agents_and_actors_do_not_limit_visibility(memory: Memory) -> None:
    await memory.observe_many([Message("user", "The paint is blue.")], scope=Scope("ann", agent_id="a", actor_id="x"))
    assert contents(await memory.search("paint", scope=Scope("ann", agent_id="b", actor_id="y"))) == [
        "The paint is blue."
    ]


async def test_a_correction_keeps_its_visibility(memory: Memory) -> None:
    """Made in a project, corrected from elsewhere by the same user: neither moved nor made wider."""
    home = Scope("ann", "house", visibility="project")
    id = await memory.remember("The paint is blue.", scope=home)
    with pytest.raises(UnknownMemory):
        await memory.correct(id, "The paint is red.", scope=Scope("ann", "garden"))
    await memory.correct(id, "The paint is red.", scope=Scope("ann", "house"))
    assert contents(await memory.search("paint", scope=home)) == ["The paint is red."]
    assert await memory.search("paint", scope=Scope("ann", "garden")) == []


@pytest.mark.parametrize("gone", ["erase", "forget"])
@pytest.mark.parametrize(
    ("home", "reader"),
    [
        (ANN, ANN),
        (Scope("ann", "house", visibility="project"), Scope("ann", "house")),
        (Scope("ann", visibility="global", administrator=True), ANN),
    ],
)
async def test_a_name_is_known_to_those_who_may_read_a_memory_that_says_it(
    memory: Memory, home: Scope, reader: Scope, gone: str
) -> None:
    """The memory that told everybody of Zoe goes, and a private one of her stays."""
    private = replace(home, session_id="mon", visibility="session")
    told = await memory.remember("Zoe likes figs.", subject="Zoe", scope=home)
    kept = await memory.remember("Zoe Miller owes me money.", subject="Zoe", scope=private)
    assert [each.name for each in (await memory.entities(scope=reader)).items] == ["Zoe"]
    await getattr(memory, gone)(told, scope=home)
    assert (await memory.entities(scope=reader)).items == ()
    assert (await memory.entities(scope=reader)).total == (await memory.statistics(scope=reader)).entities == 0
    with pytest.raises(UnknownEntity):
        await memory.entity("Zoe", scope=reader)
    assert [each.id for each in (await memory.entity("Zoe", scope=private)).facts] == [kept]


async def test_every_listed_name_can_be_looked_up(memory: Memory) -> None:
    """Names in another user's global memory are not listed: whom they mean is decided for each user."""
    boss = Scope("ann", visibility="global", administrator=True)
    await memory.remember("Zoe leads the office in Leeds.", subject="Zoe", scope=boss)
    assert contents(await memory.search("Zoe", scope=BOB)) == ["Zoe leads the office in Leeds."]
    assert (await memory.entities(scope=BOB)).items == ()
    await memory.remember("Zoe likes figs.", subject="Zoe", scope=BOB)
    listed = (await memory.entities(scope=BOB)).items
    assert [(await memory.entity(each.name, scope=BOB)).id for each in listed] == [each.id for each in listed]


async def test_an_alias_is_known_to_those_who_may_read_a_memory_that_says_it(folder: Path) -> None:
    """Everybody's conversation of it is erased, and a private memory says it, too."""
    model = scripted(
        learns(item("Vera plays chess.", 1), entities=[named("Vera")]),
        learns(item("Vera, called Xanthippa, sings.", 1), entities=[named("Vera", "Xanthippa")]),
    )
    private = Scope("ann", session_id="mon", visibility="session")
    async with Memory.open(folder, embedder=None, model=model) as memory:
        for session, said in (("kept", "Vera plays chess."), ("gone", "My sister Vera, called Xanthippa, sings.")):
            await memory.observe("user", said, session=session, scope=ANN)
            await memory.consolidate(session, scope=ANN)
        kept = await memory.remember("Xanthippa sings badly.", subject="Xanthippa", scope=private)
        await memory.erase(session="gone", scope=ANN)
        assert (await memory.entity("Vera", scope=ANN)).aliases == ()
        with pytest.raises(UnknownEntity):
            await memory.entity("Xanthippa", scope=ANN)
        assert kept in {hit.id for hit in await memory.search("Who sings badly?", scope=private)}


# --- who writes for everybody -----------------------------------------------------------------------------------------


async def test_only_an_administrator_writes_for_everybody(memory: Memory, tmp_path: Path) -> None:
    """Others store, change and restore nothing global, even as the same user."""
    plain, boss = Scope("ann", visibility="global"), Scope("ann", visibility="global", administrator=True)
    file = tmp_path / "said.jsonl"
    file.write_text('{"role": "user", "content": "The office is in Rome."}\n')
    told = await memory.remember("The office is in Berlin.", subject="Office", scope=boss)
    gone = await memory.remember("The canteen is closed.", subject="Canteen", scope=boss)
    await memory.forget(gone, scope=boss)
    await memory.observe("user", "The door is green.", session="s", speaker="Porter", scope=boss)
    changes: Sequence[Callable[[Scope], Awaitable[object]]] = [
        lambda scope: memory.remember("The office is in Porto.", scope=scope),
        lambda scope: memory.observe("user", "The office is in Porto.", scope=scope),
        lambda scope: memory.observe_many([Message("user", "The office is in Porto.")], scope=scope),
        lambda scope: memory.import_file(file, scope=scope),
        lambda scope: memory.correct(told, "The office is in Porto.", scope=scope),
        lambda scope: memory.confirm(told, scope=scope),
        lambda scope: memory.forget(told, scope=scope),
        lambda scope: memory.restore(gone, scope=scope),
        lambda scope: memory.erase(session="s", scope=scope),
        lambda scope: memory.merge_entities("Porter", "Office", scope=scope),
        lambda scope: memory.split_entity("Office", scope=scope),
        lambda scope: memory.erase(told, scope=scope),
        lambda scope: memory.erase(user="ann", scope=scope),
    ]
    for scope in (plain, Scope("ann")):
        for place, change in enumerate(changes):
            if scope == plain or place > 3:
                with pytest.raises(NotAdministrator):
                    await change(scope)
    assert contents(await memory.search("office Porto Rome", scope=BOB)) == ["The office is in Berlin."]
    assert contents(await memory.search("door", scope=BOB)) == ["The door is green."]
    for change in changes[6:9]:
        await change(boss)
    assert contents(await memory.search("", scope=BOB)) == ["The canteen is closed."]


async def test_a_global_memory_says_so(memory: Memory) -> None:
    await memory.remember(
        "Answer in German.", category="instruction", scope=Scope("boss", visibility="global", administrator=True)
    )
    assert "set for everybody)" in text_of(await memory.context("Hello!", scope=BOB))


async def test_words_of_a_user_give_a_global_entity_no_alias(folder: Path) -> None:
    boss = Scope("bob", visibility="global", administrator=True)
    model = scripted(learns(item("Mikhail, called Misha, works in Porto.", 1), entities=[named("Mikhail", "Misha")]))
    async with Memory.open(folder, embedder=None, model=model) as memory:
        await memory.remember("Mikhail leads the office.", subject="Mikhail", scope=boss)
        await memory.observe("user", "Mikhail, called Misha, works in Porto.", session="s", scope=BOB)
        report = await memory.consolidate("s", scope=BOB)
        assert [each.content for each in report.learnt] == ["Mikhail, called Misha, works in Porto."]
        assert (await memory.entity("Mikhail", scope=BOB)).aliases == ()
