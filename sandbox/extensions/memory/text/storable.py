"""What can be stored as text."""

import re

_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")  # SQLite text ends at NUL; lone surrogates are no UTF-8
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def storable(text: str) -> str:
    """The text with NUL and lone surrogates replaced."""
    return _UNSTORABLE.sub(_REPLACEMENT, text)
