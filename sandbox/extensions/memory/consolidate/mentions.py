"""Find names in a text: addresses, links, @mentions, #tags, and capitalised names inside sentences; and pairs of names
that mean different entities. Pure.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache

from sandbox.extensions.memory.consolidate.extraction import EntityType, Turn
from sandbox.extensions.memory.lexicon import LANGUAGES, by_language, form, pattern, texts, words
from sandbox.extensions.memory.parse.clauses import sentences
from sandbox.extensions.memory.parse.language import language_of
from sandbox.extensions.memory.parse.reader import code_of
from sandbox.extensions.memory.text.names import Mention, titles
from sandbox.extensions.memory.text.places import size
from sandbox.extensions.memory.text.sightings import words_too
from sandbox.extensions.memory.text.timewords import telling
from sandbox.extensions.memory.text.words import CAPITAL, SMALL, name_key, stop_words

_WORD = rf"[{CAPITAL}](?:['-]*+\w++)+"
_ADDRESSED: tuple[tuple[str, re.Pattern[str], EntityType], ...] = (  # forms with a sign of their own
    ("://", re.compile(r"https?://(?:[.,;:!?]*+[^\s<>\"')\].,;:!?]++)+"), "concept"),
    ("@", re.compile(r"\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+\b"), "concept"),
    ("@", re.compile(r"(?<![\w@/.])@[A-Za-z_][\w-]{1,38}\w(?![\w-]|[/\\]|\.\w)"), "person"),  # no file: *@src/app.py*
    ("#", re.compile(r"(?<![\w#&/])#[^\W\d_][\w-]{1,49}"), "concept"),
)
_SPOKEN = rf"[^\W\d_{SMALL}](?:['-]*+\w++)*"
_NAME = rf"(?<![\w'-]){_SPOKEN}(?: {_SPOKEN}){{0,3}}"  # one of two different ones
# a title in quotation marks; a name inside a sentence, perhaps with a title before it
_TITLE = rf"(?<=[\"“«])(?:A )?{_WORD}(?: (?:{_WORD}|{{names.within_titles words}})){{0,8}} {_WORD}(?=[.,!?]?[\"”»])"
_NAMED = (
    r"(?<![.!?…:;\n\"'(\-*] )(?<=[\w,)] )"
    rf"(?:(?:(?i:{{names.titles words}})\. )?{_WORD}(?: (?:{{names.within_names}} )?{_WORD}){{0,3}})"
)
_SMALL = re.compile(rf"\b[{SMALL}][\w'-]+")
_MOST = 12  # names in one text


def found(text: str, common: Collection[str] = ()) -> tuple[Mention, ...]:
    """The entities in a text, each once, in order; words in ``common`` alone are no names."""
    every = dict.fromkeys(mention for mention in _found(text) if mention.name.lower() not in common)
    return tuple(every)[:_MOST]


def common(texts: Collection[str]) -> Collection[str]:
    """Words that are no names although they have a capital: those that are mostly written in lower case, and nouns of a
    language that writes every noun so.
    """
    whole = "\n".join(texts)
    small, named = Counter(_SMALL.findall(whole)), Counter(map(str.lower, form(_NAMED).findall(whole)))
    nouns = {noun.lower() for text in texts for noun in _nouns(code_of(text)).findall(text) if not size(noun)}
    return nouns.union(word for word, times in small.items() if times > named[word]) - words_too()


def is_name(name: str) -> bool:
    """Whether it can be a name: no function word alone, unless a sign makes it an address."""
    return bool(_bare(name)) or not name[:1].isalpha()


def _found(text: str) -> Iterator[Mention]:
    for sign, address, kind in _ADDRESSED:
        if sign in text:
            yield from (Mention(match[0], kind) for match in address.finditer(text))
            text = address.sub(" , ", text)
    works = list(form(_TITLE).finditer(text))
    for match in (*works, *form(_NAMED).finditer(form(_TITLE).sub("", text) if works else text)):
        said = _bare(match[0])
        if len(name := _inflected(said.removesuffix("'s"))) > 1:
            yield Mention(name, kind_of(name))


@cache
def _nouns(code: str) -> re.Pattern[str]:
    """A capitalised word behind one that stands before nouns."""
    before = by_language("names", "before_nouns").get(code) or ["(?!)"]
    return re.compile(rf"\b(?i:{'|'.join(before)}) ({_WORD})")


@cache
def _begins() -> frozenset[str]:
    """Words at the beginning of sentences, in any language."""
    leads = {phrase[0] for code in LANGUAGES for phrase in language_of(code).classes["lead"] if len(phrase) == 1}
    return frozenset(leads) | words("names", "begin_sentences")


@cache
def _no_name() -> frozenset[str]:
    return (_begins() | stop_words() | telling() | titles() | words("names", "no_names")) - words_too()


def _bare(said: str) -> str:
    """The name without an opening function word; empty if nothing else is left."""
    first, _, rest = said.partition(" ")
    if rest and name_key(first) in _begins():
        return _bare(rest)
    is_small = _no_name().issuperset(map(name_key, said.split())) and said not in words("names", "abbreviations")
    return "" if is_small else said


def _inflected(name: str) -> str:
    """The dictionary form of a name, if its letters show the language."""
    return name if name.isascii() else language_of(code_of(name)).forms.base(name)


def kind_of(name: str) -> EntityType:
    """The type of a name, if it can be told. The words before it do not tell: *in Excel*, *for Max*."""
    return "place" if size(name) else "concept"


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    """The forms of such sentences, with the names ONE and OTHER."""
    said = (each.replace("ONE", f"(?P<one>{_NAME})") for each in texts("names", "distinct"))
    return tuple(re.compile(each.replace("OTHER", f"(?P<other>{_NAME})")) for each in said)


def different_names(turns: Iterable[Turn]) -> tuple[tuple[str, str], ...]:
    """Pairs of names that mean different entities according to the user; questions, conditions and quotations do not
    count.
    """
    return tuple(pair for turn in turns if turn.role == "user" for pair in _different_names(turn.text))


def _different_names(text: str) -> Iterator[tuple[str, str]]:
    is_hinted = pattern("names", "distinct_hints").search(text)
    for sentence in sentences(text, language_of(code_of(text))) if is_hinted else ():
        if "?" in sentence or pattern("names", "supposed", re.IGNORECASE).match(sentence) or '"' in sentence:
            continue
        plain = sentence.strip(" .!")
        for match in filter(None, (each.search(plain) for each in _forms())):
            one, other = _without_function_word(match["one"]), _without_function_word(match["other"])
            if one and other and name_key(one) != name_key(other):
                yield one, other


def _without_function_word(name: str) -> str:
    first, _, rest = name.partition(" ")
    return rest if first.lower() in stop_words() else name
