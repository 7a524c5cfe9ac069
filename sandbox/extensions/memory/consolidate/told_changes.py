"""Resolve what the turns of a session change: known memories and earlier statements of the session that are corrected,
over, or at another time.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from math import inf
from typing import TYPE_CHECKING

from sandbox.extensions.memory.claims import USER, predicate
from sandbox.extensions.memory.consolidate.extraction import ProposedStatement
from sandbox.extensions.memory.consolidate.known import changeable, naming
from sandbox.extensions.memory.parse.changes import ReportedChange
from sandbox.extensions.memory.parse.language import language_of
from sandbox.extensions.memory.parse.outdated import Restated, Told, changed, out_of_date, reported
from sandbox.extensions.memory.parse.reader import code_of
from sandbox.extensions.memory.parse.relatives import name_of
from sandbox.extensions.memory.store import graph, nodes
from sandbox.extensions.memory.store.claims import speakers_of
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.text.words import terms

if TYPE_CHECKING:
    from sandbox.extensions.memory.consolidate.draft import SessionDraft

_COMMON = 10  # memories of a user; a term that so many have says little of what a sentence is about


@dataclass(frozen=True, slots=True)
class ToldChanges:
    """What the turns of a draft change."""

    draft: "SessionDraft"
    now: int

    async def resolve(self, store: Store) -> None:
        """Put corrections in place of what they put right, and make statements of turns that report a change of a known
        fact, or of one that was said before in the session. What is said of *the user's mum* is about Carmen, if that
        is her name.
        """
        about_others = {
            claim.subject: each.draft.content
            for each in self.draft.statements
            for claim in each.draft.claims
            if claim.subject != USER
        }
        for place, node_id in await store.read(self._wrong) if self.draft.corrects else ():
            self.draft.resolve(place, node_id, "correction")
        if not self.draft.changes and not about_others:
            return
        known, names = await store.read(partial(self._changeable, about_others=about_others))
        order = {public_id: place for place, public_id in enumerate(self.draft.turns)}
        for turn, change in self.draft.changes:
            known = self._resolve_change(change, turn, known, order)
            await asyncio.sleep(0)  # each takes milliseconds in a long session, and others wait for the loop
        for at, statement in enumerate(self.draft.statements):
            draft = statement.draft
            named = tuple(replace(claim, subject=names.get(claim.subject, claim.subject)) for claim in draft.claims)
            self.draft.statements[at] = replace(statement, draft=draft._replace(claims=named))

    def _told_before(self, snapshot: Snapshot) -> dict[int, int]:
        """The ids of memories that rest on turns right before those that are read, and how many turns before."""
        ago = {turn.id: turns for turns, turn in enumerate(reversed(self.draft.before), 1)}
        return {node: ago[turn] for turn, node in graph.sources(snapshot, ago, "derived_from")}

    def _wrong(self, snapshot: Snapshot) -> list[tuple[int, int]]:
        """The indices of statements, each with the id of the memory of an earlier turn that it corrects."""
        told = nodes.by_ids(snapshot, self._told_before(snapshot)).values()
        return [
            (place, node.id)
            for place, each in enumerate(self.draft.statements)
            for node in told
            if node.content == self.draft.corrects.get(each.draft.content)
        ]

    def _changeable(
        self, snapshot: Snapshot, about_others: Mapping[str, str]
    ) -> tuple[list[tuple[Node, Told]], dict[str, str]]:
        """The known memories that may have changed, and the names of the relatives among those whom statements are
        about (``about_others``: a statement by its subject). A memory of Carmen alone comes a second time, as one of
        *the user's mum*.
        """
        for _, change in self.draft.changes:
            language_of(change.code)  # the first reading of a language takes most of a second: here, in a thread
        scope, now = self.draft.session.scope, self.now
        in_doubt = changeable(snapshot, scope, now) if self.draft.changes else ()
        speakers = {turn.speaker for turn in self.draft.turns.values() if turn.role == "user" and turn.speaker}
        said_by = speakers_of(snapshot, [node.id for node, _ in in_doubt] if speakers else ())
        ago = self._told_before(snapshot)
        asked = chain.from_iterable(change.terms for _, change in self.draft.changes)
        common = nodes.common(snapshot, asked, scope.user_id, _COMMON)
        known = [
            (node, Told(node.content, claims, ago.get(node.id, inf), said_by[node.id], common))
            for node, claims in in_doubt
        ]
        named = {node.content: claims for node, claims in naming(snapshot, scope, now)} if about_others else {}
        found = {
            relative: name_of(relative, named, speakers, language_of(code_of(content)))
            for relative, content in about_others.items()
        }
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
        ago = [order[turn] - order[each.sources[0].public_id] for each in self.draft.statements]
        earlier = [at for at, turns in enumerate(ago) if turns > 0]
        told = [each if each.ago == inf else each._replace(ago=each.ago + order[turn]) for _, each in known]
        for statement, turns in ((self.draft.statements[place], ago[place]) for place in earlier):
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
            for node_id in (*over, *chain.from_iterable(self.draft.statements[at].replaces for at in unsaid)):
                self.draft.resolve(at, node_id, "change")
        self.draft.statements = [each for at, each in enumerate(self.draft.statements) if at not in unsaid]
        return [each for place, each in enumerate(known) if place not in outdated]

    def _restate(self, restated: Restated, turn: str, over: Iterable[Node]) -> int | None:
        """The index of the statement that a turn makes in place of memories that are ``over``, if it makes one. It is
        stored where they are.
        """
        same = (at for at, each in enumerate(self.draft.statements) if each.draft.content == restated.content)
        if (at := next(same, None)) is not None:
            return at
        main = restated.claims[0]
        place = self.draft.add(
            ProposedStatement(
                restated.content,
                (turn,),
                category=predicate(main.predicate).category,
                subject=main.subject or self.draft.turns[turn].speaker or "The user",
                told=restated.told,
                until=restated.until,
                claims=restated.claims,
            )
        )
        homes = {(node.visibility, node.project_id) for node in over}
        if place is not None and len(homes) == 1:
            (visibility, project), draft = homes.pop(), self.draft.statements[place].draft
            draft = draft._replace(scope=replace(draft.scope, visibility=visibility, project_id=project))
            self.draft.statements[place] = replace(self.draft.statements[place], draft=draft)
        return place

    def _said(self, change: ReportedChange, turn: str) -> int | None:
        """The index of the statement of a turn that tells a change: the one has died, it denies what is over, or names
        the tool that is used instead. A report would say the same again.
        """
        for at, each in enumerate(self.draft.statements):
            claims = each.draft.claims if turn in (source.public_id for source in each.sources) else ()
            dead = [claim.subject for claim in claims if "parted" in change.tells and claim.predicate == "death"]
            denied = [claim.value for claim in claims if not claim.is_affirmed]
            is_instead = any(claim.value.lower() in change.tools for claim in claims)
            if is_instead or any(not change.terms.isdisjoint(terms(told)) for told in (*dead, *denied)):
                return at
        return None
