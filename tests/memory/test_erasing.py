"""Erasing a memory, a turn, a person, a time, a user, everything, or a conversation, from answers and from the file."""

import asyncio
import shutil
import signal
import sys
import tempfile
from asyncio.subprocess import PIPE
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from benchmarks.canonical import canonical, differences
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import InvalidArgument, NotAdministrator, UnknownEntity, UnknownMemory
from sandbox.extensions.memory.model import Role
from sandbox.testing import FakeClock
from tests.files import bytes_of
from tests.memory.hits import counted
from tests.memory.store.raw import query

ANN = Scope("ann")


async def found(memory: Memory, question: str, scope: Scope = ANN) -> set[str]:
    return {hit.content for hit in await memory.search(question, limit=50, scope=scope)}


async def ids_of(memory: Memory, session: str) -> list[str]:
    return [each.turn.id for each in (await memory.turns(session, scope=ANN)).turns]


async def test_a_memory_is_erased_with_every_version_and_its_derivatives(memory: Memory, folder: Path) -> None:
    """Its turn stays, and the report says so."""
    turn = await memory.observe("user", "I moved house.", session="s", scope=ANN)
    fact = await memory.remember("The user lives in Qorlavik.", scope=ANN)
    await memory.correct(fact, "The user lives in Qorlavik Zyxtown.", rests_on=[turn], scope=ANN)
    upon = await memory.remember("The user may see Mount Wuvox.", rests_on=[fact], scope=ANN)
    would = await memory.erase(fact, dry_run=True, scope=ANN)
    assert would == await memory.erase(fact, scope=ANN)
    assert (counted(would), would.sources) == ((0, 2, 0), 1)
    assert would.examples[0] == "The user may see Mount Wuvox."
    for gone in (fact, upon):
        with pytest.raises(UnknownMemory):
            await memory.explain(gone, scope=ANN)
    assert await found(memory, "moved house") >= {"I moved house."}
    assert (await memory.profile(scope=ANN)).city is None
    assert not [word for word in (b"qorlavik", b"zyxtown", b"wuvox") if word in bytes_of(folder)]


async def test_memories_replaced_by_an_erased_one_hold_again(memory: Memory, clock: FakeClock) -> None:
    berlin = await memory.remember("The user lives in Berlin.", scope=ANN)
    clock.advance(days=1)
    lima = await memory.remember("The user lives in Lima now.", on_similar="supersede", scope=ANN)
    assert (await memory.explain(berlin, scope=ANN)).memory.valid_until is not None
    assert counted(await memory.erase(lima, scope=ANN)) == (0, 1, 1)
    assert (await memory.explain(berlin, scope=ANN)).memory.valid_until is None


async def test_a_turn_is_erased_with_facts_resting_on_it_alone(memory: Memory, folder: Path) -> None:
    """The turns beside it follow each other, and the conversation continues."""
    first, middle, last = await memory.observe_many(
        [
            Message("user", "I live in Berlin.", "s"),
            Message("user", "My sister is called Qorlavika. She lives in Wuvox.", "s"),
            Message("user", "I like tea.", "s"),
        ],
        scope=ANN,
    )
    await memory.consolidate("s", scope=ANN)
    both = await memory.remember("Ann lives in Berlin.", rests_on=[first, middle], scope=ANN)
    report = await memory.erase(middle, scope=ANN)
    assert (report.turns, report.learnt >= 1, report.entities >= 1) == (1, True, True)
    assert await ids_of(memory, "s") == [first, last]
    assert [each.id for each in (await memory.explain(both, scope=ANN)).sources] == [first]
    [session] = await memory.sessions(scope=ANN)
    assert (session.turns, session.waits) == (2, False)
    with pytest.raises(UnknownEntity):
        await memory.entity("Qorlavika", scope=ANN)
    await memory.erase(first, scope=ANN)
    await memory.erase(last, scope=ANN)
    assert await memory.sessions(scope=ANN) == ()
    assert not [word for word in (b"qorlavika", b"wuvox") if word in bytes_of(folder)]


async def test_a_person_is_erased_with_every_mention(memory: Memory, folder: Path) -> None:
    """With text from before anybody knew the person, and with tagged memories."""
    await memory.observe("user", "Saw Qorlavik at the market.", session="a", scope=ANN)
    kept = await memory.observe("user", "I like tea.", session="a", scope=ANN)
    await memory.remember("Qorlavik plays the oboe.", subject="Qorlavik", scope=ANN)
    await memory.remember("The key is under the mat.", tags=["qorlavik"], scope=ANN)
    await memory.remember("Bob plays chess.", subject="Bob", scope=ANN)
    report = await memory.erase(subject="Qorlavik", scope=ANN)
    assert (report.turns, report.learnt) == (1, 2)
    assert await found(memory, "plays market tea key") == {"I like tea.", "Bob plays chess."}
    assert await ids_of(memory, "a") == [kept]
    assert counted(await memory.erase(subject="Nobody", scope=ANN)) == (0, 0, 0)
    assert b"qorlavik" not in bytes_of(folder)


async def test_a_person_is_erased_without_others_whose_names_are_longer(memory: Memory) -> None:
    names = ("Ann", "Ann Lee", "Ann-Marie Fox", "Sean O'Ann", "John Smith", "John Smith (1001)")
    for name in names:
        await memory.remember(f"{name} has a router.", subject=name, scope=ANN)
    await memory.observe("user", "Ann Lee met Ann.", session="a", scope=ANN)
    await memory.observe("user", "Ann Lee is angry.", session="a", scope=ANN)
    await memory.remember("Dr. Ann has a van.", subject="Dr. Ann", scope=ANN)
    await memory.remember("Ann's dog is called Rex.", subject="Ann's dog", scope=ANN)
    await memory.observe("user", "ann met Ann Lee and ANN is ill", session="a", scope=ANN)
    for name in ("Ann", "John Smith"):
        await memory.erase(subject=name, scope=ANN)
    left = {f"{name} has a router." for name in names if name not in ("Ann", "John Smith")}
    assert await found(memory, "router angry met van dog ill") == {*left, "Ann Lee is angry."}


NAMES = [  # a name, texts that name somebody, and texts that only have the word, or may
    (
        "Bill",
        ["Bill likes tea.", "I met Bill.", "Bill's order is late."],
        ["The bill of Ann is unpaid.", "Bill that to me."],
    ),
    (
        "Rose",
        ["Rose called.", "Ask Rose!"],
        ["Ann ordered a rose bush.", "Prices rose by 4 percent.", "Rose bushes are old."],
    ),
    ("Mark", ["Mark paid.", "Ann and Mark met."], ["Mark the parcel of Ann as fragile.", "Mark it as done."]),
    (
        "Max",
        ["Max is ill.", "Dr. Max paid."],
        ["Bob has a max budget of 50 euros.", "Max budget is 5.", "max called", "MAX paid."],
    ),
    ("max", ["Max is ill."], ["Bob has a max budget of 50 euros."]),
    ("Will", ["Will prefers invoices.", "Today Will paid."], ["Will you come?", "Will it rain?"]),
    ("May", ["May called."], ["Ann comes in May.", "May I come?"]),
    ("Eva", ["Eva likes tea.", "i saw eva"], ["The order of eva.k@example.org is late."]),
    ("Wolf", ["Wolf hat bestellt.", "Gestern rief Wolf an."], ["Der Wolf heult.", "Ann sah einen Wolf."]),
    ("Вера", ["Вера звонила.", "Я говорил с Верой."], ["У меня есть вера.", "Вера в добро важна."]),
    ("田中", ["田中さんは東京に住んでいます。"], []),
]


@pytest.mark.parametrize(("name", "named", "doubtful"), NAMES)
async def test_a_name_that_is_also_a_word_is_erased_where_it_is_written_as_a_name(
    memory: Memory, name: str, named: list[str], doubtful: list[str]
) -> None:
    """What stays is reported, with its ids; a function word in small letters is no name."""
    others = ["Ann will come.", "Ann is called Ann Lee."]
    ids = {each: await memory.remember(each, on_similar="keep", scope=ANN) for each in (*named, *doubtful, *others)}
    would = await memory.erase(subject=name, dry_run=True, scope=ANN)
    done = await memory.erase(subject=name, scope=ANN)
    assert {each.memory.content for each in (await memory.list(scope=ANN)).items} == {*doubtful, *others}
    assert would.learnt == done.learnt == len(named)
    assert would.in_doubt == len(doubtful)
    assert {*would.doubtful} == {*done.doubtful} == {f"{ids[each]}: {each}" for each in doubtful}


async def test_a_subject_that_is_a_function_word_is_erased(memory: Memory) -> None:
    for name in ("Will", "Eva"):
        await memory.remember("Prefers invoices.", subject=name, on_similar="keep", scope=ANN)
    await memory.erase(subject="Will", scope=ANN)
    assert [each.memory.subject for each in (await memory.list(scope=ANN)).items] == ["Eva"]


async def test_a_context_without_memories_is_erased_by_its_name(memory: Memory, folder: Path) -> None:
    """A blank name means nobody."""
    await memory.set_context("Qorlavik", description="For wuvox.", scope=ANN)
    assert (await memory.erase(subject="Qorlavik", dry_run=True, scope=ANN)).in_words == "1 name"
    assert (await memory.erase(subject="Qorlavik", scope=ANN)).in_words == "1 name"
    assert await memory.contexts(scope=ANN) == ()
    assert not [word for word in (b"qorlavik", b"wuvox") if word in bytes_of(folder)]
    with pytest.raises(InvalidArgument, match="give the name of a person or thing"):
        await memory.erase(subject=" ", scope=ANN)


@pytest.mark.parametrize("project", [None, "p"])
async def test_a_private_memory_stays_private_without_the_turns_of_its_conversation(
    memory: Memory, project: str | None
) -> None:
    """Its last turn is erased, or another project's conversation with the same name."""
    private, public = Scope("ann", session_id="s", visibility="session"), Scope("ann", project_id=project)
    fact = await memory.remember("Anna is my secret.", subject="Anna", scope=private)
    turn = await memory.observe("user", "I like figs.", session="s", scope=public)
    if project:
        await memory.erase(session="s", scope=public)
    else:
        await memory.erase(turn, scope=public)
    assert (await memory.list(scope=ANN)).total == 0
    assert [each.memory.id for each in (await memory.list(scope=private)).items] == [fact]
    assert [each.id for each in (await memory.entity("Anna", scope=private)).facts] == [fact]


async def test_what_only_the_erased_text_told_of_a_name_is_erased(memory: Memory) -> None:
    """What it is, unless a claim or a speaker remains."""
    said = {
        "gone": "I live in Qorlavik, and my friend Javier works at Brightwave.",
        "kept": "Ah, Qorlavik! I like it.",
    }
    for session, text in said.items():
        await memory.observe("user", text, session=session, scope=ANN)
        await memory.consolidate(session, scope=ANN)
    await memory.remember("Javier lives in Porto.", scope=ANN)
    assert (await memory.entity("Qorlavik", scope=ANN)).type == "place"
    await memory.erase(session="gone", scope=ANN)
    assert (await memory.entity("Qorlavik", scope=ANN)).type == "concept"
    assert (await memory.entity("Javier", scope=ANN)).type == "person"


async def test_erasing_in_a_project_stays_within_it(memory: Memory, clock: FakeClock) -> None:
    shop = Scope("ann", "shop", visibility="project")
    await memory.observe("user", "Roses are sold.", session="s", scope=shop)
    await memory.observe("user", "I like tea.", session="s", scope=ANN)
    clock.advance(days=2)
    assert counted(await memory.erase(before=clock(), scope=shop)) == (1, 0, 0)
    assert await found(memory, "", shop) == {"I like tea."}
    await memory.observe("user", "Tulips are sold.", session="s", scope=shop)
    clock.advance(days=2)
    assert counted(await memory.erase(before=clock(), scope=ANN)) == (2, 0, 0)


async def test_a_user_is_erased_completely_and_alone(memory: Memory, folder: Path) -> None:
    """By the user or by an administrator; with the user's name and documents."""
    gone, kept = Scope("qorlavik"), Scope("bob")
    for scope in (gone, kept):
        await memory.observe("user", "I live in Wuvox, and Vera is my sister.", session="s", scope=scope)
        await memory.consolidate("s", scope=scope)
        await memory.context("Where do I live?", session="s", scope=scope)
        await memory.maintain()
    before = await memory.statistics(scope=kept)
    with pytest.raises(NotAdministrator):
        await memory.erase(user="qorlavik", scope=kept)
    report = await memory.erase(user="qorlavik", scope=Scope("root", administrator=True))
    assert (report.turns, report.learnt >= 1) == (1, True)
    assert (await memory.statistics(scope=kept)).nodes == before.nodes
    assert (await memory.statistics(scope=gone)).nodes == {}
    assert await memory.changes(scope=gone) == ()
    assert b"qorlavik" not in bytes_of(folder)
    assert all(check.ok for check in await memory.check() if check.name != "embedding")
    with pytest.raises(NotAdministrator):
        await memory.erase(everything=True, scope=kept)
    await memory.erase(everything=True, scope=Scope(administrator=True))
    assert b"wuvox" not in bytes_of(folder)


@pytest.mark.parametrize(
    "asked", [{}, {"id": "a", "session": "s"}, {"everything": True, "user": "default"}, {"before": "soon"}]
)
async def test_exactly_one_selection_is_required(memory: Memory, asked: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        await memory.erase(**asked, scope=Scope(administrator=True))


async def test_the_next_process_completes_an_interrupted_erasure(tmp_path: Path) -> None:
    """At any moment: all or nothing is erased, and the next process that opens the file removes every byte."""
    outcomes = set()
    undisturbed = 5
    async with Memory.open(tmp_path / "whole", embedder=None) as memory:
        said = [Message("user", f"Qorlavik {n} " + "walks by the sea. " * 60, "gone") for n in range(2_000)]
        await memory.observe_many([*said, Message("user", "I like tea.", "kept")], scope=ANN)
    for moment in range(undisturbed + 1):
        home = shutil.copytree(tmp_path / "whole", tmp_path / str(moment))
        eraser = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.memory.eraser", home, stdout=PIPE)
        assert eraser.stdout is not None
        assert await eraser.stdout.readline() == b"erasing\n"
        await asyncio.sleep(moment * 0.12)
        if eraser.returncode is None and moment != undisturbed:
            eraser.send_signal(signal.SIGKILL)
        await eraser.wait()
        async with Memory.open(home, embedder=None) as memory:
            turns = sum(each.turns for each in await memory.sessions(scope=ANN) if each.id == "gone")
            assert turns in (0, 2_000)
            assert await found(memory, "tea") == {"I like tea."}
            outcomes.add(turns)
            assert turns or b"qorlavik" not in bytes_of(home)
    assert 0 in outcomes


# --- a conversation ---------------------------------------------------------------------------------------------------

KEPT = {"kept": ("Ann: I work at Initech.", "Bot: As what?", "Ann: My brother is called Oleg.")}
GONE = {"gone": ("Ann: I play the oboe.", "Bot: Since when?", "Ann: My sister is called Vera. She lives in Kazan.")}
WORDS = (b"oboe", b"vera", b"kazan", b"since when", b"sister")


async def told(memory: Memory, sessions: Mapping[str, Sequence[str]]) -> None:
    """Say it, embed it, and learn from it."""
    for session, lines in sessions.items():
        for place, line in enumerate(lines):
            speaker, _, text = line.partition(": ")
            role: Role = "assistant" if speaker == "Bot" else "user"
            message = Message(role, text, session, speaker=speaker, key=f"{session}-{place}")
            await memory.observe_many([message], scope=ANN)
        await memory.consolidate(session, scope=ANN)
    await memory.wait_until_embedded()


async def test_an_erased_session_leaves_no_trace(tmp_path: Path, clock: FakeClock) -> None:
    """The graph equals that of a memory that never heard it."""
    for name, sessions in (("both", {**KEPT, **GONE}), ("one", KEPT)):
        async with Memory.open(tmp_path / name, clock=clock) as memory:
            await told(memory, sessions)
            if name == "both":
                assert await memory.search("Who is Vera?", scope=ANN)
                would = await memory.erase(session="gone", dry_run=True, scope=ANN)
                assert await memory.search("Who is Vera?", scope=ANN)
                assert would == await memory.erase(session="gone", scope=ANN)
                assert (would.turns, would.learnt > 0) == (3, True)
                files = bytes_of(tmp_path / name)
                assert not [word for word in WORDS if word in files]
    assert differences(canonical(tmp_path / "both"), canonical(tmp_path / "one")) == {}


async def test_an_erased_turn_is_not_found_by_a_repeated_question(tmp_path: Path) -> None:
    """Neither from the index of words in memory, nor from the vectors."""
    async with Memory.open(tmp_path) as memory, Memory.open(tmp_path) as other:
        await told(memory, {**KEPT, **GONE})
        for each in (memory, other):
            assert "Vera" in str(await each.context("Who is Vera?", scope=ANN))
        await memory.erase(session="gone", scope=ANN)
        for each in (memory, other):
            hits = await each.search("Who is Vera, and what is an oboe?", limit=50, scope=ANN)
            assert not [hit for hit in hits if hit.session == "gone"]
            assert "Vera" not in str(await each.context("Who is my sister?", scope=ANN))
            assert "Oleg" in str(await each.context("Who is my brother?", scope=ANN))


async def test_pending_recalls_of_erased_memories_are_dropped(tmp_path: Path) -> None:
    """Although many questions came just before."""
    async with Memory.open(tmp_path) as memory:
        await told(memory, {**KEPT, **GONE})
        for number in range(15):
            question = f"Where do I work, and who is my brother? {number}"
            assert "Initech" in str(await memory.context(question, session="gone", scope=ANN))
        await memory.erase(session="gone", scope=ANN)
        await memory.statistics()  # returns once the recalls are counted
    assert query(tmp_path, "SELECT count(*) FROM recalls WHERE session_id = 'gone'") == [(0,)]


async def test_independently_told_facts_stay(memory: Memory, clock: FakeClock) -> None:
    """Although the erased conversation repeats it."""
    told = await memory.remember("The user lives in Berlin.", scope=ANN)
    clock.advance(minutes=1)
    turn = await memory.observe("user", "I live in Berlin.", session="a", scope=ANN)
    assert len((await memory.consolidate("a", scope=ANN)).merged) == 1
    await memory.remember("The user likes Berlin.", rests_on=[turn], scope=ANN)
    assert counted(await memory.erase(session="a", scope=ANN)) == (1, 1, 0)
    assert [hit.id for hit in await memory.search("Berlin", scope=ANN)] == [told]


async def test_the_file_is_sound_before_and_after(memory: Memory) -> None:
    """A process that had the file open before opens it anew."""
    for session in range(6):
        lines = (f"On day {session} I bought {number} pots of {'paint' * (number % 7)}." for number in range(200))
        await memory.observe_many([Message("user", line, f"s{session}") for line in lines], scope=ANN)
    for session in range(5):
        assert all(check.ok for check in await memory.check())
        await memory.erase(session=f"s{session}", scope=ANN)
    assert [check.detail for check in await memory.check() if check.name == "file"] == ["sound"]


SAID = (
    "My sister {} lives by the sea.",
    "I live in {} now.",
    "I like {} and tea.",
    "{} is my doctor.",
    "What did {} say?",
)
MADE_UP = [first + second + "k" for first in ("Qorla", "Wuvo", "Zyxto", "Bruma") for second in ("mi", "ple", "dru")]

Event = tuple[str, str, bool, bool]
"""The session, the text, whether it is stored as a statement, and whether only its session may see it."""

histories = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(SAID), st.booleans(), st.booleans()),
    min_size=2,
    max_size=len(MADE_UP),
)
choices = st.tuples(st.sampled_from(["id", "session", "subject", "before"]), st.integers(0, len(MADE_UP) - 1))


def private(session: str) -> Scope:
    return Scope("ann", session_id=session, visibility="session")


async def lived(memory: Memory, clock: FakeClock, events: list[tuple[int, Event]]) -> dict[int, str]:
    """Say and store each event at its time, and learn from it; return the id of each."""
    ids, begin = {}, clock()
    for number, (session, template, is_told, is_private) in events:
        clock.advance(seconds=(number + 1) * 60 - (clock() - begin).total_seconds())
        text, scope = template.format(MADE_UP[number]), private(session) if is_private else ANN
        if is_told:
            ids[number] = await memory.remember(text, subject=MADE_UP[number], scope=scope)
        else:
            ids[number] = await memory.observe("user", text, session=session, scope=scope)
    for session in sorted({each[0] for _, each in events if not each[2]}):
        await memory.consolidate(session, scope=private(session))
    return ids


async def known(memory: Memory, scope: Scope) -> tuple[object, ...]:
    """Everything that can be listed and found, and the order of the turns in each session."""
    listed = await memory.list(limit=200, scope=scope)
    sessions = await memory.sessions(scope=scope)
    there = sorted(each.id for each in sessions if each.turns)
    turns = [[each.turn.content for each in (await memory.turns(name, scope=scope)).turns] for name in there]
    found = [
        sorted(hit.content for hit in await memory.search(question, limit=50, reinforce=False, scope=scope))
        for question in ("Where do I live?", "Who is my sister?", "tea", *MADE_UP)
    ]
    counts = sorted((each.id, each.turns) for each in sessions)
    return sorted(each.memory.content for each in listed.items), counts, turns, found


@settings(max_examples=25, deadline=None)
@given(histories, choices)
async def test_after_any_erasure_the_memory_equals_one_without_the_text(
    empty: Path, history: list[Event], choice: tuple[str, int]
) -> None:
    """Compared with a second memory that never heard it."""
    kind, place = choice
    place %= len(history)
    session, _, _, is_private = history[place]
    gone = {
        "id": {place},
        "subject": {place},
        "session": {n for n, each in enumerate(history) if each[0] == session and (each[3] or not each[2])},
        "before": set(range(place)),
    }[kind]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("one", "twin"):
            shutil.copytree(empty, Path(folder) / name)
        clock, twins_clock = FakeClock(), FakeClock()
        begin = clock()
        async with Memory.open(Path(folder) / "one", embedder=None, clock=clock) as memory:
            ids = await lived(memory, clock, list(enumerate(history)))
            fact = ids[place] if kind == "id" else None
            until = begin.__class__.fromtimestamp(begin.timestamp() + (place + 1) * 60, begin.tzinfo)
            await memory.erase(
                fact,
                session=session if kind == "session" else None,
                subject=MADE_UP[place] if kind == "subject" else None,
                before=until if kind == "before" else None,
                scope=private(session) if kind == "id" and is_private else ANN,
            )
            left = bytes_of(Path(folder) / "one")
            assert not [MADE_UP[number] for number in gone if MADE_UP[number].lower().encode() in left]
            stays = [(number, each) for number, each in enumerate(history) if number not in gone]
            async with Memory.open(Path(folder) / "twin", embedder=None, clock=twins_clock) as twin:
                await lived(twin, twins_clock, stays)
                for scope in (ANN, private(session)):
                    assert await known(memory, scope) == await known(twin, scope)
