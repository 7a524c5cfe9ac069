"""Addresses, tools and things of the speaker, told without a verb, in Russian. Pure."""

import re
from collections.abc import Iterator

from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.morphology import lemma, own, parses, verb, within
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, upper

_ADDRESS = (
    r"(?P<address>https?://[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|@[A-Za-z_][\w.-]{1,38}\w"
    r"|\+?\d[\d\s()-]{6,18}\d|(?<![\w/.@-])(?:[a-z0-9-]+\.)+[a-z]{2,8}(?:/[\w./~-]*\w)?)"
)
_CONTACT = re.compile(
    rf"^(?:(?P<mine>мо[йяеёи]|наш[аеи]?|у меня|у нас)\s+)?(?P<what>[\w-]+(?: [\w-]+){{0,3}}?)(?:\s+(?:тут|здесь|вот"
    rf"|есть|такой|такая))*\s*[—–:-]?\s*(?:вот\s+)?{_ADDRESS}(?=$|[\s,.;!)])",
    re.IGNORECASE,
)
_WRITE = re.compile(
    rf"^(?:(?:со мной|связаться|связь со мной|пиши|пишите|писать|написать|звони|звоните|шли|шлите|присылай"
    rf"|присылайте|отправляй|отправляйте|найти|ищи|можно|мне|меня|всё|все|лучше|письма|отчёты|счета)\s+)+(?:(?:на|в"
    rf"|по)\s+)?(?:(?P<what>[\w-]+)(?:\s*[—–:-]\s*|\s+))?{_ADDRESS}",
    re.IGNORECASE,
)
_SYSTEM = re.compile(
    r"^(?P<mine>наш[аеи]?\s+|мо[йяеё]\s+|у нас\s+|у меня\s+)?(?P<what>[\w-]+(?: [\w-]+)?)\s*(?:[—–:-]\s*)?(?:у нас "
    r"|у меня )?(?P<on>на|в|через|под)\s+(?P<tool>[\w-]+(?:[./][\w-]+)+|[A-Z][\w.+#-]*(?:[ ,]+(?:и )?(?:[A-Z][\w.+#-]*"
    r"|\d[\w.]*))*)$",
    re.IGNORECASE,
)
_IS_TOOL = re.compile(
    r"^(?i:наш[аеи]? |мо[йяеё] )?(?P<what>[а-яёА-ЯЁ-]+(?: [а-яё-]+)?|CI|API)(?P<ours> у нас| у меня)?\s*(?:[—–-]"
    r"|это)?\s*(?P<tool>[A-Za-z][\w.+#-]+(?: \d[\w.]*)?(?: [A-Z][\w.+#-]*)*(?: \d[\w.]*)?)$"
)
_BESIDE = re.compile(r"(?:^|\s)(?:на|в|во|через|под|с|из|для|по|у)(?:\s|$)", re.IGNORECASE)
_PLACED = re.compile(
    r"^(?:(?P<where>(?:на|в|во) [\w-]+(?: [\w-]+)?)\s+)?(?P<whose>у нас|у меня)\s+(?:(?P<where2>(?:на|в) [\w-]+)\s+)?"
    r"(?:стоит |сейчас |есть |крутится |работает |используется )*(?P<what>[\w.+#-]+(?: [\w.+#-]+){0,4})$",
    re.IGNORECASE,
)
_MINE_IS = re.compile(
    r"^(?:наш[аеи]?|мо[йяеёи]) (?P<what>[а-яё-]+(?: [а-яё-]+)?)\s*(?P<link>[—–:-]\s*|(?=от [A-ZА-ЯЁ]|на [A-ZА-ЯЁ]"
    r"|в [A-ZА-ЯЁ]))(?P<value>.+)$",
    re.IGNORECASE,
)
_FACT, _PROJECT = Kind("fact", 4), Kind("project", 3)


def things(clause: str, speaker: str) -> Iterator[Said]:
    """``Моя почта — ...``, ``бэкенд на Go``, ``на стейджинге у нас Postgres 16``, ``наша духовка от Bosch``."""
    wording, kind = _contact(clause, speaker), _FACT
    if not wording:
        wording, kind = _system(clause, speaker), _PROJECT
    if not wording:
        wording, kind = _placed(clause, speaker), _FACT
    if not wording:
        wording, kind = _mine(clause, speaker), _FACT
    if wording:
        yield Said(own(speaker), "", kind=kind, wording=wording)


def _contact(clause: str, speaker: str) -> str:
    whose = within(speaker, "gent")
    match = _CONTACT.match(clause)
    words = match["what"].lower().split() if match else []
    if match and not words_of.CONTACTS.isdisjoint({*words, *map(lemma, words)}) and words[0] not in ("мне", "меня"):
        if match["mine"]:
            return f"{upper(match['what'])} {whose} — {match['address'].strip()}"
        return f"{upper(match['what'])}{'' if len(words) > 1 else f' {whose}'} — {match['address'].strip()}"
    if match := _WRITE.match(clause):
        noun = _channel(match["address"], match["what"] or "")
        return f"{noun} {whose} — {match['address'].strip()}" if noun else ""
    return ""


def _channel(address: str, named: str) -> str:
    """What an address is one of."""
    if named and lemma(named) in words_of.CONTACTS:
        return upper(lemma(named))
    if "@" in address[1:]:
        return "Почта"
    return "Телефон" if address[0] in "+0123456789" else ""


def _system(clause: str, speaker: str) -> str:
    equal = _IS_TOOL.match(clause)
    if equal and not _BESIDE.search(equal["what"]) and (equal["ours"] or _is_system(equal["what"])):
        return f"{upper(equal['what'])} {within(speaker, 'gent')} — {equal['tool']}"
    match = _SYSTEM.match(clause)
    if match and any(parses(word.lower())[0].tag.POS in ("PRTS", "VERB") for word in match["what"].split()):
        return ""
    if match is None or not match["tool"][0].isascii() or not _is_system(match["what"]):
        return ""
    return f"{upper(match['what'])} {within(speaker, 'gent')} {match['on'].lower()} {match['tool']}"


def _is_system(what: str) -> bool:
    words = what.lower().split()
    return not (words_of.SYSTEMS | words_of.SETTINGS | words_of.TOOLS).isdisjoint({*words, *map(lemma, words)})


def _placed(clause: str, speaker: str) -> str:
    match = _PLACED.match(clause)
    if match is None or not _is_lasting(match["what"]):
        return ""
    where = (match["where"] or match["where2"] or "").lower()
    return upper(f"{where} у {within(speaker, 'gent')} {match['what']}".strip())


def _is_lasting(what: str) -> bool:
    """Whether it names something one has for long: a tool by its name, or a thing in the nominative."""
    words = what.split()
    if not {*map(str.lower, words)}.isdisjoint(words_of.PRONOUNS | words_of.UNSURE | words_of.NOW | {"нет", "не"}):
        return False
    if words[0].isascii():
        is_version = re.fullmatch(r"[a-z][\w.+#-]* v?\d[\w.]*", what)
        return (words[0][0].isupper() and len(words) < 5) or bool(is_version)
    tags = [parses(word.lower())[0] for word in words]
    noun = next((each for each in tags if each.tag.POS == "NOUN"), None)
    before = tags[: tags.index(noun)] if noun else tags
    if (
        noun is None
        or not {"nomn", "accs"} & noun.tag.grammemes
        or any(each.tag.POS not in _DESCRIBING for each in before)
    ):
        return False
    return noun.normal_form not in words_of.PASSING | words_of.HAPPENINGS and not noun.normal_form.endswith(
        ("ость", "ение", "ание", "ство")
    )


_DESCRIBING = frozenset(("ADJF", "PRTF", "NUMR"))


def _mine(clause: str, speaker: str) -> str:
    """``Наш сад — шесть соток``: what is the speaker's, and what it is."""
    match = _MINE_IS.match(clause)
    words = match["what"].lower().split() if match else []
    if (
        match is None
        or any(map(verb, words))
        or words[-1].endswith("тся")
        or not _is_lasting(words[-1])
        or parses(words[-1])[0].tag.POS != "NOUN"
    ):
        return ""
    value = match["value"].strip(" .,")
    found = set(re.findall(r"[\w-]+", value.lower()))
    if found & (words_of.PRONOUNS | words_of.UNSURE | words_of.NOW) or len(found) > 10:
        return ""
    link = "— " if match["link"].strip() else ""
    return f"{upper(match['what'])} {within(speaker, 'gent')} {link}{value}"
