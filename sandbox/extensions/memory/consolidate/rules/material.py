"""What stands in a turn that is not said of its speaker: long quotations, smileys. Pure."""

import re
from functools import lru_cache

_SMILEY = re.compile(
    r"(?P<before>[.!?…,]?)\s*(?:(?<![\w:])[:;=]['’]?[-^o]?[)(DPp3*|/\\]+(?![\w/])|<3|\^_?\^|(?<![\w:]):[-^]?[oOsS](?!\w))(?=\s|$|[.!?,])"
)
_QUOTING = frozenset('"“«„')
_SMILING = frozenset(":;=<^")
_BRACKETS = re.compile(r"(?<=[а-яё!?.])\s?(?:\)+|\(+)(?=\s|$)", re.IGNORECASE)  # Russian smiles with brackets alone
_SPACED = re.compile(r"(?<=\w) +(?=[,.!?](?:\s|$))")

_QUOTED = re.compile(r"[\"“«„][^\"“”«»„]{30,1500}[\"”»]")
_ENDS = re.compile(r"[.!?…;]+(?=\s)|\n+")


def own(text: str) -> str:
    """A turn with smileys as ends of sentences and quotations in one piece."""
    if not _QUOTING.isdisjoint(text):
        text = _QUOTED.sub(lambda quoted: _ENDS.sub(",", quoted[0]), text)
    if not _SMILING.isdisjoint(text):
        text = _SMILEY.sub(_end, text)
    if ("(" in text) != (")" in text):
        text = _BRACKETS.sub(". ", text)
    return _SPACED.sub("", text) if " ," in text or " ." in text else text


_FIRST_PERSON = re.compile(r"\b(?:I|i|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]ur|[Uu]s|im|ive)\b")
_LONG = 60  # words; what is told in fewer may be of the speaker's without saying so


@lru_cache(maxsize=8)
def is_of_others(text: str) -> bool:
    """Whether a turn is a text of its own, a story or a puzzle: long, and nobody speaks of themselves."""
    return len(text.split()) > _LONG and _FIRST_PERSON.search(text) is None


def _end(smiley: re.Match[str]) -> str:
    return f"{smiley['before'] or '.'} "
