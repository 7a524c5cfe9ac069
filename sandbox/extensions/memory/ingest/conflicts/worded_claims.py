"""Read the claims of a statement: subject, relation, value. Pure.

A statement may have several readings. Every reading in a known relation (``relations.py``) is a claim; only two claims
of one relation about one subject can conflict.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sandbox.extensions.memory.ingest.conflicts.relations import Values, relations, stems_of, words_of
from sandbox.extensions.memory.ingest.conflicts.subjects import Noun, noun, who
from sandbox.extensions.memory.ingest.conflicts.wording import Word, affirmed, is_number, split, stands_apart
from sandbox.extensions.memory.text.words import stem

_LONGEST = 400  # characters; a longer text says more than one thing

_DASHES = frozenset("— – - :".split())


@dataclass(frozen=True, slots=True)
class WordedClaim:
    """``subject`` has ``value`` for ``relation``. ``certain``: the subject is clear, and the relation has one value at
    a time. A statement with a rival claim contains all words ``needed``, and one of ``phrases``.
    """

    relation: str
    subject: tuple[str, ...]
    value: tuple[Word, ...]
    certain: bool
    needed: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...] = ()
    values: Values = "any"


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """The parsed part of a statement. ``stems`` are the stems of its words without negation. A statement that is
    ``apart`` neither replaces another nor is replaced.
    """

    stems: tuple[str, ...]
    negated: bool
    apart: bool
    claims: tuple[WordedClaim, ...]


@lru_cache(maxsize=1 << 11)
def read(text: str, about: str | None = None) -> ParsedStatement:
    """Parse one statement. ``about`` is its subject, if the caller gave one."""
    if len(text) > _LONGEST:
        return ParsedStatement((), negated=False, apart=True, claims=())
    words, negated = affirmed(split(text))
    apart = not words or stands_apart(words) or words[0].folded in words_of("hypothetical")
    subject = tuple(word.folded for word in split(about or "") if word.folded != "the")
    claims = () if apart else tuple(_claims(words, subject))
    return ParsedStatement(tuple(stem(word.folded) for word in words), negated, apart, claims)


def _claims(words: Sequence[Word], about: tuple[str, ...]) -> Iterator[WordedClaim]:
    for index in range(len(words)):
        yield from _verb(words, index, about)
        yield from _made_by(words, index, about)
        yield from _equals(words, index, about)
    yield from _count(words, about)


def _verb(words: Sequence[Word], index: int, about: tuple[str, ...]) -> Iterator[WordedClaim]:
    """``Ann | lives in | Berlin``."""
    for phrase, relation in relations().get(words[index].folded, ()):
        is_as_what = phrase[-1] in words_of("as_what")
        end = index + len(phrase) - is_as_what
        said = tuple(word.folded for word in words[index:end])
        if said != phrase[: end - index] or (is_as_what and not _is_as_what(words[end : end + 1])):
            continue
        subject, clear = who(words[:index], about)
        if subject is not None:
            certain, value = clear and relation.single, tuple(words[end:])
            yield WordedClaim(relation.name, subject, value, certain, subject, relation.phrases, relation.values)


def _is_as_what(words: Sequence[Word]) -> bool:
    """Whether the next noun has the case that says what somebody is: ``работает | врачом``."""
    endings = tuple(words_of("as_what_endings"))
    return any(word.text.islower() and word.folded.endswith(endings) for word in words)


def _made_by(words: Sequence[Word], index: int, about: tuple[str, ...]) -> Iterator[WordedClaim]:
    """``Israel | was founded by | David Ben-Gurion``, perhaps with others."""
    folded = [word.folded for word in words[index : index + 3]]
    if len(folded) == 3 and folded[0] in words_of("made") and folded[2] in words_of("made_by"):
        subject, _ = who(words[:index], about)
        if subject:
            yield WordedClaim(f"{folded[1]} by", subject, tuple(words[index + 3 :]), False, (*subject, folded[1]))


def _equals(words: Sequence[Word], index: int, about: tuple[str, ...]) -> Iterator[WordedClaim]:
    """``The capital of France | is | Paris``, in either order; ``Столица Франции | — | Париж``."""
    verb, before, after = words[index].folded, tuple(words[:index]), tuple(words[index + 1 :])
    if not _is_equal(verb) or not before or not after:
        return
    found = noun(before, about, bare=verb in _DASHES)
    if found is not None and found.words == about:
        return  # ``The user is learning Greek`` says what the user does, not who the user is
    if found is not None:
        yield from _of_noun(found, after, verb)
    elif (verb in words_of("turned") or verb in ("—", "–")) and all(word.text[0].isupper() for word in before):
        found = noun(after, about)
        if found is not None and found.owner and found.is_one:
            yield from _of_noun(found, before, verb)


def _is_equal(verb: str) -> bool:
    return verb in words_of("equals") or verb in words_of("maybe_one") or verb in _DASHES


def _of_noun(found: Noun, value: tuple[Word, ...], verb: str) -> Iterator[WordedClaim]:
    """The claim for a noun. In English a definite singular has one value, unless the noun is listed as having
    several.
    """
    if found.is_several or (verb in _DASHES and not found.is_one and not found.is_russian):
        return
    whose = bool(found.owner and found.owner[0] not in words_of("theirs")) or (found.is_one and len(found.stems) > 1)
    one = found.is_one or not (found.is_happening or found.is_russian)
    certain = whose and one and verb not in words_of("maybe_one")
    relation, needed = " ".join(("is", *found.stems)), (*found.lasting, *found.owner)
    yield WordedClaim(relation, found.owner, value, certain, needed, values=_values(found))


def _values(found: Noun) -> Values:
    """Which values a noun can have."""
    if found.is_unique or found.stems[-1] in stems_of("qualities"):
        return "one kind"
    return "names" if found.stems[-1] in stems_of("holders") else "any"


def _count(words: Sequence[Word], about: tuple[str, ...]) -> Iterator[WordedClaim]:
    """``Ann | is | 34 | years old``, ``Ann | has | two | cats``, ``У Анны | два | кота``, ``Анне | 34 | года``."""
    index = next((index for index in range(1, len(words)) if is_number(words[index:])), None)
    if index is None:
        return
    before, unit = [word.folded for word in words[:index]], [word.folded for word in words[index + 1 :]]
    has = len(before) > 1 and before[-1] in words_of("has")
    years = len(unit) == 1 and unit[0] in words_of("years") and before[0] not in words_of("not_age")
    if not (has or years or (before[0] in words_of("owner") and unit)):
        return
    subject, certain = who(words[: index - 1 if has else index], about)
    if subject:
        relation = " ".join([before[-1] if has else "", *(["years"] if years else map(stem, unit))])
        yield WordedClaim(relation, subject, (words[index],), certain, (*subject, *unit[:1]), values="one kind")
