"""Standing wishes in Russian: how the assistant shall always, never or from now on behave. Pure."""

import re

from sandbox.extensions.memory.consolidate.rules import russian_words
from sandbox.extensions.memory.consolidate.rules.english import Setting
from sandbox.extensions.memory.consolidate.rules.morphology import in_case, parses
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject

_KIND = Kind("instruction", 4)

_MARK_RU = (
    r"всегда|никогда|впредь|отныне|с этого момента|с этого дня|теперь всегда|по умолчанию|в будущем|каждый раз"
    r"|в дальнейшем|отныне и впредь"
)
_POLITE_RU = r"(?:(?:и|а|да|ну|ещё|еще|также|пожалуйста|прошу|теперь|запомни|привет|только)(?![\w-])[\s,:]*)"
_NAME_RU = re.compile(
    rf"^{_POLITE_RU}*(?:зови|зовите|называй|называйте"
    rf"|обращайся ко мне)(?: меня)?(?: просто)?(?: как)? (?P<name>[А-ЯЁA-Z][\w-]+)$",
    re.IGNORECASE,
)


def russian(sentence: str, setting: Setting) -> Said | None:
    """``Всегда отвечай на русском``; ``пожалуйста, не используй смайлики``."""
    text = sentence.strip(" .!*_")
    speaker = "Пользователь" if setting.speaker.name == "The user" else setting.speaker.name
    about = Subject(speaker, "пользователь" if speaker == "Пользователь" else speaker, is_self=True)
    if (named := _NAME_RU.match(text)) and named["name"][0].isupper():
        return Said(about, wording=f"{speaker} предпочитает имя {named['name']}", verb="", kind=Kind("fact", 5))
    marked = re.match(rf"^{_POLITE_RU}*(?P<mark>{_MARK_RU})(?!\w)[\s,:]*{_POLITE_RU}*", text, re.IGNORECASE)
    rest = re.sub(
        rf"[\s,]*\b(?:{_MARK_RU}|пожалуйста)(?!\w)",
        "",
        text[marked.end() :] if marked else re.sub(rf"^{_POLITE_RU}+", "", text, flags=re.I),
        flags=re.I,
    )
    later = not marked and re.search(rf"\b(?:{_MARK_RU})(?!\w)", text, re.IGNORECASE)
    words = rest.split()
    never = bool(words) and words[0].lower() == "не"
    words = words[never:]
    if not words:
        return None
    order = next((each for each in parses(words[0].lower().strip(","))[:3] if "impr" in each.tag), None)
    if order is None or not (marked or later or order.normal_form in _MANNER_RU):
        return None
    forbids = never or bool(marked and marked["mark"].lower() == "никогда")
    rest = " ".join([order.normal_form, *words[1:]])
    rest = re.split(r",\s*(?=(?:это|потому|так|я|а)\b)", rest)[0]
    rest = re.sub(r"^(отвечать|писать|говорить) мне\b", r"\1", rest)
    rest = re.sub(r"\bмне\b", in_case(speaker, "datv"), rest)
    rest = re.sub(r"\bменя\b", in_case(speaker, "accs"), rest)
    if not russian_words.PRONOUNS.isdisjoint(re.findall(r"\w+", rest.lower())):
        return None
    return Said(about, "", kind=_KIND, wording=f"{speaker} просит {'никогда не' if forbids else 'всегда'} {rest}")


_MANNER_RU = frozenset("отвечать писать говорить общаться обращаться использовать".split())
