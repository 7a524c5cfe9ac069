"""The places where a text may name an entity: runs of words that begin like a name. Pure.

Whether a text names somebody at all is a question of its own, for erasing: there a name counts in any case and form,
unless it is also a word.

A name that has capitals in the memory has them in the text. The first word of a sentence always has one, so an ordinary
word counts as a name only elsewhere, and a month never does.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from sandbox.extensions.memory.lexicon import form, words
from sandbox.extensions.memory.text.names import may_be_form_of, titles
from sandbox.extensions.memory.text.words import SMALL, fold, is_unspaced, name_key, stemmed_name, stop_words, terms

_MOST = 200  # words of one text that are looked up; names further down a pasted page are not linked
_NEAR = 40  # characters before a name that are examined

_LETTERS = r"[^\W_]+(?:['’.-][^\W_]+)*"
_BEGINS = rf"[^\W_{SMALL}]"  # not lower case, as far as a pattern can say that quickly
_ASCII_BEGINS = re.compile(r"[A-Z][A-Za-z0-9']*")  # the same for ASCII, several times faster
# The check of what is before a word comes after the check of its first letter, because few letters are capitals.
_WORD = r"{first}(?<![\w\-/\\].)(?<!\w@.){other}*(?:['’.-]{other}+){{0,8}}(?![\w@/\\])"
_START = re.compile(_WORD.format(first=_BEGINS, other=r"[^\W_]"))
_ASCII_START = re.compile(_WORD.format(first="[A-Z0-9]", other="[A-Za-z0-9]"), re.ASCII)
_LETTERS_OR_DIGITS = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
_NEXT = re.compile(rf"[@# \t]+({_LETTERS})(?![\w@/\\])")
_ACT = r"(?<! ) +{names.act_endings}(?!\w)"
_BEFORE_NOUN = r"(?i)\b(?:{names.articles words}|{names.before_nouns}) +$"
_BEHIND = re.compile(r" +([^\W\d_]+(?:['’][^\W\d_]+)?)(?!\w)")
_BEFORE = re.compile(rf"(\W*)\b({_LETTERS})(\W*)$")
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]+@\w[\w.-]*")
_ENDS = re.compile(r"[.!?…:;\n\"“”«»()*•]|(?<=\s)[-–—]\s")


def words_too() -> frozenset[str]:
    """Names of people that are also words, if both are frequent."""
    return words("names", "words_too")


class WordRun(NamedTuple):
    """A run of words that may be a name: its place and length, its words, and the stemmed form."""

    start: int
    end: int
    words: int
    text: str
    stemmed: str
    opens: bool  # whether it begins a sentence
    alone: bool  # whether no other name seems to be part of it before or after


def beginnings(text: str) -> list[str]:
    """The words of a text with which names could begin."""
    return (_ASCII_BEGINS if text.isascii() else _START).findall(text)[:_MOST]


@lru_cache(maxsize=1 << 14)
def beginning(word: str) -> str:
    """The beginning of the stemmed name that begins with a word."""
    return stemmed_name(word).partition(" ")[0]


def runs(text: str, longest: Mapping[str, int]) -> list[WordRun]:
    """The runs of words that could be a name; ``longest`` gives the length of the longest name by its first, stemmed
    word.
    """
    found = list[WordRun]()
    for start in _starts(text):
        if length := longest.get(beginning(start[0])):
            found += _from(text, start, length)
    return found


def names_it(run: WordRun, name: str) -> bool:
    """Whether a run with the same stems is a known name, and is written like it."""
    if not _bears(run.text, name):
        return False
    if run.words > 1:
        return True
    key = name_key(name)
    if key in words("statements", "dates") or not run.alone:
        return False
    return not run.opens or not (key in words_too() or key in stop_words() or name_key(run.text) in stop_words())


def may_name(text: str, name: str) -> bool:
    """Whether a text has the words of a name, in any order, case and form; a function word in small letters is none."""
    stems = stemmed_name(name)
    if name_key(name) in stop_words():
        return any(_bears(run.text, name[:1].upper() + name[1:]) for run in runs(text, {stems: 1}))
    return (is_unspaced(name) and name in text) or {*stemmed_name(text).split()}.issuperset(stems.split())


def surely_names(text: str, name: str) -> bool:
    """Whether a text that may name somebody does. A name that is also a word has to be written like a name: with a
    capital, inside a sentence without an article, or at its beginning with *'s* or a verb behind it. A month and a part
    of an address are no names.
    """
    key, stems = name_key(name), stemmed_name(name)
    if key in words_too() | stop_words() | words("statements", "dates"):
        written = name[:1].upper() + name[1:]
        free = (run for run in runs(text, {stems: 1}) if not _is_noun(text, run))
        return any(names_it(run, written) or _acts(text, run, written) for run in free)
    return may_name(_ADDRESS.sub(" ", text), name)


def without_longer(text: str, others: Iterable[str], names: Collection[str]) -> tuple[str, bool]:
    """A text without those names of ``others`` that contain one of some names (*Ann Lee* for *Ann*), and whether there
    are such. A title before a name (*Dr. Ann*), or what is somebody's (*Ann's dog*), makes no longer name.
    """
    longer = [each for each in others if any(_is_longer(each, name) for name in names)]
    for each in sorted(longer, key=len, reverse=True):
        text = re.sub(re.escape(each), " ", text, flags=re.IGNORECASE)
    return text, bool(longer)


def _is_longer(other: str, name: str) -> bool:
    mine, theirs = ({*stemmed_name(each).split()} - titles() for each in (name, other))
    return mine < theirs and re.search(rf"{re.escape(name)}['’]s?(?!\w)", other, re.IGNORECASE) is None


def proper_terms(text: str) -> frozenset[str]:
    """The search terms of words that are written like names, not counting the first words of sentences, or that contain
    a digit.
    """
    written = (found[0] for found in _starts(text) if _is_capital(found[0]) and not _before(text, found.start())[1])
    numbered = filter(_DIGIT.search, _LETTERS_OR_DIGITS.findall(text))
    return frozenset(term for word in (*written, *numbered) for term in terms(word))


def is_proper(name: str) -> bool:
    """Whether a name is written like one: with capitals, or in a script without them."""
    return any(map(_is_capital, name.split()))


def _starts(text: str) -> Iterator[re.Match[str]]:
    """The places in a text where a name could begin."""
    return islice((_ASCII_START if text.isascii() else _START).finditer(text), _MOST)


def _from(text: str, start: re.Match[str], longest: int) -> Iterator[WordRun]:
    before, opens = _before(text, start.start())
    ends, word = [start.end()], start[0]
    while len(ends) <= longest and (following := _NEXT.match(text, ends[-1] + _stop(text, ends[-1], word))):
        ends.append(following.end())
        word = following[1]
    for number, end in enumerate(ends[:longest], start=1):
        spelled = " ".join(text[start.start() : end].split())
        after = text[end : ends[number]].strip(" @#\t") if number < len(ends) else ""
        alone = not _goes_on(before) and not _goes_on(after)
        yield WordRun(start.start(), end, number, spelled, stemmed_name(spelled), opens, alone)


def _before(text: str, start: int) -> tuple[str, bool]:
    """The word before, with which a name may continue, or an empty text; and whether a sentence begins here. The first
    word of a sentence ("Thanks Ann") does not count.
    """
    found = _BEFORE.search(text, max(0, start - _NEAR), start)
    if found is None:
        return "", True
    lead, word, between = found.groups()
    between = between[_stop(between, 0, word) :]
    if _ENDS.search(between):
        return "", True
    inside = found.start() > 0 and not _ENDS.search(lead)
    return word if inside and not between.strip("@# \t") else "", False


def _stop(text: str, at: int, word: str) -> int:
    """The length of a full stop that ends no sentence, because a title or an initial is before it."""
    return int(text.startswith(".", at) and (len(word) == 1 or word.lower() in titles()))


def _is_noun(text: str, run: WordRun) -> bool:
    """Whether an article, or another word that stands before nouns, is before a run."""
    return form(_BEFORE_NOUN).search(text, max(0, run.start - _NEAR), run.start) is not None


def _acts(text: str, run: WordRun, name: str) -> bool:
    """Whether a name that begins a sentence has something, or does something."""
    if not (run.opens and run.alone and _bears(run.text, name)):
        return False
    behind = _BEHIND.match(text, run.end)
    word = fold(behind[1]) if behind else ""
    acts = word in words("names", "acts") or (word not in stop_words() and form(_ACT).match(text, run.end))
    return bool(acts) or run.text.endswith(("'s", "’s"))


@lru_cache(maxsize=1 << 12)
def _bears(text: str, name: str) -> bool:
    return _is_written_like(text, name) and may_be_form_of(name_key(text), name_key(name))


@lru_cache(maxsize=1 << 14)
def _goes_on(word: str) -> bool:
    """Whether a word beside a name seems to belong to it."""
    key = name_key(word)
    others = titles() | stop_words() | words("statements", "dates")
    return _is_capital(word) and not word.isupper() and key not in others


def _is_written_like(text: str, name: str) -> bool:
    """Whether the words that have capitals in the name have them in the text; text in capitals is no name."""
    for word, known in zip(text.split(), name.split(), strict=False):
        if _is_capital(known) and (not _is_capital(word) or (word.isupper() and len(word) > 1 and not known.isupper())):
            return False
    return is_proper(name)


def _is_capital(word: str) -> bool:
    return word != word.lower() or (word == word.upper() and word.isalpha())
