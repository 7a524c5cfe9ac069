"""Content inside a fence of two tags: data that cannot close it, whatever it says. Pure."""

import re
import unicodedata
from collections.abc import Callable

_OPENING_SIGN = re.compile("[<＜﹤]")
_LINE_BREAKS = r"\r\n\v\f\x1c-\x1e\x85\u2028\u2029"
_LINE_BREAK = re.compile(rf"\s*[{_LINE_BREAKS}]\s*")
_SPECIAL = re.compile(rf"[<＜﹤{_LINE_BREAKS}]")


def escaping(tag: str) -> Callable[[str], str]:
    """What makes content stay on its own lines and between ``<tag>`` and ``</tag>``: further lines are indented, and
    what is, or to a model looks like, the tag is written out plainly.
    """
    fence = re.compile(rf"<(?=\s*/?\s*{tag}\b)", re.IGNORECASE)

    def unfenced(content: str) -> str:
        plain = "".join(sign for sign in unicodedata.normalize("NFKC", content) if unicodedata.category(sign) != "Cf")
        return fence.sub("&lt;", plain) if fence.search(plain) else content

    def escape(content: str) -> str:
        if not _SPECIAL.search(content):
            return content.strip()
        return _LINE_BREAK.sub("\n  ", (unfenced(content) if _OPENING_SIGN.search(content) else content).strip())

    return escape
