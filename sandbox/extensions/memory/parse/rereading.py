"""Read a sentence that the memory has written: the subject and the values of which a wording makes that sentence."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import product

from sandbox.extensions.memory.claims import USER, Claim, predicate
from sandbox.extensions.memory.parse import wording
from sandbox.extensions.memory.parse.clauses import is_in_doubt, sentences
from sandbox.extensions.memory.parse.kinds import ends
from sandbox.extensions.memory.parse.language import Case, Frame, Language, as_case, split_case
from sandbox.extensions.memory.parse.pattern import Slot, slots
from sandbox.extensions.memory.parse.statements import Statement, build_statement, times_of
from sandbox.extensions.memory.parse.subjects import People, Subject, named, project, thing, unnamed, which_of
from sandbox.extensions.memory.parse.times import moments
from sandbox.extensions.memory.parse.tokens import tokens
from sandbox.extensions.memory.parse.values import told, without_article, written

_SLOT = re.compile(r"( ?)\{(\w+)(?::(\w+))?('s)?\}")
_ANY_SLOT = re.compile(r"\{[^{}]+\}")
_TIMES = frozenset(("when", "since", "until", "day"))
_BESIDE = _TIMES | {"s", "v", "kin"}  # slots that the slots of a frame need not name
_EXTRA = frozenset("acjopw")  # slots that a frame may fill or not
_VERB = 3  # words among which the verb of a phrase is

_Values = tuple[dict[str, str], dict[str, str]]
"""The values of slots, and their kinds."""


def reread(text: str, at: datetime, language: Language) -> tuple[Claim, ...]:
    """The claims of a sentence in a wording of the language; none if no wording makes exactly this sentence."""
    text = f"{' '.join(text.split()).rstrip('.')}."
    if len(list(sentences(text, language))) != 1:
        return ()
    words, lowered = f" {' '.join(token.lower for token in tokens(text, language))} ", text.lower()
    for template, frames in _wordings(language).items():
        if not all(fixed.strip(" .:") in lowered for fixed in _ANY_SLOT.split(template.lower())):
            continue
        some = [each for each in frames if not any(never in words for never in language.never[each.predicate])]
        found = _pattern(template, language).fullmatch(text) if some else None
        if found and (told := _read(text, template, found, some, at, language)):
            return tuple(claim for each in (told, *told.also) for claim in each.claims)
    return ()


def _read(
    text: str, template: str, found: re.Match[str], frames: Sequence[Frame], at: datetime, language: Language
) -> Statement | None:
    """The statement of the first frame that makes this sentence."""
    said = {name: each for name, each in found.groupdict().items() if each is not None}
    cases = {name: case for _, name, case, _ in _SLOT.findall(template)}
    timed = tokens(" ".join(said[name] for name in sorted(_TIMES & said.keys())), language)
    times = tuple(moments(timed, at, language.times["roles"], frozenset()))
    timeless = _SLOT.sub(lambda slot: slot[1] + said[slot[2]] if slot[2] in _TIMES else slot[0], template)
    for frame in frames:
        subjects = list(_subjects(said.get("s"), as_case(cases.get("s")) or "nom", frame, language))
        for values, kinds in _filled(frame, said, cases, language) if subjects else ():
            for subject in subjects:
                if wording.worded(timeless, subject, values, (), language).casefold() == text.casefold():
                    kin = language.kin.get(values.get("kin", "").replace(" ", "_"))
                    made = replace(frame, predicate=kin.predicate) if kin else frame
                    return build_statement(made, subject, values, kinds, times_of(made, times, at), language)
    return None


@cache
def _wordings(language: Language) -> Mapping[str, Sequence[Frame]]:
    """The wordings, also without what only some of their frames fill, each with its frames."""
    found = defaultdict[str, list[Frame]](list)
    for frame in language.frames:
        section = frame.modality if frame.modality in ("plan", "past") else "say" if frame.is_affirmed else "deny"
        template = {"say": language.times["kin_called"], **language.wordings[frame.predicate]}.get(section)
        if template is None or (section == "deny" and is_in_doubt(tokens(template, language))):
            continue
        names = {name for _, name, *_ in _SLOT.findall(template)}
        template = template if names & _TIMES else f"{template.rstrip('.')}{{when}}."
        held = {slot.name for slot in slots(frame.nodes)}
        less = template
        for name in _EXTRA.difference(each.name for each in frame.nodes if isinstance(each, Slot)):
            less = re.sub(rf" \{{{name}\b[^{{}}]*\}}", "", less)
        less = less.replace(":{when}", "{when}")
        for some in (less, template) if names <= _BESIDE | held else (less,):
            found[some] += [frame] * (frame not in found[some])
    return found


@cache
def _pattern(template: str, language: Language) -> re.Pattern[str]:
    """The sentences of a wording."""
    made, at, is_users = "", 0, "{kin" in template
    for slot in _SLOT.finditer(template):
        group = _group(slot[2], language, is_users=is_users)
        made, at = f"{made}{re.escape(template[at : slot.start()] + slot[1])}{group}{slot[4] or ''}", slot.end()
    return re.compile(made + re.escape(template[at:]), re.IGNORECASE)


def _group(name: str, language: Language, *, is_users: bool) -> str:
    """What stands for a slot: a time, the user and, if not ``is_users``, others, or any words."""
    if name == "day":
        return f"(?P<day>{_moment(language.times['yearly'].values())})"
    if name in _TIMES:
        units = (each for role in ("at", "since", "until", "from") for each in language.times[role].values())
        clock = re.escape(language.times["clock"]).replace(r"\{\}", r"\d\d:\d\d")
        return f"(?P<{name}>(?: (?:{_moment(units)})(?: {clock})?)*)"
    forms = language.times["self"]
    relative = language.times["of_user"].format(kin=r"\w+(?: \w+)?", whose=forms.get("gen", forms["nom"]))
    who = "|".join(forms.values() if is_users else (*forms.values(), relative, ".+?")) if name == "s" else ".+?"
    return f"(?P<{name}>{who})"


def _moment(patterns: Iterable[str]) -> str:
    said = "|".join(map(re.escape, patterns))
    return said.replace(r"\{day\}", r"\d{1,2}").replace(r"\{month\}", r"\w+").replace(r"\{year\}", r"\d{4}")


def _subjects(said: str | None, case: Case, frame: Frame, language: Language) -> Iterator[Subject]:
    """Those whom a frame may mean by some words; without words it is the user, or the user's project."""
    me = Subject(USER, language.times["self"]["nom"], kin="self")
    common = project(language) if predicate(frame.predicate).core == "project" else me
    if said is None or common.in_case(case, language).casefold() == said.casefold():
        yield common
        return
    kinds = {split_case(slot.kind)[0] for slot in slots(frame.nodes)}
    of_thing = [slot.kind for slot in slots(frame.nodes) if slot.name == "s"]
    of_thing += ["project_word"] if "project" in kinds else []
    if of_thing:
        base = without_article(language.forms.base(said, case), language)
        words = tokens(base, language)
        is_word = any(language.has(name, base.lower()) for name in ("project_word", "no_article"))
        if any(len(words) in ends(kind, words, 0, language) for kind in of_thing):
            yield thing(base.lower() if is_word else base, language)
    elif not kinds.isdisjoint(("who", "other")):
        yield from _people(said, case, me, language)


def _people(said: str, case: Case, me: Subject, language: Language) -> Iterator[Subject]:
    """A relative of the user, or somebody with a name."""
    kin, telling = said, [each for each in tokens(said, language) if which_of([each], language)][:1]
    for each in telling:
        kin = f"{said[: each.start]}{said[each.end :].lstrip()}"
    if noun := _relatives(case, me, language).get(kin.casefold()):
        yield unnamed(noun, which_of(telling, language), People(me), language)
    said = said.removeprefix(language.forms.inflect("", case))  # *von Anna*
    words = tokens(said, language)
    if len(words) in ends("name", words, 0, language) and not any("project_word" in each.kinds for each in words):
        yield named(said, language, case)


@cache
def _relatives(case: Case, whose: Subject | None, language: Language) -> Mapping[str, str]:
    """The nouns for relatives, by what sentences call these in a case; ``whose`` they are, if sentences say that."""
    if whose is None:
        return {language.forms.inflect(noun.replace("_", " "), case).casefold(): noun for noun in language.kin}
    people = {noun: unnamed(noun, "", People(whose), language) for noun in language.kin}
    return {each.in_case(case, language).casefold(): noun for noun, each in people.items()}


def _filled(frame: Frame, said: Mapping[str, str], cases: Mapping[str, str], language: Language) -> Iterator[_Values]:
    """The values that the slots of a frame may have had, each with the kinds of the slots."""
    names = [name for name in said if name not in _TIMES and name != "s"]
    some = [slot for slot in slots(frame.nodes) if slot.name in names]
    held = [(slot, each) for slot in some for each in _values(slot, said[slot.name], cases[slot.name], language)]
    for chosen in product(*([each for each in held if each[0].name == name] for name in names)):
        yield {slot.name: value for slot, value in chosen}, {slot.name: split_case(slot.kind)[0] for slot, _ in chosen}


def _values(slot: Slot, said: str, case: str, language: Language) -> Iterator[str]:
    """The words that a slot may have held where a wording has some words in a case."""
    kind, known = split_case(slot.kind)[0], as_case(case)
    if kind == "kin":
        noun = _relatives(known or "nom", None, language).get(said.casefold())
        yield from (noun.replace("_", " "),) if noun else ()
        return
    words = said.split()
    base = language.forms.base(said, known) if known else said
    verbs = (
        " ".join((*words[:at], form, *words[at + 1 :]))
        for at, word in enumerate(words[:_VERB])
        if case == "third"
        for form in sorted(language.forms.lemmas(word.lower()))
    )
    for each in dict.fromkeys((*verbs, without_article(base, language), base, said)):
        spoken = tokens(each, language)
        if len(spoken) in ends(kind, spoken, 0, language) and each == (
            told(spoken, each, language) if kind in language.free else written(spoken, each, language, kind)
        ):
            yield each
