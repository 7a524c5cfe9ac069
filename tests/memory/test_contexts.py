"""Contexts: named groups of memories; those of a high priority are found first."""

import json
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import InvalidArgument, SecretRefused
from tests.files import bytes_of
from tests.memory.hits import contents, undo_again

TABS, TYPES, TEA = "Indent Go with tabs.", "Give every exported Go function a comment.", "The user drinks tea."
GO = "Go style"


@pytest.fixture
async def id(memory: Memory) -> str:
    await memory.remember(TEA)
    await memory.remember(TYPES, category="convention", contexts=[GO])
    return await memory.remember(TABS, category="convention", contexts=[GO, "Editor"])


FILED = pytest.mark.usefixtures("id")


async def within(memory: Memory, *names: str, scope: Scope | None = None) -> set[str]:
    page = await memory.list(context=list(names), scope=scope or Scope())
    return {each.memory.content for each in page.items}


@FILED
async def test_a_context_is_made_with_its_first_memory(memory: Memory) -> None:
    """Its name in any case, and its id, mean it."""
    assert [(each.name, each.priority, each.memories) for each in await memory.contexts()] == [
        ("Editor", 0.0, 1),
        (GO, 0.0, 2),
    ]
    assert await within(memory, "go STYLE") == {TABS, TYPES}
    assert await within(memory, (await memory.contexts())[0].id) == {TABS}
    assert await within(memory, GO, "Editor") == {TABS, TYPES}
    assert await within(memory, "Nothing") == set()


@FILED
async def test_every_filter_can_narrow_by_context(memory: Memory, tmp_path: Path) -> None:
    await memory.observe("user", "Go is fun.")
    assert {hit.content for hit in await memory.search("Go tabs tea", context="Editor")} == {TABS}
    assert set(contents(await memory.context("How do I indent Go?", context=GO))) == {TABS, TYPES}
    assert (await memory.counts(context=GO)).category == {"convention": 2}
    await memory.export(tmp_path / "go.jsonl", context=GO)
    lines = (tmp_path / "go.jsonl").read_text().splitlines()
    assert {json.loads(line)["text"] for line in lines} == {TABS, TYPES}
    assert await memory.forget_all(context="Editor") == 1
    assert await within(memory, GO) == {TYPES}


async def test_hits_name_their_contexts(memory: Memory, id: str) -> None:
    """Contexts of a higher priority come first."""
    await memory.set_context("Editor", priority=0.2)
    await memory.set_context(GO, priority=0.9)
    (hit,) = [each for each in await memory.search("tabs") if each.id == id]
    assert hit.contexts == (GO, "Editor")
    assert (await memory.explain(id)).contexts == (GO, "Editor")
    assert {each.memory.id: each.contexts for each in (await memory.list()).items}[id] == (GO, "Editor")


async def test_a_priority_decides_between_equally_relevant_memories(memory: Memory) -> None:
    await memory.remember("The red kite is in the shed.", contexts=["Now"])
    await memory.remember("The blue kite is in the shed.", contexts=["Later"])
    for first in ("Later", "Now"):
        for name in ("Later", "Now"):
            await memory.set_context(name, priority=1.0 if name == first else 0.0)
        found = await memory.search("Where is the kite?")
        assert [hit.contexts for hit in found][:2] == [(first,), ("Now" if first == "Later" else "Later",)]
        assert (await memory.contexts())[0].name == first


@FILED
async def test_a_question_naming_a_context_finds_its_memories(memory: Memory) -> None:
    await memory.remember("Wrap lines at 100.", category="convention", contexts=["Harbour rules"])
    found = await memory.search("What are the Harbour rules?")
    assert found[0].content == "Wrap lines at 100."
    assert any(edge.relation == "belongs_to" for edge in found[0].edges)
    assert {each.content for each in (await memory.entity(GO)).facts} == {TABS, TYPES}


async def test_a_repeated_statement_can_add_a_context_and_a_correction_stays_in_all(memory: Memory, id: str) -> None:
    assert await memory.remember(TABS, category="convention", contexts=["Layout"]) == id
    await memory.correct(id, "Indent Go with two tabs.")
    assert (await memory.explain(id)).contexts == ("Editor", GO, "Layout")
    assert await within(memory, "Editor") == {"Indent Go with two tabs."}


async def test_a_proposal_joins_its_context_when_approved(memory: Memory) -> None:
    id = await memory.remember("The user lives in Oslo.", source="inferred", trust="assistant", contexts=["Home"])
    assert [each.memory.id for each in await memory.proposals()] == [id]
    assert await within(memory, "Home") == set()
    await memory.approve(id)
    assert await within(memory, "Home") == {"The user lives in Oslo."}


async def test_a_context_and_a_person_of_one_name_are_separate(memory: Memory) -> None:
    """A person may have the name of a group; only filed memories are in the group."""
    await memory.remember(TEA, contexts=["Ann"])
    await memory.remember("Ann lives in Berlin.", subject="Ann")
    assert await within(memory, "Ann") == {TEA}
    ann = await memory.entity("Ann")
    assert (ann.type, [each.content for each in ann.facts]) == ("concept", ["Ann lives in Berlin."])
    with pytest.raises(InvalidArgument, match="a context cannot be joined with a person"):
        await memory.merge_entities((await memory.contexts())[0].id, ann.id)


async def test_undoing_what_is_undone_already_changes_no_context(memory: Memory, id: str) -> None:
    """It has no number, so nobody can undo it and take something away."""
    linked = [each.seq for each in (await memory.explain(id)).changes if each.event == "linked"]
    parted = await memory.undo(linked[-1])
    assert (await memory.explain(id)).contexts == (GO,)
    await undo_again(memory, parted)
    nothing = await undo_again(memory, parted)
    assert ([each.outcome for each in nothing.steps], nothing.change) == (["kept"], None)
    assert set((await memory.explain(id)).contexts) == {GO, "Editor"}


async def test_a_change_of_a_priority_keeps_the_description_and_is_undone(memory: Memory) -> None:
    """Unless another one came after it; and again."""

    async def priority() -> float:
        return (await memory.contexts())[0].priority

    await memory.set_context(GO, priority=0.4, description="How we write Go")
    await memory.set_context(GO, priority=0.9)
    (only,) = await memory.contexts()
    assert (only.description, only.memories) == ("How we write Go", 0)
    first, second = [each.seq for each in await memory.changes() if each.event == "context_changed"]
    kept = await memory.undo(first)
    assert ([each.outcome for each in kept.steps], kept.change, await priority()) == (["kept"], None, 0.9)
    undone = await memory.undo(second)
    assert ([each.outcome for each in undone.steps], await priority()) == (["as before"], 0.4)
    await undo_again(memory, undone)
    assert await priority() == 0.9
    await memory.set_context(GO, description="How Go is written")
    described = (await memory.changes())[-1]
    assert (described.event, (await memory.undo(described.seq)).change) == ("context_changed", None)


@FILED
async def test_contexts_are_separate_by_user(memory: Memory) -> None:
    """Others do not even see their names; each project has its own."""
    bob, site = Scope("bob"), Scope(project_id="site", visibility="project")
    assert await memory.contexts(scope=bob) == ()
    assert await within(memory, GO, scope=bob) == set()
    await memory.set_context(GO, priority=1.0, scope=bob)
    await memory.remember("Lint the site.", contexts=[GO, "Site"], scope=site)
    assert {each.name: each.priority for each in await memory.contexts()} == {GO: 0.0, "Editor": 0.0}
    assert [(each.name, each.memories) for each in await memory.contexts(scope=site)] == [
        ("Editor", 1),
        (GO, 2),
        (GO, 1),
        ("Site", 1),
    ]
    assert await within(memory, GO, scope=site) == {TABS, TYPES, "Lint the site."}


@pytest.mark.settings(allowlists={"planner": ["project"]})
async def test_contexts_of_forbidden_categories_are_hidden(memory: Memory) -> None:
    await memory.remember(TABS, category="convention", contexts=[GO])
    await memory.remember("The launch is in May.", category="project", contexts=["Launch"])
    planner = Scope(agent_id="planner")
    assert [each.name for each in await memory.contexts(scope=planner)] == ["Launch"]
    assert await within(memory, GO, scope=planner) == set()


async def test_an_invalid_context_is_refused(memory: Memory) -> None:
    for priority in (-0.1, 1.1, float("nan")):
        with pytest.raises(InvalidArgument, match="priority"):
            await memory.set_context(GO, priority=priority)
    with pytest.raises(InvalidArgument, match="name"):
        await memory.set_context("  ")
    secret = "ghp_" + "a1B2" * 9
    with pytest.raises(SecretRefused):
        await memory.set_context(secret)
    with pytest.raises(SecretRefused):
        await memory.remember(TEA, contexts=[secret])
    assert await memory.contexts() == ()


async def test_erasing_the_last_memory_of_a_context_leaves_no_byte_of_its_name(memory: Memory, folder: Path) -> None:
    first = await memory.remember(TABS, contexts=["Qorlavik"])
    second = await memory.remember(TYPES, contexts=["Qorlavik"])
    await memory.erase(first)
    assert await within(memory, "Qorlavik") == {TYPES}
    await memory.erase(second)
    assert await memory.contexts() == ()
    assert b"qorlavik" not in bytes_of(folder)


async def test_exports_include_contexts(memory: Memory, id: str, tmp_path: Path) -> None:
    """A whole export with the priorities, and a chosen part with one memory on a line."""
    await memory.set_context(GO, priority=0.7)
    await memory.export(tmp_path / "all.jsonl")
    await memory.export(tmp_path / "some.jsonl", category="convention")
    for number, (file, priority) in enumerate((("all.jsonl", 0.7), ("some.jsonl", 0.0))):
        async with Memory.open(tmp_path / f"copy {number}", embedder=None) as copy:
            await copy.import_file(tmp_path / file)
            assert await within(copy, GO) == {TABS, TYPES}
            assert {each.name: each.priority for each in await copy.contexts()}[GO] == priority
    assert (await memory.explain(id)).contexts == (GO, "Editor")


async def test_a_whole_number_is_a_number(memory: Memory) -> None:
    await memory.set_context(GO, priority=1)
    assert [each.priority for each in await memory.contexts() if each.name == GO] == [1.0]
    for wrong in (True, "1", 10**400):
        with pytest.raises(InvalidArgument):
            await memory.set_context(GO, priority=wrong)  # type: ignore[arg-type]  # as a program without types may call


async def test_a_merge_joins_contexts_and_links(memory: Memory) -> None:
    """Undoing the merge gives them back."""
    await memory.remember("Falcon is written in Go.", subject="Falcon")
    await memory.remember("Ann waters the plants at the Acme office.", contexts=["Plants"])
    gone = await memory.remember(
        "Ann waters the plants at Acme office", category="person", contexts=["Acme"], relevant_to=["Falcon"]
    )
    await memory.maintain(only=["merge"])
    kept = {"Ann waters the plants at the Acme office."}
    assert await within(memory, "Acme") == await within(memory, "Plants") == kept
    assert kept < {each.memory.content for each in (await memory.list(entity="Falcon")).items}
    await memory.restore(gone)
    assert await within(memory, "Acme") == {"Ann waters the plants at Acme office"}
