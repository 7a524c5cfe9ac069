"""Erased text stays erased, whichever file brings it again."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings, strategies as st

from benchmarks.canonical import canonical, differences
from sandbox.extensions.memory import Memory, Scope
from tests.files import bytes_of
from tests.memory.store import raw

SESSIONS = ("a", "b", "c")

turns = st.lists(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["user", "assistant"]),
            "content": st.sampled_from(["I live in Berlin.", "My sister is called Vera.", "Yes."]),
            "session": st.sampled_from(SESSIONS),
        },
        optional={"speaker": st.just("Ann")},
    ),
    max_size=8,
)


def chat(folder: Path, *lines: object) -> Path:
    """A file of chat messages, or of memories."""
    path = folder / "chat.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@given(turns=turns, gone=st.sets(st.sampled_from(SESSIONS)), keyed=st.booleans(), learns=st.booleans())
@settings(max_examples=25, deadline=None)
async def test_importing_again_after_erasing_adds_nothing(
    turns: list[dict[str, str]], gone: set[str], keyed: bool, learns: bool
) -> None:
    """With and without ids of the messages, and with and without learning from them."""
    lines = [{**turn, "id": str(number)} if keyed else turn for number, turn in enumerate(turns)]
    with TemporaryDirectory() as name:
        folder = Path(name)
        file = chat(folder, {"role": "user", "content": "I work at Initech.", "session": "kept"}, *lines)
        async with Memory.open(folder, embedder=None) as memory:
            await memory.import_file(file)
            if learns:
                await memory.consolidate()
            for session in gone:
                await memory.erase(session=session)
            before = canonical(folder)
            report = await memory.import_file(file)
            erased = sum(turn["session"] in gone for turn in turns)
            assert (report.new, report.known, report.erased) == (0, len(lines) + 1 - erased, erased)
            assert differences(canonical(folder), before) == {}
            back = await memory.import_file(file, erased=True)
            assert (back.new, back.erased) == (erased, 0)
            assert (await memory.import_file(file)).known == len(lines) + 1


@pytest.mark.parametrize("key", ["I live in Berlin.", None])
async def test_the_kept_hashes_reveal_nothing(tmp_path: Path, key: str | None) -> None:
    """Neither the words nor the key. Two memories keep different hashes, so that one cannot be looked up in the
    other.
    """
    file = chat(tmp_path, {"role": "user", "content": "I live in Berlin.", "session": "s", "key": key})
    kept = []
    for home in (tmp_path / "one", tmp_path / "other"):
        async with Memory.open(home, embedder=None) as memory:
            await memory.import_file(file)
            await memory.erase(session="s")
        assert b"Berlin" not in (home / "memory.db").read_bytes()
        with closing(raw.connect(home)) as connection:
            kept += connection.execute("SELECT key_hash FROM erased_keys").fetchall()
    assert len({row[0] for row in kept}) == len(kept) == 4  # of its key and its id, in both


async def test_a_statement_stays_erased_under_any_key(memory: Memory, jsonl_file: Callable[..., Path]) -> None:
    """Two lines said the same, and only one was stored."""
    said = {"text": "Ann plays the oboe.", "scope": "session", "tags": ["fact"]}
    file = jsonl_file({"id": "m-1", **said}, {"id": "m-2", **said})
    scope = Scope(session_id="s")
    assert (await memory.import_file(file, scope=scope)).new == 1
    await memory.erase(session="s", scope=scope)
    report = await memory.import_file(file, scope=scope)
    assert (report.new, report.erased) == (0, 2)
    assert await memory.search("oboe", scope=scope) == []


async def test_another_user_may_import_an_erased_conversation(memory: Memory, tmp_path: Path) -> None:
    file = chat(tmp_path, {"role": "user", "content": "I live in Berlin.", "session": "s", "key": "k"})
    for user in ("ann", "bob"):
        await memory.import_file(file, scope=Scope(user))
    await memory.erase(session="s", scope=Scope("ann"))
    again = [await memory.import_file(file, scope=Scope(user)) for user in ("ann", "bob", "eve")]
    assert [(each.new, each.known, each.erased) for each in again] == [(0, 0, 1), (0, 1, 0), (1, 0, 0)]


async def test_another_home_may_import_an_erased_statement(memory: Memory, jsonl_file: Callable[..., Path]) -> None:
    """Files of another session and of the user still bring it in; files of the erased session do not."""
    said = {"text": "Ann plays the oboe.", "tags": ["fact"]}
    here, there = Scope(session_id="s1", visibility="session"), Scope(session_id="s2", visibility="session")
    await memory.import_file(jsonl_file({"id": "a", **said, "scope": "session"}), scope=here)
    await memory.erase(session="s1")
    found = [
        await memory.import_file(jsonl_file({"id": key, **said, "scope": wide}), scope=scope)
        for key, wide, scope in (("b", "session", here), ("c", "session", there), ("d", "user", Scope()))
    ]
    assert [(each.new, each.erased) for each in found] == [(0, 1), (1, 0), (1, 0)]


async def test_a_statement_told_before_its_import_stays_erased(memory: Memory, jsonl_file: Callable[..., Path]) -> None:
    """The file brought nothing new then, so its key was never stored."""
    file, scope = (
        jsonl_file({"id": "x", "text": "Bob keeps bees.", "scope": "user", "tags": ["fact"]}),
        Scope(session_id="s"),
    )
    await memory.remember("Bob keeps bees.", scope=scope)
    assert (await memory.import_file(file, scope=scope)).known == 1
    await memory.erase(session="s")
    assert (await memory.import_file(file, scope=scope)).erased == 1
    assert (await memory.import_file(file, scope=scope, erased=True)).new == 1


@pytest.mark.parametrize("alone", [True, False])
async def test_an_erased_user_is_not_imported_again(tmp_path: Path, alone: bool) -> None:
    """Neither by the original file nor by an old export, unless the caller asks for it; their name does not stay
    either.
    """
    file = chat(
        tmp_path,
        {"role": "user", "content": "I live in Berlin.", "session": "a"},
        {"role": "user", "content": "I like rye.", "session": "a"},
    )
    gone = Scope("qorlavik")
    export = tmp_path / "all.jsonl"
    async with Memory.open(tmp_path / "home", embedder=None) as memory:
        if not alone:
            await memory.remember("Bob likes tea.", scope=Scope("bob"))
        await memory.import_file(file, scope=gone)
        await memory.observe("user", "I have no key.", session="b", scope=gone)
        await memory.remember("The user has a boat.", scope=gone)
        await memory.export(export, scope=Scope(administrator=True))
        await memory.erase(user="qorlavik", scope=gone)
        assert b"qorlavik" not in bytes_of(tmp_path / "home")
        for path, scope, count in ((file, gone, 2), (export, Scope(administrator=True), 4)):
            report = await memory.import_file(path, scope=scope)
            assert (report.new, report.erased) == (0, count)
        assert (await memory.statistics(scope=gone)).nodes == {}
        report = await memory.import_file(export, erased=True, scope=Scope(administrator=True))
        assert (report.new, report.erased) == (4, 0)
        assert (await memory.statistics(scope=gone)).nodes == {"episodic": 3, "semantic": 1}


async def test_a_conversation_without_keys_is_not_brought_back_by_an_export(tmp_path: Path) -> None:
    async with Memory.open(tmp_path / "home", embedder=None) as memory:
        await memory.observe("user", "I live in Berlin.", session="a")
        await memory.observe("user", "I like tea.", session="b")
        await memory.export(tmp_path / "all.jsonl")
        await memory.erase(session="a")
        report = await memory.import_file(tmp_path / "all.jsonl")
        assert (report.new, report.known, report.erased) == (0, 1, 1)
