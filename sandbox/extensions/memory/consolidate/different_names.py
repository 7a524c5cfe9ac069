"""Find sentences that say that two names mean different entities: ``Anna Petrova and Anna Ivanova are different
people``. Pure.
"""

import re
from collections.abc import Iterator
from functools import cache

from sandbox.extensions.memory.lexicon import pattern, texts
from sandbox.extensions.memory.parse.clauses import sentences
from sandbox.extensions.memory.parse.language import language_of
from sandbox.extensions.memory.parse.reader import code_of
from sandbox.extensions.memory.text.words import SMALL, name_key, stop_words

_WORD = rf"[^\W\d_{SMALL}](?:['-]*+\w++)*"
_NAME = rf"(?<![\w'-]){_WORD}(?: {_WORD}){{0,3}}"


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    """The forms of such sentences, with the names ONE and OTHER."""
    said = (each.replace("ONE", f"(?P<one>{_NAME})") for each in texts("names", "distinct"))
    return tuple(re.compile(each.replace("OTHER", f"(?P<other>{_NAME})")) for each in said)


def different_names(text: str) -> Iterator[tuple[str, str]]:
    """Pairs of names that mean different entities according to a text; questions, conditions and quotations do not
    count.
    """
    is_hinted = pattern("names", "distinct_hints").search(text)
    for sentence in sentences(text, language_of(code_of(text))) if is_hinted else ():
        if "?" in sentence or pattern("names", "supposed", re.IGNORECASE).match(sentence) or '"' in sentence:
            continue
        plain = sentence.strip(" .!")
        for match in filter(None, (each.search(plain) for each in _forms())):
            one, other = _bare(match["one"]), _bare(match["other"])
            if one and other and name_key(one) != name_key(other):
                yield one, other


def _bare(name: str) -> str:
    first, _, rest = name.partition(" ")
    return rest if first.lower() in stop_words() else name
