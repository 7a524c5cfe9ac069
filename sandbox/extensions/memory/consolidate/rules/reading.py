"""Some turns -> what they teach: sentence by sentence, each speaker for themselves. Pure."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from sandbox.extensions.memory.consolidate.proposal import Extraction, Mention, Proposal, Replaced, Turn
from sandbox.extensions.memory.consolidate.rules import (
    choosing,
    distinct,
    entities,
    grammars,
    procedures,
    summaries,
    tasks,
)
from sandbox.extensions.memory.consolidate.rules.context import Context
from sandbox.extensions.memory.consolidate.rules.sentences import (
    hints_at_joke,
    is_readable,
    jokes,
    quotes,
    said,
    sentences,
    serious,
    told,
    wanted,
)
from sandbox.extensions.memory.consolidate.rules.statements import NotLearnt, Said, Subject, Told
from sandbox.extensions.memory.consolidate.rules.wordforms import mid
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.text.words import fingerprint


def read(turns: Sequence[Turn], *, max_per_turn: int = 3, max_characters: int = 280) -> Extraction:
    """What the turns of one session teach without a model: at most ``max_per_turn`` statements each, none longer than
    ``max_characters``. The same turns give the same extraction.
    """
    heard = [replace(turn, text=said(turn.text)) for turn in turns]
    people = {turn.who for turn in heard if _speaks_for_themselves(turn)}
    texts = {turn.id: turn.text for turn in heard if turn.role != "system"}
    common = entities.common(texts.values())
    reader = _Reader(max_per_turn, max_characters, common, to_assistant=len(people) < 2)
    for turn, before in zip(heard, (None, *turns), strict=False):
        reader.read(turn, before)
    kept = tuple(each for each in reader.learnt if not reader.not_meant.issuperset(each.sources))
    mentions = {turn_id: names for turn_id, text in texts.items() if (names := entities.found(text, common))}
    two = tuple(pair for turn in heard if turn.role == "user" for pair in distinct.told(turn.text))
    return Extraction("rules", kept, mentions, dict(reader.skipped), summaries.summary(heard, kept), distinct=two)


@dataclass(slots=True)
class _Reader:
    """What was read so far."""

    max_per_turn: int
    max_characters: int
    common: Collection[str]  # words that are no names here
    to_assistant: bool
    learnt: list[Proposal] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    people: dict[str, dict[str, Subject]] = field(default_factory=dict)
    told: dict[str, list[Told]] = field(default_factory=dict)
    turns: Counter[str] = field(default_factory=Counter)
    seen: dict[bytes, int] = field(default_factory=dict)
    last: dict[str, Subject] = field(default_factory=dict)
    said_before: dict[str, str] = field(default_factory=dict)  # the turn before, by who spoke
    not_meant: set[str] = field(default_factory=set)  # turns that were jokes

    def read(self, turn: Turn, before: Turn | None) -> None:
        """Read a turn of which only what was said is left; ``before`` is the one before it, as it came."""
        if not _speaks_for_themselves(turn):
            return
        if turn.role == "user" and (procedure := procedures.procedure(turn.text, self.max_characters)):
            self._learn(turn, procedure)
            return
        self.turns[turn.who] += 1
        start, context = len(self.learnt), self._context(turn, before)
        for each in self._statements(context):
            self._learn(turn, each)
        self._keep_best(start)
        known = " ".join(each.content for each in self.learnt)
        for each in (each for each in context.taken_for_granted if _news(each) not in known):
            if len(self.learnt) - start >= self.max_per_turn:
                self.skipped["too many"] += 1
            else:
                self._learn(turn, each)

    def _keep_best(self, start: int) -> None:
        """Of what a turn taught, no more than it may: the rest is as if it had not been said."""
        made = self.learnt[start:]
        if len(made) <= self.max_per_turn:
            return
        self.skipped["too many"] += len(made) - self.max_per_turn
        self.learnt[start:] = choosing.best(made, self.max_per_turn)
        self.seen = {fingerprint(each.content): index for index, each in enumerate(self.learnt)}

    def _context(self, turn: Turn, before: Turn | None) -> Context:
        people = self.people.setdefault(turn.who, {})
        asked = before.text if before is not None and before.who != turn.who else ""
        told_before = self.told.setdefault(turn.who, [])
        last = self.last.pop(turn.who, None) if self.to_assistant else None
        return Context(turn, people, told_before, self.turns[turn.who], asked, self.to_assistant, last)

    def _statements(self, context: Context) -> Iterator[Said]:
        turn = context.turn
        parts = list(sentences(turn.text))
        joking = (index for index in reversed(range(len(parts))) if is_readable(parts[index]) and jokes(parts[index]))
        joke = next(joking, -1) if hints_at_joke(turn.text) else -1
        if joke == 0 and self.said_before.get(turn.who):
            self.not_meant.add(self.said_before[turn.who])
        self.said_before[turn.who] = turn.id
        for number, sentence in enumerate(parts):
            if number < joke:
                self.skipped["joke"] += 1
                continue
            if not is_readable(sentence):
                self.skipped["too long"] += 1
                continue
            try:
                sentence, found = _found(sentence, context, is_first=not number)
            except NotLearnt as reason:
                self.skipped[str(reason)] += 1
                continue
            except Exception:  # whatever it stumbles over, the other sentences are still read
                self.skipped["unreadable"] += 1
                continue
            for each in found:
                if each.kind.category == "instruction" and tasks.is_for_once(sentence, turn.text):
                    self.skipped["for this once"] += 1
                    continue
                context.note(each)
                yield each
        if context.last:
            self.last[turn.who] = context.last

    def _learn(self, turn: Turn, said: Said) -> None:
        """Note a statement; one that was made before rests on both turns."""
        proposal = self._ending(_proposal(said, turn, self.common))
        if len(proposal.content) > self.max_characters or "?" in proposal.content:
            self.skipped["too long" if "?" not in proposal.content else "question"] += 1
            return
        key = fingerprint(proposal.content)
        if (index := self.seen.get(key)) is not None:
            same = self.learnt[index]
            if turn.id not in same.sources:
                self.learnt[index] = replace(same, sources=(*same.sources, turn.id))
            return
        self.seen[key] = len(self.learnt)
        self.learnt.append(proposal)
        self.told.setdefault(turn.who, []).append(Told(said, self.turns[turn.who]))

    def _ending(self, proposal: Proposal) -> Proposal:
        """What it ends in the words it was learnt in, where that was now: with its date, for example."""
        return replace(proposal, replaces=tuple(map(self._in_its_words, proposal.replaces)))

    def _in_its_words(self, replaced: Replaced) -> Replaced:
        begins = (replaced.statement or "").rstrip(".") if not replaced.verbs else ""
        known = next(
            (each.content for each in reversed(self.learnt) if begins and each.content.startswith(begins)), None
        )
        return replace(replaced, statement=known) if known else replaced


def _news(said: Said) -> str:
    """The name, the age or the relative that what is taken for granted brings up."""
    if said.value.endswith(" years old"):
        return f"{said.subject.about} ({said.value.split()[0]})"
    return said.value.removeprefix("a ") if said.subject.is_self else said.subject.about


def _speaks_for_themselves(turn: Turn) -> bool:
    """People do; assistants, tools and systems do not."""
    return turn.role == "user" or (
        turn.role == "assistant"
        and turn.speaker is not None
        and turn.speaker[:1].isupper()
        and " " not in turn.speaker.strip()
        and turn.speaker.lower() not in _ASSISTANTS
    )


_ASSISTANTS = frozenset(
    "assistant ai bot claude chatgpt gpt gemini copilot grok llama mistral codex cursor agent system model".split()
)


def _found(sentence: str, context: Context, *, is_first: bool) -> tuple[str, list[Said]]:
    """What of a sentence is said in earnest, and what it teaches; where that is nothing, it is heard for whom it
    names.
    """
    sentence = told(sentence) or wanted(sentence) if "?" in sentence else sentence
    try:
        _check(sentence)
        if not (sentence := serious(sentence)):
            raise NotLearnt("joke")
        found = list(grammars.statements(sentence, context, is_first=is_first))
        if found and ("[secret:" in sentence or secrets.find(sentence)):
            raise NotLearnt("secret")
    except NotLearnt:
        context.hear(sentence)
        raise
    return sentence, found


def _check(sentence: str) -> None:
    """What is wrong with a sentence whatever its language; NotLearnt says what."""
    if "?" in sentence:
        raise NotLearnt("question")
    if quotes(sentence):
        raise NotLearnt("quotation")


def _proposal(said: Said, turn: Turn, common: Collection[str]) -> Proposal:
    about = said.subject
    is_named = not about.is_thing or about.about == mid(turn.who)
    own = (Mention(about.about, "person", about.aliases),) if is_named else ()
    text = f", {said.value}" if said.value else said.wording
    named = (Mention(mention.name, mention.type) for mention in entities.found(text, common))
    mentions = {mention.name: mention for mention in (*named, *own, *said.mentions)}
    return Proposal(
        said.content,
        (turn.id,),
        said.kind.type,
        said.kind.category,
        about.about if is_named else None,
        said.kind.importance,
        at=said.at,
        mentions=tuple(mentions.values()),
        replaces=said.replaces,
    )
