"""Two names of which somebody says that they are not one: ``Anna Petrova and Anna Ivanova are different people``.
English and Russian. Pure.
"""

import re
from collections.abc import Iterator

from sandbox.extensions.memory.parse.clauses import sentences
from sandbox.extensions.memory.parse.language import language
from sandbox.extensions.memory.parse.reader import code_of
from sandbox.extensions.memory.text.stopwords import stop_words
from sandbox.extensions.memory.text.words import name_key

_WORD = r"[^\W\d_a-zа-яё](?:['-]*+\w++)*"
_NAME = rf"(?<![\w'-]){_WORD}(?: {_WORD}){{0,3}}"
_ONE, _OTHER = rf"(?P<one>{_NAME})", rf"(?P<other>{_NAME})"
_TOLD = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_ONE} is (?:not the same(?: person)? as|(?:somebody|someone) (?:else|other) than"
        rf"|(?:a different|another) person (?:than|from)) {_OTHER}",
        rf"{_ONE} and {_OTHER} are (?:(?:two )?(?:different|distinct|separate) (?:people|persons)|two people"
        rf"|not (?:one and )?the same(?: person)?)\b",
        rf"\btwo \w+: {_ONE} and {_OTHER}$",
        rf"{_ONE} и {_OTHER}(?: ?[—–-])? (?:это )?(?:(?:два )?разны[ех] (?:люди|человека)"
        r"|не один и тот же человек)\b",
    )
)
_HINTS = re.compile("same|some(?:body|one)|person|people|two |разны|один и тот")  # one of them is in each
_SUPPOSED = re.compile(r"^(?:if|suppose|imagine|maybe|perhaps|если|может|допустим)\b", re.IGNORECASE)


def told(text: str) -> Iterator[tuple[str, str]]:
    """Pairs of names that a text says are two; nothing of what it asks, supposes or quotes."""
    for sentence in sentences(text, language(code_of(text))) if _HINTS.search(text) else ():
        if "?" in sentence or _SUPPOSED.match(sentence) or '"' in sentence:
            continue
        plain = sentence.replace("isn't", "is not").replace("aren't", "are not").strip(" .!")
        for match in filter(None, (pattern.search(plain) for pattern in _TOLD)):
            one, other = _bare(match["one"]), _bare(match["other"])
            if one and other and name_key(one) != name_key(other):
                yield one, other


def _bare(name: str) -> str:
    """Without the word that only begins the sentence."""
    first, _, rest = name.partition(" ")
    return rest if first.lower() in stop_words() else name
