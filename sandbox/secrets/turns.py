"""Effects of one turn on the next: it may ask for a secret, or announce one: "here comes my password:"."""

import re
from typing import NamedTuple

from sandbox.secrets.hints import may_name, names_in
from sandbox.secrets.values import compiled

ASKING = 200  # characters at the end of a turn that may ask for a secret
_SHORT = 100  # characters of a turn that may say nothing: "Sure, go ahead."
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


class Ending(NamedTuple):
    """The end of a conversation so far: what the last turn asked for, and what a speaker announced for their next
    turn.
    """

    asked: str = ""
    announced: str = ""
    by: tuple[str, str | None] = ("", None)  # role and speaker

    def asks(self, by: tuple[str, str | None]) -> str:
        """The text with which a turn of that role and speaker is masked."""
        return self.asked if self._waits(by) else self.announced or self.asked

    def then(self, text: str, by: tuple[str, str | None]) -> "Ending":
        """The end after one more turn, whose secrets are masked."""
        asked = asking(text)
        if asked and "?" not in asked:
            return Ending(announced=asked, by=by)
        if not asked and len(text) <= _SHORT and "[secret: " not in text:
            asked = self.asked
        return self._replace(asked=asked) if self._waits(by) else Ending(asked)

    def _waits(self, by: tuple[str, str | None]) -> bool:
        return bool(self.announced) and self.by != by


def asking(text: str) -> str:
    """The part of a turn that matters for masking the next one: an announcement of a secret (without "?"), or the end,
    which may ask for one; otherwise empty.
    """
    end = text[-ASKING:]
    asks = end if "?" in end else ""
    return (_announced(end) or asks) if may_name(end) else asks


def _announced(end: str) -> str:
    """The part of a message that announces a secret in the speaker's next message, for ``mask``."""
    said = end.rstrip(_TRAILING)
    after = end[len(said) :]
    sentence = said[max(said.rfind(sign) for sign in ("\n", ". ", "! ", "? ", "… ")) + 1 :]
    says = compiled(_SAYS).search(sentence, max(0, len(sentence) - _LONGEST_VERB))
    is_open = "..." in after or not _OPEN_SIGNS.isdisjoint(after)
    if not (says or is_open or compiled(_ANNOUNCED).search(sentence)):
        return ""
    names = [name for rule in names_in(sentence) for name in compiled(rule.form).finditer(sentence)]
    if not names or says:
        return sentence if names else ""
    return f"{min(names, key=re.Match.start)[0]}:"
