"""How a claim writes the words of a slot."""

import re
from collections.abc import Sequence
from itertools import pairwise

from sandbox.extensions.memory.parse.kinds import KNOWN_PLACE, OF_NAMES
from sandbox.extensions.memory.parse.language import Language
from sandbox.extensions.memory.parse.pattern import LIST
from sandbox.extensions.memory.parse.tokens import Token
from sandbox.extensions.memory.text.places import nominative

_MARKS = re.compile(r" \( \)|(?: ([,;:]))+")  # what stood around a time that was taken out: *the rent , , is due*
_PLACES = frozenset(("place", KNOWN_PLACE))


def written(said: Sequence[Token], source: str, language: Language, kind: str = "") -> str:
    """The words of a value as in the sentence, without the article before them; an employer that is no name keeps
    it.
    """
    text = _as_said(said, source).replace("`", "")  # *we use `pnpm`*
    if kind.removesuffix(LIST) == "thing" and "my" in said[0].classes:
        return told(said, source, language)  # *my job* is *their job*
    if kind in _PLACES or (kind == "org" and text.partition(" ")[2].islower()):
        return text
    return without_article(text, language)


def _as_said(said: Sequence[Token], source: str) -> str:
    """Words as in a sentence, without what stands between them, such as a time, which is told beside them; if their
    order was changed, in the new order.
    """
    is_moved = any(after.start < before.start for before, after in pairwise(said))
    between = (source[before.end : after.start].replace("`", " ") for before, after in pairwise(said))
    is_apart = is_moved or len(said) == 1 or not all(map(str.isspace, filter(None, between)))
    apart = _MARKS.sub(r"\1", " ".join(token.text for token in said))
    if is_apart:
        return apart.strip(" .,;!")
    start, end = said[0].start, said[-1].end
    start -= source[start - 1 : start] == "`"
    end += source[end : end + 1] == "`"
    return source[start:end].strip(" .,;!")


def told(said: Sequence[Token], source: str, language: Language) -> str:
    """A speaker's words in the third person: *my keys* become *their keys*."""
    text = _as_said(said, source)
    if not language.persons:
        return text
    own = "|".join(re.escape(each) for each in sorted(language.persons, key=len, reverse=True))
    return re.sub(
        rf"(?<![\w'/-])(?:{own})(?![\w'/])", lambda found: language.persons[found[0].lower()], text, flags=re.I
    )


def capitalised(name: str, language: Language) -> str:
    """A name with capital letters, behind its article: *the UK*."""
    bare = without_article(name, language)
    words = " ".join(
        word if word[:1].isupper() or word in OF_NAMES else word[:1].upper() + word[1:] for word in bare.split()
    )
    return f"{name.removesuffix(bare)}{words}"


def dictionary_form(kind: str, value: str, language: Language) -> str:
    """The form for claims: a place by its listed name, a noun in its dictionary form."""
    value = without_article(value, language) if kind == "org" or kind in _PLACES else value
    if kind in _PLACES:
        return nominative(language.forms.base(value))
    return value if kind in ("number", "text", "phrase", "matter") else language.forms.base(value)


def listed(value: str, kind: str, language: Language) -> list[str]:
    """The values of a slot: the items of a list, or the one value."""
    return items(value, language) if kind.endswith(LIST) else [value]


def items(value: str, language: Language) -> list[str]:
    """The items of a list, split at commas and *and*."""
    joined = "|".join(re.escape(phrase[0]) for phrase in sorted(language.classes["and"]) if len(phrase) == 1)
    parts = re.split(rf"\s*[,&]\s*(?:(?:{joined})\s+)?|\s+(?:{joined})\s+", value)
    return [without_article(part, language) for each in parts if (part := each.strip(" .,;"))]


def without_article(value: str, language: Language) -> str:
    """Words without the article before them."""
    first, _, rest = value.partition(" ")
    return rest if rest and language.has("articles", first.lower()) else value
