"""Effects of one turn on the next: it may ask for a secret, or announce one."""

from typing import NamedTuple

from sandbox.secrets import asking

_SHORT = 100  # characters of a turn that may say nothing: "Sure, go ahead."


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
        if self._waits(by):
            return self._replace(asked=asked)
        return Ending(asked) if asked else _NOTHING

    def _waits(self, by: tuple[str, str | None]) -> bool:
        return bool(self.announced) and self.by != by


_NOTHING = Ending()
