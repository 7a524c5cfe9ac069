"""Russian: which clauses are learnt, told by their verb or noun, and how they are worded. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.morphology import (
    agreeing,
    gender,
    in_case,
    inflected,
    lemma,
    parses,
    speaker_name,
)
from sandbox.extensions.memory.consolidate.rules.procedures import in_order
from sandbox.extensions.memory.consolidate.rules.retelling import Retold, equated, joined, retell, straight
from sandbox.extensions.memory.consolidate.rules.russian_changes import begun, ended, is_trade, job, of, undated
from sandbox.extensions.memory.consolidate.rules.russian_clauses import clauses, without_lead, without_others
from sandbox.extensions.memory.consolidate.rules.russian_endings import without_old
from sandbox.extensions.memory.consolidate.rules.russian_frames import framed
from sandbox.extensions.memory.consolidate.rules.russian_kinds import kind_of
from sandbox.extensions.memory.consolidate.rules.russian_orders import given, order
from sandbox.extensions.memory.consolidate.rules.russian_people import (
    ages,
    brought_up,
    each_of,
    mentioned,
    presupposed,
    several,
    with_names,
)
from sandbox.extensions.memory.consolidate.rules.russian_rewording import reworded
from sandbox.extensions.memory.consolidate.rules.russian_rewording import whole as spelled_out
from sandbox.extensions.memory.consolidate.rules.russian_spoken import plainly
from sandbox.extensions.memory.consolidate.rules.russian_subjects import about_whom, is_bare_attribute, is_name
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said, Setting, Subject, upper
from sandbox.extensions.memory.consolidate.rules.texts import small, without_leads, words_in

_TOKEN = re.compile(r"[\w@#&+]+(?:[-'./@+&]+\w+)*[+#]*|[,:()—–«»\"-]")
_END = re.compile(
    r"\s*,?\s*\b(?:потому что|потому, что|так как|поскольку|хотя|чтобы|котор\w+|когда|если|пока|где|куда|поэтому|но"
    r"|ведь|поскольку|зато|как и)\b|\s*[:(]|\s*,\s*(?=что\b|а\b|и\b|это\b|он\b|она\b|они\b|очень\b|там\b"
    r"|так\b|увы\b|уже\b|кстати\b|если\b|нуж(?:ен|на|но|ны)\b|надо\b|помоги|посоветуй|подскажи|смотри\b|правда\b"
    r"|особенно\b|например\b|пожалуйста\b|честно\b|вот\b|все\b|всё\b|короче\b|так что\b|без\b|к \w+\b)"
)


def _before_end(text: str) -> str:
    """What is said before another clause begins."""
    end = _END.search(small(text))
    return text[: end.start()] if end else text


def statements(sentence: str, setting: Setting) -> Iterator[Said]:
    """What a sentence says; NotLearnt where no clause of it says anything lasting."""
    problem: NotLearnt | None = None
    some = False
    if not words_of.JOKES.isdisjoint(words_in(sentence)):
        raise NotLearnt("joke")
    if setting.to_assistant and (steps := in_order(sentence)):
        yield steps
        return
    if setting.to_assistant and (wish := given(sentence, setting)):
        yield wish
        return
    if re.match(r"(?:если|когда|вдруг|допустим|представь|предположим)\b", sentence, re.IGNORECASE) or (
        _UNSURE.match(sentence)
    ):
        raise NotLearnt("hypothetical")
    wished, told = False, False
    sentence, noun, names = several(whole := without_lead(_with_tool(plainly(sentence), setting.turn)))
    for clause in clauses(spelled_out(_INSTEAD.sub(", теперь ", _ASIDE.sub("", sentence)))):
        try:
            found = _wish(clause, setting, goes_on=wished) or _clause(clause, setting)
            for each in found:
                some, wished = True, each.kind.category == "instruction"
                if names and (put := with_names(each, noun, names)) is not each:
                    each, told = put, True
                if not each.subject.is_self:
                    setting = replace(setting, last=each.subject)
                yield each
        except NotLearnt as reason:
            problem = problem or reason
        if setting.last is None and (about := brought_up(clause, _speaker(setting))):
            setting = replace(setting, last=about)
        if mentioned(clause, _speaker(setting), setting.people):
            setting = replace(setting, heard=clause)
        for each in presupposed(clause, _speaker(setting)):
            setting = replace(setting, last=each.subject)
    listed = () if told else each_of(noun, names, _speaker(setting))
    for each in (*ages(whole, _speaker(setting)), *listed):
        some = True
        yield each
    if problem and not some:
        raise problem


_UNSURE = re.compile(
    r"(?:(?:а|ну|и|но) )?(?:может(?: быть)?|наверно(?:е)?|возможно|вероятно|видимо|похоже|вроде(?: бы)?)\b(?! не)", re.I
)


_BY_IT = re.compile(r"\b(?:его|е[её]|их) (?=(?:только )?(?:через|с помощью|командой) )", re.IGNORECASE)
_TOOL_BEFORE = re.compile(
    rf"\b(?:{'|'.join(sorted(words_of.SETTINGS | words_of.SYSTEMS | words_of.TOOLS))}) "
    r"(?:[—–-] )?(?P<tool>[A-Za-z][\w.+-]*)"
)


def _with_tool(sentence: str, turn: str) -> str:
    """``Запускаем его через make``: the tool that was named in the sentences before."""
    if (it := _BY_IT.search(sentence)) is None:
        return sentence
    named = [match["tool"] for match in _TOOL_BEFORE.finditer(turn.partition(sentence)[0])]
    return f"{sentence[: it.start()]}{named[-1].rstrip('.')} {sentence[it.end() :]}" if named else sentence


def _speaker(setting: Setting) -> str:
    return speaker_name(setting.speaker.name)


def _wish(clause: str, setting: Setting, *, goes_on: bool) -> list[Said]:
    found = order(clause, setting, goes_on=goes_on) if setting.to_assistant else None
    return [found] if found else []


_ASIDE = re.compile(
    r",\s*(?:если что|кстати|увы|честно говоря|между прочим|имей(?:те)? в виду|запомни(?:те)?|учти(?:те)?|спасибо"
    r"|вот|ага|да)\s*[.!)]*$",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r",\s+(?:а |и )?вместо (?:него|не[её]|них|этого) (?:теперь |сейчас )?", re.IGNORECASE)
_OUR_PROJECT = re.compile(
    r"^в (?:нашем|моём|моем|этом) (?:проекте|репозитории|репо|монорепо),? (?:мы )?", re.IGNORECASE
)
_CANNOT_STAND = re.compile(r"\b(?:терпеть|выносить|переносить) не могу\b|\bне могу терпеть\b", re.IGNORECASE)


_PLACE = re.compile(r"\b(?P<before>в|во|из) (?P<place>[а-яё][а-яё-]{2,})\b")


def _capital(match: re.Match[str]) -> str:
    """``в москве``: with the capital letter of a place."""
    is_place = "Geox" in parses(match["place"])[0].tag
    return f"{match['before']} {match['place'].title() if is_place else match['place']}"


def _clause(clause: str, setting: Setting) -> Iterator[Said]:
    text = without_leads(clause.strip(" .!*_"), words_of.LEADS, r"(?![\w-])").strip(" .!,*_")
    speaker = _speaker(setting)
    text = reworded(_PLACE.sub(_capital, _OUR_PROJECT.sub("мы ", text)), setting.at)
    if shaped := list(framed(text, speaker, setting)):
        yield from shaped
        return
    text = _CANNOT_STAND.sub("не терплю", without_others(_before_end(text)))
    tokens = [token for token in _TOKEN.findall(text) if token.lower() not in words_of.FILLERS]
    low = [token.lower() for token in tokens]
    if len(tokens) < 2 or len(tokens) > 30:
        raise NotLearnt("no statement")
    if not words_of.UNSURE.isdisjoint(low):
        raise NotLearnt("hypothetical")
    if len(low) > 2 and (re.match(r"(?:любим|родн)(?:ый|ой|ая|ое|ые)$", low[0]) or is_bare_attribute(low)):
        tokens, low = ["мой", *tokens], ["мой", *low]
    at = 1 if low[0] == "у" else 0
    if _is_of_ones_own(tokens, low, at):
        my = inflected("мой", *agreeing(low[at], "gent" if at else ""))
        tokens, low = [*tokens[:at], my, *tokens[at:]], [*low[:at], my, *low[at:]]
    tokens, about = about_whom(tokens, low, speaker, setting)
    retold = retell(tokens, speaker)
    kind = kind_of(retold, low, about, setting.at)
    for said in _said(retold, kind, low, about, setting, speaker):
        yield from _in_two(said, is_new=re.search(r"\bтеперь\b", clause, re.IGNORECASE) is not None)


_POSITION = re.compile(
    r"(?P<who>.+? работает) (?P<trade>[а-яё][а-яё-]+(?:ом|ем|ём|ой|ей)) (?P<place>(?:в|на) (?:[А-ЯЁA-Z][\w.-]*"
    r"|(?!удал|полстав|дому|фриланс|полн)[а-яё-]+(?: [а-яё-]+)?))$"
)
_POSITION_LAST = re.compile(
    r"(?P<who>.+? работает) (?P<place>(?:в|на) [\w.-]+(?: [а-яё-]+)?), (?P<trade>[а-яё-]+(?:ом|ем|ём|ой|ей))$"
)


def _in_two(said: Said, *, is_new: bool) -> Iterator[Said]:
    """``работает врачом в Ромашке``: as what and where, of which one may change alone; ``is_new``: it was another."""
    both = _POSITION.match(said.wording) or _POSITION_LAST.match(said.wording)
    if both and (both["place"][2:].strip()[0].isupper() or is_trade(both["trade"])) and not _is_town(both["place"]):
        at_place = replace(said, wording=f"{both['who']} {both['place']}")
        yield _instead(at_place) if is_new else at_place
        said = replace(said, wording=f"{both['who']} {both['trade']}")
    yield _instead(said) if is_new else said


def _is_thing(word: str) -> bool:
    return word.isascii() or parses(word)[0].tag.POS in ("NOUN", "INFN")


def _is_town(place: str) -> bool:
    return "Geox" in parses(place.split(" ", 1)[1].lower())[0].tag


def _instead(said: Said) -> Said:
    """Where somebody works now, they do no longer where they did."""
    if " работает в " not in said.wording or said.replaces:
        return said
    return replace(
        said, replaces=(Replaced("change", statement=said.subject.name, verbs=("работает в", "работает во")),)
    )


def _is_of_ones_own(tokens: list[str], low: list[str], at: int) -> bool:
    """``Сестра``, ``старший брат``, ``собаку зовут``: of whom one speaks without saying whose they are."""
    noun = at + (lemma(low[at]) in words_of.OF_KIN)
    base = lemma(low[noun])
    if base in words_of.PETS:
        return "зовут" in low[noun + 1 : noun + 3]
    is_idiom = base == "друг" and low[noun + 1 : noun + 2] != [] and lemma(low[noun + 1]) == "друг"
    return base in words_of.FAMILY and not is_idiom and len(tokens) > noun + 1 and not _of_another(tokens, noun)


def _of_another(tokens: list[str], at: int) -> bool:
    """``Мужа Лолы``: whose relative it is follows, a name of the other gender."""
    name, noun = tokens[at + 1], parses(tokens[at].lower())[0].tag
    if "nomn" in noun and any({"Name", "nomn"} in each.tag for each in parses(name.lower())):
        return False
    return name.istitle() and is_name(name.lower()) and gender(name) != noun.gender


_NEED_MORE = frozenset(
    "передумать начать взять получить решить отказаться перейти потерять сломать стать найти купить продать".split()
)


def _said(retold: Retold, kind: Kind, low: list[str], about: Subject, setting: Setting, speaker: str) -> Iterator[Said]:
    ahead = kind.category == "event" and not any(
        found.tag.tense == "past" for found in retold.verbs if found.normal_form not in words_of.PLANS
    )
    text = joined(straight(retold.words, speaker) if retold.own else retold.words)
    if not retold.verbs and re.match(r"мо[йяеёи]|наш", low[0]):
        text = equated(text, speaker)
    bases = [found.normal_form for found in retold.verbs]
    base = bases[0] if bases else ""
    if retold.plural and (base in words_of.TEAM or kind.category == "project"):
        text = text.replace(speaker, f"Команда {in_case(speaker, 'gent')}", 1)
    dating = kind.category == "event" or (ahead and base in words_of.STATES)
    at = None
    if dating:
        found = moments(text, setting.at, ahead=ahead)
        for moment in reversed(found):
            text = f"{text[: moment.start]}{moment.written}{text[moment.end :]}"
        at = found[0].at if found else None
    if set(re.findall(r"[\w-]+", text.lower())) & (words_of.PRONOUNS - {"что"}):
        raise NotLearnt("not self-contained")
    text, replaced = without_old(text)
    for each in (
        begun(text, base, about, kind, at) if "не" not in low else iter(()),
        ended(undated(text, at), text, low, about, kind, at),
        job(text, low, base, about, kind),
    ):
        results = list(each)
        if results:
            yield from results
            return
    if len(text.split()) < 3 and base in _NEED_MORE:
        raise NotLearnt("not self-contained")
    if base in words_of.TASTES and len(low) < 3 and not any(_is_thing(word) for word in low):
        raise NotLearnt("not self-contained")
    yield of(about, upper(text), kind, at, replaced)
    if base == "жить" and (town := re.search(r"живёт (?!в [А-ЯЁ]).* (?P<town>в [А-ЯЁ][\w-]+)$", text)):
        yield of(about, f"{about.name} живёт {town['town']}", kind)
