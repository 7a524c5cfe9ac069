"""Text to search terms, in the same way for stored text and for questions.

NFKC and case folding, words of any script, without stop words, Snowball stems by script, overlapping bigrams for
scripts without spaces. Identifiers also give their parts (``fooBar_baz`` is found by ``bar``).
"""

import hashlib
import re
import unicodedata
from functools import cache, lru_cache

import Stemmer

from sandbox.extensions.memory.lexicon import form, pattern, words
from sandbox.support.characters import storable

# Han, kana, Hangul, Thai, Lao, Khmer, Myanmar: no spaces between words, or particles glued to them.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
# Marks that belong to the letter before them but are not in \\w: combining accents, Hebrew and Arabic points, Indic
# vowels.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_LETTER = rf"(?:(?![{_UNSPACED}])(?:[^\W_]|[{_MARKS}]))"
_ONE_UNSPACED = f"[{_UNSPACED}]"
# a word of any script; a process that meets only ASCII does not wait for this long pattern
_ANY_TOKEN = rf"[{_UNSPACED}]+|{_LETTER}+(?:['’]{_LETTER}+)*"
_ASCII_TOKEN = re.compile(r"[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*")  # the same for ASCII, several times faster
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu)'(?=\w{3})")
_STATEMENT = re.compile(r"\w+(?:[.,:]\d+)*|[^\w\s.,;:!?…\"'’()«»“”]+")
_HUMP = re.compile(r"[A-Z](?<=[a-z0-9].)")  # the rarer letter first
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_IDENTIFIER = re.compile(r"(?<![A-Za-z0-9])[A-Z]*+[a-z0-9]++[A-Z][A-Za-z0-9]*+")

# First code point of a script's block -> Snowball algorithm; Latin and everything unknown use English.
_STEMMERS = (
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x052F, "russian"),
    (0x0531, 0x058F, "armenian"),
    (0x0600, 0x06FF, "arabic"),
    (0x0900, 0x097F, "hindi"),
    (0x0B80, 0x0BFF, "tamil"),
)
SMALL = "a-zß-öø-ÿа-яё"
"""Small letters for a character class in a pattern, of the scripts that have small and capital letters."""

CYRILLIC = "а-яё"
"""The small Cyrillic letters."""

CAPITAL = "A-ZÀ-ÖØ-ÞА-ЯЁ"
"""The capital letters of these scripts."""

_CAPITAL_INSIDE = rf"(?<=[^\s.!?:;…] )[{CAPITAL}]\w*|\b[{CAPITAL}]\w*(?=:)"
_LONGEST_TERM = 64  # characters; a longer run is a hash or a blob, and nobody searches for its end


def fold(text: str) -> str:
    """Compatibility-normalised, case-folded text with straight apostrophes; ``ё`` counts as ``е``."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", storable(text)).casefold().replace("’", "'").replace("ё", "е")


def terms(text: str) -> list[str]:
    """Search terms in order, with repetitions: stems without stop words, bigrams for unspaced scripts."""
    tokens = _tokens(fold(_split_identifiers(text)))
    if text.isascii():
        return list(filter(None, map(_term, tokens)))
    found: list[str] = []
    for token in tokens:
        term = _term(token)
        if term is None:
            found.extend([token] if len(token) == 1 else (token[at : at + 2] for at in range(len(token) - 1)))
        elif term:
            found.append(term)
    return found


def stop_words() -> frozenset[str]:
    """The function words of every language, which carry no evidence, in the form of ``fold``."""
    return words("function_words", "stop_words")


@cache
def courtesies() -> frozenset[str]:
    """The search terms of words of thanks, greeting and praise; a turn of only such words says nothing. Languages
    without stop words of their own also list the function words of such phrases.
    """
    return frozenset(terms(" ".join(words("courtesies", "said"))))


def content_words(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """The words of a text that are no stop words, unchanged, each with its search terms."""
    return [(word, found) for word in _token(text).findall(text) if (found := tuple(terms(word)))]


def statement_words(text: str) -> list[str]:
    """Folded words, numbers with their decimals, and signs: everything in a statement but punctuation."""
    return _STATEMENT.findall(fold(text))


def fingerprint(text: str) -> bytes:
    """Eight bytes, equal for texts with the same words in the same order. Negations, decimals and signs that change a
    meaning (``C++`` is not ``C``) count; case, spaces and punctuation do not.
    """
    same = "\x1f".join(statement_words(text)) or text.strip()
    return hashlib.blake2b(same.encode("utf-8", "replace"), digest_size=8).digest()


def is_denied(text: str) -> bool:
    """Whether a text has a negation."""
    return pattern("statements", "denied").search(fold(text)) is not None


@lru_cache(maxsize=1 << 12)
def name_key(name: str) -> str:
    """A name in the form for comparisons: folded words without punctuation and possessive endings."""
    return " ".join(_name_tokens(name)) or fold(name).strip()


@lru_cache(maxsize=1 << 12)
def stemmed_name(name: str) -> str:
    """A name in the form for finding it in a sentence, perhaps inflected (``Анна`` in ``у Анны``). All its words count,
    because people are called Will and May.
    """
    return " ".join(_name_stem(token) for token in _name_tokens(name)) or fold(name).strip()


def name_candidates(text: str, longest: int = 4) -> list[str]:
    """Every run of one to ``longest`` words of a text that could be a stemmed name, in order, each once."""
    stems = [_name_stem(token) for token in _name_tokens(text)]
    runs = (" ".join(stems[i : i + n]) for i in range(len(stems)) for n in range(1, longest + 1) if i + n <= len(stems))
    return list(dict.fromkeys(runs))


def names_in_question(text: str) -> list[str]:
    """The runs that could be a name in a question, where names have small letters too. A function word needs a capital
    inside a sentence, or a colon behind it: *it* is not IT.
    """
    written = {stemmed_name(found[0]) for found in form(_CAPITAL_INSIDE).finditer(text)}
    function_words = {_name_stem(token) for token in _name_tokens(text) if token in stop_words()}
    return [run for run in name_candidates(text) if run not in function_words or run in written]


def is_unspaced(token: str) -> bool:
    """Whether a token is a run of a script written without spaces."""
    return not token.isascii() and bool(form(_ONE_UNSPACED).match(token))


def stem(word: str) -> str:
    """The Snowball stem of one folded word, by its script."""
    script = ord(word[0])
    algorithm = next((name for first, last, name in _STEMMERS if first <= script <= last), "english")
    stemmed: str = _stemmer(algorithm).stemWord(word)
    return stemmed


def _name_stem(token: str) -> str:
    """The stem of the stem, until nothing changes: ``Иванову`` gives ``Иванов``, which itself looks like an inflected
    word.
    """
    while (shorter := stem(token)) != token:
        token = shorter
    return token


def _name_tokens(text: str) -> list[str]:
    return [token.removesuffix("'s") for token in _tokens(fold(text))]


def _tokens(folded: str) -> list[str]:
    return _token(folded).findall(folded)


def _token(text: str) -> re.Pattern[str]:
    return _ASCII_TOKEN if text.isascii() else form(_ANY_TOKEN)


def _split_identifiers(text: str) -> str:
    """``getUserName`` also as ``get User Name``."""
    if not _HUMP.search(text):
        return text
    return _IDENTIFIER.sub(lambda match: f"{match[0]} {_CAMEL.sub(' ', match[0])}", text)


@lru_cache(maxsize=1 << 16)
def _term(token: str) -> str | None:
    """The term of a token; empty for a stop word, None for an unspaced run."""
    if is_unspaced(token):
        return None
    if token in stop_words():
        return ""
    bare = _ELISION.sub("", token.removesuffix("'s")).replace("'", "")
    return stem(bare)[:_LONGEST_TERM]


@lru_cache(maxsize=16)
def _stemmer(algorithm: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(algorithm)
