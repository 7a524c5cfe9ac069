"""Check a model's proposals: those pass that are well worded and rest on existing turns; rejections are counted by
kind. Pure.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, get_args

from sandbox.extensions.memory.claims import Claim, predicate
from sandbox.extensions.memory.claims.moments import ends, first_moment
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.consolidate import constraints
from sandbox.extensions.memory.consolidate.answer_schema import Item, Learnt
from sandbox.extensions.memory.consolidate.extraction import (
    EXTRACTED,
    INFERRED,
    LONGEST,
    MOST_PER_TURN,
    EntityType,
    Extraction,
    Known,
    Manner,
    ProposedStatement,
    Replaced,
    Turn,
    importance,
)
from sandbox.extensions.memory.consolidate.imperatives import gives_order
from sandbox.extensions.memory.consolidate.mentions import different_names, is_name
from sandbox.extensions.memory.consolidate.model_claims import begins, claims_of, planned
from sandbox.extensions.memory.consolidate.support import (
    EXPRESSLY,
    FEW,
    MARGIN,
    MARGIN_OF_ORDERS,
    Doubtful,
    is_hearsay,
    other_words,
    says,
    support,
    unnamed,
    unsaid,
)
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.reports import AnswerQuality
from sandbox.extensions.memory.store.rows import INSIGHT
from sandbox.extensions.memory.text.names import Mention
from sandbox.extensions.memory.text.words import name_candidates, stemmed_name

STATED = 1.0  # confidence of the user's explicit words

_WORTH_KEEPING = 3  # the least importance of what a model chose: nobody puts it away for being unused
# memories that one statement may replace; a statement that replaces more is a wish to have things forgotten
_MOST_REPLACED = 3
_NOT_SUPPORTED = "not supported"
_DATE = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")
_YEARS = range(1900, 2200)
_MARK = re.compile(r"^\s*(?:[-*•]\s+)+")


class _Examined(NamedTuple):
    """An item of an answer, the turns that it cites, and the known facts that it changes or corrects, of which it may
    say again what still holds; its wording as it would be stored, and why it is refused, as a key for counts.
    """

    item: Item
    cited: list[Turn]
    restated: list[str]
    content: str
    refused: str | None


class Review:
    """Examines a model's answer about some turns. Afterwards ``quality`` says how many items it had and how many were
    right, ``counted`` what was wrong, by kind.
    """

    def __init__(self, learnt: Learnt, turns: Sequence[Turn], known: Known, config: Config) -> None:
        self.counted: Counter[str] = Counter()
        self.quality = AnswerQuality()
        self._learnt = learnt
        self._turns = turns
        self._known = known
        self._config = config
        self._said = "\n".join(turn.text for turn in turns)
        self._entities = {each.name: each for each in map(_entity, learnt.entities)}
        names = [turn.who for turn in turns] + [name for each in known.entities for name in (each.name, *each.aliases)]
        users = {turn.speaker for turn in turns if turn.role == "user" and turn.speaker}
        is_alone = len(users) < 2 and all(turn.is_to_assistant for turn in turns if turn.speaker)
        self._users = {known.user, *users} if is_alone else set()
        self._names = set(name_candidates("\n".join([self._said, known.project or "", *names]), longest=1))
        self._items = [self._examined(item) for item in learnt.items]

    def _examined(self, item: Item) -> _Examined:
        cited = [self._turns[number - 1] for number in dict.fromkeys(item.turns) if 0 < number <= len(self._turns)]
        facts = map(self._known.labelled, item.changes + item.corrects)
        restated = [fact.content for fact in facts if fact is not None]
        text, is_procedure = _clean(item.content), item.type == "procedural"
        faults = constraints.faults_of(text, cited, self._said, longest=LONGEST, is_procedure=is_procedure)
        if cited and self._tells_more(item.content, cited, restated):
            faults.insert(0, constraints.NOT_SAID)
        is_missing = not cited or len(cited) < len(set(item.turns))
        self.counted.update([constraints.NO_SUCH_TURN] * is_missing + faults)
        self.quality += AnswerQuality(1, not (is_missing or faults))
        kept = constraints.mended(text, faults, LONGEST) if faults else text
        refused = None if cited else constraints.NO_SUCH_TURN
        refused = "secret" if secrets.find(item.content) else refused or (faults[0] if kept is None else None)
        return _Examined(item, cited, restated, _ended(kept or ""), refused)

    def _tells_more(self, content: str, cited: Sequence[Turn], restated: Sequence[str]) -> bool:
        """Whether an item has figures, dates or names that its turns do not contain."""
        if unsaid(content, cited, restated):
            return True
        names = {*self._names, *name_candidates("\n".join(restated), longest=1)}
        return constraints.is_known_language(self._said) and bool(unnamed(content, names))

    def doubtful(self) -> list[Doubtful]:
        """Statements that share few words with their turns; perhaps only their meaning is supported."""
        return [
            Doubtful(
                each.item.content,
                other_words(each.item.content, each.cited),
                [part for turn in each.cited for part in (turn.text, *constraints.sentences(turn.text))],
                MARGIN_OF_ORDERS if each.item.category == "instruction" and _orders(each.cited) else MARGIN,
            )
            for each in self._items
            if each.refused is None and self._support(each, each.cited) < FEW
        ]

    def extraction(self, by: str, near: Collection[str] | None = None) -> Extraction:
        """The accepted part of the answer: cut where that helps, at most ``MOST_PER_TURN`` items a turn, the most
        important first. A doubtful item needs to be in ``near``; if that is None, it needs a common word.
        """
        skipped: Counter[str] = Counter()
        taken: list[ProposedStatement] = []
        for each in self._items:
            if reason := each.refused or ("" if self._is_supported(each, near) else _NOT_SUPPORTED):
                skipped[reason] += 1
            else:
                taken.append(self._proposal(each))
        self.counted[_NOT_SUPPORTED] += skipped[_NOT_SUPPORTED]
        proposals = self._fewest(taken)
        if len(taken) > len(proposals):
            skipped["too many of a turn"] = len(taken) - len(proposals)
        return Extraction(
            by,
            tuple(proposals),
            skipped=dict(+skipped),
            summary=self._summary(self._learnt.summary),
            different_names=different_names(self._turns),
        )

    def _support(self, each: _Examined, cited: Sequence[Turn]) -> float:
        names = [name for entity in self._entities.values() for name in (entity.name, *entity.aliases)]
        return support(each.item.content, cited, [self._known.project or "", *names, *each.restated])

    def _is_supported(self, each: _Examined, near: Collection[str] | None) -> bool:
        people = [entity.name for entity in self._entities.values() if entity.type == "person"]
        if is_hearsay(each.item.content, each.cited, people):
            return False
        share = self._support(each, each.cited)
        if near is None or each.restated:  # a change is told in other words: *back at mum's*
            return share > 0
        return share >= FEW or each.item.content in near

    def _proposal(self, each: _Examined) -> ProposedStatement:
        item, cited, content = each.item, each.cited, each.content
        claims = claims_of(item.claims, content, self._users)
        told, said = _told(item.event_date), f"{cited[0].at:%Y-%m-%d}"
        last = _told(None if begins(claims, item.end_date) else item.end_date or planned(claims, told, said))
        until = ends(f"../{last}") if last else None
        is_known = item.category in offered(self._config.categories)
        place = (item.because or 0) - 1
        reason = self._items[place] if 0 <= place < len(self._items) else each
        has_reason = reason.item.content != item.content and reason.refused is None
        return ProposedStatement(
            content=content,
            sources=tuple(turn.id for turn in cited),
            type=item.type,
            category=item.category if is_known and not _is_nobodys_order(item, cited) else "fact",
            subject=self._subject(item),
            importance=max(importance(claims), _WORTH_KEEPING),
            confidence=self._confidence(each, claims),
            told=told,
            until=until if until and until > cited[0].at else None,
            mentions=tuple(self._mentions(f"{content}\n{item.subject or ''}")),
            replaces=tuple(self._replaces(item)),
            claims=claims,
            because=reason.content if has_reason else None,
        )

    def _subject(self, item: Item) -> str | None:
        """The subject, if it is a named entity; the user and the assistant need no entity."""
        name = _clean(item.subject or "").rstrip(".")
        return name if self._is_named(name) and not constraints.is_nobody(name) else None

    def _confidence(self, each: _Examined, claims: Sequence[Claim]) -> float:
        """1 for the user's own words; less for a statement from a conversation, and least for a conclusion or a
        paraphrase. Somebody else's letter must not rename the user, so what the profile shows is a conclusion if
        perhaps only somebody else's words say it.
        """
        users = [turn for turn in each.cited if turn.role == "user"]
        own = [turn._replace(text=turn.own_words) for turn in users]
        if (own and _is_nobodys_order(each.item, each.cited)) or not self._support(each, each.cited):
            return INFERRED
        is_for_profile = any(predicate(claim.predicate).profile for claim in claims)
        if is_for_profile and users != own and not self._support(each, own):
            return INFERRED
        if each.item.basis == "inferred":
            return EXTRACTED if any(says(turn, each.item.content) for turn in own) else INFERRED
        return STATED if own and self._support(each, own) >= EXPRESSLY else EXTRACTED

    def _mentions(self, content: str) -> Iterable[Mention]:
        """The entities that a statement names, each with those of its other names that were said."""
        there = set(name_candidates(content))
        for each in self._entities.values():
            names = [_clean(name) for name in (each.name, *each.aliases) if self._is_named(name)]
            if not there.isdisjoint(map(stemmed_name, names)):
                yield Mention(names[0], each.type, tuple(dict.fromkeys(names[1:])))

    def _is_named(self, name: str) -> bool:
        """Whether a name was said, and is more than a function word ("But")."""
        is_said = bool(name.strip()) and self._names.issuperset(stemmed_name(name).split())
        return is_said and is_name(name) and not secrets.find(name)

    def _replaces(self, item: Item) -> list[Replaced]:
        wanted: list[tuple[Manner, str]] = [("change", label) for label in item.changes]
        wanted += [("correction", label) for label in item.corrects]
        found = {
            fact.id: Replaced(manner, id=fact.id) for manner, label in wanted if (fact := self._known.labelled(label))
        }
        return list(found.values()) if len(found) <= _MOST_REPLACED else []

    def _fewest(self, proposals: Sequence[ProposedStatement]) -> list[ProposedStatement]:
        """The allowed number of proposals per turn; each counts for its last turn."""
        left = Counter({turn.id: MOST_PER_TURN for turn in self._turns})
        kept = set()
        for place in sorted(range(len(proposals)), key=lambda place: -proposals[place].importance):
            turn = proposals[place].sources[-1]
            if left[turn]:
                left[turn] -= 1
                kept.add(place)
        return [proposals[place] for place in sorted(kept)]

    def _summary(self, text: str) -> str | None:
        """The summary, cut to its length; empty if nothing that was said supports it."""
        summary = _clean(text)
        is_foreign = constraints.is_other_language(summary, self._said, self._said)
        if not summary or secrets.find(summary) or is_foreign or not support(summary, self._turns):
            return None
        return constraints.shortened(summary, LONGEST)


def offered(categories: Iterable[str]) -> tuple[str, ...]:
    """The categories for statements from conversations; those of the night have one of their own."""
    return tuple(category for category in categories if category != INSIGHT)


def _entity(row: Sequence[str]) -> Mention:
    """An entity of an answer; one of an unknown type is a concept."""
    kind = next(iter(row[1:]), "").lower()
    return Mention(row[0], kind if kind in get_args(EntityType) else "concept", tuple(row[2:]))


def _told(text: str | None) -> str | None:
    """The ISO 8601 date, year or month with which a text begins; None if there is none."""
    found = _DATE.match((text or "").strip())
    return found[0] if found and int(found[1]) in _YEARS and first_moment(found[0]) else None


def _is_nobodys_order(item: Item, cited: Sequence[Turn]) -> bool:
    """Whether an item is called an instruction, although the user gave none in its turns, in their own words."""
    return item.category == "instruction" and not _orders(cited)


def _orders(cited: Sequence[Turn]) -> bool:
    return any(turn.role == "user" and gives_order(turn.own_words) for turn in cited)


def _clean(text: str) -> str:
    """One line, without the mark of a list."""
    return " ".join(_MARK.sub("", text).split())


def _ended(text: str) -> str:
    return f"{text}." if text[-1:].isalnum() else text
