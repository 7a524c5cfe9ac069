"""The rules that may match a text: those with a hint in one of its words. Ordinary talk matches none.

Words repeat, so each is examined once, and its result is kept.
"""

from collections import defaultdict
from functools import lru_cache
from string import digits

from sandbox.secrets.forms import Named, Rule
from sandbox.secrets.issued import BLOB, TOKENS
from sandbox.secrets.phrases import PHRASE, is_row, signs_in_row
from sandbox.secrets.rules import LONG_RUN, RULES, WORDS
from sandbox.secrets.seen import seen
from sandbox.secrets.spoken import NUMBERS
from sandbox.secrets.values import compiled

_KEPT, _LONGEST = 30_000, 32  # words, and characters of one; about 5 MB

# Properties of a word beside its place in rows: whether rules concern it, it has a digit, it may name a secret.
_HINT, _DIGIT, _NAME = "!1n"

_PLACES = {rule: place for place, rule in enumerate(RULES)}
_BLOB, _PHRASE = _PLACES[BLOB], _PLACES[PHRASE]
_NUMBERS = frozenset(map(_PLACES.__getitem__, NUMBERS))
_ANY_DIGIT = frozenset(place for place in _NUMBERS if not RULES[place].hints)
_NAMED = frozenset(place for place, rule in enumerate(RULES) if isinstance(rule, Named))

_by_first = defaultdict[str, list[tuple[str, int]]](list)  # hints by their first sign, with the indexes of their rules
for _rule in (*WORDS, *NUMBERS):
    for _hint in filter(None, _rule.hints.split("|")):
        _by_first[_hint.strip()[0]].append((_hint, _PLACES[_rule]))
_of_tokens = [(hint, _PLACES[rule]) for rule in TOKENS for hint in rule.hints.split("|")]


def is_ordinary(text: str) -> bool:
    """Whether no rule concerns a text in any spelling; for most talk this is the only test."""
    signs = _signs_of(text)
    return not (_HINT in signs or _DIGIT in signs or is_row(signs.replace(_NAME, "")))


def may_name(text: str) -> bool:
    """Whether a word of a text may be the name of a secret."""
    return _NAME in _signs_of(text)


def is_hintless_id(id: str) -> bool:
    """Whether an id without a space needs no search. No hint ends with a digit, and many ids do."""
    return _HINT not in _signs[id.rstrip(digits)] and not compiled(LONG_RUN).search(id)


def rules_for(text: str, *, is_id: bool = False) -> list[Rule]:
    """The rules that could match a text, in the order of the table; none for ordinary talk. For an id, rules that any
    id would match are left out.
    """
    places = _places_in(text)
    if is_id:
        places -= {*_NUMBERS, _BLOB}
    elif _ANY_DIGIT.isdisjoint(places):
        places -= _NUMBERS
    if not is_id and _may_be_phrase(text) and compiled(PHRASE.form).search(text):
        places.add(_PHRASE)
    return [RULES[place] for place in sorted(places)]


def names_in(text: str) -> list[Named]:
    """The rules for named secrets of which a text has a hint."""
    return [rule for place in sorted(_places_in(text)) if isinstance(rule := RULES[place], Named)]


def _places_in(text: str) -> set[int]:
    """Indexes of the rules of which a text has a hint; those of ``NUMBERS`` even without a digit."""
    words = set(text.split())
    return set().union(*(_places(word) if len(word) <= _LONGEST else _find_places(word) for word in words))


@lru_cache(maxsize=_KEPT)
def _places(word: str) -> frozenset[int]:
    return _find_places(word)


def _find_places(word: str) -> frozenset[int]:
    folded = word.casefold()
    letters = " ".join(compiled("[A-Za-z]+").findall(f"{folded} {word}")).lower()
    edged = f"{folded} {letters} "
    places = {place for sign in set(folded) for hint, place in _by_first.get(sign, ()) if hint in edged}
    if compiled(LONG_RUN).search(word):
        places.update([place for hint, place in _of_tokens if hint in folded])
        places.add(_BLOB)
    if compiled("[0-9]").search(word):
        places |= _ANY_DIGIT
    return frozenset(places)


@lru_cache(maxsize=1)  # it is asked twice for a turn: what is in it, and what it asks for
def _signs_of(text: str) -> str:
    return "".join(map(_signs.__getitem__, text.split()))


def _may_be_phrase(text: str) -> bool:
    return is_row(compiled(f"[{_HINT}{_DIGIT}{_NAME}]").sub("", _signs_of(text)))


class _Signs(dict[str, str]):
    """The properties of words."""

    def __missing__(self, word: str) -> str:
        places = _find_places(word)
        signs = signs_in_row(word)
        if places - _NUMBERS or seen(word).text != word:
            signs += _HINT
        if places & _ANY_DIGIT:
            signs += _DIGIT
        if places & _NAMED:
            signs += _NAME
        if len(self) >= _KEPT:
            self.clear()
        if len(word) <= _LONGEST:
            self[word] = signs
        return signs


_signs = _Signs()
