"""The draft of one session: every step adds to the draft, and the last step writes everything at once.

Each step has the name that the design document gives to a tool of its writing agent. The draft names episodes by id, so
that turns that arrive meanwhile are read later.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from math import inf

from sandbox.extensions.memory.authority import is_users_word
from sandbox.extensions.memory.claims import USER, predicate
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.consolidate import rules_process
from sandbox.extensions.memory.consolidate.apply import Applied, LearntStatement, SessionReading, apply, link_turns
from sandbox.extensions.memory.consolidate.extraction import (
    BEFORE,
    Extraction,
    Judgement,
    Manner,
    ProposedStatement,
    Turn,
)
from sandbox.extensions.memory.consolidate.known import changeable, is_about_same, names_other, naming
from sandbox.extensions.memory.consolidate.own_words import own_words, shown
from sandbox.extensions.memory.consolidate.related_candidates import StatementNeighbours
from sandbox.extensions.memory.consolidate.sources import told_by, worded_by
from sandbox.extensions.memory.consolidate.statements import draft_of
from sandbox.extensions.memory.errors import MemoryExtensionError, SecretRefused
from sandbox.extensions.memory.ingest.conflict_resolution import may_be_same_subject
from sandbox.extensions.memory.model import NOTES, Role
from sandbox.extensions.memory.parse.changes import ReportedChange
from sandbox.extensions.memory.parse.language import language_of
from sandbox.extensions.memory.parse.outdated import Restated, Told, changed, name_of, out_of_date, reported
from sandbox.extensions.memory.reports import AnswerQuality, Spent
from sandbox.extensions.memory.store import graph, linking, nodes, sessions
from sandbox.extensions.memory.store.claims import speakers_of
from sandbox.extensions.memory.store.rows import RULES, Node
from sandbox.extensions.memory.store.sessions import ReadingFailure, Session
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.text.names import Mention
from sandbox.extensions.memory.text.pasted_marks import without_headings
from sandbox.extensions.memory.text.words import name_key, terms
from sandbox.extensions.memory.times import to_ms
from sandbox.support.characters import composed
from sandbox.support.times import from_ms, in_zone

_CHUNK = 30  # turns in one reading


class SessionDraft(SessionReading):
    """Reads a session, and makes statements of what its readers find."""

    def __init__(self, store: Store, session: Session, by: str, config: Config, now: Callable[[], int]) -> None:
        super().__init__(session, by)
        self.skipped: Counter[str] = Counter()
        self._store = store
        self._config = config
        self._now = now
        self._read: dict[str, Turn] = {}  # the turns as readers see them
        self._own: frozenset[str] = frozenset()  # the user's name, if it is clear
        self._mentions: dict[Mention, dict[int, int]] = {}  # the turns that mention an entity, with their times
        self._cited: list[tuple[int, str, Manner]] = []  # (index of a statement, known memory, manner)
        self._changes: list[tuple[str, ReportedChange]] = []  # turns that may report a change of a known fact
        self._corrects: dict[str, str] = {}  # contents of statements, with what an earlier turn told wrongly
        self._before: list[Node] = []  # the turns right before those that are read

    @property
    def is_reread(self) -> bool:
        """Whether a model reads again, from the beginning, what only rules have read."""
        return self.session.read_by == RULES != self.by

    def is_session_consolidated(self) -> bool:
        """Whether this reader has nothing to read."""
        return self.session.read_to >= self.session.last and not self.is_reread

    async def get_session_episodes(self) -> list[list[Turn]]:
        """The new turns in chunks, as a model is shown them. A turn is reduced to its speaker's own words: no reader
        sees pasted text. A model sees what is played, because it can tell where a part ends.
        """
        said, before = await self._unread()
        own = own_words((*before, *said), played=True)[len(before) :]
        self._read, turns = {turn.id: turn for turn in own}, shown(own)
        return [turns[start : start + _CHUNK] for start in range(0, len(turns), _CHUNK)]

    async def read_by_rules(self, known: Mapping[str, str]) -> list[Extraction]:
        """What rules find in the new turns, by chunk; ``known`` are names of people told of before. Raises like
        ``rules_process.read_session``.
        """
        said, before = await self._unread()
        own, found = await rules_process.read_session(said, before, _CHUNK, known)
        self._read = {turn.id: turn for turn in own}
        return found

    async def _unread(self) -> tuple[list[Turn], list[Turn]]:
        """The new turns as they were said, and those right before them."""
        after = 0 if self.is_reread else self.session.read_to

        def unread(snapshot: Snapshot) -> tuple[list[Node], list[Node]]:
            before = sessions.preceding(snapshot, self.session, after, BEFORE) if after else []
            return sessions.unread(snapshot, self.session, after), before

        found, before = await self._store.read(unread)
        self.turns, self._before = {node.public_id: node for node in found}, before
        speakers = frozenset(node.speaker for node in found if is_users_word(node.trust) and node.speaker)
        self._own = speakers if len(speakers) == 1 else frozenset()
        return [turn_of(node) for node in found], [turn_of(node) for node in before]

    def save_nodes_batch(self, extraction: Extraction) -> None:
        """Add the result of reading one chunk to the draft."""
        self.charge(extraction.spent, extraction.faults, extraction.quality)
        self.skipped.update(extraction.skipped)
        if extraction.summary:
            self.summaries.append(extraction.summary)
        wrong = set(extraction.corrects.values())
        self.statements = [each for each in self.statements if each.draft.content not in wrong]
        placed = {each.content: place for each in extraction.proposals if (place := self._add(each)) is not None}
        for each in extraction.proposals:
            if each.because in placed and each.content in placed:
                reason, place = self.statements[placed[each.because]], placed[each.content]
                self.statements[place] = replace(self.statements[place], because=reason.draft.fingerprint)
        self._changes += extraction.changes
        self._corrects |= extraction.corrects

    def charge(self, spent: Spent, faults: Mapping[str, int], quality: AnswerQuality | None = None) -> None:
        """Count the questions to a model, and the faults in its answers."""
        self.spent += spent
        self.faults.update(faults)
        self.quality += quality or AnswerQuality()

    def extract_and_link_entities(self, extraction: Extraction) -> None:
        """Add which turns mention which entities, and which names mean different entities."""
        said = (turn for turn in self.turns.values() if extraction.different_names and is_users_word(turn.trust))
        spoken = [name_key(turn.content) for turn in said]
        self.different_names += [
            pair
            for pair in extraction.different_names
            if any(all(name_key(each) in said for each in pair) for said in spoken)
        ]
        for public_id, mentions in extraction.mentions.items():
            if (turn := self.turns.get(public_id)) is None:
                continue
            for mention in filter(lambda each: each.name.strip(), mentions):
                self._mentions.setdefault(mention.trusted_as(turn.trust), {})[turn.id] = turn.event_time

    async def resolve_cited(self) -> list[tuple[int, Node]]:
        """Handle the known memories that statements say they change or correct. A memory plainly about the same subject
        is replaced; a doubtful one is returned, with the index of the statement, to be judged.
        """

        def heads(snapshot: Snapshot) -> list[tuple[int, Node, Manner]]:
            scope = self.session.scope
            found = [(place, nodes.versions(snapshot, name, scope), manner) for place, name, manner in self._cited]
            return [(place, versions[0], manner) for place, versions, manner in found if versions]

        doubtful = []
        for place, known, manner in await self._store.read(heads):
            draft = self.statements[place].draft
            is_same = may_be_same_subject(draft, known)
            if not is_same and not names_other(draft, known):
                self.skipped["replaces what is about another"] += 1
            elif is_same and is_about_same(draft, known):
                self.resolve(place, known.id, manner)
            else:
                doubtful.append((place, known))
        return doubtful

    async def resolve_changes(self) -> None:
        """Make statements of turns that report a change of a known fact, or of one that was said before in the
        session. What is said of *the user's mum* is about Carmen, if that is her name.
        """
        about_others = {
            claim.subject: each.draft.content
            for each in self.statements
            for claim in each.draft.claims
            if claim.subject != USER
        }
        for place, node_id in await self._store.read(self._wrong) if self._corrects else ():
            self.resolve(place, node_id, "correction")
        if not self._changes and not about_others:
            return
        known, names = await self._store.read(partial(self._changeable, about_others=about_others))
        order = {public_id: place for place, public_id in enumerate(self.turns)}
        for turn, change in self._changes:
            known = self._resolve_change(change, turn, known, order)
            await asyncio.sleep(0)  # each takes milliseconds in a long session, and others wait for the loop
        for at, statement in enumerate(self.statements):
            draft = statement.draft
            named = tuple(replace(claim, subject=names.get(claim.subject, claim.subject)) for claim in draft.claims)
            self.statements[at] = replace(statement, draft=draft._replace(claims=named))

    def _told_before(self, snapshot: Snapshot) -> dict[int, int]:
        """The ids of memories that rest on turns right before those that are read, and how many turns before."""
        ago = {turn.id: turns for turns, turn in enumerate(reversed(self._before), 1)}
        return {node: ago[turn] for turn, node in graph.sources(snapshot, ago, "derived_from")}

    def _wrong(self, snapshot: Snapshot) -> list[tuple[int, int]]:
        """The indices of statements, each with the id of the memory of an earlier turn that it corrects."""
        told = nodes.by_ids(snapshot, self._told_before(snapshot)).values()
        return [
            (place, node.id)
            for place, each in enumerate(self.statements)
            for node in told
            if node.content == self._corrects.get(each.draft.content)
        ]

    def _changeable(
        self, snapshot: Snapshot, about_others: Mapping[str, str]
    ) -> tuple[list[tuple[Node, Told]], dict[str, str]]:
        """The known memories that may have changed, and the names of the relatives among those whom statements are
        about (``about_others``: a statement by its subject). A memory of Carmen alone comes a second time, as one of
        *the user's mum*.
        """
        for _, change in self._changes:
            language_of(change.code)  # the first reading of a language takes most of a second: here, in a thread
        scope, now = self.session.scope, self._now()
        in_doubt = changeable(snapshot, scope, now) if self._changes else ()
        speakers = {turn.speaker for turn in self.turns.values() if turn.role == "user" and turn.speaker}
        said_by = speakers_of(snapshot, [node.id for node, _ in in_doubt] if speakers else ())
        ago = self._told_before(snapshot)
        known = [
            (node, Told(node.content, claims, ago.get(node.id, inf), said_by[node.id])) for node, claims in in_doubt
        ]
        of_people = naming(snapshot, scope, now) if about_others else ()
        named = [Told(node.content, claims) for node, claims in of_people]
        found = {relative: name_of(relative, content, named, speakers) for relative, content in about_others.items()}
        names = {relative: name for relative, name in found.items() if name}
        for relative, name in names.items():
            known += [
                (node, each._replace(claims=tuple(replace(claim, subject=relative) for claim in each.claims)))
                for node, each in known
                if all(claim.subject == name for claim in each.claims)
            ]
        return known, names

    def _resolve_change(
        self, change: ReportedChange, turn: str, known: list[tuple[Node, Told]], order: Mapping[str, int]
    ) -> list[tuple[Node, Told]]:
        """Put the statement of a turn in place of all that its change puts out of date: known memories and earlier
        statements of the session. Return the known memories that are left. ``order`` is that of the turns.
        """
        ago = [order[turn] - order[each.sources[0].public_id] for each in self.statements]
        earlier = [at for at, turns in enumerate(ago) if turns > 0]
        told = [each._replace(ago=each.ago + order[turn]) for _, each in known]
        for statement, turns in ((self.statements[place], ago[place]) for place in earlier):
            said_by = frozenset(each.speaker for each in statement.sources if each.role == "user" and each.speaker)
            told.append(Told(statement.draft.content, statement.draft.claims, turns, said_by))
        restated = changed(change, told)
        outdated = {*out_of_date(change, told), *(() if restated is None else (restated.place,))}
        if not outdated:
            return known
        over = {node.id: node for place, (node, _) in enumerate(known) if place in outdated}
        unsaid = {at for place, at in enumerate(earlier, len(known)) if place in outdated}
        at = self._said(change, turn) if restated is None else None
        at = self._restate(restated or reported(change), turn, over.values()) if at is None else at
        if at is not None:
            for node_id in (*over, *chain.from_iterable(self.statements[at].replaces for at in unsaid)):
                self.resolve(at, node_id, "change")
        self.statements = [each for at, each in enumerate(self.statements) if at not in unsaid]
        return [each for place, each in enumerate(known) if place not in outdated]

    def _restate(self, restated: Restated, turn: str, over: Iterable[Node]) -> int | None:
        """The index of the statement that a turn makes in place of memories that are ``over``, if it makes one. It is
        stored where they are.
        """
        same = (at for at, each in enumerate(self.statements) if each.draft.content == restated.content)
        if (at := next(same, None)) is not None:
            return at
        main = restated.claims[0]
        place = self._add(
            ProposedStatement(
                restated.content,
                (turn,),
                category=predicate(main.predicate).category,
                subject=main.subject or self.turns[turn].speaker or "The user",
                told=restated.told,
                until=restated.until,
                claims=restated.claims,
            )
        )
        homes = {(node.visibility, node.project_id) for node in over}
        if place is not None and len(homes) == 1:
            (visibility, project), draft = homes.pop(), self.statements[place].draft
            draft = draft._replace(scope=replace(draft.scope, visibility=visibility, project_id=project))
            self.statements[place] = replace(self.statements[place], draft=draft)
        return place

    def _said(self, change: ReportedChange, turn: str) -> int | None:
        """The index of the statement of a turn that tells a change: the one has died, or it denies what is over. A
        report would say the same again.
        """
        for at, each in enumerate(self.statements):
            claims = each.draft.claims if turn in (source.public_id for source in each.sources) else ()
            dead = [claim.subject for claim in claims if "parted" in change.tells and claim.predicate == "death"]
            denied = [claim.value for claim in claims if not claim.is_affirmed]
            if any(not change.terms.isdisjoint(terms(told)) for told in (*dead, *denied)):
                return at
        return None

    def resolve(self, place: int, known: int, verdict: Judgement) -> None:
        """Note what the statement at an index is to a known memory."""
        statement = self.statements[place]
        if verdict == "same":
            self.statements[place] = replace(statement, same=known)
        elif verdict == "different":
            self.statements[place] = replace(statement, different=(*statement.different, known))
        else:
            self.statements[place] = replace(statement, replaces={**statement.replaces, known: verdict})

    async def link_turns(self) -> None:
        """Link turns with the entities they mention, and earlier ones with new names, before the watermark moves. Each
        name has a write of its own, because turns of a conversation wait for it.
        """
        if not self._mentions:
            return
        await self._store.write(partial(link_turns, reading=self, mentions=self._mentions), low_priority=True)
        read = [turn.id for turn in self.turns.values()]
        for name in await self._store.read(lambda snapshot: linking.taught(snapshot, read)):
            await self._store.write(
                partial(linking.link_earlier, name=name, scope=self.session.scope), low_priority=True
            )

    async def mark_session_consolidated(
        self, near: StatementNeighbours | None, failure: ReadingFailure
    ) -> Applied | None:
        """Store everything and move the watermark, in one transaction; None if another process was faster. ``near`` are
        the neighbours of the statements; ``failure`` is that of the intended reader.
        """
        return await self._store.write(lambda tx: apply(tx, self, near, failure), low_priority=True)

    def _add(self, proposal: ProposedStatement) -> int | None:
        """The index of the statement that a proposal makes, if it makes one."""
        sources = tuple(self.turns[each] for each in dict.fromkeys(proposal.sources) if each in self.turns)
        if not sources:
            self.skipped["rests on no turn"] += 1
            return None
        if self.by != RULES:
            sources += worded_by(proposal, sources, self.turns, self._read)
        try:
            weighed = told_by(proposal, sources, self.turns, self._read)
            draft = draft_of(proposal, self.by, weighed, self.session.scope, self._now(), self._config, self._own)
        except MemoryExtensionError as error:
            self.skipped["secret" if isinstance(error, SecretRefused) else "invalid"] += 1
            return None
        until = None if proposal.until is None else to_ms(proposal.until)
        place = len(self.statements)
        self._cited += [(place, each.id, each.manner) for each in proposal.replaces]
        mentions = tuple(each.trusted_as(draft.trust) for each in proposal.mentions)
        self.statements.append(LearntStatement(draft, sources, mentions, until))
        return place


def turn_of(node: Node) -> Turn:
    """An episode as learning reads it. The headings of a person's own notes mark no pasted text."""
    role: Role = "assistant" if node.role == "assistant" else "user"
    is_note = node.source == NOTES and is_users_word(node.trust)
    text = composed(without_headings(node.content) if is_note else node.content)
    return Turn(node.public_id, role, text, in_zone(from_ms(node.event_time)), node.speaker, is_note)
