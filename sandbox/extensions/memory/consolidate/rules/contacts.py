"""Where the speaker can be reached: ``reach me at lena@example.org``, ``I'm @quietfox on GitHub``. English. Pure."""

import re

from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject

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
