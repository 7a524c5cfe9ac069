"""The draft of one session: every step adds to the draft, and the last step writes everything at once.

Each step has the name that the design document gives to a tool of its writing agent. The draft names episodes by id, so
that turns that arrive meanwhile are read later.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from sandbox.extensions.memory.authority import is_users_word
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
from sandbox.extensions.memory.consolidate.known import is_about_same, names_other, people
from sandbox.extensions.memory.consolidate.own_words import doubtful_too, shown
from sandbox.extensions.memory.consolidate.related_candidates import StatementNeighbours
from sandbox.extensions.memory.consolidate.sources import told_by, worded_by
from sandbox.extensions.memory.consolidate.statements import draft_of
from sandbox.extensions.memory.consolidate.told_changes import ToldChanges
from sandbox.extensions.memory.errors import MemoryExtensionError, SecretRefused
from sandbox.extensions.memory.ingest.conflict_resolution import may_be_same_subject
from sandbox.extensions.memory.model import AMONG_PEOPLE, NOTES, Role
from sandbox.extensions.memory.parse.changes import ReportedChange
from sandbox.extensions.memory.reports import AnswerQuality, Spent
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import entities, nodes, sessions
from sandbox.extensions.memory.store.rows import RULES, Node
from sandbox.extensions.memory.store.sessions import ReadingFailure, Session
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.store.sqlite.writer import Writing
from sandbox.extensions.memory.text.names import Mention
from sandbox.extensions.memory.text.pasted_marks import without_headings
from sandbox.extensions.memory.text.words import name_key
from sandbox.extensions.memory.times import to_ms
from sandbox.support.characters import composed
from sandbox.support.times import from_ms, in_zone

_CHUNK = 30  # turns in one reading


class SessionDraft(SessionReading):
    """Reads a session, and makes statements of what its readers find."""

    def __init__(self, runtime: Runtime, session: Session, by: str) -> None:
        super().__init__(session, by)
        self.skipped: Counter[str] = Counter()
        self._runtime = runtime
        self._read: dict[str, Turn] = {}  # the turns as readers see them
        self._own: frozenset[str] = frozenset()  # the user's name, if it is clear
        self._mentions: dict[Mention, dict[int, int]] = {}  # the turns that mention an entity, with their times
        self._cited: list[tuple[int, str, Manner]] = []  # (index of a statement, known memory, manner)
        self.changes: list[tuple[str, ReportedChange]] = []  # turns that may report a change of a known fact
        self.corrects: dict[str, str] = {}  # contents of statements, with what an earlier turn told wrongly
        self.before: list[Node] = []  # the turns right before those that are read
        self._people: Mapping[str, str] = {}  # the names of people told of before, with their relations

    @property
    def is_reread(self) -> bool:
        """Whether a model reads again, from the beginning, what only rules have read."""
        return self.session.read_by == RULES != self.by

    def is_session_consolidated(self) -> bool:
        """Whether this reader has nothing to read."""
        return self.session.read_to >= self.session.last and not self.is_reread

    async def get_session_episodes(self) -> list[list[Turn]]:
        """The new turns in chunks, as a model is shown them."""
        await self.look()
        read = doubtful_too([turn_of(node) for node in (*self.before, *self.turns.values())])[len(self.before) :]
        self._read, turns = {turn.id: turn for turn in read}, shown(read)
        return [turns[start : start + _CHUNK] for start in range(0, len(turns), _CHUNK)]

    async def read_by_rules(self) -> list[Extraction]:
        """What rules find in the new turns, by chunk, after a look. Raises like ``rules_process.read_session``."""
        said, before = list(map(turn_of, self.turns.values())), list(map(turn_of, self.before))
        own, found = await rules_process.read_session(said, before, _CHUNK, self._people)
        self._read = {turn.id: turn for turn in own}
        return found

    async def look(self) -> None:
        """Look up the new turns, those right before them, and the names of people told of so far."""
        found, self.before, self._people = await self._runtime.store.read(self._look)
        self.turns = {node.public_id: node for node in found}
        own = (node for node in found if is_users_word(node.trust) and node.source not in AMONG_PEOPLE)
        speakers = frozenset(node.speaker for node in own if node.speaker)
        self._own = speakers if len(speakers) == 1 else frozenset()

    def _look(self, snapshot: Snapshot) -> tuple[list[Node], list[Node], dict[str, str]]:
        after = 0 if self.is_reread else self.session.read_to
        before = sessions.preceding(snapshot, self.session, after, BEFORE) if after else []
        told_of = people(snapshot, self.session.scope, self._runtime.now_ms())
        return sessions.unread(snapshot, self.session, after), before, told_of

    def save_nodes_batch(self, extraction: Extraction) -> None:
        """Add the result of reading one chunk to the draft."""
        self.charge(extraction.spent, extraction.faults, extraction.quality)
        self.skipped.update(extraction.skipped)
        if extraction.summary:
            self.summaries.append(extraction.summary)
        wrong = set(extraction.corrects.values())
        self.statements = [each for each in self.statements if each.draft.content not in wrong]
        placed = {each.content: place for each in extraction.proposals if (place := self.add(each)) is not None}
        for each in extraction.proposals:
            if each.because in placed and each.content in placed:
                reason, place = self.statements[placed[each.because]], placed[each.content]
                self.statements[place] = replace(self.statements[place], because=reason.draft.fingerprint)
        self.changes += extraction.changes
        self.corrects |= extraction.corrects

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
        for place, known, manner in await self._runtime.store.read(heads):
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
        """Resolve what the turns change of what was told before (``told_changes.py``)."""
        await ToldChanges(self, self._runtime.now_ms()).resolve(self._runtime.store)

    def resolve(self, place: int, known: int, verdict: Judgement) -> None:
        """Note what the statement at an index is to a known memory."""
        statement = self.statements[place]
        if verdict == "same":
            self.statements[place] = replace(statement, same=known)
        elif verdict == "different":
            self.statements[place] = replace(statement, different=(*statement.different, known))
        else:
            self.statements[place] = replace(statement, replaces={**statement.replaces, known: verdict})

    async def mark_session_consolidated(
        self, near: StatementNeighbours | None, failure: ReadingFailure
    ) -> Applied | None:
        """Store everything and move the watermark; None if another process was faster. ``near`` are the neighbours of
        the statements; ``failure`` is that of the intended reader.
        """
        return await self._runtime.store.write_in_steps(self._writes(near, failure))

    def _writes(self, near: StatementNeighbours | None, failure: ReadingFailure) -> Writing[Applied | None]:
        """Link turns with the entities they mention, and earlier ones with new names, before the watermark moves."""
        if self._mentions:
            for name in (yield partial(link_turns, reading=self, mentions=self._mentions)):
                yield partial(entities.link_earlier, name=name, scope=self.session.scope)
        applied: Applied | None = yield partial(apply, reading=self, near=near, failure=failure)
        return applied

    def add(self, proposal: ProposedStatement) -> int | None:
        """The index of the statement that a proposal makes, if it makes one."""
        sources = tuple(self.turns[each] for each in dict.fromkeys(proposal.sources) if each in self.turns)
        if not sources:
            self.skipped["rests on no turn"] += 1
            return None
        if self.by != RULES:
            sources += worded_by(proposal, sources, self.turns, self._read)
        try:
            weighed = told_by(proposal, sources, self.turns, self._read)
            config, now = self._runtime.config, self._runtime.now_ms()
            draft = draft_of(proposal, self.by, weighed, self.session.scope, now, config, self._own)
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
    is_to_assistant = not is_note and node.source not in AMONG_PEOPLE
    return Turn(node.public_id, role, text, in_zone(from_ms(node.event_time)), node.speaker, is_to_assistant)
