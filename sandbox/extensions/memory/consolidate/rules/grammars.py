"""A sentence to the grammar of its language, with whom it speaks of so far."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sandbox.extensions.memory.consolidate.proposal import Turn
from sandbox.extensions.memory.consolidate.rules import (
    clauses,
    corrections,
    english,
    instructions,
    naming,
    opinions,
    predicates,
    replies,
    revoking,
    russian,
    subjects,
    wishes,
)
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.statements import NotLearnt, Said, Subject

_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_LATIN = re.compile("[a-z]", re.IGNORECASE)


@dataclass(slots=True)
class Context:
    """Who speaks, and whom they have spoken of: by noun and by name in all turns, by pronoun in this one."""

    turn: Turn
    people: dict[str, Subject]
    told: list[Said]
    to_assistant: bool = True
    last: Subject | None = None

    @property
    def speaker(self) -> Subject:
        """Whom the first person means."""
        who = self.turn.who
        return Subject(who, f"the {who[4:]}" if who.startswith("The ") else who, is_self=True)

    def note(self, said: Said) -> None:
        """Remember whom a statement was about."""
        if said.subject.is_self or said.subject.is_thing:
            return
        self.last = said.subject
        self.people[said.subject.about] = said.subject
        for alias in said.subject.aliases:
            self.people[alias.rsplit(" ", 1)[-1]] = said.subject


def statements(sentence: str, context: Context, asked: Turn | None) -> Iterator[Said]:
    """What a sentence says, as an answer where another asked, as a correction where it takes something back."""
    if patch := corrections.patched(sentence, context.told, context.turn.at):
        yield patch
        return
    full = replies.answered(sentence, asked.text) if asked else None
    for said in _statements(full or sentence, context):
        yield corrections.corrected(sentence, said, context.told)


def _statements(sentence: str, context: Context) -> Iterator[Said]:
    setting = english.Setting(context.speaker, context.turn.at, context.people, context.to_assistant, context.last)
    if _CYRILLIC.search(sentence):
        if context.to_assistant and (instruction := instructions.russian(sentence, setting)):
            yield instruction
            return
        for said in russian.statements(sentence, setting):
            context.note(said)
            yield said
    elif _LATIN.search(sentence):
        yield from _english(sentence, context)


def _english(sentence: str, context: Context) -> Iterator[Said]:
    lowered = sentence.lower()
    found = set(re.findall(r"[\w'/]+", lowered))
    if not words_of.JOKES.isdisjoint(found):
        raise NotLearnt("joke")
    setting = english.Setting(context.speaker, context.turn.at, context.people, context.to_assistant, context.last)
    if context.to_assistant and wishes.hints(sentence):
        found_wishes, sentence = _wishes(sentence, setting)
        yield from found_wishes
        if not sentence:
            return
    if naming.hints(sentence):
        if same := naming.called(sentence, setting) or naming.same(sentence, setting):
            yield same
            if same.wording:
                return
        sentence, names = naming.aside(sentence)
        yield from (_with_names(said, names) for said in _told(sentence, context))
        return
    yield from _told(sentence, context)


def _wishes(sentence: str, setting: english.Setting) -> tuple[list[Said], str]:
    """The standing wishes of a sentence, and what else is in it."""
    if (taken_back := revoking.revoked(sentence, setting)) is not None:
        return [taken_back], ""
    if whole := wishes.wish(sentence, setting) if len(wishes.parts(sentence)) < 2 else None:
        return [whole], ""
    found: list[Said] = []
    rest, mark = [], ""
    for part in wishes.parts(sentence):
        if (wish := wishes.wish(part, setting, mark)) is None:
            rest.append(part)
            mark = "from now on" if part.lower().startswith("from now on") else ""
        else:
            found.append(wish)
            mark = "always"
    return found, ", ".join(rest) if found else sentence


def _with_names(said: Said, names: dict[str, str]) -> Said:
    """With what those in it are called besides."""
    if said.subject.about in names and not said.subject.is_thing:
        about = replace(said.subject, aliases=(*said.subject.aliases, names[said.subject.about]))
        said = replace(said, subject=about)
    return replace(said, mentions=(*said.mentions, *naming.mentions(names)))


def _told(sentence: str, context: Context) -> Iterator[Said]:
    setting = english.Setting(context.speaker, context.turn.at, context.people, context.to_assistant, context.last)
    lowered = sentence.lower()
    if re.match(
        r"(?:if|when|whenever|once|unless|suppose|imagine|what if|let's say)\b", english.without_leads(lowered)
    ):
        raise NotLearnt("hypothetical")
    text = english.plain(sentence, context.turn.at)
    if said := opinions.shows(text, setting) or opinions.matters(text, setting) or opinions.judges(text, setting):
        yield said
        return
    problem: NotLearnt | None = None
    some = False
    for clause in english.clauses(text):
        try:
            for said in _clause(clause, context):
                some = True
                context.note(said)
                context.last = context.people.pop("", None) or context.last
                yield said
        except NotLearnt as reason:
            problem = problem or reason
    if problem and not some:
        raise problem


def _clause(text: str, context: Context) -> Iterator[Said]:
    text = english.plain(text, context.turn.at)
    words = english.split(text)
    if len(words) < 2:
        raise NotLearnt("no statement")
    if not words_of.UNSURE.isdisjoint(word.low for word in words[:6]):
        raise NotLearnt("hypothetical")
    setting = english.Setting(context.speaker, context.turn.at, context.people, context.to_assistant, context.last)
    subject, at = subjects.subject(words, setting)
    yield from predicates.statements(clauses.Clause(text, words, at, subject, setting))
