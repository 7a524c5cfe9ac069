"""Announcements of a secret that the next message holds: "here comes my password:"."""

import re
from collections.abc import Iterable, Iterator

from sandbox.secrets.forms import Named
from sandbox.secrets.hints import names_in
from sandbox.secrets.values import compiled

_TRAILING = " \n\t.!…:：=—–→>-)👇⬇*_`\"'«“"
_OPEN_SIGNS = frozenset(":：=—–→>-…👇⬇")
_LONGEST_VERB = 10  # characters, and one before them
_SAYS = r"(?i)\b(?:is|are|was|it['’]?s|это|вот|ist|lautet|est|es|é|è|jest|är|er)\Z"
# here comes my password!   I'll send you the PIN   сейчас пришлю пароль
_ANNOUNCED = (
    r"(?i)\b(?:here|below|next|follow(?:s|ing)|coming|comes?|send(?:ing)?|paste|pasting|typ(?:e|ing)|tell(?:ing)?|giv(?:e|ing)"
    r"|shar(?:e|ing)|remember|save|note|writ(?:e|ing)|вот|сейчас|щас|следующ\w*|ниже|шлю|пришлю|скину|кидаю|отправ\w+|лови"
    r"|держи|дам|даю|запомни|запиши|hier|gleich|jetzt|folgt|kommt|nun|voici|voilà|suit|aquí|ahí|ahora|va|sigue|ecco|segue"
    r"|adesso|aqui|agora|vai|oto|teraz)\b"
)


def announced(end: str) -> str:
    """The part of a message that announces a secret in the speaker's next message, for ``mask``; empty if it announces
    none.
    """
    said = end.rstrip(_TRAILING)
    after = end[len(said) :]
    sentence = said[max(said.rfind(sign) for sign in ("\n", ". ", "! ", "? ", "… ")) + 1 :]
    if not (hinted := names_in(sentence)):
        return ""
    is_open = "..." in after or not _OPEN_SIGNS.isdisjoint(after)
    says = compiled(_SAYS).search(sentence, max(0, len(sentence) - _LONGEST_VERB))
    if not (says or is_open or compiled(_ANNOUNCED).search(sentence)) or not (names := list(_names(sentence, hinted))):
        return ""
    return sentence if says else f"{min(names, key=re.Match.start)[0]}:"


def _names(sentence: str, hinted: Iterable[Named]) -> Iterator[re.Match[str]]:
    for rule in hinted:
        yield from compiled(rule.form).finditer(sentence)
