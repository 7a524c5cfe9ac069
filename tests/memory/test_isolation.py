"""One user's actions change nothing that another user can read, not even counts and errors. Every method is called on a
memory that both have used, and on one that only knows the other user.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.testing import NOON, FakeClock
from tests.memory.store import raw
from tests.twins import SCOPES, USERS, WORDS, Step, lived, plain, steps, without_ids

Ask = Callable[[Memory, Scope, str], Awaitable[Any]]

OF_WORDS: Mapping[str, Ask] = {
    "search": lambda memory, scope, word: memory.search(word, limit=500, reinforce=False, scope=scope),
    "context": lambda memory, scope, word: memory.context(word, budget=3000, reinforce=False, scope=scope),
    "fixed_block": lambda memory, scope, word: memory.fixed_block(session=f"about {word}", scope=scope),
    "explain_context": lambda memory, scope, word: memory.explain_context(word, budget=3000, scope=scope),
    "entity": lambda memory, scope, word: memory.entity(word, scope=scope),
    "neighbourhood": lambda memory, scope, word: memory.neighbourhood(word, hops=2, scope=scope),
    "turns": lambda memory, scope, word: memory.turns(f"about {word}", scope=scope),
}
OF_EVERYTHING: Mapping[str, Ask] = {
    "list": lambda memory, scope, _: memory.list(limit=500, history=True, scope=scope),
    "used": lambda memory, scope, _: memory.list(limit=500, order="most_used", scope=scope),
    "weak": lambda memory, scope, _: memory.weak(limit=500, scope=scope),
    "conflicts": lambda memory, scope, _: memory.conflicts(scope=scope),
    "duplicates": lambda memory, scope, _: memory.duplicates(scope=scope),
    "proposals": lambda memory, scope, _: memory.proposals(scope=scope),
    "profile": lambda memory, scope, _: memory.profile(scope=scope),
    "entities": lambda memory, scope, _: memory.entities(limit=500, scope=scope),
    "contexts": lambda memory, scope, _: memory.contexts(scope=scope),
    "sessions": lambda memory, scope, _: memory.sessions(limit=500, scope=scope),
    "changes": lambda memory, scope, _: memory.changes(limit=500, scope=scope),
    "counts": lambda memory, scope, _: memory.counts(history=True, scope=scope),
    "days": lambda memory, scope, _: memory.days(scope=scope),
    "knowledge_changes": lambda memory, scope, _: memory.knowledge_changes(
        NOON, NOON + timedelta(days=90), scope=scope
    ),
    "projects": lambda memory, scope, _: memory.projects(scope=scope),
    "statistics": lambda memory, scope, _: memory.statistics(scope=scope),
    "spending": lambda memory, scope, _: memory.spending(scope=scope),
    "nights": lambda memory, scope, _: memory.nights(scope=scope),
    "failures": lambda memory, scope, _: memory.failures(scope=scope),
    "passed_over": lambda memory, scope, word: memory.passed_over(f"about {word}", scope=scope),
}
OF_AN_ID: Mapping[str, Ask] = {
    "explain": lambda memory, scope, id: memory.explain(id, scope=scope),
    "confidence_over_time": lambda memory, scope, id: memory.confidence_over_time(id, scope=scope),
    "correct": lambda memory, scope, id: memory.correct(id, "Nothing is so.", scope=scope),
    "confirm": lambda memory, scope, id: memory.confirm(id, scope=scope),
    "pin": lambda memory, scope, id: memory.pin(id, scope=scope),
    "unpin": lambda memory, scope, id: memory.unpin(id, scope=scope),
    "set_importance": lambda memory, scope, id: memory.set_importance(id, 5, scope=scope),
    "merge": lambda memory, scope, id: memory.merge(id, id, scope=scope),
    "forget": lambda memory, scope, id: memory.forget(id, scope=scope),
    "restore": lambda memory, scope, id: memory.restore(id, scope=scope),
    "erase": lambda memory, scope, id: memory.erase(id, scope=scope),
    "keep_both": lambda memory, scope, id: memory.keep_both(id, id, scope=scope),
    "keep_apart": lambda memory, scope, id: memory.keep_apart(id, id, scope=scope),
    "approve": lambda memory, scope, id: memory.approve(id, scope=scope),
    "reject": lambda memory, scope, id: memory.reject(id, scope=scope),
}
ELSEWHERE = {
    "observe observe_many remember set_context end_session consolidate forget_all undo": "for its own scope alone",
    "note_failure": "for its own scope alone",
    "maintain check wait_until_embedded encrypt decrypt": "of the whole file",
    "merge_entities split_entity": "take names, which `entity` asks for",
    "import_file export": "files: tests/memory/test_export.py",
    "last_change": "a number that says which changes are new",
    "open": "no question",
}


async def asked(ask: Ask, memory: Memory, scope: Scope, word: str) -> Any:
    """The answer, or the refusal."""
    try:
        return plain(await ask(memory, scope, word))
    except MemoryExtensionError as error:
        return type(error).__name__, without_ids(str(error))


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
async def test_no_answer_shows_an_effect_of_another_user(history: list[Step]) -> None:
    async with lived(history, USERS) as (both, told), lived(history, ("bob",)) as (alone, _):
        for scope in SCOPES["bob"]:
            for name, ask in {**OF_WORDS, **OF_EVERYTHING}.items():
                for word in WORDS if name in OF_WORDS else WORDS[:1]:
                    shared, own = await asked(ask, both, scope, word), await asked(ask, alone, scope, word)
                    assert shared == own, name
            for name, ask in OF_AN_ID.items():
                for id in told["ann"]:
                    shared, own = await asked(ask, both, scope, id), await asked(ask, alone, scope, id)
                    assert shared == own, name
                    assert shared[0] in ("UnknownMemory", "NoProposal"), name


def test_every_method_is_covered() -> None:
    """Add a new method of the memory to one of the tables."""
    methods = {name for name, each in inspect.getmembers(Memory, inspect.iscoroutinefunction) if name[0] != "_"}
    assert methods <= {*OF_WORDS, *OF_EVERYTHING, *OF_AN_ID, *" ".join(ELSEWHERE).split()}


async def test_the_weight_of_words_is_separate_for_each_user(tmp_path: Path, clock: FakeClock) -> None:
    """Ann says kumquats three hundred times: Bob's results, their order and their confidence stay the same."""
    answers = []
    for others in (0, 300):
        async with Memory.open(tmp_path / f"{others}", embedder=None, clock=clock) as memory:
            bob = Scope("bob")
            for said in ("The kumquats stand on the shelf.", "The teapot stands on the table near the shelf."):
                await memory.remember(said, scope=bob)
            await memory.observe("user", "We bought kumquats and a teapot yesterday.", session="one", scope=bob)
            for number in range(others):
                said = f"Order {number} of kumquats and zucchini came from afar."
                await memory.observe("user", said, session="two", scope=Scope("ann"))
            asked = ("kumquats teapot", "where do the kumquats stand?", "how much zucchini is on the shelf?")
            for question in asked:
                hits = await memory.search(question, reinforce=False, scope=bob)
                block = await memory.context(question, reinforce=False, scope=bob)
                answers.append(([(hit.content, round(hit.score, 4)) for hit in hits], block and block.confidence))
    assert answers[:3] == answers[3:]


async def test_records_of_one_user_do_not_displace_those_of_another(tmp_path: Path) -> None:
    """The memory keeps a thousand failures of each user, and ten thousand questions of the night."""
    ann, bob = Scope("ann"), Scope("bob")
    async with Memory.open(tmp_path, embedder=None) as memory:
        for scope in (bob, ann):
            await memory.search("kumquats", scope=scope)
        await memory.note_failure("recall", "InvalidArgument", scope=bob)
        await asyncio.gather(*(memory.note_failure("recall", "InvalidArgument", scope=ann) for _ in range(1_001)))
        kept = [sum(each.count for each in await memory.failures(scope=scope)) for scope in (bob, ann)]
        assert kept == [1, 1_000]
    raw.query(
        tmp_path,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)"
        " INSERT INTO operations (at, user_id, stage, operation, status)"
        " SELECT at, user_id, stage, operation, status FROM operations, n WHERE user_id = 'ann' AND stage = 'search'",
    )
    async with Memory.open(tmp_path, embedder=None) as memory:
        await memory.maintain()
        counted = [sum((await memory.statistics(scope=scope)).operations.values()) for scope in (bob, ann)]
        assert counted == [2, 10_000]
