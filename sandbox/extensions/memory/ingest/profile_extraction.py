"""Decide by wording which statement fills which field of the user's profile, in English and Russian. Pure.

A wrong value is worse than a missing one: a statement that holds at times, under a condition or of another person fills
nothing.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from sandbox.extensions.memory.claims import USER, Claim, predicate
from sandbox.extensions.memory.claims.compare import users_words
from sandbox.extensions.memory.profile import SINGLE, Field, Filling
from sandbox.extensions.memory.text.places import nominative, size
from sandbox.extensions.memory.text.words import fold, name_key, statement_words, stem

_LONGEST = 120  # characters of a value; what is longer is a story
_USER = r"the user|user|I|Пользовател\w{1,3}|Я|Меня"
_USERS = r"the user's|user's|my"
_ALWAYS = (
    r"(?:(?:asks?|requests?)(?: the assistant)?|(?:wants?|would like|expects?) the assistant) (?:to )?(?:always )?"
)
_RUSSIAN_ALWAYS = r"(?:просит|прошу)(?: ассистента)?(?: всегда)?"

_CAPITAL = r"[^\W\d_a-zа-яё][\w'’-]*"
_NAME = rf"(?P<value>(?-i:{_CAPITAL}(?: (?:(?:am|an der|de|del|do|da|la|le|on|upon|на) )?{_CAPITAL}){{0,3}}))"
_ANY_CASE = r"(?P<value>[\w-]+(?: [A-Z][\w-]+)?)"
_PRONOUNS = r"(?P<value>[a-zа-яё]{1,6}(?: ?/ ?[a-zа-яё]{1,6}){1,3}|any(?: pronouns)?)"
_THERE = r"(?=$|[,;]| (?:with|near|because|for|so|since|со?|из-за) |(?-i: (?:and|и) [a-zа-яё]))"
_HERE = r"(?:lives?|living|is living|am living|resides?|is based|am based) in"
_ANSWER = r"(?:answer|reply|respond|write|speak|talk|communicate|be (?:answered|addressed))"
_AIM = (
    r"(?:learn(?! more\b)|become|run|finish|complete|master|improve|lose|gain|quit|save|earn|open|build|found"
    r"|start(?! with\b| by\b)|publish|write|launch|graduate|retire|get (?:better|fit|promoted|healthier)|be able to)\b"
)
_RUSSIAN_AIM = (
    r"(?:выучить|научиться|изучить|освоить|стать|открыть|пробежать|похудеть|бросить|накопить|закончить|построить"
    r"|написать|издать|запустить|основать|улучшить)\b"
)

_WORDINGS: tuple[tuple[Field, bool, str], ...] = (
    (
        "preferred_name",
        True,
        rf"{{who}} (?:goes? by|prefers? (?:to (?:be called|go by)|the name)|(?:asks?|wants?|likes?|would like)"
        rf"(?: the assistant)? to (?:be called|(?:always )?call (?:the user|me))) {_NAME}",
    ),
    ("preferred_name", True, rf"{{whose}} preferred name is {_NAME}"),
    ("preferred_name", True, rf"{{who}} (?:предпочитает|предпочитаю) имя {_NAME}"),
    ("preferred_name", True, rf"{{who}} {_RUSSIAN_ALWAYS} называть (?:его|её|себя|меня|пользователя) {_NAME}"),
    ("preferred_name", False, rf"{{whose}} (?:first |given )?name is {_NAME}"),
    ("preferred_name", False, rf"{{who}} (?:is|am) (?:called|named) {_NAME}"),
    ("preferred_name", False, rf"{{who}} зовут {_NAME}"),
    ("preferred_name", False, rf"имя {{who}} [—–-] {_NAME}"),
    ("pronouns", True, rf"{{whose}} (?:preferred )?pronouns are {_PRONOUNS}"),
    ("pronouns", True, rf"{{who}} (?:goes? by|uses?|prefers?) (?:the )?{_PRONOUNS}(?: pronouns)?"),
    ("pronouns", True, rf"местоимени[ея] {{who}} [—–-] {_PRONOUNS}"),
    ("city", True, rf"{{who}} (?:now |currently )?{_HERE} {_NAME}{_THERE}.*"),
    ("city", True, rf"{{whose}} (?:home |current )?city is {_NAME}{_THERE}.*"),
    ("city", True, rf"{{who}} (?:сейчас |теперь )?(?:живёт|живет|живу|проживает|проживаю) во? {_NAME}{_THERE}.*"),
    ("language", True, rf"{{who}} {_ALWAYS}{_ANSWER}(?: to)?(?: the user| me)? in {_ANY_CASE}"),
    ("language", True, rf"{{who}} prefers? to {_ANSWER}(?: in)? {_ANY_CASE}"),
    ("language", True, rf"{{who}} (?:wants?|would like) to be (?:answered|addressed) in {_ANY_CASE}"),
    ("language", True, rf"{{who}} prefers? (?:answers|replies|responses|messages) in {_ANY_CASE}"),
    ("language", True, rf"{{whose}} preferred language is {_ANY_CASE}"),
    ("language", True, rf"(?:always )?(?:answer|reply|respond)(?: to (?:me|the user))? in {_ANY_CASE}"),
    (
        "language",
        True,
        rf"{{who}} {_RUSSIAN_ALWAYS} (?:отвечать|писать|говорить)(?: \w+)? (?:на )?{_ANY_CASE}(?: языке)?",
    ),
    ("language", True, rf"предпочитаемый язык {{who}} [—–-] {_ANY_CASE}"),
    ("tone", True, rf"{{who}} {_ALWAYS}(?P<value>.+)"),
    ("tone", True, r"{who} (?:prefers?|wants?) (?P<value>(?!to ).+)"),
    ("tone", True, rf"{{who}} {_RUSSIAN_ALWAYS} (?P<value>.+)"),
    (
        "goals",
        True,
        r"{whose} (?:\w+ )?(?:goal|dream|ambition|objective|resolution)s? (?:is|are) (?:to )?(?P<value>.+)",
    ),
    (
        "goals",
        True,
        rf"{{who}} (?:wants?|hopes?|aims?|strives?|is determined) to (?P<value>{_AIM}.+)",
    ),
    (
        "goals",
        True,
        r"{who} is trying to (?P<value>(?:lose|gain|quit|stop|become|save|get (?:better|fit|healthier)) .+)",
    ),
    ("goals", True, r"(?:цель|мечта) {who} [—–-] (?P<value>.+)"),
    ("goals", True, rf"{{who}} (?:хочет|хочу|мечтает|мечтаю|стремится|надеется) (?P<value>{_RUSSIAN_AIM}.+)"),
)

_TONES = (
    r"(?:concise|concisely|brief|briefly|short|terse|succinct|detailed|thorough|formal|formally|informal|informally"
    r"|casual|casually|friendly|polite|direct|blunt|frank|honest|humorous|funny|serious|warm|neutral|simple|simply"
    r"|plain|technical|enthusiastic|encouraging|gentle|professional|playful|sarcastic|patient)"
)
_OF_ANSWERS = r"(?:answers?|repl(?:y|ies)|responses?|explanations?|tone|style|language|wording)"
_TONE = re.compile(
    rf"^(?:always )?be (?:more |less |very )?{_TONES}(?=$|,| and | with the user| in )"
    rf"|{_TONES}\b.*\b{_OF_ANSWERS}\b|\b{_OF_ANSWERS}\b.*\b{_TONES}\b"
    rf"|^(?:always )?(?:answer|reply|respond|talk|speak|explain)\b.*\b{_TONES}\b"
    rf"|^(?:always )?write (?:(?:to|for) [\w ]+ )?(?:in an? |more |less |very )?{_TONES}\b"
    r"|\b(?:use|add|make|include|put)\b.*\b(?:emojis?|jargon|humou?r|jokes|sarcasm|slang|exclamation marks?)\b"
    r"|^(?:всегда )?(?:отвечать|писать|говорить|объяснять|быть|общаться|отвечай(?:те)?"
    r"|пиши(?:те)?|говори(?:те)?|объясняй(?:те)?)\b.*\b(?:кратко|коротко|короче|подробно|подробнее|просто"
    r"|прямо|формально|неформально|вежливо|дружелюбно|вежливым|дружелюбным|прямым|честно|серь[её]зно|лаконично)\b"
    r"|^обращаться на «(?:ты|вы)»|\b(?:эмодзи|смайлик\w*|шут\w+|сарказм\w*)\b",
    re.IGNORECASE,
)
_OF_OTHER_THINGS = re.compile(
    r"\b(?:commit|e-?mail|code|test|doc|comment|report|letter|title|name|file|function|variable|invoice|post|note"
    r"|essay|paper|story|poem|article|description|summar"
    r"|коммит|письм|код|тест|документ|комментари|отч[её]т)\w*",
    re.IGNORECASE,
)
_AT_TIMES = re.compile(r"\b(?:if|when|whenever|unless|during|sometimes|half|если|когда|иногда|пока)\b", re.IGNORECASE)
_SEASONS = re.compile(
    r"\b(?:weekdays?|weekends?|winters?|summers?|spring|autumn|fall|temporarily|until|зимой|летом|временно|до)\b",
    re.IGNORECASE,
)
_SINGULAR = frozenset("he she they it xe ze ey fae any он она они оно".split())
_CITY_STATES = frozenset(map(fold, ("Singapore", "Monaco", "Luxembourg", "Сингапур", "Монако", "Люксембург")))
_LANGUAGES = frozenset(
    """
    afrikaans albanian arabic armenian azerbaijani basque belarusian bengali bosnian bulgarian catalan chinese croatian
    czech danish dutch english esperanto estonian farsi filipino finnish flemish french galician georgian german greek
    gujarati hebrew hindi hungarian icelandic indonesian irish italian japanese kazakh khmer korean kurdish kyrgyz
    latin latvian lithuanian macedonian malay mandarin cantonese marathi mongolian nepali norwegian persian polish
    portuguese punjabi romanian russian serbian slovak slovene slovenian spanish swahili swedish tagalog tajik tamil
    tatar telugu thai turkish ukrainian urdu uzbek vietnamese welsh yiddish zulu
    """.split()
)
_RUSSIAN_LANGUAGE = re.compile(r"(?:по-)?(\w+[сц]к)(?:и|ий|ом|ого|ому|им)|(иврит|хинди)\w{0,2}")


def fillings(
    content: str, subject: str | None, claims: Sequence[Claim] = (), own: Collection[str] = ()
) -> tuple[Filling, ...]:
    """What a statement says of fields, each once: what it claims of the user; its words where it claims nothing."""
    if not claims:
        read = filling(content, subject, own)
        return () if read is None else (read,)
    told = filter(None, (_claimed(claim, content) for claim in claims))
    return tuple({each.field: each for each in reversed(list(told))}.values())


def _claimed(claim: Claim, content: str) -> Filling | None:
    """What a claim of the user fills. Who somebody is and where they live are facts; aims and tones are wished for."""
    is_tone = claim.predicate == "instruction" and _is_tone(claim.value)
    field: Field | None = "tone" if is_tone else predicate(claim.predicate).profile
    if field is None or claim.subject != USER or not claim.is_affirmed:
        return None
    if claim.modality in ("past", "opinion") or (field in SINGLE and claim.modality != "fact"):
        return None
    value = _value(field, claim.value, content, is_certain=True)
    return Filling(field, value, is_told=claim.predicate != "name") if value else None


def filling(content: str, subject: str | None = None, own: Collection[str] = ()) -> Filling | None:
    """What a statement says of a field; None where it says nothing of one. ``subject`` is whom it was said to be about,
    ``own`` are names the user is known by besides.
    """
    if len(content) > 2 * _LONGEST or not _is_user(subject, own):
        return None
    text = content.strip().rstrip(" .!")
    for field, is_told, pattern in _wordings(tuple(sorted(own))):
        said = pattern.fullmatch(text)
        if said and (value := _value(field, said["value"], text)):
            return Filling(field, value, is_told)
    return None


def checked(said: Filling, content: str, subject: str | None, own: Collection[str]) -> Filling | None:
    """What a reader says a statement fills, as far as the statement bears it out: the value stands in it, can be one of
    that field, and is the user's.
    """
    is_there = bool(said.value.strip()) and _stems(said.value) <= _stems(content)
    if not is_there or not _is_user(subject, own) or not _speaks_of_user(tuple(sorted(own))).match(content.strip()):
        return None
    value = _value(said.field, " ".join(said.value.split()).rstrip(" .!"), content, is_certain=True)
    return Filling(said.field, value) if value else None


def _value(field: Field, value: str, text: str, *, is_certain: bool = False) -> str | None:
    """A value as it is kept; None where it cannot be one of the field. ``is_certain``: the field was named."""
    if len(value) > _LONGEST or (field != "goals" and _AT_TIMES.search(text)):
        return None
    if field == "city":
        return _city(value, text)
    if field == "language":
        return _language(value)
    if field == "pronouns":
        return _pronouns(value)
    if field == "tone" and not is_certain:
        return value if _is_tone(value) else None
    return value


def _is_tone(wish: str) -> bool:
    """Whether a wish is about how answers are worded."""
    return _TONE.search(wish) is not None and _OF_OTHER_THINGS.search(wish) is None


def _city(name: str, text: str) -> str | None:
    """A city under its listed name; what is a country, or home for a part of the year only, is none."""
    is_country = size(name) not in (None, "city") and fold(name) not in _CITY_STATES
    return None if is_country or _SEASONS.search(text) else nominative(name)


def _language(name: str) -> str | None:
    russian = _RUSSIAN_LANGUAGE.fullmatch(fold(name))
    if russian:
        return f"{russian[1]}ий" if russian[1] else russian[2]
    words = fold(name).split()
    return name if words and words[-1] in _LANGUAGES else None


def _pronouns(text: str) -> str | None:
    parts = [part.strip() for part in text.lower().removesuffix(" pronouns").split("/")]
    return "/".join(parts) if parts[0] in _SINGULAR else None


def _stems(text: str) -> set[str]:
    """What a text is compared by, small words included."""
    return set(map(stem, statement_words(text)))


def _is_user(subject: str | None, own: Collection[str]) -> bool:
    return subject is None or name_key(subject) in {*users_words(), *map(name_key, own)}


@lru_cache(maxsize=64)
def _wordings(own: tuple[str, ...]) -> Sequence[tuple[Field, bool, re.Pattern[str]]]:
    who, whose = _called(own)
    return [
        (field, is_told, re.compile(pattern.replace("{who}", who).replace("{whose}", whose), re.IGNORECASE))
        for field, is_told, pattern in _WORDINGS
    ]


@lru_cache(maxsize=64)
def _speaks_of_user(own: tuple[str, ...]) -> re.Pattern[str]:
    """What begins with the user, or with something of theirs that is no other person."""
    who, whose = _called(own)
    of_theirs = r"(?:\w+ )?(?:name|pronouns?|city|home|hometown|language|tone|style|goals?|aim|dream|ambition|plan)\b"
    russian = rf"(?:\w+ )?(?:имя|местоимени\w|город|язык|цель|мечта) {who}\b"
    return re.compile(rf"{whose} {of_theirs}|{who}(?!'s|’s)\b|{russian}", re.IGNORECASE)


def _called(own: tuple[str, ...]) -> tuple[str, str]:
    """Patterns of the user, and of what is the user's."""
    names = [re.escape(name) for name in own]
    inflected = [rf"{re.escape(name[:-1])}\w{{1,3}}" for name in own if re.fullmatch("[а-яёА-ЯЁ-]{3,}", name)]
    whose = [rf"{name}['’]s" for name in names]
    return f"(?:{'|'.join([_USER, *names, *inflected])})", f"(?:{'|'.join([_USERS, *whose])})"
