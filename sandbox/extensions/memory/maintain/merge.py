"""Merge memories that say the same: without a question where the words, with negations and numbers, are provably the
same, because similarity is not sameness; other pairs by a model's judgement.

A judgement is remembered for two weeks. ``restore`` brings a merged memory back; the night then leaves it alone.
"""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache, partial

from sandbox.extensions.memory.authority import may_change
from sandbox.extensions.memory.consolidate.extraction import Judgement
from sandbox.extensions.memory.consolidate.judging import (
    JUDGE,
    PAIRS_IN_A_QUESTION,
    StatementPair,
    stated_by,
    verdicts,
)
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.lexicon import by_language, pattern
from sandbox.extensions.memory.maintain.candidates import Near, candidates
from sandbox.extensions.memory.maintain.step import (
    NIGHT,
    PAIRS_A_DAY,
    Night,
    Tally,
    allowance,
    ask_within_budget,
    each_user,
    pay,
    wait_until_embedded,
)
from sandbox.extensions.memory.store import graph, maintenance, nodes, vectors
from sandbox.extensions.memory.store.graph import NodePair
from sandbox.extensions.memory.store.maintenance import MemoryPair
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.text.words import fold, name_key, statement_words
from sandbox.support.times import local_day

_RECHECK = 14 * DAY  # after which a pair is judged again

_STEP = "merge"
_AT_ONCE = 200  # groups merged in one transaction


async def merge(night: Night, tally: Tally) -> None:
    """Merge repeated memories of all users."""
    await wait_until_embedded(night)
    async for user_id in each_user(night):
        await _same_words(night, tally, user_id)
    if night.model is not None:
        for user_id in await night.store.read(nodes.users):
            await _compare(night, tally, user_id)


# --- provably the same ------------------------------------------------------------------------------------------------


async def _same_words(night: Night, tally: Tally, user_id: str) -> None:
    groups = await night.store.read(lambda snapshot: _repeated(snapshot, user_id, night.now))
    if night.dry_run:
        tally.counts["merged"] += sum(len(group) - 1 for group in groups)
        return
    for start in range(0, len(groups), _AT_ONCE):
        some = groups[start : start + _AT_ONCE]
        tally.counts["merged"] += await night.store.write(partial(_merge_groups, groups=some, now=night.now))


def _repeated(snapshot: Snapshot, user_id: str, now: int) -> list[list[int]]:
    """Ids of memories that are provably the same, group by group."""
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for node in nodes.valid_knowledge(snapshot, user_id, now):
        groups[_merge_key(node)].append(node.id)
    repeated = [ids for ids in groups.values() if len(ids) > 1]
    alike = [node for ids in repeated for node in ids]
    apart = nodes.kept_apart(snapshot, alike).union(*graph.apart(snapshot, alike, graph.DIFFERENT))
    left = ([node for node in ids if node not in apart] for ids in repeated)
    return [ids for ids in left if len(ids) > 1]


def _merge_groups(tx: Transaction, groups: Sequence[Sequence[int]], now: int) -> int:
    merged = 0
    for kept, *others in groups:
        for other in others:
            found = _both_valid(tx, kept, other, now)
            if found is not None and _merge_key(found[0]) == _merge_key(found[1]):
                stays, goes = nodes.keeper_first(*found)
                nodes.merge(tx, stays, goes, NIGHT)
                kept, merged = stays.id, merged + 1
    return merged


def _both_valid(tx: Transaction, one: int, other: int, now: int) -> tuple[Node, Node] | None:
    found = nodes.by_ids(tx, (one, other))
    if len(found) < 2 or not all(_holds(node, now) for node in found.values()):
        return None
    return found[one], found[other]


def _holds(node: Node, now: int) -> bool:
    return node.is_valid(now) and not node.has_faded(now)


def _merge_key(node: Node) -> tuple[object, ...]:
    """The content of a memory: equal for memories that provably say the same. An event may happen again, on another
    day.
    """
    day = local_day(node.event_time) if node.category == "event" else None
    words, is_instruction = tuple(_bare_words(node.content)), node.category == "instruction"
    return node.home, node.type, words, _about(node), is_instruction, day, node.valid_until


def _bare_words(text: str) -> list[str]:
    """The words of a statement without articles; short forms are written out."""
    for short, full in _short_forms():
        text = short.sub(f" {full}", text)
    return statement_words(pattern("statements", "articles").sub("", text)) or [fold(text).strip()]


@cache
def _short_forms() -> list[tuple[re.Pattern[str], str]]:
    """Patterns for short forms, each with what it is written out as, in order."""
    every = by_language("statements", "short_forms").values()
    return [(re.compile(short, re.IGNORECASE), full) for found in every for full, short in found.items()]


def _about(node: Node) -> str | None:
    """The subject, if the words do not name it."""
    if node.subject is None:
        return None
    key = name_key(node.subject)
    return None if f" {key} " in f" {name_key(node.content)} " else key


# --- by a model's judgement -------------------------------------------------------------------------------------------


async def _compare(night: Night, tally: Tally, user_id: str) -> None:
    """Let a model judge the most similar pairs, within today's allowance, until none is left: a merged memory may be
    similar to another one.
    """
    left, _ = await allowance(night, user_id, _STEP, PAIRS_A_DAY)
    # until when all changes were compared (milliseconds); pairs beyond a night's allowance wait for the next night
    since = (await night.store.read(partial(maintenance.mark, user_id=user_id, step=_STEP))).position
    tried: set[MemoryPair] = set()
    all_compared = True
    while waiting := [pair for pair in await _unchecked(night, user_id, since) if pair not in tried]:
        some, size = waiting[:left], PAIRS_IN_A_QUESTION
        if not some:
            tally.stopped[user_id] = "the day's pairs are used up"
            all_compared = False
            break
        for start in range(0, len(some), size):
            if not await _judge(night, tally, user_id, some[start : start + size]):
                return
        tried.update(some)
        left -= len(some)
    if not night.dry_run:
        until = night.now if all_compared else since
        await night.store.write(partial(_end, night=night, user_id=user_id, until=until))


def _end(tx: Transaction, night: Night, user_id: str, until: int) -> None:
    maintenance.set_mark(tx, user_id, _STEP, until, night.now)
    for step in (_STEP, maintenance.JUDGED):
        maintenance.forget_pairs(tx, user_id, step, _lately(night))


def _lately(night: Night) -> int:
    """Pairs that were examined after this time are not examined again."""
    return night.now - _RECHECK


async def _unchecked(night: Night, user_id: str, since: int) -> list[MemoryPair]:
    """Pairs to judge, the most similar first, without those judged, or examined ``since`` and as similar then."""

    def read(snapshot: Snapshot) -> tuple[partial[list[Near]], set[MemoryPair], set[NodePair], set[int]]:
        known = nodes.valid_knowledge(snapshot, user_id, night.now)
        ids = [node.id for node in known]
        changed, embedded = nodes.changed(snapshot, ids), vectors.embedded(snapshot, ids)
        fresh, judged = (
            maintenance.pairs_seen(snapshot, user_id, step, _lately(night)) for step in (_STEP, maintenance.JUDGED)
        )
        different = graph.apart(snapshot, ids, graph.DIFFERENT) | {(each.first, each.second) for each in judged}
        find = partial(candidates, known, changed, embedded, night.now, since)
        return find, fresh, different, nodes.kept_apart(snapshot, ids)

    find, fresh, judged, apart = await night.store.read(read)
    found = await asyncio.to_thread(find)
    nominated = [MemoryPair(near.first, near.second, f"{near.score:.2f}") for near in found]
    left = (pair for pair in nominated if pair not in fresh and pair[:2] not in judged)
    return [pair for pair in left if apart.isdisjoint(pair[:2])]


async def _judge(night: Night, tally: Tally, user_id: str, nominated: Sequence[MemoryPair]) -> bool:
    """Ask about some pairs and apply the answer; False if the budget is spent."""
    asked = await night.store.read(partial(_still_there, nominated=nominated, now=night.now))
    if not asked:
        return True
    pairs = list(asked.values())
    judged = await ask_within_budget(night, tally, user_id, JUDGE, pairs=pairs)
    if judged is not None or night.dry_run:
        tally.counts["pairs"] += len(pairs)
        night.tell(tally.counts["pairs"], 0)
    if judged is None:
        return user_id not in tally.stopped
    given = dict(zip(asked, verdicts(pairs, judged.answer), strict=True))

    def apply(tx: Transaction) -> Counter[str]:
        pay(tx, night, tally, user_id, judged)
        maintenance.note_pairs(tx, user_id, _STEP, asked, night.now)
        done = (_apply_verdict(tx, pair, verdict, night.now) for pair, verdict in given.items())
        return Counter(what for what in done if what is not None)

    tally.counts.update(await night.store.write(apply))
    return True


def _still_there(snapshot: Snapshot, nominated: Sequence[MemoryPair], now: int) -> dict[MemoryPair, StatementPair]:
    """The questions for those pairs of which both are still valid."""
    found = nodes.by_ids(snapshot, {node for pair in nominated for node in pair[:2]})
    hold = {node.id for node in found.values() if _holds(node, now)}
    there = {pair: _in_time(found[pair.first], found[pair.second]) for pair in nominated if hold.issuperset(pair[:2])}
    return {pair: StatementPair(stated_by(later), stated_by(earlier)) for pair, (earlier, later) in there.items()}


def _apply_verdict(tx: Transaction, pair: MemoryPair, verdict: Judgement | None, now: int) -> str | None:
    """Apply a verdict if both are still valid; return what was done. Lower trust never replaces higher trust."""
    found = _both_valid(tx, pair.first, pair.second, now)
    if found is None or verdict in (None, "different"):
        return None
    if verdict == "same":
        nodes.merge(tx, *nodes.keeper_first(*found), NIGHT)
        return "merged"
    earlier, later = _in_time(*found)
    if not may_change(later.trust, earlier.trust):
        return None
    if verdict == "correction":
        nodes.retire(tx, earlier, by="corrected", event="corrected", actor=NIGHT)
    else:
        until = later.valid_from if later.valid_from > earlier.valid_from else later.created_at
        nodes.end_validity(tx, earlier, until, NIGHT, "another value, as a model judged", later)
    graph.add_edge(tx, later.id, earlier.id, "supersedes", evidence=(later.public_id,))
    return "replaced"


def _in_time(one: Node, other: Node) -> tuple[Node, Node]:
    earlier, later = sorted((one, other), key=lambda node: (node.valid_from, node.id))
    return earlier, later
