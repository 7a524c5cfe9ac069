"""Change knowledge, one memory at a time: remember, correct, confirm, forget, restore. A change is a function of a
transaction, or of the open memory where it prepares something before.
"""

from collections.abc import Sequence
from dataclasses import replace

from sandbox.extensions.memory.assemble import views
from sandbox.extensions.memory.authority import check_change, may_change
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import ChangedMeanwhile, InvalidArgument, NotCurrent
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.ingest import cleaning, consent, drafts, knowledge
from sandbox.extensions.memory.ingest.lasting import passes
from sandbox.extensions.memory.model import KNOWLEDGE, FilterOptions, OnSimilar, Scope, Statement
from sandbox.extensions.memory.reports import UndoReport
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import browsing, changes, claims, entities, nodes
from sandbox.extensions.memory.store.changes import UndoSelection
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.sqlite.database import off_loop
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.support.trust import Trust, least


async def remember(
    runtime: Runtime, statement: Statement, rests_on: Sequence[str], on_similar: OnSimilar, scope: Scope
) -> str:
    """Store a statement with the lowest trust and narrowest visibility of its turns; return its id."""
    now = runtime.now_ms()
    drafts.check_home(scope, scope.session_id)
    if drafts.is_assistants(statement.trust, statement.source, scope):
        drafts.check_length(statement.content)
    sources = await runtime.store.read(lambda snapshot: views.heads(snapshot, rests_on, scope))
    home = drafts.narrowed(scope, sources) if sources else scope
    draft = await off_loop(len(str(statement.content)), lambda: drafts.knowledge(statement, home, now, runtime.config))
    allowed = await off_loop(_length(sources), lambda: drafts.trust_of_words(statement.content, sources))
    draft = draft._replace(trust=least(draft.trust, allowed))
    draft = drafts.trusted_as(draft, sources, now, runtime.config)

    def known(snapshot: Snapshot) -> tuple[bool, list[str]]:
        return bool(knowledge.of_key(snapshot, draft)), claims.own_names(snapshot, draft, now)

    exists, names = await runtime.store.read(known)
    draft = drafts.about_user(draft, sources, names)
    if exists:
        on_similar = "keep"  # the memory exists; a similar memory that came later must not refuse it
    draft = consent.marked(draft, runtime.config)
    rivals = await knowledge.rivals(runtime.recall, draft, runtime.filter(scope), on_similar)

    def save(tx: Transaction) -> str:
        for name in (*draft.relevant_to, *draft.derived_from):
            entities.called(tx, runtime.filter(draft.scope), name)
        saved, is_new = knowledge.save(tx, draft, rivals[:1], sources)
        if is_new:
            _check_facts(tx, draft.trust, draft.source, scope, runtime.config)
        return saved

    return await runtime.write(save)


async def correct(
    runtime: Runtime, id: str, right: drafts.Correction, rests_on: Sequence[str], version: int | None, scope: Scope
) -> str:
    """Store the next version of a memory; return its id."""
    if drafts.is_assistants(right.trust, "", scope):
        drafts.check_length(right.content)
    now = runtime.now_ms()

    def read(snapshot: Snapshot) -> tuple[Node, list[Node]]:
        head = _allowed(views.current(snapshot, id, scope, now), scope, runtime.config)
        return head, views.heads(snapshot, rests_on, scope)

    def draft(old: Node, sources: Sequence[Node]) -> Draft:
        return drafts.correction(old, right, sources, scope, now, runtime.config)

    known = await runtime.read(read)
    made = await off_loop(len(str(right.content)) + _length(known[1]), lambda: draft(*known))

    def apply(tx: Transaction) -> str:
        old, sources = found = read(tx)
        _check_version(old, version)
        new = made if found == known else draft(old, sources)
        is_same = (new.content, new.category) == (old.content, old.category)
        if is_same and not right.claims and right.confidence is None:
            knowledge.add_repetition(tx, old, new, sources)
            return old.public_id
        added = knowledge.correct(tx, new, old, sources, holds_now=True)
        _check_facts(tx, least(right.trust, *(source.trust for source in sources)), "", scope, runtime.config)
        return added.public_id

    return await runtime.write(apply)


def _check_facts(tx: Transaction, trust: Trust, source: str, scope: Scope, config: Config) -> None:
    """Raise ``TooManyFacts``, which undoes the write, if assistants have stored too much today."""
    if drafts.is_assistants(trust, source, scope):
        nodes.check_facts(tx, scope.user_id, config.facts_per_day)


def confirm(tx: Transaction, id: str, trust: Trust, scope: Scope, config: Config, *, by_person: bool) -> None:
    """Full confidence and no decay, except of a mood and of a plan; ``by_person`` also raises the trust."""
    head = _allowed(views.current(tx, id, scope, tx.now), scope, config)
    check_change(id, trust)
    said = [each.claim for each in claims.of_nodes(tx, [head.id]).get(head.id, ())]
    rate = head.decay_rate if passes(head, said, tx.now, config) else 0.0
    nodes.confirm(tx, head, scope.actor_id, "confirmed" if by_person else None, rate)


async def pin(runtime: Runtime, id: str, trust: Trust, scope: Scope, *, pinned: bool) -> None:
    """Keep a memory and show it always; ``pinned=False`` undoes that."""
    check_change(id, trust)

    def apply(tx: Transaction) -> None:
        head = _known(tx, id, scope, runtime.config, "remember its content as a statement, and pin that")
        if bool(head.pinned) != pinned:
            nodes.pin(tx, head, scope.actor_id, pinned=pinned)

    await runtime.write(apply)


async def set_importance(runtime: Runtime, id: str, importance: int, trust: Trust, scope: Scope) -> None:
    """Set the importance that a person gives to a memory."""
    check_change(id, trust)
    drafts.check_importance(importance)

    def apply(tx: Transaction) -> None:
        head = _known(tx, id, scope, runtime.config, "remember its content as a statement, and rate that")
        if head.importance != importance:
            nodes.rate(tx, head, importance, scope.actor_id)

    await runtime.write(apply)


def merge(tx: Transaction, id: str, into: str, trust: Trust, scope: Scope, config: Config) -> None:
    """Make a memory part of another one that says the same."""
    advice = "merge memories that were learnt from it"
    gone, kept = (_known(tx, each, scope, config, advice) for each in (id, into))
    check_change(id, trust, gone.trust)
    check_change(into, trust)
    if gone.id == kept.id or gone.home != kept.home:
        expected = "give another memory of the same user, project and visibility"
        raise InvalidArgument(argument="into", value=into, expected=expected)
    nodes.merge(tx, kept, gone, scope.actor_id)


def forget(tx: Transaction, id: str, trust: Trust, version: int | None, scope: Scope, config: Config) -> None:
    """Take a memory out of every search."""
    head = _allowed(views.owned(tx, id, scope), scope, config)
    _check_version(head, version)
    check_change(id, trust, head.trust)
    if head.retired_by != "forgotten":
        knowledge.forget(tx, head, scope.actor_id)


async def forget_all(runtime: Runtime, trust: Trust, scope: Scope, wanted: FilterOptions, *, dry_run: bool) -> int:
    """Forget the scope's memories that are ``wanted`` and that ``trust`` may change; return how many."""
    now = runtime.clock()
    for name in ("as_of", "history"):
        if wanted.get(name):
            expected = "leave it out: only current memories can be forgotten"
            raise InvalidArgument(argument=name, value=wanted.get(name), expected=expected)

    def own(snapshot: Snapshot) -> list[Node]:
        known = runtime.narrowed(snapshot, scope, now, wanted).among(*KNOWLEDGE)
        found = [node for node in browsing.own(snapshot, known) if may_change(trust, node.trust)]
        return [node for node in found if node.retired_by != "forgotten"]

    def apply(tx: Transaction) -> int:
        mine = own(tx)
        for node in mine:
            knowledge.forget(tx, node, scope.actor_id)
        return len(mine)

    return len(await runtime.read(own)) if dry_run else await runtime.write(apply)


def restore(tx: Transaction, id: str, trust: Trust, scope: Scope, config: Config) -> None:
    """Believe a memory again, or make it valid again."""
    head = _allowed(views.owned(tx, id, scope), scope, config)
    check_change(id, trust)
    if head.retired_by == "merged":
        nodes.unmerge(tx, head)
    if head.retired_seq is not None or head.has_faded(tx.now):
        nodes.restore(tx, head, scope.actor_id)
    elif head.valid_until is not None:
        nodes.reopen(tx, head, scope.actor_id)


async def set_context(
    runtime: Runtime, name: str, priority: float | None, description: str | None, scope: Scope
) -> None:
    """Change a context, or create it."""
    drafts.check_home(scope, scope.session_id)
    secrets.refuse(name, description or "")
    called = cleaning.stripped(name)
    if called is None:
        raise InvalidArgument(argument="name", value=name, expected="give the name of a context")
    if priority is not None and not 0 <= priority <= 1:
        raise InvalidArgument(argument="priority", value=priority, expected="give a number from 0 to 1")
    described = cleaning.stripped(description)
    await runtime.write(lambda tx: entities.change_context(tx, called, priority, described, scope))


def _known(tx: Transaction, id: str, scope: Scope, config: Config, advice: str) -> Node:
    """The head of a memory that is valid and is not a turn. Raises ``NotCurrent``, ``CategoryNotAllowed``."""
    head = _allowed(views.current(tx, id, scope, tx.now), scope, config)
    if head.type not in KNOWLEDGE:
        raise NotCurrent(id=id, state="a turn of a conversation", advice=advice)
    return head


def _allowed(head: Node, scope: Scope, config: Config) -> Node:
    """The head, if the agent of the scope may use its category. Raises ``CategoryNotAllowed``."""
    config.check_category(scope.agent_id, head.category or head.type)
    return head


async def undo(runtime: Runtime, wanted: UndoSelection, trust: Trust, scope: Scope, *, dry_run: bool) -> UndoReport:
    """Undo changes. A dry run, or one that finds nothing to undo, is a transaction that is rolled back."""
    check_change("of a change", trust)

    def apply(tx: Transaction) -> UndoReport:
        report = changes.undo(tx, wanted, scope)
        if dry_run or report.change is None:
            raise _RolledBack(report)
        return report

    try:
        return await runtime.write(apply)
    except _RolledBack as tried:
        return replace(tried.report, dry_run=dry_run)


def _length(sources: Sequence[Node]) -> int:
    return sum(len(source.content) for source in sources)


class _RolledBack(Exception):
    """Carries the result of an undo out of its transaction, which is rolled back."""

    def __init__(self, report: UndoReport) -> None:
        super().__init__()
        self.report = report


def _check_version(head: Node, version: int | None) -> None:
    """Raise ``ChangedMeanwhile`` if the caller names a version and the memory has another one."""
    if version not in (None, head.version):
        raise ChangedMeanwhile(id=head.public_id, found=head.version, meant=version)
