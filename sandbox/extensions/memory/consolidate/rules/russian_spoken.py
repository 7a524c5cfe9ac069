"""Russian as it is spoken, in the order and with the words the grammar knows: pronouns behind what they go with,
particles, subjects that are left out. Pure.
"""

import re
from datetime import datetime

from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.morphology import agreeing, inflected, lemma, nominative, parses, verb

_PARTICLE = re.compile(
    r"(?<![\w-])(?!(?:вс[её]|так|то|как\w*|кого|ком[уа]?|кем|кто|что|чего|ч[её]м\w?|где|куда|откуда|когда|почему"
    r"|зачем|отчего|сколько|ч[ьеё]\w{1,3})-)(?P<word>[а-яё]{1,20})-(?:таки|то|ка)(?![\w-])",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"^(?P<who>[а-яё]+(?: [а-яё]+)?(?: у (?:меня|нас))?), (?P<name>(?-i:[А-ЯЁ][а-яё]+(?: [А-ЯЁ][а-яё]+)?)), "
    r"(?!(?:и|а|но|да|он|она)\b)(?=[а-яё])",
    re.IGNORECASE,
)
_NAME_LAST = re.compile(r"(?P<whom>[а-яё]+) (?P<name>[А-ЯЁ][а-яё]+) (?P<called>зовут|звать)$")
_BEHIND = re.compile(
    r"^(?P<noun>[а-яё]+) (?P<my>мо[йяеёию]|мо(?:его|ему|ей)|наш(?:[аеиу]|его|ему|ей)?)(?P<comma>,?)(?: |$)",
    re.IGNORECASE,
)
_WHO = re.compile(r"^(?P<before>(?:[\w«»\"-]+ ){1,4}?)(?P<who>(?:я|мы)(?: со? [а-яё]+)?)(?: (?P<rest>.+))?$")
_WHOSE = re.compile(r"^(?P<before>(?:[а-яё-]+ ){1,3}?)(?P<whose>у (?:меня|нас))(?: (?P<rest>.+))?$", re.IGNORECASE)
_NO_SUBJECT = frozenset("что как чтобы если чем и но а где когда пока хотя раз бы не кто".split())
_LEAD = re.compile(r"^(?:(?:не|уже|теперь|давно|сейчас|ещё|еще|по-прежнему|всё ещё)\s+)+", re.IGNORECASE)
_LASTS = re.compile(rf"^(?:к [а-яё]+ )?(?:{words_of.LASTING_PHRASES})", re.IGNORECASE)
_LACKS = re.compile(r"^(?P<what>[а-яё]+) (?:(?:пока|больше|ещё|дома) )*нет(?=$| (?:и|уже|пока|с)\b)", re.IGNORECASE)
_OF_MUM = re.compile(
    r"^(?P<whose>(?:мам|пап|бабушк|дедушк|сестр|дочк|т[её]т|т[её]щ|дяд|жен)ин(?:а|о|ы)?) (?P<what>[а-яё]+)(?= )", re.I
)


_ILL = (
    r"(?:\w+(?:ый|ий|ая) )?(?:диабет|астм\w|гипертони\w|язв\w|\w{3,}ит|\w{3,}оз|аллерги\w|анеми\w|рак|эпилепси\w"
    r"|мигрен\w|аритми\w|целиаки\w|депресси\w|сдвг|онкологи\w|непереносимость)\b"
)
_DIET = r"(?:\w+ )?(?:диет|кето|пп\b|инсулин|гормон|антидепрессант|метформин|палео|голодан|карнивор|таблетк|безглютен)"
_FOR = r"(?:(?:уже|вот|почти|больше|где-то) )*(?:лет (?P<n>\w+)|(?P<m>\w+) (?:года?|лет)|полгода|давно)(?: как| уже)?"
_ROWS = tuple(
    (re.compile(said, re.IGNORECASE), meant)
    for said, meant in (
        (rf"^(?:я )?(?:давно )?сижу на (?={_DIET})", "я на "),
        (
            r"^(?P<who>(?:врач|доктор|\w+олог)[иы]?) (?:мне )?(?P<did>запретил[аи]?|прописал[аи]?) (?:мне )?",
            r"мне \g<who> \g<did> ",
        ),
        (
            r"^(?:у меня |мне )?(?:(?:в|лет) [^,]+ )?(?:нашли|обнаружили|выявили|диагностировали|поставили) "
            rf"(?:мне |у меня )?(?:диагноз )?(?={_ILL})",
            "у меня ",
        ),
        (
            rf"^(?:у меня )?(?P<ill>{_ILL}(?: \w+ типа)?) (?:мне |у меня )?"
            r"(?:нашли|обнаружили|выявили|диагностировали|поставили)\b.*",
            r"у меня \g<ill>",
        ),
        (r"^(?:у меня )?(?:зрение )?(?=(?:минус|плюс) [а-яё\d]+(?:$|,| на (?:оба|прав|лев|кажд)))", "у меня зрение "),
        (
            r"^(?:я |мы )?(?:с [а-яё]+ )?(?:поселил(?:ся|ась|ись)|обосновал(?:ся|ась|ись)|осел[аи]?|обитаем|квартирую)"
            r"(?: с [а-яё]+)? (?=(?:в|на) [А-ЯЁа-яё])",
            "я живу ",
        ),
        (
            r"^(?:(?:меня|нас)(?: с [а-яё]+)? (?:занесло|забросило)|занесло (?:меня|нас)|(?:я |мы )?(?:с [а-яё]+ )?"
            r"(?:уехал|свалил|укатил)[аи]?(?= .* (?:насовсем|навсегда|жить|на пмж)$)) (?=(?:в|на) [А-ЯЁ])",
            "я переехал ",
        ),
    )
)
_FOR_YEARS = re.compile(rf"^(?:я |мы )?{_FOR}(?: я| мы)? (?P<in>в|во|на) (?P<where>[А-ЯЁ][\w-]+)", re.IGNORECASE)
_NOW_IN = re.compile(r"^(?:я|мы) теперь (?P<in>в|во|на) (?P<where>[А-ЯЁ][\w-]+)$")


def _said_otherwise(text: str) -> str:
    for said, meant in _ROWS:
        if match := said.match(text):
            return f"{match.expand(meant)}{text[match.end() :]}"
    if (match := _FOR_YEARS.match(text)) and match["where"][0].isupper():
        count, lives = match["n"] or match["m"], "живу " if _is_place(match["where"]) else ""
        since = f"{count} лет " if count else ""
        return f"я {lives}{since}{match['in']} {match['where']}{text[match.end() :]}"
    if (match := _NOW_IN.match(text)) and _is_place(match["where"]):
        return f"я теперь живу {match['in']} {match['where']}"
    return text


_TO = re.compile(
    r"^(?P<who>(?:(?:я|мы)(?: со? [а-яё]+)? )?)(?P<rest>.*\b(?:в|во|на) (?P<where>[А-ЯЁ][а-яё-]+)(?: |$).*)",
    re.IGNORECASE,
)


def going(text: str, at: datetime) -> str:
    """``Мы в мае на Байкал``: with the verb it leaves out."""
    match = _TO.match(text)
    tags = [each.tag for each in parses(match["where"].lower())] if match else []
    tags = [tag for tag in tags if "Geox" in tag]
    if match is None or not tags or any(map(_tells, re.findall(r"[\w-]+", text))):
        return text
    is_goal = any("accs" in tag for tag in tags) and ("Fixd" in tags[0] or not any("loct" in tag for tag in tags))
    ahead = moments(text, at, ahead=True)
    if not is_goal or not ahead or ahead[0].at.date() <= at.date():
        return text
    who = match["who"].lower() or "я "
    return f"{who}{'едем' if who[0] == 'м' else 'еду'} {_small(match['rest'])}"


def _is_place(word: str) -> bool:
    return any("Geox" in each.tag for each in parses(word.lower()))


def plainly(sentence: str) -> str:
    """A sentence without particles, and with a name where its relative is: ``брат мой, Лёва, служит``."""
    if "-" in sentence:
        sentence = _PARTICLE.sub(r"\g<word>", sentence)
    beside = _BESIDE.match(sentence) if sentence.count(",") > 1 else None
    words = beside["who"].lower().split() if beside else []
    if beside and any(lemma(word) in words_of.KIN | words_of.PETS for word in words):
        rest = sentence[beside.end() :]
        has_verb = any(verb(word) for word in re.findall(r"[а-яё]+", rest.lower()))
        return f"{spoken(beside['who'])} {beside['name']} {'' if has_verb else '— '}{rest}"
    return _owner_first(sentence)


def spoken(text: str) -> str:
    """A clause as it is written: ``живу я теперь в Орле`` as ``я живу теперь в Орле``."""
    text = supplied(text)
    if match := _OF_MUM.match(text):
        owner = lemma(re.sub(r"ин[аоы]?$", "а", match["whose"].lower()))
        text = f"{match['what']} {inflected(owner, 'gent')}{text[match.end() :]}"
    text = _owner_first(text)
    if match := _NAME_LAST.search(text):
        text = f"{text[: match.start()]}{match['whom']} зовут {nominative(match['name']) or match['name']}"
    found = (match := _WHO.match(text)) and _with_who(match)
    found = found or ((match := _WHOSE.match(text)) and _with_whose(match))
    return _said_otherwise(found or text)


def _owner_first(text: str) -> str:
    match = _BEHIND.match(text)
    if match is None or lemma(match["noun"].lower()) not in _OWNED:
        return text
    return f"{match['my'].lower()} {_small(match['noun'])}{match['comma']} {text[match.end() :]}"


_OWNED = words_of.KIN | words_of.PETS | words_of.ATTRIBUTES | words_of.THINGS | words_of.HAPPENINGS


def _with_who(match: re.Match[str]) -> str:
    words = match["before"].split()
    if not _NO_SUBJECT.isdisjoint(map(str.lower, (words[0], words[-1]))):
        return ""
    rest = match["rest"] or ""
    if not any(map(_tells, words)) and any(map(_tells, re.findall(r"[\w-]+", rest))):
        return ""
    words = [word for word in words if word.lower() not in ("сам", "сама", "сами", "вот")]
    return " ".join([match["who"].lower(), *map(_small, words), rest]).rstrip()


def _tells(word: str) -> bool:
    return verb(word.lower()) is not None


def _with_whose(match: re.Match[str]) -> str:
    words = match["before"].lower().split()
    noun = next((word for word in words if parses(word)[0].tag.POS == "NOUN"), words[-1])
    rest = match["rest"] or ""
    if parses(words[0])[0].tag.POS in ("PREP", "NUMR", "CONJ") or not words_of.PRONOUNS.isdisjoint(words):
        return ""
    if {noun, lemma(noun)} & (words_of.SYSTEMS | words_of.SETTINGS | words_of.TOOLS):
        return ""
    is_own = "любимый" in map(lemma, words) or lemma(noun) in words_of.ATTRIBUTES | words_of.HAPPENINGS
    is_own = is_own or (lemma(noun) in words_of.KIN | words_of.PETS and _ACTS.match(rest) is not None)
    if is_own and "nomn" in parses(noun)[0].tag and not _HAS.match(rest):
        my = inflected("мой" if "меня" in match["whose"] else "наш", *agreeing(noun, "nomn"))
        return f"{my} {match['before'].strip().lower()} {rest}".rstrip()
    return f"{match['whose'].lower()} {match['before'].strip().lower()} {rest}".rstrip()


_ACTS = re.compile(
    r"(?:[а-яё]+ )*?(?:(?:в|во|на|из|с|по|за) |\d|(?:[а-яё]+(?:[еёи]т|[еёи]тся|[уюая]т|л[аи]?|л[аи]?с[ья]))\b)"
)
_HAS = re.compile(r"(?:есть|нет|был[аои]?|жив[её]т|завёлся|завелась|больше нет)\b|$", re.IGNORECASE)


_NAMED = re.compile(r"\b(?:я|мы)\b", re.IGNORECASE)


def supplied(text: str) -> str:
    """A clause without a verb, with the subject it leaves out: ``беременна``, ``на пенсии с мая``, ``веган``."""
    if _NAMED.search(text):
        return text
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    first, _, more = rest.partition(" ")
    word = first.lower().strip(",")
    if (lacks := _LACKS.match(rest)) and lemma(lacks["what"].lower()) in words_of.HAVE:
        return f"у меня нет {lacks['what'].lower()}{rest[lacks.end() :]}"
    if word in _FELT and not re.search(r"\b(?:меня|нас)\b", text):
        return f"меня {_small(text)}"
    if any(verb(each) for each in re.findall(r"[а-яё]+", more.lower())[:4]):
        return text
    is_trade = word in words_of.PROFESSIONS and lead is not None and lead[0].lower() != "не " and len(more.split()) < 4
    if word in words_of.SHORT | words_of.BEING or is_trade or _LASTS.match(rest):
        return f"я {_small(text)}"
    return text


_FELT = frozenset(
    """
    бесит бесят раздражает раздражают тошнит воротит выбешивает выбешивают напрягает напрягают успокаивает вдохновляет
    вдохновляют умиляет пугает пугают утомляет утомляют вымораживает вымораживают
    """.split()
)


def _small(text: str) -> str:
    """With a small letter, but for a name."""
    first = text.split(" ", 1)[0]
    is_name = first.isupper() or first.isascii() or any(mark in parses(first.lower())[0].tag for mark in _NAMES)
    return text if is_name and len(first) > 1 else f"{text[:1].lower()}{text[1:]}"


_NAMES = ("Name", "Geox", "Surn", "Patr", "Orgn")
