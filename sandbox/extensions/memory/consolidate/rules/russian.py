"""Russian: which clauses are learnt, told by their verb or noun, and how they are worded. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache

from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.english import Setting
from sandbox.extensions.memory.consolidate.rules.morphology import gender, in_case, lemma, parses, verb, within
from sandbox.extensions.memory.consolidate.rules.retelling import Retold, retell
from sandbox.extensions.memory.consolidate.rules.russian_changes import begun, ended, job, of, undated, upper
from sandbox.extensions.memory.consolidate.rules.russian_frames import framed
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said, Subject

_TOKEN = re.compile(r"[\w@#&+]+(?:[-'./@+&]+\w+)*[+#]*|[,:()—–«»\"-]")
_CLAUSE = re.compile(
    r"\s*[,;]\s*(?:а|но|и|поэтому|так что|зато|потом|теперь|а теперь|но теперь|а сейчас)\s+(?!не\b)"
    r"|:\s+(?=теперь\b)|\s*\.\s+"
    r"|\s*,\s*(?=(?:я|мы|у меня|мне|меня|теперь|сейчас|моя|мой|живу|работаю)\b)"
    r"|\s+(?:и|а|но)\s+(?=(?:я|мы|у меня|мне|меня|мой|моя|мои|работаю|живу|учусь|люблю|пью|зови|теперь|сейчас)\b)",
    re.IGNORECASE,
)
_END = re.compile(
    r"\s*,?\s*\b(?:потому что|потому, что|так как|поскольку|хотя|чтобы|котор\w+|когда|если|пока|где|куда"
    r"|поэтому|но|ведь|поскольку|зато|как и)\b.*"
    r"|\s*[:(]\s*.*|\s*,\s*(?=что\b|а\b|и\b|это\b|он\b|она\b|они\b|очень\b|там\b|так\b).*",
    re.IGNORECASE,
)


@cache
def _leads() -> re.Pattern[str]:
    leads = sorted((" ".join(lead.split()) for lead in words_of.LEADS.split(",")), key=len, reverse=True)
    return re.compile(rf"^(?:(?:{'|'.join(map(re.escape, leads))})(?![\w-])[\s,!.:—–-]*)+", re.IGNORECASE)


def statements(sentence: str, setting: Setting) -> Iterator[Said]:
    """What a sentence says; NotLearnt where no clause of it says anything lasting."""
    problem: NotLearnt | None = None
    some = False
    if not words_of.JOKES.isdisjoint(re.findall(r"\w+", sentence.lower())):
        raise NotLearnt("joke")
    if re.match(r"(?:если|когда|вдруг|допустим|представь|предположим)\b", sentence, re.IGNORECASE):
        raise NotLearnt("hypothetical")
    for clause in _CLAUSE.split(sentence):
        try:
            for each in _clause(clause, setting):
                some = True
                if not each.subject.is_self:
                    setting = replace(setting, last=each.subject)
                yield each
        except NotLearnt as reason:
            problem = problem or reason
    if problem and not some:
        raise problem


_OUR_PROJECT = re.compile(r"^в (?:нашем|моём|моем|этом) проекте,? (?:мы )?", re.IGNORECASE)
_CANNOT_STAND = re.compile(r"\b(?:терпеть|выносить|переносить) не могу\b|\bне могу терпеть\b", re.IGNORECASE)


def _clause(clause: str, setting: Setting) -> Iterator[Said]:
    text = _leads().sub("", clause.strip(" .!*_"))
    speaker = "Пользователь" if setting.speaker.name == "The user" else setting.speaker.name
    text = _OUR_PROJECT.sub("мы ", text)
    if said := framed(text, speaker, setting):
        yield said
        return
    text = _CANNOT_STAND.sub("не терплю", _END.sub("", text))
    tokens = [token for token in _TOKEN.findall(text) if token.lower() not in words_of.FILLERS]
    low = [token.lower() for token in tokens]
    if len(tokens) < 2 or len(tokens) > 30:
        raise NotLearnt("no statement")
    if not words_of.UNSURE.isdisjoint(low):
        raise NotLearnt("hypothetical")
    if lemma(low[0]) in words_of.FAMILY and "nomn" in parses(low[0])[0].tag and len(low) > 2:
        tokens, low = ["мой", *tokens], ["мой", *low]
    tokens, about = _about(tokens, low, speaker, setting)
    retold = retell(tokens, speaker)
    kind = _kind(retold, low, about, setting.at)
    yield from _said(retold, kind, low, about, setting, speaker)


def _about(tokens: list[str], low: list[str], speaker: str, setting: Setting) -> tuple[list[str], Subject]:
    """Whom it is about: the speaker, somebody of theirs, or somebody named."""
    own = Subject(speaker, speaker.lower() if speaker == "Пользователь" else speaker, is_self=True)
    if low[0] in ("он", "она"):
        if setting.last is None or (setting.last.pronoun and setting.last.pronoun != low[0]):
            raise NotLearnt("not self-contained")
        return [*setting.last.name.split(), *tokens[1:]], setting.last
    for index, word in enumerate(low[:3]):
        if re.fullmatch(r"мо[йяию]|мо(?:его|ему|ей|ю|их)|наш[аи]?|наш(?:его|ей|у)", word):
            nouns = [lemma(each) for each in low[index + 1 : index + 4]]
            kin = next((noun for noun in nouns if noun in words_of.KIN | words_of.PETS), None)
            if kin:
                after = tokens[index + 2 + nouns.index(kin)] if len(tokens) > index + 2 + nouns.index(kin) else ""
                whose = f"{kin} {within(speaker, 'gent')}"
                name = after if after[:1].isupper() and "а" <= after[:1].lower() <= "я" else ""
                known = setting.people.get(kin)
                if name or not known:
                    return tokens, Subject(
                        f"{whose[:1].upper()}{whose[1:]} {name}".strip(),
                        name or whose,
                        pronoun="она" if kin in words_of.SHE else "он",
                        aliases=(whose,) if name else (),
                    )
                return tokens, known
            break
    if (
        tokens[0][0].isupper()
        and not verb(low[0])
        and (len(tokens) > 1)
        and low[0] not in ("я", "мы", "у", "мне", "меня", "мой", "моя", "наш")
        and any("Name" in each.tag for each in parses(low[0]))
    ):
        return tokens, Subject(tokens[0], tokens[0], pronoun={"femn": "она"}.get(gender(tokens[0]), "он"))
    return tokens, own


def _kind(retold: Retold, low: list[str], about: Subject, at: datetime) -> Kind:
    """What it makes known; NotLearnt where that does not last."""
    lemmas = {lemma(word) for word in low}
    person = about.is_self
    for found in retold.verbs:
        base = found.normal_form
        past = found.tag.tense == "past"
        if base in words_of.PLANS:
            return Kind("event", 3)
        if base in ("хотеть", "мечтать") and not lemmas & {
            "стать",
            "научиться",
            "выучить",
            "переехать",
            "посетить",
            "поступить",
            "открыть",
        }:
            raise NotLearnt("passing state")
        if past and "раньше" in low and base in words_of.STATES:
            return Kind("fact", 2)
        table = words_of.EVENTS if past else words_of.STATES
        if past and base in words_of.PASSIVE and low[0] in ("меня", "нас"):
            return Kind("event", 4)
        if base in table:
            category, importance = table[base]
            if words_of.NOW & set(low) and not past:
                raise NotLearnt("passing state")
            return Kind(
                category if person or category != "fact" else "person",
                importance,
                "opinion" if base in words_of.TASTES else "semantic",
            )
        if base == "звать":
            return Kind("fact" if person else "person", 4)
        if found.tag.tense == "futr" and base in words_of.EVENTS:
            return Kind("event", 3)
        if found.tag.tense == "pres" and base in words_of.GOING and _is_ahead_of(low, at):
            return Kind("event", 3)
        raise NotLearnt("no lasting statement")
    if not retold.own and about.is_self:
        raise NotLearnt("no statement")
    return _nominal(low, lemmas, about)


def _is_ahead_of(low: list[str], at: datetime) -> bool:
    """Whether a later day is named."""
    found = moments(" ".join(low), at, ahead=True)
    return bool(found) and found[0].at.date() > at.date()


def _nominal(low: list[str], lemmas: set[str], about: Subject) -> Kind:
    """Clauses without a verb."""
    parts = {part for word in low for part in word.split("-")} | {lemma(word.split("-")[-1]) for word in low}
    if low[0] in ("у",) and lemmas & words_of.HAVE:
        return Kind("fact" if about.is_self else "person", 4)
    if (low[0] in ("мне",) or not about.is_self) and {"год", "лет", "года"} & (lemmas | set(low)):
        return Kind("fact", 4)
    if (low[0] in ("я", "мы") or not about.is_self) and (
        (lemmas | parts) & (words_of.PROFESSIONS | words_of.BEING)
        or set(low) & words_of.SHORT
        or low[1:2] == ["из"]
        or "аллергия" in lemmas
    ):
        return Kind("fact" if about.is_self else "person", 4)
    if re.match(r"мо[йяеёи]|наш", low[0]):
        if {"любимый", "родной"} & lemmas:
            return Kind("preference", 3)
        if lemmas & (words_of.ATTRIBUTES | words_of.KIN | words_of.PETS):
            return Kind("fact", 4)
        if lemmas & words_of.HAPPENINGS:
            return Kind("event", 3)
    raise NotLearnt("passing state")


def _said(retold: Retold, kind: Kind, low: list[str], about: Subject, setting: Setting, speaker: str) -> Iterator[Said]:
    ahead = kind.category == "event" and not any(
        found.tag.tense == "past" for found in retold.verbs if found.normal_form not in words_of.PLANS
    )
    text = _joined(retold.words)
    if set(re.findall(r"[\w-]+", text.lower())) & (words_of.PRONOUNS - {"что"}):
        raise NotLearnt("not self-contained")
    bases = [found.normal_form for found in retold.verbs]
    base = bases[0] if bases else ""
    if retold.plural and base in words_of.TEAM:
        text = text.replace(speaker, f"Команда {in_case(speaker, 'gent')}", 1)
    dating = kind.category == "event" or (ahead and base in words_of.STATES)
    at = None
    if dating:
        found = moments(text, setting.at, ahead=ahead)
        for moment in reversed(found):
            text = f"{text[: moment.start]}{moment.written}{text[moment.end :]}"
        at = found[0].at if found else None
    for each in (
        ended(undated(text, at), text, low, about, kind, at),
        begun(text, base, about, kind, at),
        job(text, low, base, about, kind),
    ):
        results = list(each)
        if results:
            yield from results
            return
    if base in words_of.TASTES and len(low) < 3:
        raise NotLearnt("not self-contained")
    yield of(about, upper(text), kind, at)


def _joined(words: Sequence[str]) -> str:
    """Words as text; the user is written small inside a sentence."""
    text = " ".join(words)
    text = re.sub(r" ([,:)»])", r"\1", text).replace("( ", "(").replace("« ", "«")
    text = re.sub(r"(?<=\S) Пользовател", " пользовател", text)
    return re.sub(r" - ", " — ", text).strip(" ,.")
