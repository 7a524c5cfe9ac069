"""Standing wishes: how the assistant shall always, never or from now on behave. English and Russian. Pure."""

import re

from sandbox.extensions.memory.consolidate.rules import english_verbs, english_words, russian_words
from sandbox.extensions.memory.consolidate.rules.english import Setting, expand
from sandbox.extensions.memory.consolidate.rules.morphology import in_case, parses
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject
from sandbox.extensions.memory.consolidate.rules.wordforms import third

_KIND = Kind("instruction", 4)

# --- English ----------------------------------------------------------------------------------------------------------

_MARK = (
    r"always|never|from now on|from here on|in (?:the )?future|going forward|by default|for all future \w+"
    r"|every time|whenever I ask|make sure (?:to|you) always"
)
_POLITE = (
    r"(?:(?:hey|hi|ok|okay|also|and|but|so|please|pls|kindly|remember(?: to)?|you should|you must|i want you to"
    r"|i would like you to|i need you to|i would prefer (?:that )?you(?: to)?|i prefer (?:that|if) you|can you"
    r"|could you|make sure (?:to|you)|be sure to|try to|just|note|important|note to self)\b[\s,:]*)"
)
_STANDING = re.compile(
    rf"^{_POLITE}*(?P<mark>{_MARK})\b[\s,:]*{_POLITE}*(?P<never>(?:do not|don't|never|always|no)\b\s*)?(?P<what>.+)$",
    re.IGNORECASE,
)
_LATER = re.compile(
    rf"^{_POLITE}*(?P<never>(?:do not|never|avoid)\b\s*)?(?P<what>.+?)[\s,]+(?P<mark>from now on|from here on"
    rf"|in (?:the )?future|going forward|by default|every time|whenever possible|at all times|ever again"
    rf"|anymore)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
_MANNER = re.compile(
    rf"^{_POLITE}*(?P<never>(?:do not(?: ever)?|never|avoid|stop)\b\s*)?(?P<what>(?:answer|reply|respond|use"
    rf"|write|speak|talk|keep|be|give|add|include|call|address|explain|format|skip|put|start|using|adding"
    rf"|writing|cite|address)\b.+|apologi[sz](?:e|ing)\b.*)$",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"^(?P<when>(?:if|when|whenever) (?:I|you) [^,]{3,60}), (?:please |then )*(?P<what>.+)$", re.IGNORECASE
)
_TALK = re.compile(r"\b(?:it|this|that|these|those|him|her|them|here|there)\b", re.IGNORECASE)


def english(sentence: str, setting: Setting) -> Said | None:
    """``Always answer in French``; ``please don't use emojis``. None where it is none."""
    text = expand(sentence).strip(" .!*_")
    condition = ""
    if given := _GIVEN.match(text):
        text, condition = given["what"], f" {given['when'].lower().replace(' i ', ' I ')}"
        text = text if _STANDING.match(text) else f"always {text}"
    named = re.match(
        rf"(?i:{_POLITE}*)(?i:from now on,? |you )?(?:from now on,? )?(?:(?:you can|just|everyone|people"
        rf"|my friends|friends"
        rf"|everybody)\s+)?(?:[Cc]alls?) me (?P<name>[A-ZÀ-Þ][\w'-]*(?: [A-Z][\w'-]*)?)(?:\s*[,.]|$| (?:from"
        rf"|instead|by|for|please|not))",
        text,
    )
    if named:
        return Said(setting.speaker, "goes by", named["name"], Kind("fact", 5))
    match = _STANDING.match(text)
    if match is None and (later := _LATER.match(text)) and _is_imperative(later["what"]):
        match = later
    if match is None and (manner := _MANNER.match(text)) and _is_about_answers(manner["what"]):
        match = manner
    if match is None or not (_is_imperative(match["what"]) or match["never"]):
        return None
    what = re.split(r"\s*[,;:]\s*(?=(?:it|that|this|I|because|since|so)\b)|\s+because\b|\s*[!?]", match["what"])[
        0
    ].strip(" ,.!")
    mark = (match.groupdict().get("mark") or "").lower()
    forbids = mark == "never" or (match["never"] or "").lower().strip() not in ("", "always")
    what = re.sub(
        r"^(?:using|adding|writing|apologi[sz]ing)\b",
        lambda m: {"using": "use", "adding": "add", "writing": "write"}.get(m[0].lower(), "apologise"),
        what,
        flags=re.I,
    )
    what = re.sub(r",?\s+(?:please|thanks|thank you)$", "", what, flags=re.I)
    what = _of_third(f"{what}{condition}", setting)
    if (
        not what
        or _TALK.search(what)
        or len(what.split()) > 30
        or what.lower().split()[0] not in english_verbs.IMPERATIVES | {"be", "apologise", "apologize"}
    ):
        return None
    what = what[0].lower() + what[1:]
    return Said(setting.speaker, f"asks to {'never' if forbids else 'always'}", what, _KIND)


def _is_imperative(what: str) -> bool:
    words = what.lower().split()
    return bool(words) and words[0].strip(",") in english_verbs.IMPERATIVES


def _is_about_answers(what: str) -> bool:
    words = re.findall(r"[a-z]+", what.lower())
    return (bool(words) and not english_words.STYLE.isdisjoint(words[1:])) or (
        words[:1] in (["answer"], ["reply"], ["respond"]) and words[1:2] in (["in"], ["briefly"])
    )


def _of_third(what: str, setting: Setting) -> str:
    name = setting.speaker.name
    name = f"the {name[4:]}" if name.startswith("The ") else name
    what = re.sub(r"\b(?:I|you) (\w+)", lambda said: _agreeing(said, name), what)
    what = re.sub(r"\bmy\b", f"{name}'s", what, flags=re.I)
    what = re.sub(r"\b(?:me|I)\b", name, what)
    return re.sub(r"\byour\b", "the assistant's", re.sub(r"\byou\b", "the assistant", what))


def _agreeing(said: re.Match[str], name: str) -> str:
    """``I ask``: the user asks; ``you answer``: the assistant answers."""
    who = name if said[0][0] == "I" else "the assistant"
    return f"{who} {third(said[1])}" if said[1] in _PLAIN else said[0]


_PLAIN = frozenset("ask want need write answer give show suggest make use say send reply explain paste share".split())

# --- Russian ----------------------------------------------------------------------------------------------------------

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
