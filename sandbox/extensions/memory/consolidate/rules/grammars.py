"""A sentence to the grammar of its language, and what is said of what was told."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import (
    cancelling,
    changes,
    clauses,
    contacts,
    corrections,
    english,
    identities,
    introductions,
    material,
    naming,
    opinions,
    preambles,
    predicates,
    procedures,
    replies,
    revoking,
    russian,
    russian_corrections,
    russian_frames,
    subjects,
    tasks,
    typing_slips,
    wishes,
)
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.context import Context
from sandbox.extensions.memory.consolidate.rules.contractions import expand, without_leads
from sandbox.extensions.memory.consolidate.rules.morphology import is_russian
from sandbox.extensions.memory.consolidate.rules.statements import NotLearnt, Said, Setting
from sandbox.extensions.memory.consolidate.rules.texts import words_in
from sandbox.extensions.memory.consolidate.rules.wordforms import Word, grammar, mid, third

_LATIN = re.compile("[a-z]", re.IGNORECASE)


def statements(sentence: str, context: Context, *, is_first: bool) -> Iterator[Said]:
    """What a sentence says, as an answer where another asked, as a correction where it takes something back."""
    in_russian, at = is_russian(sentence), context.turn.at
    patches = russian_corrections.patched if in_russian else corrections.patched
    if patched := patches(sentence, context.told, context.number, context.asked, at):
        yield from patched
        return
    of_it = russian_frames.of_it if in_russian else cancelling.of_it
    if changed := of_it(sentence, context.told, at):
        yield changed
        return
    full = replies.answered(sentence, context.asked) if is_first and context.asked else None
    if in_russian:
        for said in _statements(full or russian_corrections.opened(sentence), context):
            yield russian_corrections.settled(sentence, said, context.told)
        return
    text, is_marked = corrections.opened(sentence)
    if context.to_assistant and changes.is_announcement(sentence):
        context.announced = sentence
    for said in _statements(full or text, context):
        put = corrections.settled(f"{context.announced} {sentence}", said, context.told, at, is_marked=is_marked)
        yield corrections.not_me(sentence, put, context.speaker)


def _statements(sentence: str, context: Context) -> Iterator[Said]:
    setting = context.setting
    if not (sentence := preambles.without(sentence)):
        raise NotLearnt("quotation")
    own, sentence = contacts.pronouns(sentence, setting)
    if own:
        yield own
    try:
        yield from _in_its_language(sentence, context, setting)
    except NotLearnt:
        if not own:
            raise


def _in_its_language(sentence: str, context: Context, setting: Setting) -> Iterator[Said]:
    if is_russian(sentence):
        for said in russian.statements(sentence, setting):
            context.note(said)
            yield said
        context.hear(sentence)
    elif _LATIN.search(sentence):
        yield from _english(sentence, context, setting)


_TICKED = re.compile(r"`([\w./@:+ -]{1,60})`")


def _english(sentence: str, context: Context, setting: Setting) -> Iterator[Said]:
    sentence = _TICKED.sub(r"\1", sentence) if "`" in sentence else sentence
    if not words_of.JOKES.isdisjoint(words_in(sentence)) or "/s" in sentence.split():
        raise NotLearnt("joke")
    some = False
    names: dict[str, str] = {}
    may_name = naming.hints(sentence)
    if may_name and (unwanted := naming.not_called(sentence, setting)):
        said, sentence = unwanted
        yield said
        some = True
    if context.to_assistant and (wishes.hints(sentence) and not (may_name and naming.called(sentence, setting))):
        needed = wishes.needs(sentence, setting)
        if needed and not tasks.is_for_once(sentence, context.turn.text):
            yield needed
            return
        found_wishes, sentence = _wishes(sentence, setting)
        yield from found_wishes
        some = bool(found_wishes)
    if context.to_assistant and identities.hints(sentence) and (known := identities.identity(sentence, setting)):
        context.meet(known.subject)
        yield known
        context.taken_for_granted += introductions.presupposed(sentence, context.speaker)
        return
    if sentence and may_name:
        if same := naming.called(sentence, setting) or naming.same(sentence, setting):
            yield same
            some, sentence = True, "" if same.wording else sentence
        sentence, names = naming.aside(sentence)
    try:
        for said in _told(sentence, context, setting) if sentence else ():
            yield _with_names(said, names) if names else said
    except NotLearnt:
        if not (some or names):
            raise
    for name, alias in names.items() if context.to_assistant else ():
        if about := context.people.get(name):
            yield identities.also(about, alias)


def _wishes(sentence: str, setting: Setting) -> tuple[list[Said], str]:
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


def _told(sentence: str, context: Context, setting: Setting) -> Iterator[Said]:
    if context.to_assistant and material.is_of_others(context.turn.text):
        raise NotLearnt("quotation")
    if context.to_assistant and (steps := procedures.in_order(sentence)):
        yield steps
        return
    plainly = without_leads(sentence)
    if _HYPOTHETICAL.match(plainly):
        if context.to_assistant and (at_times := _AT_TIMES.match(expand(plainly))):
            yield from _done_at_times(at_times, context, setting)
            return
        raise NotLearnt("hypothetical")
    text = cancelling.renewed(english.plain(identities.placed(sentence), context.turn.at))
    if reached := contacts.contact(text, context.speaker):
        yield reached
        return
    first, *rest = _FURTHER.split(text, maxsplit=1) if cancelling.hints(text) else (text,)
    if off := cancelling.called_off(text, setting) or (cancelling.called_off(first, setting) if rest else None):
        yield off
        for part in rest:  # "instead" means what is off, no other plan
            with suppress(NotLearnt):
                yield from (
                    replace(said, replaces=()) if "instead" in part else said for said in _told(part, context, setting)
                )
        return
    if rebuilt := changes.rebuilt(text):
        yield from _put_right(*rebuilt, context)
        return
    if not (context.to_assistant and _OURS.match(text)) and (
        said := opinions.favours(text, setting) or opinions.matters(text, setting) or opinions.judges(text, setting)
    ):
        yield said
        return
    problem: NotLearnt | None = None
    some = False
    for clause in english.clauses(text):
        if clause != text and (off := cancelling.called_off(clause, setting)):
            some = True
            yield off
            continue
        try:
            for said in _clause(clause if clause == text else english.plain(clause, context.turn.at), context):
                some = True
                context.note(said)
                yield said
        except NotLearnt as reason:
            problem = problem or reason
        context.introduce(clause)
    context.taken_for_granted += introductions.presupposed(text, context.speaker)
    context.taken_for_granted += introductions.had(text, context.speaker)
    if problem and not some:
        raise problem


_HYPOTHETICAL = re.compile(
    r"(?:if|when|whenever|once|unless|suppose|imagine|what if|let's say|ass?um(?:e|ing)|say that)\b", re.IGNORECASE
)
_AT_TIMES = re.compile(
    r"(?P<when>[Ww]hen(?:ever)? I (?P<verb>work|drive|cook|travel|study|read|write|code|program|fly|eat|train|commute"
    r"|exercise|relax|paint|bake"
    r"|hike|cycle|run|camp|draw|clean|garden|am (?:at work|at home|stressed|sick|ill|travell?ing|working|cooking"
    r"|driving|studying|ironing"
    r"|on holiday|on the road))(?P<more>(?: (?!I\b)[a-z]+){0,4})),? (?P<does>I (?:always |usually |mostly |only "
    r"|never |often )*"
    r"(?P<base>[a-z]+) .+)$"
)


def _done_at_times(match: re.Match[str], context: Context, setting: Setting) -> Iterator[Said]:
    """``When I work I listen to jazz``: a habit, with when it is one."""
    if match["base"] not in grammar().states:
        raise NotLearnt("hypothetical")
    who, (verb, _, rest) = mid(context.speaker.name), match["verb"].partition(" ")
    when = f"when {who} {third(verb)} {rest}".strip() + match["more"]
    for said in _told(match["does"], context, setting):
        yield replace(said, value=f"{said.value} {when}", replaces=()) if said.value else said


_FURTHER = re.compile(r"(?:[,;]|,? (?:and|but|so)) (?=(?:we|I|my|our) )")
_OURS = re.compile(r"@?[A-Z][\w'-]+(?: [A-Z][\w'-]+)? is (?:my|our) (?!(?:all-time |absolute )?fav)")


def _put_right(denied: str, holds: str, old: str, new: str, context: Context) -> Iterator[Said]:
    """``I don't work on Falcon but on Kestrel``."""
    found = [said for said in _told(holds, context, context.setting) if new in said.content]
    for said in found or _told(denied, context, context.setting):
        wrong = Replaced("correction", statement=said.content.replace(new, old))
        yield replace(said, replaces=(*said.replaces, wrong)) if found else said


def _clause(text: str, context: Context) -> Iterator[Said]:
    text = introductions.without_ages(text)
    words: Sequence[Word] = english.split(text)
    if context.to_assistant:
        words = typing_slips.mended(words)
    if len(words) < 2:
        raise NotLearnt("no statement")
    rather = words[2].low in ("rather", "sooner") if len(words) > 2 else False
    if not rather and not words_of.UNSURE.isdisjoint(word.low for word in words[:6]):
        raise NotLearnt("hypothetical")
    setting = context.setting
    subject, at = subjects.subject(words, setting)
    if words[0].low not in words_of.PRONOUNS:
        context.heard = ""
    context.meet(subject)
    yield from predicates.statements(clauses.Clause(text, words, at, subject, setting))
