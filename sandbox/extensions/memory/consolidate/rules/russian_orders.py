"""Standing wishes in Russian: how the assistant shall always, never or from now on behave. Pure."""

import re
from dataclasses import replace

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.endings import gone
from sandbox.extensions.memory.consolidate.rules.morphology import in_case, nominative, parses, speaker_name, verb
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Setting, Subject

_KIND, _NAMED = Kind("instruction", 4), Kind("fact", 5)
_MARK = (
    r"всегда|никогда|впредь|отныне|с этого момента|с этого дня|с сегодняшнего дня|по умолчанию|в будущем|на будущее"
    r"|каждый раз|в дальнейшем|больше никогда|больше(?= не\b)"
)
_POLITE = (
    r"(?:(?:и|а|но|да|ну|так|ещё|еще|также|пожалуйста|плиз|прошу(?: тебя| вас)?|теперь|запомни(?:те)?|учти(?:те)?"
    r"|привет|спасибо|только|просто|лучше|давай|правило|кстати|старайся|постарайся|можешь|можно|хочу,? чтобы ты"
    r"|надо,? чтобы ты|нужно,? чтобы ты|прошу,? чтобы ты|мне)(?![\w-])[\s,:.!]*)"
)
_LEAD = re.compile(rf"^(?:{_POLITE}|(?P<mark>{_MARK})(?![\w-])[\s,:]*)+", re.IGNORECASE)
_ANYWHERE = re.compile(rf"[\s,]*\b(?:{_MARK})(?![\w-])", re.IGNORECASE)
_PLEASE = re.compile(r"[\s,]*\b(?:пожалуйста|плиз|плз)(?![\w-])", re.IGNORECASE)
_NAME = re.compile(
    r"(?:(?:зови|зовите|называй|называйте|обращайся ко мне|обращайтесь ко мне|можно звать|можешь звать"
    r"|можно называть)(?: меня)?|(?:(?:мои )?(?:друзья|коллеги|близкие|родные|все|дома|домашние"
    r"|на работе)\s+)?(?:меня )?(?:все |обычно )*(?:зовут|называют|кличут) меня|(?:меня"
    r"|мо[её] имя)?\s*можно)(?: (?:просто|коротко|сокращ[её]нно"
    r"|лучше))*(?: как)? (?P<name>[А-ЯЁA-Z][\w-]+(?: [А-ЯЁA-Z][\w-]+)?)(?=$|[,.!])",
    re.IGNORECASE,
)
_UNNAMED = re.compile(
    r"(?i:\bне (?:надо |нужно |стоит |хочу,? чтобы )?(?:больше )?|\b(?:хватит|перестань\w*|прекрати\w*) )"
    r"(?i:(?:меня )?(?:зови|зовите|называй|называйте|звать|называть|звали|называли|кличь)(?: меня)?(?: больше)?) "
    r"(?P<name>[А-ЯЁA-Z][\w-]+)"
)
_CALLED = re.compile(
    r"^(?:(?:мои )?(?:друзья|коллеги|близкие|родные|все|дома) (?:зовут|называют)(?: меня)?|меня (?:все|друзья"
    r"|коллеги|дома|обычно)[\w ]{0,12} (?:зовут|называют)|для друзей я)(?: просто)? (?P<name>[А-ЯЁA-Z][\w-]+)$"
)
_FAMILIAR = re.compile(r"(?:^|\s)на [«\"']?(?P<how>ты|вы)[»\"']?$", re.IGNORECASE)
_NO_NEED = re.compile(
    r"^(?:не (?:надо|нужно|стоит|следует|хочу,? чтобы ты)|хватит|перестань|прекрати)\s+", re.IGNORECASE
)
_FOR_NOW = ("не надо", "не нужно", "не стоит", "не следует")  # is said of one answer, without a word for good
_WITHOUT = re.compile(r"^без (?!проблем|вопросов|спешки)(?P<what>[\w ,-]{3,40})$", re.IGNORECASE)
_ALLOWED = re.compile(r"^(?:можно|можешь|разрешаю) (?:снова|опять|уже) (?P<what>\S+ть(?:ся)? .+)$", re.IGNORECASE)
_MANNER = frozenset(
    "отвечать писать говорить общаться обращаться использовать объяснять присылать комментировать".split()
)
_BRIEF = "кратко коротко короче покороче лаконично сжато".split()
_LONG = "подробно подробнее развёрнуто развернуто детально".split()


_PLEASE_OR_ALWAYS = r"(?:пожалуйста|плиз|впредь|всегда|на будущее|с этого момента|по умолчанию)"
_STYLE = (
    r"(?P<what>(?:(?:эмодзи|смайл|таблиц|спис|извинен|вступлен|вод[ыу]\b|жаргон|шут|англицизм|повтор|лекц|оговор"
    r"|сокращен|markdown|маркдаун)\w*)(?: и \w+)?)"
)
_SHOWN = r"(?:примеры|ответы|объяснения|код|цены|даты|температуру|расстояния|суммы|единицы)(?: кода)?"
_IN_OTHER_WORDS = tuple(  # what may be meant for one answer only has to be said with a word for good
    (re.compile(rf"^(?:(?:и|а|да|но|давай) )?{said}(?:,? {_PLEASE_OR_ALWAYS})*$", re.IGNORECASE), meant)
    for said, meant in (
        (
            rf"(?P<what>{_SHOWN} (?:только |лучше )?(?:на|в|по|с|без) (?-i:[а-яёA-Z])[\w+#-]*"
            rf"(?: (?!не\b)[\w+#-]+)?(?:,? (?:а )?не (?:на |в )?[\w+#-]+"
            rf"|(?=,? {_PLEASE_OR_ALWAYS})))",
            "всегда приводи",
        ),
        (
            r"(?:ответы |(?=.*(?:впредь|всегда|на будущее|момента|умолчанию)))"
            r"(?P<what>(?:по)?(?:короче|подробнее|проще|понятнее|детальнее))",
            "всегда отвечай",
        ),
        (
            r"(?P<what>(?:табы|пробелы|(?:одинарные|двойные) кавычки|snake_case|camelCase),? (?:а )?не \w+(?: \w+)?)",
            "всегда используй",
        ),
        (rf"(?:никаких|без) {_STYLE}", "всегда без"),
        (rf"(?:по)?меньше {_STYLE}(?=,? {_PLEASE_OR_ALWAYS})", "всегда используй меньше"),
    )
)


def _as_order(text: str) -> str:
    """``Примеры кода на Python, не на JS``: always give them so; the same where it is no wish."""
    found = ((match, meant) for said, meant in _IN_OTHER_WORDS if (match := said.match(text)))
    return next((f"{meant} {match['what'][0].lower()}{match['what'][1:]}" for match, meant in found), text)


def order(clause: str, setting: Setting, *, goes_on: bool = False) -> Said | None:
    """``Всегда отвечай на русском``; ``больше не используй смайлики``; ``goes_on``: after another wish. None where it
    is none.
    """
    text = _as_order(clause.strip(" .!*_"))
    speaker = speaker_name(setting.speaker.name)
    lead = _LEAD.match(text)
    rest = _PLEASE.sub("", text[lead.end() :] if lead else text)
    if (
        lead
        and lead[0].lower().endswith("давай ")
        and parses(rest.split()[0].lower() if rest else "")[0].tag.POS == "NOUN"
    ):
        rest = f"давай {rest}"  # what is to be given
    if unwanted := _UNNAMED.search(text):
        is_known = parses(unwanted["name"].lower())[0].is_known
        return _not_called(speaker, (is_known and nominative(unwanted["name"])) or unwanted["name"])
    named = _CALLED.match(text) or _NAME.match(rest) or _NAME.match(text)
    if named and named["name"][0].isupper():
        name = named["name"] if "Name" not in parses(named["name"].lower())[0].tag else nominative(named["name"])
        return _said(speaker, f"предпочитает имя {name}", _NAMED)
    if again := _ALLOWED.match(text):
        return _said(speaker, f"разрешает {again['what']}", _KIND, f"просит никогда не {again['what']}")
    marked = bool(lead and lead["mark"]) or bool(_ANYWHERE.search(rest)) or goes_on
    rest = _ANYWHERE.sub("", rest).strip(" ,")
    if lead and lead["mark"] and "можешь" in lead[0].lower():
        rest = f"надо {rest}"
    if lead and "чтобы ты" in lead[0].lower() and (found := verb(rest.split(" ")[0].lower())):
        rest, marked = f"надо {found.normal_form} {rest.partition(' ')[2]}", True
    if (familiar := _FAMILIAR.search(rest)) and len(rest.split()) < 6:
        how = familiar["how"].lower()
        other = "вы" if how == "ты" else "ты"
        return _said(speaker, f"просит обращаться на «{how}»", _KIND, f"просит обращаться на «{other}»")
    if (bare := _WITHOUT.match(rest)) and (marked or "пожалуйста" in text.lower()):
        return _said(speaker, f"просит всегда отвечать без {bare['what']}", _KIND)
    return _wish(rest, speaker, marked, bool(lead and lead["mark"] and "никогда" in lead["mark"].lower()))


_GIVEN = re.compile(r"^(?:если|когда|каждый раз,? когда) я (?P<when>[^,]{3,50}), (?:то )?(?P<what>.+)$", re.IGNORECASE)
_MANNERS = re.compile(
    r"^(?:быть|будь) (?:\w+ )?(?:лаконич|крат|вежлив|прям|честн|строг|формальн|конкретн|точн|подробн|сдержан|критич"
    r"|серь[её]зн|мягк|откровенн|объективн)\w*",
    re.IGNORECASE,
)


def given(sentence: str, setting: Setting) -> Said | None:
    """``Если я прошу код, пиши на Python``: what shall be done whenever the speaker does something."""
    match = _GIVEN.match(sentence.strip(" .!"))
    found = order(match["what"], setting, goes_on=True) if match else None
    if match is None or found is None or found.kind != _KIND:
        return None
    first, _, rest = match["when"].partition(" ")
    said = verb(first.lower())
    third = said.inflect({"3per", "sing"}) if said is not None else None
    condition = f"{third.word if third else first} {rest}".strip()
    if not words_of.PRONOUNS.isdisjoint(re.findall(r"\w+", condition.lower())):
        return None
    return Said(found.subject, "", kind=_KIND, wording=f"{found.wording}, когда пользователь {condition}")


def _wish(rest: str, speaker: str, marked: bool, never: bool) -> Said | None:
    """An imperative that is marked as standing, or is about how to answer. What somebody is warned of once is said in
    the perfective: ``не перепутай``.
    """
    rest, of_all = _object_first(rest)
    marked = marked or of_all
    needless = _NO_NEED.match(rest) or re.match(r"надо ", rest)
    words = (rest[needless.end() :] if needless else rest).split()
    denied = bool(needless and needless[0] != "надо ") or (words[:1] != [] and words[0].lower() == "не")
    if needless and not marked and needless[0].lower().startswith(_FOR_NOW):
        return None
    words = words[denied and not needless :]
    if re.search(r"\S@\w|https?://|\d{3}", rest) and not marked:
        return None  # where to write is a contact
    at = next((at for at, word in enumerate(words[:4]) if _base(word.lower().strip(","), bool(needless))), 0)
    words = [*words[at:], *(word.lower() for word in words[:at])] if marked and not denied and at else words
    base = _base(words[0].lower().strip(","), bool(needless)) if words else ""
    warned = denied and not needless and not (marked or never) and "perf" in parses(base)[0].tag if base else False
    is_manner = bool(_MANNERS.match(rest)) or (denied and not warned and _is_general(base, words[1:]))
    if not base or not (marked or base in _MANNER or is_manner or (denied and base in words_of.STYLE - _OF_ONE)):
        return None
    what = _of_third(" ".join([base, *words[1:]]), speaker)
    if what.lower().endswith((" ещё", " еще", " дальше", " снова", " так")):
        return None
    if (len(words) < 2 and not denied) or not words_of.PRONOUNS.isdisjoint(re.findall(r"\w+", what.lower())):
        return None
    if denied or never:
        return _said(speaker, f"просит никогда не {what}", _KIND, f"просит всегда {what}")
    return _said(speaker, f"просит всегда {what}", _KIND, f"просит никогда не {what}", *_opposite(what))


_IN_GENERAL = (words_of.STYLE | _MANNER) - frozenset(("запускать", "удалять", "менять", "создавать")) | frozenset(
    """
    предлагать советовать рекомендовать класть покупать заказывать бронировать подбирать считать округлять вставлять
    нумеровать искать
    """.split()
)


def _object_first(rest: str) -> tuple[str, bool]:
    """``Цены указывай в рублях``: the order with its verb first, and whether it is one that holds for all of a kind."""
    words = rest.split()
    at = next((at for at, word in enumerate(words[:4]) if "impr" in parses(word.lower().strip(","))[0].tag), 0)
    base = _base(words[at].lower().strip(","), needless=False) if at else ""
    denied = bool(at) and words[at - 1].lower() == "не"
    what = [word.lower() for word in words[: at - denied]] if at else []
    if base not in _IN_GENERAL or "impf" not in parses(base)[0].tag or not what or len(words) < 3:
        return rest, False
    if not all(_is_had(word) for word in what) or words_of.NOW.union(("сейчас",)) & set(words):
        return rest, False
    return " ".join(["не"] * denied + [words[at].strip(","), *what, *words[at + 1 :]]), True


def _is_had(word: str) -> bool:
    tags = [each.tag for each in parses(word)[:4]]
    return word.isascii() or any(tag.POS in ("NOUN", "ADJF") and tag.case in ("accs", "gent") for tag in tags)


_OF_ONE = frozenset(("удалять", "менять", "создавать"))
_SOOTHING = frozenset(
    """
    волноваться переживать беспокоиться бояться забывать спешить торопиться сердиться обижаться смеяться говорить
    думать трогать быть делать мешать плакать грустить злиться знать мочь хотеть
    """.split()
)


def _is_general(base: str, after: list[str]) -> bool:
    """Whether what is forbidden is nothing before one's eyes: no object, or several."""
    nouns = [parses(word.lower().strip(","))[0] for word in after]
    one = any(each.tag.POS == "NOUN" and each.tag.number == "sing" for each in nouns)
    own = bool(after) and re.match(r"мо[йяюеи]", after[0].lower()) is not None
    return base not in _SOOTHING and (own or not one)


def _base(word: str, needless: bool) -> str:
    """The dictionary form of an imperative, of an infinitive where one is told not to."""
    if word in ("мой", "мою"):  # whose it is, not what is to be washed
        return ""
    wanted = ("INFN",) if needless else ("impr",)
    found = next((each for each in parses(word)[:4] if any(mark in each.tag for mark in wanted)), None)
    if found is None and re.fullmatch(r"\w{2,}ш", word):  # of verbs young as pushing
        found = next((each for each in parses(f"{word}ь") if "impr" in each.tag), None)
    if found is None and word in _YOUNG:
        return _YOUNG[word]
    return str(found.normal_form) if found is not None else ""


_YOUNG = {"пушь": "пушить", "пуш": "пушить", "коммить": "коммитить", "мержи": "мержить", "мерджи": "мерджить"}
_YOUNG |= {"деплой": "деплоить", "форматируй": "форматировать", "рефактори": "рефакторить", "гугли": "гуглить"}


def _of_third(what: str, speaker: str) -> str:
    what = re.split(r",\s*(?=(?:это|потому|так|я|а|ведь|чтобы|и на)\b)|\s+потому что\b", what)[0].strip(" ,")
    what = re.sub(r"^(отвечать|писать|говорить|присылать|объяснять) мне\b", r"\1", what)
    what = re.sub(r"\bко мне\b", f"к {in_case(speaker, 'datv')}", what)
    what = re.sub(r"\bмо(?:й|я|ю|ё|е|и) (\w+)", rf"\1 {in_case(speaker, 'gent')}", what)
    what = re.sub(r"\bмне\b", in_case(speaker, "datv"), what)
    return re.sub(r"\bменя\b", in_case(speaker, "accs"), what)


def _opposite(what: str) -> tuple[str, ...]:
    """What a wish for short or long answers takes the place of."""
    words = set(what.lower().split())
    others = _LONG if words & set(_BRIEF) else _BRIEF if words & set(_LONG) else []
    return tuple(f"просит всегда {what.split()[0]} {other}" for other in others)


def _not_called(speaker: str, name: str) -> Said:
    """``Не зови меня больше Ленкой``."""
    said = _said(speaker, f"просит не использовать имя {name}", _KIND)
    return replace(said, replaces=(gone(("предпочитает имя", "зовут"), name),))


def _said(speaker: str, what: str, kind: Kind, *ended: str) -> Said:
    about = Subject(speaker, "пользователь" if speaker == "Пользователь" else speaker, is_self=True)
    replaces = tuple(Replaced("change", statement=f"{speaker} {each}.") for each in ended)
    return Said(about, "", kind=kind, replaces=replaces, wording=f"{speaker} {what}")
