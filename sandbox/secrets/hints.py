"""Which rules a text may concern: those with a hint in one of its words. Ordinary talk is settled here.

Words repeat, so what a word holds is looked for once.
"""

from collections.abc import Iterable
from functools import lru_cache
from string import digits

from sandbox.secrets.forms import Rule
from sandbox.secrets.rules import BLOB, LONG_RUN, TOKENS, WORDS
from sandbox.secrets.told import NUMBERS
from sandbox.secrets.values import compiled

_HINTS = frozenset(hint for rule in (*WORDS, *NUMBERS) for hint in rule.hints if hint)
# what every hint holds one of: a text without "pass" has neither "passcode" nor "passphrase"; none reaches over a space
_ROOTS = tuple(hint for hint in sorted(_HINTS) if not any(other in hint for other in _HINTS - {hint}))
# A text without a digit and without a long run, told in one pass. No iteration may fail half way: before Python 3.11.5
# a possessive group then goes on from where it failed (https://github.com/python/cpython/issues/106052).
_PLAIN = r"[^A-Za-z0-9+/_-]*+(?:[A-Za-z+/_-]{1,18}+(?:[^A-Za-z0-9+/_-]++|\Z))*+"

_KEPT, LONGEST = 30_000, 32  # words, and characters of one: some 3 MB
_rootless = set[str]()  # words met that have no root of a hint

# A hint that begins many words, and counts only where it is one, or part of a longer hint: "passion" has none.
_ALONE = "pass"
_NOT_ALONE = tuple(hint for hint in _HINTS if _ALONE in hint and hint != _ALONE)
_IS_ALONE = rf"{_ALONE}(?![a-z])"


def is_plain(text: str) -> bool:
    """Whether a text has neither a digit nor a long run of letters."""
    return compiled(_PLAIN).fullmatch(text) is not None


def roots_in(folded: str) -> frozenset[str]:
    """The roots of hints in a casefolded text."""
    words = set(folded.split())
    return frozenset().union(*(_roots_in(word) if len(word) <= LONGEST else _find_roots(word) for word in words))


def has_root(text: str) -> bool:
    """Whether a text has a root of a hint."""
    words = text.split()
    if _rootless.issuperset(words):
        return False
    if roots_in(text.casefold()):
        return True
    if len(_rootless) > _KEPT:
        _rootless.clear()
    _rootless.update(word for word in words if len(word) <= LONGEST)
    return False


def hinted(text: str, *, is_id: bool) -> list[Rule]:
    """The rules that a text has a hint of, in the order of the table; of an id not those that any id is like."""
    folded = text.casefold()
    roots = roots_in(folded)
    words = _with_hint(_rooted(roots, WORDS), folded) if roots else []
    if is_plain(text):
        return words
    has_run, has_digit = compiled(LONG_RUN).search(text), not is_id and compiled("[0-9]").search(text)
    runs = _with_hint(TOKENS, folded) if has_run else []
    if is_id:
        return [*runs, *words]
    numbers = _with_hint(_rooted(roots, NUMBERS), folded) if has_digit else []
    return [*runs, *words, *numbers, *([BLOB] if has_run else ())]


def is_hintless_id(id: str) -> bool:
    """Whether nothing is to be looked for in an id without a space. No root ends with a digit, and many ids do."""
    stem = id.rstrip(digits)
    return len(stem) <= LONGEST and not _roots_in(stem.casefold()) and not compiled(LONG_RUN).search(id)


@lru_cache(maxsize=_KEPT)
def _roots_in(word: str) -> frozenset[str]:
    return _find_roots(word)


def _find_roots(word: str) -> frozenset[str]:
    found = frozenset(root for root in _ROOTS if root in word)
    if _ALONE in found and not (compiled(_IS_ALONE).search(word) or any(hint in word for hint in _NOT_ALONE)):
        return found - {_ALONE}
    return found


@lru_cache(maxsize=1024)
def _rooted(roots: frozenset[str], rules: tuple[Rule, ...]) -> list[Rule]:
    """Those of some rules that have a hint with one of some roots, or need none."""
    return [rule for rule in rules if any(not hint or any(root in hint for root in roots) for hint in rule.hints)]


def _with_hint(rules: Iterable[Rule], folded: str) -> list[Rule]:
    return [rule for rule in rules if any(hint in folded for hint in rule.hints)]
