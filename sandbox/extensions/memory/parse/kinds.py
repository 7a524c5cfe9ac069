"""The words that a slot of each kind accepts."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from sandbox.extensions.memory.parse.language import Language
from sandbox.extensions.memory.parse.pattern import LIST, Fill, Slot, match, phrase_ends
from sandbox.extensions.memory.parse.tokens import Token, is_between_clauses
from sandbox.extensions.memory.text.places import size
from sandbox.extensions.memory.text.timewords import every_symbol

_NUMBER = re.compile(r"\d[\d.,:]*(?:k|m|km|kg|mg|mcg|ml|€|\$|%)?|\d+x")
_TECHNICAL = re.compile(r"[A-Z]{2}|[a-z]{2}[A-Z]")  # REST, GraphQL; not DeKalb
_IN_NAMES = re.compile(r"(?<=\w)['’-](?=\w)")  # signs: *O'Brien*, *Anna-Lena*
KNOWN_PLACE = "known_place"
"""The kind of a place that the gazetteer lists: *moved to Bazel* may tell a tool, *moved to Hull* tells none."""

OF_NAMES = frozenset("von van der den de da di".split())
"""Words inside names, which have no capital: *Anna van der Berg*."""

_MOST_WORDS = {
    "text": 30, "matter": 40, "phrase": 20, "tail": 10, "thing": 4, "place": 4, KNOWN_PLACE: 4, "name": 5, "org": 4,
    "tool": 4, "number": 2, "word": 1,
}  # fmt: skip
_MOST_IN_NAME = 3  # words behind a title
_TIMES = frozenset("mwsruhY")  # symbols of words for times
_NO_NAMES = frozenset(("no_name", "language", "nation"))  # classes of words
_SHORTEST_TIME = 3  # letters
_MOST_ITEMS = 6
_OLDEST = 110  # years


def ends(kind: str, said: Sequence[Token], at: int, language: Language) -> Iterator[int]:
    """The possible ends of a value of a kind that begins at a word, the longest first. A kind is one of those below, a
    list of one (``tool+``), a class of words or a pattern of the language. Raises ``ValueError`` for an unknown kind.
    """
    if kind.endswith(LIST):
        yield from _list_ends(kind.removesuffix(LIST), said, at, language)
        return
    if kind in language.kinds:
        found = {end for end, _ in match(language.kinds[kind], said, at, language.classes, _inner(said, language))}
        yield from sorted(found, reverse=True)
        return
    is_kind = _KINDS.get(kind)
    if is_kind is None and kind not in language.classes:
        raise ValueError(f"{kind!r} is no kind of slot in {language.code!r}")
    if kind == "name" and (at >= len(said) or not may_begin_name(said[at])):
        return
    most = _MOST_WORDS.get(kind, 4)
    for end in range(min(len(said), at + most), at, -1):
        some = said[at:end]
        if is_kind(some, language) if is_kind else _is_of_class(some, kind, language):
            yield end


def _inner(said: Sequence[Token], language: Language) -> Fill:
    def fill(slot: Slot, at: int) -> Iterator[tuple[int, object]]:
        yield from ((end, None) for end in ends(slot.kind, said, at, language) if at < len(said))

    return fill


def _list_ends(kind: str, said: Sequence[Token], at: int, language: Language) -> Iterator[int]:
    """The possible ends of a list with items of a kind."""
    starts, found = {at}, set[int]()
    for _ in range(_MOST_ITEMS):
        lasts = {end for start in starts for end in ends(kind, said, start, language)}
        if at not in starts and kind in language.classes:  # *violin and my brother plays tennis* is no list
            lasts = {
                end for end in lasts if not any(_is_of_class(said[start + 2 : end], kind, language) for start in starts)
            }
        found |= lasts
        starts = {start for last in lasts for start in _behind_and(said, last, kind)}
        if kind == "thing":  # «фанат Зенита, 27 лет»
            starts = {each for each in starts if not said[each].text.isdecimal()}
            starts = {each for each in starts if not _is_action(said[each : each + 2])}
        if kind in language.classes:  # *Spanish, learning Portuguese* is no list
            starts = {each for each in starts if not any(phrase_ends(to, said, each) for _, to in language.left_out)}
        if not starts:
            break
    yield from sorted(found, reverse=True)


def _is_action(behind_and: Sequence[Token]) -> bool:
    """Whether a verb with its object goes on behind *and*: *allergic to nuts and plays tennis*."""
    if len(behind_and) < 2:
        return False
    return ("bare" in behind_and[0].kinds or "/v" in behind_and[0].lemmas) and behind_and[1].is_word


def _behind_and(said: Sequence[Token], at: int, kind: str) -> Iterator[int]:
    """Where the next item may begin. No article stands before a name: *called Bruno, a beagle* names one dog."""
    is_comma = at < len(said) and said[at].text in (",", "&")
    at += is_comma
    is_and = at < len(said) and "and" in said[at].classes
    at += is_and
    if (is_comma or is_and) and at < len(said):
        yield at
        is_article = "articles" in said[at].classes and "my" not in said[at].classes
        if is_article and kind not in ("name", "called"):
            yield at + 1


def _is_known_place(some: Sequence[Token], language: Language) -> bool:
    """A place of the gazetteer, also behind its article or before the place that it is in."""
    named = " ".join(token.text for token in some if token.is_word)
    return _is_place(some, language) and any(map(size, (named, named.partition(" ")[2], some[0].text)))


def _is_thing(some: Sequence[Token], _: Language) -> bool:
    """A noun with the words before it: no marks, and no word that only joins or begins."""
    is_some = "articles" in some[0].classes and "definite" not in some[0].classes
    inside = some[1:] if is_some else some
    return (
        any(not token.text[0].isdigit() for token in inside)
        and all(token.is_word for token in inside)
        and "trail" not in inside[-1].classes
        and not any(_is_function(token) for token in (inside[0], inside[-1]))
        and not any(_is_function(token) and "inside" not in token.classes for token in inside)
        and not any("and" in token.classes and _is_action(inside[at : at + 2]) for at, token in enumerate(inside, 1))
    )


def _is_function(token: Token) -> bool:
    """Whether a word is a function word: by its class, or by a mark of its forms."""
    return "/inner" in token.lemmas or "function" in token.classes


def _is_text(some: Sequence[Token], _: Language) -> bool:
    """Any words in which no new clause of the speaker begins."""
    is_two = any(not sign.is_word and "self" in word.classes for sign, word in pairwise(some))
    return not is_two and some[0].is_word and (some[-1].is_word or some[-1].text in ")%")


def _is_phrase(some: Sequence[Token], _: Language) -> bool:
    """Words without marks between them, and without a second clause after an *and*."""
    return (
        "joins" not in some[-1].classes
        and "ends_phrase" not in some[-1].classes
        and all(token.is_word or token.text in "%.'`" for token in some)
        and not any(is_between_clauses(token, behind) for token, behind in pairwise(some))
    )


def _is_matter(some: Sequence[Token], language: Language) -> bool:
    """Something that can be remembered: some words, and no action."""
    return len(some) > 2 and _is_text(some, language) and "no_matter" not in some[0].classes


def _is_place(some: Sequence[Token], language: Language) -> bool:
    if not all(token.is_word or token.text in ",." for token in some) or not some[0].is_word or not some[-1].is_word:
        return False
    named = " ".join(token.text for token in some if token.is_word)
    if "me" in some[0].kinds and not is_capital(some[0]):  # *moved to us*
        return False
    if len(some) > 1 and "definite" in some[0].classes:
        return size(named.partition(" ")[2]) is not None  # the UK
    if size(named) or size(language.forms.base(named)) or (len(some) == 1 and "/place" in some[0].lemmas):
        return True
    if any(not token.is_word for token in some):
        return size(some[0].text) is not None and len(some) <= 3 and is_capital(some[-1])
    is_named = language.forms.may_name(some[0].lower, "place") and all(is_capital(token) for token in some)
    is_person = len(some) == 1 and "given" in some[0].classes
    is_technical = any(_TECHNICAL.search(token.text) or "tool_word" in token.kinds for token in some)
    return is_named and not (is_person or is_technical) and not any(map(_is_no_name, some))


def _is_no_name(token: Token) -> bool:
    """Whether a word is part of no name: also a language, a people, a time."""
    is_time = len(token.lower) > _SHORTEST_TIME and _is_time(token)  # not *Jan*
    return _is_function(token) or is_time or not token.classes.isdisjoint(_NO_NAMES)


def is_capital(token: Token) -> bool:
    """Whether a word begins with a capital."""
    return token.text[:1].isupper()


def is_like_name(token: Token) -> bool:
    """Whether a word is written like a name, or is a known name; the first word of a sentence has to be a known one."""
    if "/name" in token.lemmas:
        return True
    return is_capital(token) and (token.start > 0 or "/word" not in token.lemmas or "/named" in token.lemmas)


def may_begin_name(token: Token) -> bool:
    """Whether a ``name`` may begin with a word."""
    return token.is_word and (not token.classes.isdisjoint(("title", "given")) or is_like_name(token))


def _is_name(some: Sequence[Token], language: Language) -> bool:
    """Capitalised words, perhaps after a title; no word that only begins the sentence."""
    is_titled = "title" in some[0].classes
    while some and "title" in some[0].classes:
        some = some[2 if len(some) > 1 and some[1].text == "." else 1 :]
    return (
        0 < len(some) <= _MOST_IN_NAME
        and (is_titled or language.forms.may_name(some[0].lower, "name"))
        and all(
            token.is_word and (is_like_name(token) or "given" in token.classes) and not _is_no_name(token)
            for token in some
        )
    )


def _is_called(some: Sequence[Token], _: Language) -> bool:
    """A name in a place where nothing else fits; it may be in lower case, as *buddy*, but not as *and my brother too*,
    «двое детей», «дочку Соня».
    """
    named = [token for token in some if token.lower not in OF_NAMES or token in (some[0], some[-1])]
    return len(named) <= 2 and all(
        token.is_word
        and _IN_NAMES.sub("", token.text).isalpha()
        and not _is_no_name(token)
        and (is_capital(token) or "kin" not in token.kinds or "many_kin" in token.classes)
        and "trail" not in token.classes
        for token in named
    )


def _is_number(some: Sequence[Token], _: Language) -> bool:
    return (_NUMBER.fullmatch(some[0].lower) is not None or "numbers" in some[0].classes) and len(some) == 1


def _is_age(some: Sequence[Token], _: Language) -> bool:
    return len(some) == 1 and some[0].text.isdecimal() and int(some[0].text) <= _OLDEST


def _is_org(some: Sequence[Token], language: Language) -> bool:
    """A thing with a name, or a listed kind of employer: *a bank*; no person, as in *I've been with Anna for years*,
    and no place, as in *I've been at Derby since May*.
    """
    inside = some[1:] if len(some) > 1 and "articles" in some[0].classes else some
    inside = inside[:-1] if len(inside) > 1 and inside[-1].lower == "'s" else inside
    is_known = "org_word" not in language.classes or (any(map(is_capital, inside)) and "my" not in some[0].classes)
    is_known = is_known or all("company" in token.classes for token in inside)
    is_ours = is_known or "org_word" in inside[-1].classes
    is_person = len(inside) == 1 and "given" in inside[0].kinds
    is_other = is_person or _is_time(inside[-1]) or _is_known_place(inside, language)
    return is_ours and not is_other and _is_thing(inside, language)


def _is_tool(some: Sequence[Token], language: Language) -> bool:
    if not _is_thing(some, language) or any(name in token.classes for token in some for name in ("articles", "inside")):
        return False
    is_somebody = len(some) > 1 and "given" in some[0].classes  # *pnpm, and Tom reviews*
    if is_somebody or any(every_symbol(token.lower).strip() == "L" for token in some):  # *pnpm last sprint*
        return False
    is_apart = ("tool_word" in token.kinds or is_capital(token) for token in some)
    return all(
        known or token.lemmas.isdisjoint(("/word", "/inner")) for known, token in zip(is_apart, some, strict=True)
    )


def _is_word(some: Sequence[Token], _: Language) -> bool:
    return some[0].is_word and not _is_function(some[0])


def _is_tail(some: Sequence[Token], _: Language) -> bool:
    """Words that a clause may add without a change of its meaning: *with my two dogs*, *near the river*; no time,
    because the clause would then hold only at that time.
    """
    return "tail" in some[0].classes and all(
        token.is_word and (token is some[0] or not _is_time(token)) for token in some
    )


def _is_time(token: Token) -> bool:
    return every_symbol(token.lower.removesuffix("s")).strip()[:1] in _TIMES


def _is_of_class(some: Sequence[Token], kind: str, language: Language) -> bool:
    """A phrase of a class, perhaps after words that describe it."""
    phrases = language.classes[kind]
    for length in range(min(4, len(some)), 0, -1):
        tail = some[-length:]
        phrase = tuple(token.lower for token in tail)
        if phrase in phrases or (length == 1 and any((lemma,) in phrases for lemma in tail[0].lemmas)):
            before = some[:-length]
            described = frozenset[str]().union(*(token.kinds for token in before))
            if "not_mine" in described or described.issuperset(("my", "kin")):  # *my son diabetes*
                return False
            if before and "articles" in before[0].classes:
                before = before[1:]
            is_noun = not _is_function(tail[-1])  # nothing describes a preposition
            return not before or (is_noun and all(token.is_word and not _is_function(token) for token in before))
    return False


_KINDS: Mapping[str, Callable[[Sequence[Token], Language], bool]] = {
    "thing": _is_thing,
    "text": _is_text,
    "phrase": _is_phrase,
    "matter": _is_matter,
    "place": _is_place,
    KNOWN_PLACE: _is_known_place,
    "name": _is_name,
    "called": _is_called,
    "number": _is_number,
    "age": _is_age,
    "org": _is_org,
    "tool": _is_tool,
    "word": _is_word,
    "tail": _is_tail,
}
