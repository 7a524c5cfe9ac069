"""Any history, and any part of it erased: no byte of that part stays, and the rest is as if it had never been."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.extensions.memory import Memory, Scope
from sandbox.testing import FakeClock
from tests.files import bytes_of

ANN = Scope("ann")
SAID = (
    "My sister {} lives by the sea.",
    "I live in {} now.",
    "I like {} and tea.",
    "{} is my doctor.",
    "What did {} say?",
)
WORDS = [first + second + "k" for first in ("Qorla", "Wuvo", "Zyxto", "Bruma") for second in ("mi", "ple", "dru")]

Event = tuple[str, str, bool, bool]
"""The session, the text, whether it is stored as a statement, and whether only its session may see it."""

histories = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(SAID), st.booleans(), st.booleans()),
    min_size=2,
    max_size=len(WORDS),
)
choices = st.tuples(st.sampled_from(["id", "session", "subject", "before"]), st.integers(0, len(WORDS) - 1))


def private(session: str) -> Scope:
    return Scope("ann", session_id=session, visibility="session")


async def told(memory: Memory, clock: FakeClock, events: list[tuple[int, Event]]) -> dict[int, str]:
    """Say and store each event at its time, and learn from it; return the id of each."""
    ids, begin = {}, clock()
    for number, (session, template, is_told, is_private) in events:
        clock.advance(seconds=(number + 1) * 60 - (clock() - begin).total_seconds())
        text, scope = template.format(WORDS[number]), private(session) if is_private else ANN
        if is_told:
            ids[number] = await memory.remember(text, subject=WORDS[number], scope=scope)
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
        for question in ("Where do I live?", "Who is my sister?", "tea", *WORDS)
    ]
    counts = sorted((each.id, each.turns) for each in sessions)
    return sorted(each.memory.content for each in listed.items), counts, turns, found


@settings(max_examples=25, deadline=None)
@given(histories, choices)
async def test_after_any_erasure_the_memory_equals_one_without_the_text(
    history: list[Event], choice: tuple[str, int]
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
        clock, twins_clock = FakeClock(), FakeClock()
        begin = clock()
        async with Memory.open(Path(folder) / "one", embedder=None, clock=clock) as memory:
            ids = await told(memory, clock, list(enumerate(history)))
            fact = ids[place] if kind == "id" else None
            until = begin.__class__.fromtimestamp(begin.timestamp() + (place + 1) * 60, begin.tzinfo)
            await memory.erase(
                fact,
                session=session if kind == "session" else None,
                subject=WORDS[place] if kind == "subject" else None,
                before=until if kind == "before" else None,
                scope=private(session) if kind == "id" and is_private else ANN,
            )
            left = bytes_of(Path(folder) / "one")
            assert not [WORDS[number] for number in gone if WORDS[number].lower().encode() in left]
            stays = [(number, each) for number, each in enumerate(history) if number not in gone]
            async with Memory.open(Path(folder) / "twin", embedder=None, clock=twins_clock) as twin:
                await told(twin, twins_clock, stays)
                for scope in (ANN, private(session)):
                    assert await known(memory, scope) == await known(twin, scope)
