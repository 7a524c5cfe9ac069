"""What is said in other words in Russian, as the grammar knows it: ``опера — это моё`` is ``я люблю оперу``. Pure."""

import re
from datetime import datetime

from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.morphology import agreeing, inflected, lemma, nominative, parses
from sandbox.extensions.memory.consolidate.rules.russian_clauses import done_by
from sandbox.extensions.memory.consolidate.rules.russian_spoken import going, spoken
from sandbox.extensions.memory.consolidate.rules.texts import words_in

_ROWS = tuple(
    (re.compile(said, re.IGNORECASE), meant)
    for said, meant in (
        (r"^вместо (?P<old>[\w.+#-]+),? (?:я |мы )?(?:теперь |сейчас |уже )?(?P<rest>.+)$", r"\g<rest> вместо \g<old>"),
        (
            r"^(?:мы )?(?:в итоге |наконец |всё-таки )*(?:мы )?(?:выбрали|взяли|остановились на) "
            r"(?=(?P<new>[A-Z][\w.+#-]*) вместо [A-Z][\w.+#-]*$)",
            "мы используем ",
        ),
        (
            r"^(?:я )?(?P<how>ушла|уш[её]л|уволилась|уволился) (?:я )?(?:оттуда"
            r"|(?:из|с) (?:это|то|прежне|старо|свое|наше)\w+ [а-яё]+)$",
            r"я уволился",
        ),
        (r"^(?:мы )?линт(?:им|уем) (?=через|с помощью)", "мы проверяем код "),
        (r"^(?P<who>мне|нам) (?P<not>не )?(?:очень |совсем )?по душе ", r"\g<who> \g<not>нравится "),
        (r"^(?P<first>(?:по|на|в) [а-яё]+) (?P<who>я|мы) (?=[а-яё]+(?:$| (?:из|в|на)\b))", r"\g<who> \g<first> "),
        (r"^мне (?P<age>(?:[2-9]?1))$", r"мне \g<age> год"),
        (r"^мне (?P<age>[2-9]?[2-4])$", r"мне \g<age> года"),
        (r"^мне (?P<age>[1-9]\d)$", r"мне \g<age> лет"),
        (
            r"^(?:я )?не (?P<do>[а-яё]+[юу])(?P<what>(?: [а-яё]+){0,2}?) уже (?:\w+ )?(?:год|месяц|недел|лет|дн)\w*$",
            r"я больше не \g<do>\g<what>",
        ),
        (r"^(?:мо[её] )?полное имя\s*[—–:-]?\s*(?=[А-ЯЁ])", "меня зовут "),
        (r"^я (?P<age>\d{1,2})-летн(?:ий|яя) (?=[а-яё])", "я "),
        (r"^(?:я )?работаю по профессии (?=[а-яё])", "я работаю "),
        (r"^(?P<who>я |мы )?(?:держусь|держимся) подальше от ", r"\g<who>избегаю "),
        (r"^(?:мой дом|дом у меня) (?=(?:в|на) [А-ЯЁ])", "я живу "),
        (r"^(?P<who>я |мы )?(?:обитаю|обосновал(?:ся|ась)|осел|осела) (?=(?:в|на) )", "я живу "),
    )
)
_DOCTOR = r"(?P<who>(?:стоматолог|зубн|врач|доктор|терапевт|ветеринар|окулист|парикмахер|психолог)\w*)"
_AT_DOCTOR = (
    re.compile(rf"^(?:по)?звонил[аи]? (?:от |из )?{_DOCTOR}(?: и|,)? (?P<rest>(?:перен[её]с|сдвинул)\w* на .+)$", re.I),
    re.compile(rf"^(?:запись|визит|при[её]м) (?:к|у) {_DOCTOR} (?P<rest>.+)$", re.I),
    re.compile(
        rf"^(?:у меня )?{_DOCTOR} (?P<rest>(?:теперь |перен\w+ на )?(?:(?:во?|на) )?(?:следующ\w+ )?(?:(?:понедельн"
        r"|вторн|сред|четверг|пятниц|суббот|воскрес|завтра)\w*|\d{1,2}(?:-го| (?:янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен"
        r"|окт|ноя|дек)\w*))(?: в \d\S*(?: \w+)?)?)$",
        re.I,
    ),
)
_MOVED = re.compile(
    r"^(?:(?:мы|я) )?переехал[аи]?,? (?:и )?(?:(?:теперь|сейчас|уже|мы|я) )+(?=в [А-ЯЁ])"
    r"|^(?:(?:мы|я) )?вернул(?:ся|ась|ись) (?:обратно |назад )?(?:жить )?к родителям (?=в [А-ЯЁ][\w-]+(?:,|$))"
    r"|^(?:наш[аеи]? |мо[йяё] )?нов(?:ая|ый|ое) (?:квартира|дом|жиль[её]|хата)(?: теперь| у нас| у меня)?"
    r"(?: [—–-])? (?=в [А-ЯЁ][\w-]+(?:,|$))",
    re.IGNORECASE,
)
_HIRED = re.compile(
    r"^(?P<who>[а-яё]+(?: [а-яё]+)? )?(?:сменил|поменял|наш[её]л|нашл)[аи]? (?:новую )?работу,? (?:и )?"
    r"(?:(?:теперь|сейчас|уже|он|она|я) )+(?=в [А-ЯЁA-Z])",
    re.IGNORECASE,
)
_NOW_AT = re.compile(r"^(?P<who>(?i:я|он|она|(?:мо[йя] )?[а-яё]+)|[А-ЯЁ][а-яё]+) теперь в (?P<where>[А-ЯЁA-Z][\w-]+)$")
_NOW_MINE = re.compile(r"^(?P<name>[А-ЯЁ][а-яё]+) теперь (?P<role>мо[йя] [а-яё]+)$")
_SUCCEEDED = re.compile(
    r"\b(?P<role>(?i:начальни|руководител|босс|шеф)\w+) (?:у меня )?(?:вместо \w+ )?(?:теперь )?(?:будет|стал[аи]?) "
    r"(?P<name>[А-ЯЁ][а-яё]+)$"
)
_PLACE_OFF = re.compile(
    r"^(?P<where>[А-ЯЁ][а-яё-]+) "
    r"(?P<off>отменяется|отменился|отменилась|отпадает|сорвал[ао]сь|сорвался|отложили|отложил[аи]?|откладывается"
    r"|перенесли|переносится|переносим)\b"
)
_SPELT = re.compile(
    r"(?P<before>(?:зовут|имя|пишется) [А-ЯЁ][а-яё]+),? (?:через|с одн|с дв|без|с букв)\w*(?: [\w«»\"-]+){0,2}$"
)
_NAME_IS = re.compile(r"^мо[её] имя (?:правильно )?пишется (?:как )?(?=[А-ЯЁ])", re.IGNORECASE)
_BOTH = re.compile(
    r"^(?P<whose>у (?:меня|нас))(?: есть| живут| дома)* (?P<one>[а-яё]+) и (?P<other>[а-яё]+)(?=$|[.,])", re.I
)
_NAMED_THEM = re.compile(
    r"\b(?P<noun>[а-яё]+)(?:,| и|, и|) (?:мы |е[её] |его |решили )*назвал[аи]?(?: е[её]| его)? "
    r"(?P<name>[А-ЯЁ]?[а-яё]{2,})$"
)
_ROLE_IS = re.compile(
    r"^(?P<role>[А-ЯЁ]?[а-яё]+) (?:у (?:меня|нас) (?:теперь )?|теперь )(?:будет |стал[аи]? )?"
    r"(?P<name>[А-ЯЁ][а-яё]+(?: [А-ЯЁ][а-яё]+)?)$"
)
_BEFORE_NOW = re.compile(
    r"(?P<before>\bраньше (?:я |мы )?(?P<did>жили?|жила|работал[аи]?|учил(?:ся|ась)) [^,]+), (?:а )?"
    r"(?:сейчас|теперь) (?=в |на )",
    re.IGNORECASE,
)
_AND_NOW = re.compile(
    r"(?P<before>\b(?:отказ|ушл|уш[её]л|слез|брос|выкинул|раньше|снесл).*?),?"
    r" (?:а |и )?теперь (?:у нас )?(?=[A-Z][\w.+#-]*(?: \d[\w.]*)?$)"
)
_LEFT_OVER = re.compile(
    r"\b(?:у (?:нас|меня) )?остал(?:ись|ся|ась|ось) (?:только|лишь|одн[иа]|один) (?=[а-яё]+$)", re.I
)
_INSTEAD = re.compile(r"\bвместо (?:не[её]|него|них|этого) (?=(?:мы |я )?[а-яё]+(?:ем|им|у|ю)\b)", re.IGNORECASE)


def whole(sentence: str) -> str:
    """A sentence in the words the grammar knows, where several of its clauses say one thing."""
    sentence = _BOTH.sub(_each_of_both, sentence)
    sentence = _AND_NOW.sub(r"\g<before>, мы используем ", sentence)
    sentence = _BEFORE_NOW.sub(_then_now, sentence)
    sentence = _LEFT_OVER.sub("у нас есть ", sentence.rstrip(" .!"))
    sentence = _INSTEAD.sub("мы ", _SPELT.sub(r"\g<before>", sentence.rstrip(" .!")))
    if match := next((found for way in _AT_DOCTOR if (found := way.match(sentence))), None):
        return f"Приём у {inflected(lemma(match['who'].lower()), 'gent')} {match['rest']}"
    sentence = _NAMED_THEM.sub(_with_name, sentence)
    if (match := _PLACE_OFF.match(sentence)) and _is_place(match["where"]):
        rest = sentence[match.end("where") :]
        return f"Поездка в {inflected(match['where'], 'accs')}{rest}"
    if match := _NOW_MINE.match(sentence):
        return f"{match['role']} — {match['name']}"
    sentence = _SUCCEEDED.sub(lambda match: f"мой {lemma(match['role'].lower())} — {match['name']}", sentence)
    if match := _HIRED.match(sentence):
        who = match["who"] or "я "
        return f"{who}теперь {'работаю' if who.lower() == 'я ' else 'работает'} {sentence[match.end() :]}"
    return _NAME_IS.sub("меня зовут ", _MOVED.sub("я переехал ", _ours(sentence)))


def _with_name(match: re.Match[str]) -> str:
    """``Родилась племянница, назвали Верой``: her name is that; of somebody else's child it stands beside it."""
    noun = lemma(match["noun"])
    is_name = match["name"][0].isupper() or "Name" in parses(match["name"])[0].tag
    if not is_name or noun not in words_of.KIN | words_of.PETS:
        return match[0]
    name = nominative(match["name"].capitalize()) or match["name"].capitalize()
    whose = re.search(r"\bу (?!меня|нас)[а-яё]+", match.string[: match.start()])
    if whose:
        return f"{match['noun']} {name}"
    told = f"{match['noun']}, " if match.start() else ""
    return f"{told}{inflected(noun, 'accs')} зовут {name}"


def _is_relative(noun: str) -> bool:
    return lemma(noun) in words_of.KIN and "nomn" in parses(noun)[0].tag


def _then_now(match: re.Match[str]) -> str:
    """``Раньше жил в Омске, сейчас в Томске``: lives there."""
    now = {"ж": "живу", "р": "работаю", "у": "учусь"}[match["did"][0].lower()]
    return f"{match['before']}, теперь я {now} "


def _each_of_both(match: re.Match[str]) -> str:
    """``У нас есть козы и куры``: of which one may be gone some day."""
    if {lemma(match["one"].lower()), lemma(match["other"].lower())} <= words_of.HAVE:
        return f"{match['whose']} есть {match['one']}, {match['whose']} есть {match['other']}"
    return match[0]


def _ours(sentence: str) -> str:
    """``Завели щенка``: what nobody is said to have done, and one does with one's family."""
    words = re.findall(r"[\w-]+", sentence.lower())
    at = next((index for index, word in enumerate(words[:5]) if word in _DONE_TOGETHER), None)
    if at is None or not _OBJECTS.isdisjoint(words) or any(map(_may_be_who, words[:at])):
        return sentence
    is_had = not words_of.HAVE.union(words_of.THINGS).isdisjoint(map(lemma, words))
    is_had = is_had or any(word.isascii() and word.isalpha() for word in words)
    return f"мы {sentence}" if is_had or words[at] not in _DONE_WITH_SOMETHING else sentence


def _may_be_who(word: str) -> bool:
    tags = [each.tag for each in parses(word)[:2]]
    if tags[0].POS == "PREP":
        return False
    return word == "и" or tags[0].POS == "NPRO" or any({"NOUN", "plur", "nomn"} in tag for tag in tags)


_DONE_TOGETHER = frozenset(
    """
    переехали перебрались съехали завели купили продали поженились расписались расстались развелись разошлись перешли
    отказались мигрировали пересели передумали уехали усыновили удочерили приютили забросили подобрали
""".split()
)
_DONE_WITH_SOMETHING = frozenset(
    "завели купили продали перешли отказались мигрировали пересели забросили подобрали".split()
)
_OBJECTS = frozenset(
    "я мы меня мне нас нам мой мою мои наш нашу наши его её ее их ему ей им родители друзья соседи".split()
)


def _is_somebody(who: str) -> bool:
    last = who.split()[-1].lower()
    return last in ("я", "он", "она") or lemma(last) in words_of.KIN or any("Name" in each.tag for each in parses(last))


def _is_place(word: str) -> bool:
    return any("Geox" in each.tag for each in parses(word.lower()))


_NOT_MINE = re.compile(
    r"^(?P<what>[а-яё]+(?: [а-яё]+)?)\s*(?:[—–-]\s*)?(?:это )?(?P<not>(?:совсем |вообще )?не )?(?:моё|мое|для меня"
    r"|моя (?:слабость|страсть|любовь)|мой (?:выбор|вариант))$",
    re.IGNORECASE,
)
_DAYS = re.compile(
    r"\bс (?P<one>\d{1,2})(?:-го)? (?:по|до) (?P<other>\d{1,2})(?:-го)? (?P<month>(?:январ|феврал|март|апрел|ма|июн|июл"
    r"|август|сентябр|октябр|ноябр|декабр)[яа])\b"
)
_COUNTS = {"один": 1, "два": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6, "семь": 7, "восемь": 8, "девять": 9}
_COUNTS |= {"десять": 10, "двенадцать": 12, "пятнадцать": 15, "двадцать": 20, "тридцать": 30}
_EVERY = "|".join(_COUNTS)
_FOR = re.compile(
    r"(?<!мне )(?<!ему )(?<!ей )(?:(?:вот )?уже |больше |около |почти |последние )?"
    rf"\b(?P<count>\d{{1,2}}|{_EVERY}) (?:лет|года|год)(?= подряд|$|,| (?:в|на|с|и)\b)",
    re.IGNORECASE,
)
_AGED = re.compile(
    r"\b(?:мне|ему|ей|нам|им|исполни\w+|назад|через|сыну|дочери|дочке|жене|мужу|брату|сестре|маме|папе|было|будет|дет\w+|внук\w*|мо(?:им|ей|ему))\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b(?P<before>зовут|звать|по имени|кличк[аеу]|имя|называй меня|зови меня) (?P<name>[а-яё]{2,15})\b")
_KIN = re.compile(r"\b(?P<noun>[а-яё]{3,12}) (?P<name>[а-яё]{3,12})(?= [а-яё])")


def reworded(text: str, at: datetime) -> str:
    """A clause in the words the grammar knows; the same where it has no others."""
    text = _DAYS.sub(r"с \g<one> \g<month> по \g<other> \g<month>", text)
    text = _KIN.sub(_named_kin, _NAME.sub(_named, text))
    if (match := _NOW_AT.match(text)) and not _is_place(match["where"]) and _is_somebody(match["who"]):
        return f"{match['who']} теперь {'работаю' if match['who'].lower() == 'я' else 'работает'} в {match['where']}"
    if (match := _ROLE_IS.match(text)) and _is_relative(match["role"].lower()):
        return f"{inflected('мой', *agreeing(match['role'].lower()))} {match['role'].lower()} — {match['name']}"
    text = _time_last(going(done_by(spoken(text)), at), at)
    if match := _NOT_MINE.match(text):
        what = " ".join(inflected(word, "accs") for word in match["what"].lower().split())
        return f"я {'не ' if match['not'] else ''}люблю {what}"
    for said, meant in _ROWS:
        if match := said.match(text):
            text = f"{match.expand(meant)}{text[match.end() :]}"
            text = text if text[:1].isupper() else text.replace(" По ", " по ", 1).replace(" На ", " на ", 1)
            break
    return _since(text, at)


_TIME_FIRST = re.compile(
    r"^(?:в|во|на|через|с|\d|по|за|лет|зим|вес|осен)[^,]*? (?=у [а-яё]+ "
    rf"|(?:{'|'.join(sorted(words_of.HAPPENINGS))})\b)",
    re.IGNORECASE,
)


def _time_last(text: str, at: datetime) -> str:
    """``Через месяц у нас свадьба``: with what is to be before when it is."""
    lead = _TIME_FIRST.match(text)
    found = moments(lead[0].strip(), at, ahead=True) if lead else []
    if lead is None or len(found) != 1 or found[0].start or lead[0][found[0].end :].strip() not in _PARTS_OF_DAY:
        return text
    return f"{text[lead.end() :]} {lead[0][0].lower()}{lead[0][1:].rstrip()}"


_PARTS_OF_DAY = ("", "утром", "днём", "днем", "вечером", "ночью")


def _since(text: str, at: datetime) -> str:
    """``преподаю уже десять лет`` as ``преподаю с 2014 года``."""
    match = None if words_in(text).isdisjoint(("лет", "года", "год")) else _FOR.search(text)
    if match is None or _AGED.search(text):
        return text
    said = match["count"].lower()
    count = int(said) if said.isdecimal() else _COUNTS[said]
    return f"{text[: match.start()]}с {at.year - count} года{text[match.end() :]}"


def _named(match: re.Match[str]) -> str:
    """``меня зовут женя``: with the capital letter of a name."""
    is_name = any("Name" in each.tag for each in parses(match["name"]))
    return f"{match['before']} {match['name'].capitalize() if is_name else match['name']}"


def _named_kin(match: re.Match[str]) -> str:
    """``брат саша``: the same after a relative."""
    if lemma(match["noun"]) not in words_of.KIN or "Name" not in parses(match["name"])[0].tag:
        return match[0]
    return f"{match['noun']} {match['name'].capitalize()}"
