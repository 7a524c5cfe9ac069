"""Store everything that was learnt from a session, and move its watermark, in one transaction.

A second application stores nothing twice: it finds that the watermark has moved.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sandbox.extensions.memory.authority import may_change
from sandbox.extensions.memory.consolidate.constraints import summed
from sandbox.extensions.memory.consolidate.extraction import Manner
from sandbox.extensions.memory.consolidate.related_candidates import StatementNeighbours
from sandbox.extensions.memory.consolidate.statements import by_speaker
from sandbox.extensions.memory.ingest import knowledge
from sandbox.extensions.memory.reports import AnswerQuality, Spent
from sandbox.extensions.memory.store import claims, entities, graph, maintenance, nodes, sessions, summaries
from sandbox.extensions.memory.store.maintenance import MemoryPair
from sandbox.extensions.memory.store.rows import INSTRUCTION, RULES, Draft, Node
from sandbox.extensions.memory.store.sessions import ReadingFailure, Session
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.text.names import Mention

CAUSE_CONFIDENCE = 0.7
"""The confidence of a cause that a model names."""

STEP = "sessions"
"""The name of this step in the records of its cost."""


@dataclass(frozen=True, slots=True)
class LearntStatement:
    """One thing to know, ready to be stored, with its source turns and the entities it mentions. ``because`` is the
    fingerprint of its reason; ``same`` is the known memory that says the same; ``replaces`` are known memories that it
    replaces, and ``different`` those that were judged to be different.
    """

    draft: Draft
    sources: tuple[Node, ...]
    mentions: tuple[Mention, ...] = ()
    until: int | None = None
    because: bytes | None = None
    same: int | None = None
    replaces: Mapping[int, Manner] = field(default_factory=dict)
    different: tuple[int, ...] = ()


@dataclass
class SessionReading:
    """Everything that was learnt from one session so far."""

    session: Session
    by: str
    statements: list[LearntStatement] = field(default_factory=list)
    different_names: list[tuple[str, str]] = field(default_factory=list)  # pairs that mean two different entities
    turns: dict[str, Node] = field(default_factory=dict)  # all turns that were read, by public id
    summaries: list[str] = field(default_factory=list)
    spent: Spent = field(default_factory=Spent)
    faults: Counter[str] = field(default_factory=Counter)
    quality: AnswerQuality = field(default_factory=AnswerQuality)


def apply(
    tx: Transaction, reading: SessionReading, near: StatementNeighbours | None, failure: ReadingFailure
) -> "Applied | None":
    """Store what was learnt from a session and move its watermark. None if another process was faster, the session has
    new turns, or a turn that was read was erased or forgotten: the next learning then reads what is left. ``near`` are
    the neighbours of the statements, if they are known; ``failure`` is that of the intended reader.
    """
    now_at = sessions.refreshed(tx, reading.session)
    if now_at is None or (now_at.read_to, now_at.read_by) != (reading.session.read_to, reading.session.read_by):
        return None
    if not _are_left(tx, reading):
        return None
    if reading.by != RULES:
        _retract(tx, reading)
    for one, other in reading.different_names:
        entities.tell_apart(tx, one, other, reading.session.scope)
    applied = Applied()
    placed = {}
    has_speakers = any(turn.speaker for turn in reading.turns.values())
    user = claims.own_speaker(tx, reading.session.user_id) if has_speakers else None
    for place, statement in enumerate(reading.statements):
        tx.yield_to_waiting()
        draft = by_speaker(statement.draft, statement.sources, user)
        placed[place] = applied.add(tx, replace(statement, draft=draft))
    applied.join_reasons(tx, reading.statements)
    tx.yield_to_waiting()
    if near is not None:
        here = reading.session.visibility  # the night joins the user's own facts, which are stored elsewhere
        at_home = [place for place, each in enumerate(reading.statements) if each.draft.scope.visibility == here]
        near.join(tx, {place: node for place in at_home if (node := placed[place]) is not None})
    _sum_up(tx, reading)
    maintenance.record_spent(
        tx, reading.session.user_id, STEP, reading.by, reading.spent, reading.faults, reading.quality
    )
    sessions.mark(tx, reading.session, reading.by, failure)
    return applied


@dataclass(slots=True)
class Applied:
    """Stores statements one after the other, and notes what happened to them, as internal ids; ``skipped`` counts by
    reason. A later statement is compared with earlier ones.
    """

    learnt: dict[int, None] = field(default_factory=dict)
    merged: dict[int, None] = field(default_factory=dict)
    replaced: dict[int, None] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    _at: dict[bytes | None, int] = field(default_factory=dict)  # node ids of statements by fingerprint

    def add(self, tx: Transaction, statement: LearntStatement) -> int | None:
        """Store a statement, or add its sources to a memory that says the same; return the id of a new memory."""
        draft = statement.draft
        known = _known(tx, statement)
        if known is None and nodes.was_rejected(tx, draft):
            self.skipped["was forgotten or corrected"] += 1
            return None
        if draft.waits_for:
            self.skipped["waits for consent"] += known is None
            if known is None:
                knowledge.propose(tx, draft, statement.sources)
            return None
        if known is not None and not may_change(draft.trust, known.trust):
            self.merged[known.id] = None  # the known memory has more trust and needs no further source
            return None
        node_id = self._store(tx, statement) if known is None else self._add_repetition(tx, known, statement)
        entities.mention(tx, statement.mentions, node_id, draft.event_time, draft.scope)
        self._at[draft.fingerprint] = node_id
        return node_id if known is None else None

    def join_reasons(self, tx: Transaction, statements: Sequence[LearntStatement]) -> None:
        """Add edges from reasons to their effects."""
        for each in statements:
            cause = self._at.get(each.because) if each.because else None
            effect = self._at.get(each.draft.fingerprint)
            if cause is not None and effect is not None:
                said_in = [turn.public_id for turn in each.sources]
                graph.join_cause(tx, cause, effect, CAUSE_CONFIDENCE, said_in)

    def _add_repetition(self, tx: Transaction, known: Node, statement: LearntStatement) -> int:
        draft = statement.draft
        if not may_change(known.trust, draft.trust):
            added = knowledge.replace_less_trusted(tx, known, draft, statement.sources)
            self.merged[added.id] = None
            return added.id
        knowledge.add_repetition(tx, known, draft, statement.sources)
        if known.source == RULES and draft.source != RULES:
            nodes.attribute(tx, known, draft.source)
        self.merged[known.id] = None
        return known.id

    def _store(self, tx: Transaction, statement: LearntStatement) -> int:
        gone = _gone(tx, statement)
        # "last month" may begin before the memory that it ends
        began = max((node.valid_from for node, _ in gone), default=0)
        draft = statement.draft._replace(valid_from=max(began, statement.draft.valid_from or began))
        wrong = next((node for node, manner in gone if manner == "correction"), None)
        if wrong is not None:
            added = knowledge.correct(tx, draft, wrong, statement.sources)
        else:
            added = knowledge.add(tx, draft, [node for node, _ in gone], statement.sources)
        if statement.until is not None:
            nodes.keep_validity(tx, added.id, statement.until)
        apart = [MemoryPair(min(added.id, known), max(added.id, known), "") for known in statement.different]
        maintenance.note_pairs(tx, draft.scope.user_id, maintenance.JUDGED, apart, tx.now)
        self.learnt[added.id] = None
        self.replaced |= dict.fromkeys(there for _, there in graph.targets(tx, [added.id], "supersedes"))
        return added.id


def _known(tx: Transaction, statement: LearntStatement) -> Node | None:
    """The known memory that says the same: in the same words, by its claims, as a wish that was told on purpose in the
    same turn, or by the judgement, if that memory is still valid.
    """
    known = nodes.said_before(tx, statement.draft, tx.now) or claims.same(tx, statement.draft)
    known = known or _kept_wish(tx, statement)
    if known is None and statement.same is not None:
        judged = nodes.by_ids(tx, [statement.same]).get(statement.same)
        stands = judged is not None and judged.is_valid(tx.now) and judged.home == statement.draft.home
        known = judged if stands else None
    return known


def _kept_wish(tx: Transaction, statement: LearntStatement) -> Node | None:
    """A wish that was told on purpose in the same turn; rules find nothing better in it."""
    draft = statement.draft
    if (draft.category, draft.source) != (INSTRUCTION, RULES):
        return None
    resting = graph.sources(tx, [turn.id for turn in statement.sources], "derived_from")
    kept = nodes.by_ids(tx, [node for _, node in resting]).values()
    stands = (node for node in kept if node.is_valid(tx.now) and node.home == draft.home)
    return next((node for node in stands if node.category == INSTRUCTION and not node.is_learnt), None)


def _gone(tx: Transaction, statement: LearntStatement) -> list[tuple[Node, Manner]]:
    """The memories that a statement replaces, if it has enough trust. A memory with a wider visibility does not change,
    and neither does one that was told later than what is said in an old conversation.
    """
    said, told = max(turn.event_time for turn in statement.sources), claims.told(tx, statement.replaces)
    return [
        (node, statement.replaces[node.id])
        for node in nodes.by_ids(tx, statement.replaces).values()
        if node.is_valid(tx.now) and may_change(statement.draft.trust, node.trust) and node.home == statement.draft.home
        if told[node.id] <= said or node.created_at > tx.now  # stored by a clock that was ahead
    ]


def _retract(tx: Transaction, reading: SessionReading) -> None:
    """Retire what only rules learnt, after a model has read the session again; memories that it had replaced are valid
    again.
    """
    kept = {statement.draft.fingerprint for statement in reading.statements}
    for node in sessions.learnt_by_rules(tx, reading.session):
        if node.fingerprint in kept:
            continue
        replaced = [there for _, there in graph.targets(tx, [node.id], "supersedes")]
        for old in nodes.by_ids(tx, replaced).values():
            if old.retired_seq is None:
                nodes.reopen(tx, old)
        nodes.retire(tx, node, by="pruned", event="reread")


def _sum_up(tx: Transaction, reading: SessionReading) -> None:
    """Store the session's summary; if the session continues, the summary of its beginning stays in it."""
    session, summary = reading.session, summed(*reading.summaries)
    if not summary:
        return
    found = summaries.current(tx, session.scope, summaries.SESSION, session.session_id)
    before = found if session.read_to > 0 and session.read_by == reading.by else None
    summaries.put(
        tx,
        kind=summaries.SESSION,
        about=session.session_id,
        content=summed(before.content if before else None, summary) or summary,
        rests_on=[*(before.rests_on if before else ()), *(turn.id for turn in reading.turns.values())],
        made_by=reading.by,
        home=session.scope,
    )


def _are_left(tx: Transaction, reading: SessionReading) -> bool:
    return nodes.are_believed(tx, (turn.id for turn in reading.turns.values()))


def link_turns(tx: Transaction, reading: SessionReading, mentions: Mapping[Mention, Mapping[int, int]]) -> list[str]:
    """Link turns (id -> event time) with the entities they mention, unless a turn was erased; return the names that the
    turns of the session were the first to tell. A second call changes nothing, so this need not be part of the
    transaction that moves the watermark.
    """
    read = [turn.id for turn in reading.turns.values()]
    if not _are_left(tx, reading):
        return entities.taught(tx, read)
    linked: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for mention, turns in mentions.items():
        tx.yield_to_waiting()
        if mention.aliases:  # they may join two entities, with all their links
            entities.link_all(tx, linked, "mentions")
            linked.clear()
        at, scope, said_in = min(turns.values()), reading.session.scope, min(turns)
        linked[entities.resolve(tx, mention.name, mention.type, at, scope, mention.aliases, said_in)].update(turns)
    entities.link_all(tx, linked, "mentions")
    return entities.taught(tx, read)
