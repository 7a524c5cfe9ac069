"""Split a turn into sentences and clauses, and find the clauses that are asserted."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from sandbox.extensions.memory.lexicon import either
from sandbox.extensions.memory.parse.language import Language
from sandbox.extensions.memory.parse.pattern import phrase_ends
from sandbox.extensions.memory.parse.tokens import CODE_SPACE, Token, is_between_clauses
from sandbox.extensions.memory.text.words import CAPITAL

_READ = 8000  # characters of a turn; a longer one was pasted
_LONGEST = 70  # words of a sentence
_END = re.compile(rf"(?<=[.!?…])[)\"”»]*\s+|[\n\r]+|;\s+|(?<=\w)\s*\.{{2,}}\s*|(?<=[)])\s+(?=[{CAPITAL}])")
_SIGNS = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]+|(?<![\\w<>=~])[:;=][-^']?[)(DPp3*|/]+(?!\\w)|<3")
_CODE = re.compile(r"`[^`\n]{1,200}`")
_DAY = re.compile(r"(?<!\d)\d{1,2}\.$")
_AGED = re.compile(rf"\b([{CAPITAL}][\w'-]{{1,30}})\s?\(\d{{1,2}}(?: \w{{1,9}}){{0,2}}\)")
_QUOTES = frozenset("\"“”„«»'")
_BULLET = re.compile(r"^\s*(?:[-*•–—]|\d{1,2}[.)])\s+")
_IN_MARKS = re.compile(r"[\"“«„]([^\"”»“«„\n]*)[\"”»“]")
_NAME_OF = 2  # words in quotation marks that are a name, or a word that is mentioned
_DESCRIBED = 5  # words of somebody and of what follows, up to its verb
_FRONTED = 2  # words of an object before its clause
_BREAKS = frozenset(",;:()–—-|/…")
_PRONOUNS = frozenset(("self", "others", "my"))  # classes of words that may begin a clause
_BINDS = frozenset(
    "function unreal lead joins asks skip binds".split()
)  # classes of words that belong to the words after them


class Segment(NamedTuple):
    """A part of a sentence between two possible ends of clauses. ``is_apart``: a punctuation mark is before it;
    ``is_real``: it is neither a condition nor a quotation, but may be a question.
    """

    start: int
    end: int
    is_apart: bool
    is_earnest: bool
    is_real: bool


def sentences(text: str, language: Language) -> Iterator[str]:
    """The sentences of a turn, without bullets, smileys and quotations of several sentences. Spaces in code are
    ``CODE_SPACE``.
    """
    months = language.times["months"].split()
    text = _CODE.sub(lambda code: code[0].replace(" ", CODE_SPACE), text[:_READ].replace("’", "'"))
    text = _SIGNS.sub(" . ", _IN_MARKS.sub(_but_passages, text))
    waiting = ""
    parts = _END.split(text)
    for part, following in zip(parts, [*parts[1:], ""], strict=True):
        whole = f"{waiting} {part}".strip()
        if whole.endswith(".") and (
            (_DAY.search(whole) and following.partition(" ")[0].strip(".,") in months)  # *23. Mai*
            or _shortened(language).search(whole)
        ):
            waiting = whole
            continue
        waiting = ""
        if whole := _BULLET.sub("", whole).strip(" ."):
            is_list = whole.count("(") > 1 and len(_AGED.findall(whole)) > 1
            yield _AGED.sub(r"\1", whole) if is_list else whole  # *Mia (8) and Leo (5)*
    if waiting:
        yield waiting


@cache
def _shortened(language: Language) -> re.Pattern[str]:
    """A text whose last full stop ends no sentence: behind an initial, an abbreviation, or the day of a month."""
    days = "|".join(phrase[0] for phrase in language.classes.get("before_day", ()))
    day = rf"|\b(?i:{days})\s+\d{{1,2}}\.(?:\d{{1,2}}\.)?$" if days else ""
    return re.compile(rf"(?:^|\s)(?:[{CAPITAL}]|{either('function_words', 'abbreviations')})\.${day}")


def _but_passages(quoted: re.Match[str]) -> str:
    """A quotation as it is; one of several sentences is replaced by a mark."""
    return " … " if _END.search(quoted[1].strip()) else quoted[0]


def segments(said: Sequence[Token], language: Language) -> list[Segment]:
    """The parts of a sentence. A part that is asked, supposed, wished or quoted is not asserted, nor are the parts
    after it, nor a part right before it without punctuation between the two. A request in the form of a question is
    meant: *could you call me Sam?*, and so is what is before a question: *I'm vegan, so what can I cook?*
    """
    if len(said) > _LONGEST:
        return []
    cuts = _cuts(said)
    quoted = _quoted(said)
    found: list[Segment] = []
    meant: set[int] = set()
    is_earnest = is_real = True
    asks = any(token.text == "?" for token in said)
    for start, end, is_apart in cuts:
        words = [token for token in said[start:end] if token.is_word]
        if not words:
            continue
        real = language.classes["real"]  # *could kill me*
        is_unreal = any("unreal" in each.classes and not phrase_ends(real, words, at) for at, each in enumerate(words))
        if is_unreal and tuple(token.lower for token in words) in language.classes["trail"]:  # *if that matters*
            is_unreal = False
        is_request = (asks or is_unreal) and _requests(said[start:end], language)
        is_unreal = is_unreal and not is_request
        is_meant = is_request or (asks and not is_unreal and _is_presupposed(said, start))
        is_question = asks and bool(found) and (is_request or (not is_meant and _asks(said, start, end, language)))
        if is_meant and is_earnest:
            meant.add(start)
        if is_earnest and (is_unreal or is_question):
            is_earnest = False
            is_beside = start > 0 and is_between_clauses(said[start - 1], said[start])  # *so the nurse says*
            if is_unreal and not is_apart and found and not is_beside:
                found[-1] = found[-1]._replace(is_earnest=False, is_real=False)
        is_real = is_real and not is_unreal
        is_own = quoted.isdisjoint(range(start, end))
        found.append(Segment(start, end, is_apart, (is_earnest or start in meant) and is_own, is_real and is_own))
    if asks and found and (is_earnest or "asks" in said[found[0].start].classes):
        return [each if each.start in meant else each._replace(is_earnest=False) for each in found]
    return found


def _asks(said: Sequence[Token], start: int, end: int, language: Language) -> bool:
    """Whether a part asks: *so what do you suggest*."""
    begun = [start + at for at in starts(said[start:end], language) if start + at < end]
    return any("asks" in said[at].classes for at in begun) or said[start - 1].classes >= {"joins", "asks"}


def _is_presupposed(said: Sequence[Token], start: int) -> bool:
    """Whether a part describes somebody of the speaker's, also in a question: *for my wife, who is vegan?*"""
    is_relative = start > 0 and "relative" in said[start - 1].classes
    return is_relative and any("my" in each.classes for each in said[max(0, start - _DESCRIBED) : start - 1])


def _requests(said: Sequence[Token], language: Language) -> bool:
    phrases = language.classes["requests"]
    return any(any(phrase_ends(phrases, said, at)) for at in starts(said, language) if at < len(said))


def _cuts(said: Sequence[Token]) -> Iterator[tuple[int, int, bool]]:
    start, is_apart = 0, True
    for at, token in enumerate(said):
        is_sign = token.text in _BREAKS
        if at > start and "anew" in token.classes and _begins_anew(said[start:at], said[at:]):
            yield start, at, is_apart
            start, is_apart = at, False
        is_relative = at > 0 and "relative" in token.classes  # also right behind a comma
        if is_sign or is_relative or (at > start and "joins" in token.classes):
            if at > start:
                yield start, at, is_apart
            start, is_apart = at + 1 if is_sign or "unreal" not in token.classes else at, is_sign
    if start < len(said):
        yield start, len(said), is_apart


def _begins_anew(before: Sequence[Token], said: Sequence[Token]) -> bool:
    """Whether a clause begins after some words without punctuation, as people type: *not the machine im lactose
    intolerant*; but not after what it denies: *red wine I don't drink*.
    """
    is_denied = len(before) <= _FRONTED and any(not each.classes.isdisjoint(("not", "over")) for each in said[1:3])
    return before[-1].is_word and _BINDS.isdisjoint(before[-1].classes) and not is_denied


def is_doubtful(said: Sequence[Token]) -> bool:
    """Whether a sentence asks or supposes."""
    return any(token.text == "?" or "supposed" in token.classes for token in said)


def is_in_doubt(said: Sequence[Token]) -> bool:
    """Whether a sentence that only denies something does not say whether that has ended, or never was."""
    classes = frozenset[str]().union(*(token.classes for token in said))
    return "not" in classes and classes.isdisjoint(("over", "but"))


def is_quoting(said: Sequence[Token]) -> bool:
    """Whether a part of a sentence is a quotation of somebody else."""
    return bool(_quoted(said))


def _quoted(said: Sequence[Token]) -> frozenset[int]:
    marks = [at for at, token in enumerate(said) if not token.is_word and token.text in _QUOTES]
    pairs = [(first, last) for first, last in zip(marks[::2], marks[1::2], strict=False) if last - first > _NAME_OF + 1]
    return frozenset(at for first, last in pairs for at in range(first, last + 1))


def variants(said: Sequence[Token], language: Language) -> Iterator[Sequence[Token]]:
    """A clause as it is, then without its introduction, without its trailing words, and without stressing words in
    it.
    """
    begun, ends = starts(said, language), _ends(said, language)
    for start in reversed(begun):  # *btw penicillin gives me a rash*
        for end in ends:
            if end > start:
                yield said[start:end]
    if len(said) and begun[-1] < ends[-1]:
        some = said[begun[-1] : ends[-1]]
        less = [
            token
            for at, token in enumerate(some)
            if "skip" not in token.classes or ("merely" in token.classes and at and "not" in some[at - 1].classes)
        ]
        if less and len(less) < len(some):
            yield less
        once = [token for at, token in enumerate(some) if not _is_repeated(some, at)]
        if len(once) < len(some):
            yield once


def _is_repeated(said: Sequence[Token], at: int) -> bool:
    """Whether a function word is repeated in a list: *allergic to nuts and to milk*. A pronoun begins a clause."""
    if not at or "and" not in said[at - 1].classes:
        return False
    token = said[at]
    is_inner = "function" in token.classes or "/inner" in token.lemmas
    is_again = is_inner and token.classes.isdisjoint(_PRONOUNS)
    return is_again and any(each.lower == token.lower for each in said[:at])


def starts(said: Sequence[Token], language: Language) -> list[int]:
    """The indexes where a clause may begin: the first word, then those behind introductory words."""
    found, at = [0], 0
    while at < len(said):
        behind = at + 1 if not said[at].is_word else next(iter(phrase_ends(language.classes["lead"], said, at)), 0)
        classes, rest = said[at].classes, [each for each in said[behind : behind + 1] if each.is_word]
        denies = "not" in classes or ("genitive" in classes and any("/gen" in each.lemmas for each in rest))
        denies = denies or ("no_word" in classes and any(_BINDS.isdisjoint(each.classes) for each in rest))
        if not behind or (rest and denies):  # «не, пишу»: that is no denial, as «не пишу» and «нет астмы» are
            break
        found = [behind] if not said[at].is_word and found == [0] else [*found, behind]
        at = behind
    return found[:1] + found[-2:] if len(found) > 3 else found


def _trailing(said: Sequence[Token], end: int, trail: frozenset[tuple[str, ...]]) -> int:
    """The number of words in the longest phrase that ends before an index, not counting the first word of a clause."""
    lengths = range(min(4, end - 1), 0, -1)
    return next((each for each in lengths if tuple(token.lower for token in said[end - each : end]) in trail), 0)


def _ends(said: Sequence[Token], language: Language) -> list[int]:
    end = len(said)
    while end and not said[end - 1].is_word and said[end - 1].text not in ")%":
        end -= 1
    found = [end]
    while end > 1:
        if not said[end - 1].is_word:
            end -= 1
            continue
        length = _trailing(said, end, language.classes["trail"])
        if not length:
            break
        end -= length
        found.append(end)
    return found[:1] + found[-2:] if len(found) > 3 else found
