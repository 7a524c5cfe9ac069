"""Which pronouns somebody goes by: ``I use they/them pronouns``, ``Мои местоимения — она/её``. Pure."""

import re

from sandbox.extensions.memory.consolidate.rules.english import Setting
from sandbox.extensions.memory.consolidate.rules.morphology import within
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject

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


def told(sentence: str, setting: Setting) -> tuple[Said | None, str]:
    """That somebody goes by some pronouns, and the sentence without that."""
    about = setting.speaker
    if "/" not in sentence:
        return None, sentence
    if match := _TOLD.search(sentence):
        wording = f"{about.name}'s pronouns are {_which(match)}"
    elif match := _TOLD_IN_RUSSIAN.search(sentence):
        name = "Пользователь" if about.name == "The user" else about.name
        about = Subject(name, within(name, "nomn"), is_self=True)
        wording = f"Местоимения {within(name, 'gent')} — {_which(match)}"
    else:
        return None, sentence
    return Said(about, "", kind=_KIND, wording=wording), sentence[: match.start()].strip(" ,")


def _which(match: re.Match[str]) -> str:
    return match["which"].replace(" ", "").lower()
