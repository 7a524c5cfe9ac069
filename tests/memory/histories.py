"""Random histories, and everything that can be seen of a memory, for laws that hold for each history."""

from typing import Any

from hypothesis import strategies as st

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.model import Record
from sandbox.testing import FakeClock

ANN = Scope("ann")
NAMES = ("Anna", "Bert")
TOLD = (
    "My sister Anna lives in Rome.",
    "I live in Rome.",
    "I live in Oslo.",
    "Bert is my doctor.",
    "I love figs.",
    "I no longer love figs.",
    "My name is Bert.",
    "Bert is also called Annie.",
)
CHANGES = ("confirm", "forget", "restore", "pin", "unpin", "approve", "reject")
PAIRS = ("merge", "keep_both", "keep_apart")
OTHERS = ("remember", "web", "inferred", "observe", "consolidate", "by_person", "correct", "rate", "join", "split")
AFTER = ("weeks", "erase", "night")  # cannot be undone, or not to the same confidence

steps = st.lists(
    st.tuples(st.sampled_from(OTHERS[:4] * 2 + OTHERS + CHANGES + PAIRS + AFTER), st.integers(0, 7), st.integers(0, 7)),
    min_size=4,
    max_size=8,
)


async def change(
    memory: Memory, clock: FakeClock, what: str, one: int, two: int, ids: list[str], scope: Scope = ANN
) -> None:
    """Make one change, about the memories or texts with two numbers."""
    id, other, text = ids[one % len(ids)], ids[two % len(ids)], TOLD[two]
    if what in ("remember", "web", "inferred"):
        more: dict[str, Any] = {"web": {"trust": "web"}, "inferred": {"source": "inferred"}}.get(what, {})
        ids.append(await memory.remember(text, subject=(None, *NAMES)[one % 3], tags=["a"], scope=scope, **more))
    elif what == "observe":
        ids.append(await memory.observe("user", text, session="s", scope=scope))
    elif what == "consolidate":
        await memory.consolidate("s", scope=scope)
    elif what == "by_person":
        await memory.confirm(id, by_person=True, scope=scope)
    elif what == "correct":
        await memory.correct(id, text, scope=scope)
    elif what == "rate":
        await memory.set_importance(id, 1 + two % 5, scope=scope)
    elif what == "join":
        await memory.merge_entities(NAMES[one % 2], NAMES[two % 2], scope=scope)
    elif what == "split":
        await memory.split_entity(NAMES[one % 2], scope=scope)
    elif what == "weeks":
        clock.advance(days=7 * 3 ** (one % 4))
    elif what == "night":
        await memory.maintain()
    else:
        pair = (other,) if what in PAIRS else ()
        await getattr(memory, what)(id, *pair, scope=scope)


async def seen(memory: Memory, *, exactly: bool) -> dict[str, Any]:
    """Everything that can be seen, except undone memories; ``exactly``: with the confidence of each."""
    changes = await memory.changes(limit=1_000, whole=True, scope=ANN)
    listed = await memory.list(limit=200, scope=ANN)
    found: dict[str, Any] = {
        "list": sorted(each.memory.id for each in listed.items),
        "profile": await memory.profile(scope=ANN) if exactly else None,
        "proposals": [each.memory.id for each in await memory.proposals(scope=ANN)],
        "conflicts": {frozenset((each.first.id, each.second.id)) for each in await memory.conflicts(scope=ANN)},
    }
    for id in sorted({each.id for each in changes if each.id}):
        try:
            known = await memory.explain(id, scope=ANN)
        except MemoryExtensionError:  # it is erased
            continue
        if known.memory.retired_by != "undone":
            versions = [_plain(each, exactly=exactly) for each in known.versions if each.retired_by != "undone"]
            names = [] if known.memory.type == "episodic" else sorted(known.entities)  # learning adds those of turns
            found[id] = [versions, names, _ids(known.supersedes), _ids(known.superseded_by), _ids(known.sources)]
    for entity in (await memory.entities(limit=200, scope=ANN)).items:
        profile = await memory.entity(entity.id, scope=ANN)
        if profile.facts or profile.merged:
            found[f"entity {entity.id}"] = [profile.aliases, _ids(profile.facts), profile.relations, profile.merged]
    return found


def _ids(records: tuple[Record, ...]) -> list[tuple[str, int]]:
    return sorted((each.id, each.version) for each in records if each.retired_by != "undone")


def _plain(record: Record, *, exactly: bool) -> list[Any]:
    lasts = [round(record.confidence, 6), record.decay_rate, record.fades_at] if exactly else []
    state = [record.retired_by, record.retired_at, record.valid_from, record.valid_until, record.trust]
    return [record.version, record.content, *state, record.importance, record.pinned, record.tags, *lasts]
