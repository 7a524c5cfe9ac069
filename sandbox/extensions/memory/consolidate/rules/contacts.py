"""Where the speaker can be reached, and by which pronouns they go: ``I'm @quietfox on GitHub``. Pure."""

import re

from sandbox.extensions.memory.consolidate.rules.morphology import speaker_name, within
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Setting, Subject

_MAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_HANDLE = r"@[\w.-]{1,39}\w(?:@[\w-]+(?:\.[\w-]+)+)?"
_LINK = (
    r"https?://[^\s<>()]+[^\s<>().,;:!?]|(?:\w[\w-]*\.)+(?:com|org|net|io|dev|me|co|eu|de|uk|app"
    r"|example)\b(?:/[^\s,;]*)?"
)
ADDRESS = re.compile(rf"(?:(?:at|on|here|under)[:,]? )?(?:{_MAIL}|{_HANDLE}|{_LINK})")

_PHONE = r"\+?\d[\d ()-]{6,18}\d"
_ANY = rf"(?P<address>{_MAIL}|{_LINK}|{_HANDLE}|{_PHONE})"
_REACH = re.compile(
    r"^(?:(?:you|people|they|anyone|clients|recruiters) (?:can|should|may) )?(?:(?:always|best|easiest|just|please"
    r"|feel free|simply|it is|is|the|way|to) )*(?P<how>reach|contact|e-?mail|text|call|ring|message|write(?: to)?"
    r"|ping|find|get hold of|get in touch with) me\b"
    rf"(?: (?:at|on|via|by|through|under|with|for|my|work|home|private|business|e-?mail|phone|mobile"
    rf"|mail))*[:,]? {_ANY}",
    re.IGNORECASE,
)
_ON = re.compile(
    r"^(?i:I am|you can find me|you will find me|find me|I go by|I post|I write|I blog)(?: (?:as|at|under))? "
    r"(?P<name>@?[A-Za-z][\w.-]*) on (?P<site>[A-Z][A-Za-z]+)\b"
)
_FOUND_ON = re.compile(
    r"^(?i:you can find me|you will find me|find me|I am) on (?P<site>[A-Z][A-Za-z]+) (?:as|under|at"
    r"|by)(?: the)?(?: name)? (?P<name>@?[\w.-]+\w)"
)
_FACT = Kind("fact", 4)


def contact(sentence: str, speaker: Subject) -> Said | None:
    """The address a sentence without contractions tells as the speaker's; None where it tells none."""
    if match := _REACH.match(sentence):
        address = match["address"]
        return Said(speaker, "", kind=_FACT, wording=f"{speaker.name}'s {_kind_of(address)} is {address}")
    if match := _ON.match(sentence) or _FOUND_ON.match(sentence):
        return Said(speaker, f"is on {match['site']} as", match["name"], _FACT)
    return None


def _kind_of(address: str) -> str:
    if re.fullmatch(_MAIL, address):
        return "email address"
    if address[0] in "+0123456789":
        return "phone number"
    return "handle" if address[0] == "@" else "address"


_ENGLISH = r"(?P<which>(?:he|she|they|it|xe|ze|ey|fae)(?: ?/ ?[a-z]{2,6}){1,3})"
_RUSSIAN = r"(?P<which>(?:он|она|они|оно)(?: ?/ ?[а-яё]{1,6}){1,3})"
_TOLD = re.compile(
    rf"(?:,? ?\b(?:and|but) )?\b(?:my (?:preferred )?pronouns (?:are|:)|my pronouns:|I (?:use|go by|prefer)(?: the)?"
    r"|(?<![\w,] )(?:please,? |you can )?(?:use|refer to me (?:as|with|by))(?: the)?(?: pronouns)?)"
    rf" {_ENGLISH}(?: pronouns)?(?: (?:for|with|about) me|,? please)?[.!]*$",
    re.IGNORECASE,
)
_TOLD_IN_RUSSIAN = re.compile(
    r"(?:,? ?\bи )?\b(?:мои местоимения|(?:пожалуйста,? )?используй(?:те)?(?: для меня)? местоимения)"
    rf" ?[:—–-]? ?{_RUSSIAN}[.!]*$",
    re.IGNORECASE,
)
_KIND = Kind("fact", 5)


def pronouns(sentence: str, setting: Setting) -> tuple[Said | None, str]:
    """That somebody goes by some pronouns, and the sentence without that."""
    about = setting.speaker
    if "/" not in sentence:
        return None, sentence
    if match := _TOLD.search(sentence):
        wording = f"{about.name}'s pronouns are {_which(match)}"
    elif match := _TOLD_IN_RUSSIAN.search(sentence):
        name = speaker_name(about.name)
        about = Subject(name, within(name, "nomn"), is_self=True)
        wording = f"Местоимения {within(name, 'gent')} — {_which(match)}"
    else:
        return None, sentence
    return Said(about, "", kind=_KIND, wording=wording), sentence[: match.start()].strip(" ,")


def _which(match: re.Match[str]) -> str:
    return match["which"].replace(" ", "").lower()
