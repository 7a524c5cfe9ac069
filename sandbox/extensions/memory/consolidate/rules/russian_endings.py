"""What a Russian statement puts an end to: told by its verb, and found by the value it names. Pure.

``Мы отказались от MySQL`` ends whatever is known in which the speaker's use or run on that.
"""

import re
from collections.abc import Iterator, Sequence

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.endings import gone
from sandbox.extensions.memory.consolidate.rules.morphology import inflected, lemma, parses, verb, within
from sandbox.extensions.memory.consolidate.rules.statements import Subject, upper

LIVES = ("живёт в", "живёт во", "живёт на", "проживает в", "живут в")
WORKS = ("работает", "служит", "трудится", "преподаёт")
USES = (
    "использует", "пользуется", "деплоит", "хостит", "хостится", "хранит", "крутится", "собирает", "собирается",
    "пишет", "программирует", "кодит", "тестирует", "разворачивает", "работает", "слушает", "смотрит", "читает",
    "ведёт", "подписан на", "подписана на", "на", "через", "—",
)  # fmt: skip
HAS = ("есть", "водит", "ездит", "держит", "имеет", "снимает", "арендует", "завёл")
GOES = ("ходит", "ездит", "занимается", "играет", "учит", "изучает", "участвует", "тренируется", "увлекается")
PAIRED = ("встречается с", "женат на", "замужем за", "помолвлен с", "помолвлена с", "живёт с", "живёт со")
_ALONE = ("встречается с", "женат", "замужем", "есть девушка", "есть парень", "есть жена", "есть муж")

# Nouns of plans, and the verbs that say the same.
_PLANS: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = (
    (
        frozenset("поездка рейс отпуск полёт перелёт путешествие тур командировка визит каникулы".split()),
        (
            "летит", "едет", "поедет", "полетит", "улетает", "уезжает", "отправляется", "планирует поехать",
            "планирует полететь", "планирует съездить", "планирует слетать", "собирается", "рейс", "поездка", "отпуск",
        ),
    ),
    (frozenset(("запуск", "релиз")), ("планирует запустить", "планирует выпустить", "запускает", "выпускает")),
    (
        frozenset(("свадьба",)),
        ("женится", "выходит замуж", "планирует пожениться", "планирует жениться", "планирует выйти замуж"),
    ),
    (
        frozenset(("переезд", "переехать", "переезжать")),
        ("переезжает", "переедет", "планирует переехать", "собирается переехать", "планирует перебраться"),
    ),
    (
        frozenset("конференция концерт фестиваль выставка марафон курс вечеринка форум митап соревнование".split()),
        (
            "идёт", "пойдёт", "едет", "поедет", "летит", "собирается", "выступает", "бежит", "участвует",
            "планирует пойти", "планирует поехать", "планирует пробежать", "планирует выступить", "планирует посетить",
        ),
    ),
)  # fmt: skip
_BEFORE = frozenset("в во на из с со к от до по у за о для".split())
_OLD = r"(?P<old>[\w.+#-]+(?: [A-ZА-ЯЁ][\w.+#-]*)*)"
_DROPPED = re.compile(
    rf"\b(?i:отказ(?:ался|алась|ались) от|(?:уш[её]л|ушла|ушли|слез|слезла|слезли|перен[её]с\w*|пере\w+|мигрировал\w*)"
    rf"(?: \S+){{0,2}}? с|(?:бросил|забросил|удалил|сн[её]с|снесл|выкинул|заменил|сменил|поменял|променял)[аи]?"
    rf"|(?:завязал|закончил|покончил)[аи]? со?|отменил[аи]? подписку на"
    r"|отпис(?:ался|алась|ались) от|избавил(?:ся|ась|ись) от"
    rf"|перестал[аи]? (?:использовать|пользоваться)) {_OLD}"
)
_SOLD = re.compile(
    r"\b(?:продал|подарил|отдал|раздал|выбросил|пристроил|похоронил|разбил|потерял|лишил|избавил)(?:[аи]|ся|ась|ись)?\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r" ([A-ZА-ЯЁ][\w-]*(?: [A-ZА-ЯЁ][\w-]*)*)")
_LEFT = re.compile(r"\bиз (?P<where>[«\"]?[\w-]+(?: [А-ЯЁA-Z][\w-]*)*)")
_STOPPED = re.compile(
    r"\b(?:бросил|перестал|прекратил|завязал с тем, чтобы)[аи]? (?P<verb>\w+ть(?:ся)?)(?P<what>[^,.;]*)"
)
_CHANGED_ABOUT = re.compile(r"\b(?:с|со|насч[её]т|про|по поводу|в|на) (?P<what>[А-ЯЁа-яё-]{3,})")
_PARTED = ("развестись", "расстаться", "разойтись", "овдоветь")
_LEAVING = ("уволиться", "уйти", "уволить", "сократить", "выйти")
_INSTEAD = re.compile(rf"^[Вв]место {_OLD},? ")


def ends(plain: str, text: str, low: Sequence[str], about: Subject) -> Iterator[Replaced]:
    """What a clause ends, as it is retold; ``plain`` is without the day it ended on."""
    words = text.split()
    past = next((found for word in words if (found := verb(word.lower())) and found.tag.tense == "past"), None)
    base = past.normal_form if past is not None else ""
    if match := re.search(r"\b(?:больше|уже) (?:не|нет) (?=\S)|\bне (?P<late>\S+) больше\b", plain):
        yield from _no_longer(plain.replace(match[0], match["late"] or "", 1).strip(), "нет" in match[0])
        how, _, plan = plain[match.end() :].partition(" ")
        yield from _plan_given_up(plan, about) if how in PLANS else ()
    elif base == "решить" and (denied := re.search(r"решил[аи]? не (\S+т[ьи](?:ся|сь)?.*)", plain)):
        yield from _plan_given_up(denied[1], about)
    elif match := re.search(r"\bне (\S+)", text):
        yield from _not_planned(text, match[0], match[1], about)
    elif "раньше" in low and past is not None:
        present = _third(past.normal_form)
        yield _whole(re.sub(r"\b[Рр]аньше ?", "", plain).replace(past.word, present or past.word).strip())
    elif stopped := _STOPPED.search(plain):
        yield from _given_up(_third(stopped["verb"]) or stopped["verb"], stopped["what"].strip(), about)
    elif base in _PARTED:
        yield from _parted(text, about)
    elif base in ("разлюбить", "разочароваться") and past is not None:
        yield _whole(plain.replace(past.word, "любит").replace("любит в ", "любит "))
    elif base == "передумать" and (meant := re.search(r"передумала? (?P<plan>(?P<verb>\S+ть(?:ся)?).*)", plain)):
        yield _whole(f"{about.name} планирует {meant['plan']}")
        yield from _plan_given_up(meant["plan"], about)
        yield from plans(f"{lemma(meant['verb'])} {meant['plan']}", about)
        if value := _value(meant["plan"].partition(" ")[2]):
            yield gone(("планирует", "собирается", "хочет"), value)
    elif base == "передумать" and (about_what := _CHANGED_ABOUT.search(text)):
        yield gone(PLANS, about_what["what"])
    elif base in _LEAVING and (left := _LEFT.search(text)):
        yield gone(WORKS, left["where"])
    elif base == "уволиться":
        yield from (gone((each,), "", about.name) for each in ("работает", "работает в", "работает на"))
    elif base == "съехать" and about.name in text:
        yield from (gone((each,), "", about.name) for each in (*LIVES, "снимает"))
    elif (sold := _SOLD.search(text)) and (noun := _NAMED.match(text[sold.end() :])):
        yield gone(_had(about), noun[1])
    elif sold and (thing := _thing(words)):
        yield gone(_had(about), thing)
    elif dropped := _DROPPED.search(text):
        yield gone((*USES, *GOES), dropped["old"])


def without_old(text: str) -> tuple[str, tuple[Replaced, ...]]:
    """``Вместо Webpack используем Vite``: what is used, and that nothing is said with Webpack any more."""
    if match := _INSTEAD.match(text):
        return text[match.end() :], (gone(USES, match["old"]),)
    if match := _IN_PLACE.match(text):
        old = match["old"] if match["old"].isascii() else inflected(match["old"], "nomn")
        return match["text"], (gone((*USES, match["verb"]), old),)
    if match := _OTHER_GOAL.match(text):
        return match["text"], (gone(_ALL_PLANS, inflected(match["old"], "accs")),)
    return text, ()


_OTHER_GOAL = re.compile(
    r"^(?P<text>.*\b(?:поедет|едет|полетит|летит|пойдёт|идёт|переедет|переезжает|поступает) .+) "
    r"вместо (?P<old>[А-ЯЁ][\w-]+)$"
)
_ALL_PLANS = tuple(each for _, kind in _PLANS for each in kind)
_IN_PLACE = re.compile(
    r"^(?P<text>\w+(?: пользователя)? (?P<verb>использует|учит|изучает|играет|пьёт|читает|водит) .+) "
    r"вместо (?P<old>[\w.+#-]+)$"
)


def plans(what: str, about: Subject) -> Iterator[Replaced]:
    """What was known of a plan that a noun names: by the names in it, else where there is one of its kind."""
    lemmas = {lemma(word) for word in re.findall(r"[\w-]+", what.lower())}
    verbs = tuple(each for nouns, kind in _PLANS if nouns & lemmas for each in kind)
    names = _names(what, about)
    if verbs:
        yield gone(verbs, names or what.split(" ")[0])
    else:
        yield gone(PLANS, what.split(" ")[0])
    if not names:
        yield from (gone((each,), "", about.name) for each in verbs if each in _TELLING)


# These say themselves what kind of plan it is.
_TELLING = frozenset((
    "летит", "полетит", "улетает", "женится", "рейс", "поездка", "отпуск", "переезжает", "переедет", "выходит замуж",
    "планирует пожениться", "планирует жениться", "планирует выйти замуж", "планирует переехать",
    "планирует полететь", "планирует слетать", "планирует запустить", "планирует выпустить", "собирается переехать",
))  # fmt: skip


def _names(text: str, about: Subject) -> str:
    """What is named in a clause, beside whom it is about."""
    own = set(about.name.lower().split()) | _BEFORE | {"пользователь", "пользователя", "команда"}
    words = re.findall(r"\b[А-ЯЁA-Z][\w-]*", text)
    plans_ = {noun for nouns, _ in _PLANS for noun in nouns}
    return " ".join(word for word in words if word.lower() not in own and lemma(word.lower()) not in plans_)


def _whole(text: str) -> Replaced:
    return Replaced("change", statement=f"{upper(text)}.")


def _no_longer(before: str, is_lack: bool) -> Iterator[Replaced]:
    """``больше не пользуется Evernote``: what held in the same words, or with a verb of the kind."""
    yield _whole(re.sub(r"\s+", " ", before))
    words = before.split()
    at = next((index for index, word in enumerate(words) if verb(word.lower())), None)
    if is_lack or at is None:
        return
    value = _value(" ".join(words[at + 1 :]))
    kind = next((verbs for verbs in (LIVES, WORKS, GOES, USES) if words[at] in " ".join(verbs).split()), None)
    if value:
        yield gone(kind or (words[at],), value)


def _not_planned(text: str, denied: str, word: str, about: Subject) -> Iterator[Replaced]:
    """``не поедет на Алтай``: the plan to."""
    coming = verb(word.lower())
    if coming is None or not (coming.tag.tense == "futr" or coming.normal_form in words_of.GOING):
        return
    yield _whole(text.replace(denied, f"планирует {coming.normal_form}", 1))
    if coming.tag.tense == "pres":
        yield _whole(text.replace(denied, word, 1))
    if names := _names(text, about):
        yield gone(_ALL_PLANS, names)


def _given_up(habit: str, what: str, about: Subject) -> Iterator[Replaced]:
    value = _value(what)
    yield gone((habit,), value) if value else gone((habit,), "", about.name)


def _plan_given_up(plan: str, about: Subject) -> Iterator[Replaced]:
    """``покупать машину``: planned to do it, in either aspect."""
    match = re.match(r"(\S+т[ьи](?:ся|сь)?)(?: (?P<what>[^,.;]+))?", plan)
    if match is not None:
        infinitives = (match[1], *sorted(PARTNERS.get(match[1], ())))
        verbs = tuple(f"{how} {infinitive}" for how in PLANS for infinitive in infinitives)
        yield Replaced(
            "change", statement=f"{about.name[:1].upper()}{about.name[1:]}", verbs=verbs, value=match["what"] or ""
        )


def _had(about: Subject) -> tuple[str, ...]:
    return (*HAS, f"у {within(about.name, 'gent')}")


def _value(said: str) -> str:
    return re.sub(r"^(?:в|во|на|с|со|из|у|к) ", "", said)


def _parted(text: str, about: Subject) -> Iterator[Replaced]:
    names = _names(text, about)
    if names:
        yield gone((*PAIRED, *_ALONE), names)
    yield from (gone((each,), "", about.name) for each in (("женат", "замужем") if names else _ALONE))


def _thing(words: Sequence[str]) -> str:
    """What was given away: a noun in the accusative."""
    for word in words:
        tags = parses(word.lower().strip(",."))
        if any({"NOUN", "accs"} in each.tag or {"NOUN", "gent"} in each.tag for each in tags[:2]) and not verb(
            word.lower()
        ):
            found = tags[0].normal_form
            return str(found) if found not in ("пользователь", "год", "неделя", "месяц", "день") else ""
    return ""


def _third(infinitive: str) -> str:
    """The third person of a verb in the present; empty where it has none."""
    forms = (each for each in parses(infinitive)[0].lexeme if each.tag.tense == "pres" and {"3per", "sing"} in each.tag)
    return str(next((each.word for each in forms), ""))


_PAIRS = """
    покупать купить, продавать продать, переезжать переехать, ехать поехать, лететь полететь, увольняться уволиться,
    менять поменять, менять сменить, брать взять, делать сделать, учить выучить, учиться научиться, поступать поступить,
    заводить завести, строить построить, открывать открыть, снимать снять, бросать бросить, начинать начать,
    писать написать, рожать родить, ремонтировать отремонтировать, возвращаться вернуться, уезжать уехать,
    улетать улететь, идти пойти, ходить пойти, бежать пробежать, записываться записаться, заказывать заказать,
    сдавать сдать, получать получить, выходить выйти, устраиваться устроиться, переходить перейти, худеть похудеть,
    отмечать отметить, праздновать отпраздновать, приглашать пригласить, приезжать приехать, жениться пожениться,
    разводиться развестись, осваивать освоить, изучать изучить, проходить пройти, проводить провести, ставить поставить,
    запускать запустить, нанимать нанять, арендовать снять, посещать посетить, оформлять оформить, создавать создать
"""
PARTNERS: dict[str, frozenset[str]] = {}
for _pair in _PAIRS.split(","):
    _one, _other = _pair.split()
    PARTNERS[_one] = PARTNERS.get(_one, frozenset()) | {_other}
    PARTNERS[_other] = PARTNERS.get(_other, frozenset()) | {_one}

PLANS = ("планирует", "собирается", "хочет", "намерен", "мечтает", "думает", "решил")
