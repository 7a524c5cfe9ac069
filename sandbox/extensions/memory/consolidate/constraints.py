"""The rules of wording for knowledge: complete, self-contained, third person, no pronouns, one or two sentences, in the
language and about the subject of the conversation. Pure.
"""

import re
from collections.abc import Collection, Sequence

from sandbox.extensions.memory.consolidate.extraction import Turn
from sandbox.extensions.memory.consolidate.imperatives import QUOTED
from sandbox.extensions.memory.consolidate.support import nobody
from sandbox.extensions.memory.lexicon import by_language, form, words
from sandbox.extensions.memory.text.languages import is_spoken, language, script, scripts
from sandbox.extensions.memory.text.words import SMALL, fold, terms

MOST_SENTENCES = 2

_FEWEST_WORDS = 3
_QUESTION = re.compile(r"[?？]\s*$")
_NUMBERED = re.compile(r"(?:^|\s)1[.)]\s")
_WORD = re.compile(r"(?<![^\W_])[^\W_]++(?:['’][^\W_]++){0,3}(?!\w|\.\w)")  # no parts of "i.e." or of addresses
_SENTENCE_END = re.compile(rf"(?<=[.!?…])[\"”»)]*\s+(?=[\"“«(]*[^\W\d{SMALL}_])|(?<=[。！？])")
_UNFINISHED = r"(?i)(?:\.\.\.|[…,:;\-–—]|\b{learnt.unfinished words})\s*$"
_ABBREVIATION = r"(?:\b(?:{function_words.abbreviations}|{function_words.statement_abbreviations})|\b[^\W\d_])\.$"
# words that a statement speaks of and does not use: quoted, or how somebody is addressed
_MENTIONED = rf"{QUOTED.pattern}|\b{{learnt.mentioned}}\b"
_INTRODUCED = rf"[^,.;:!?]{{0,120}}, [\"'«“(]*(?:{{learnt.introduced}}|[^\W\d{SMALL}_])"

_LONGEST_SUMMARY = 280  # characters: a line or two of a block
_TELLING = 12  # words of a conversation that are enough to recognise its language


NO_SUCH_TURN = "no such turn"
NOT_SAID = "not said"
_TOO_LONG, _TOO_MANY = "too long", "too many sentences"


def faults_of(content: str, cited: Sequence[Turn], said: str, *, longest: int, is_procedure: bool) -> list[str]:
    """The faults of a statement that rests on the turns ``cited`` of a conversation, whose whole text is ``said``."""
    found = {
        "not complete": len(_WORD.findall(content)) < _FEWEST_WORDS and script(content) != "CJK",
        "unfinished": bool(form(_UNFINISHED).search(content)),
        "question": bool(_QUESTION.search(content)),
        _TOO_LONG: len(content) > longest,
        _TOO_MANY: not is_procedure and len(sentences(content)) > MOST_SENTENCES,
        "not numbered": is_procedure and not _NUMBERED.search(content),
        "pronoun": _has_open_pronoun(content) and is_known_language(said),
        "wrong language": bool(cited) and is_other_language(content, "\n".join(turn.text for turn in cited), said),
    }
    return [fault for fault, applies in found.items() if applies]


def mended(content: str, faults: Collection[str], longest: int) -> str | None:
    """The statement, cut to the allowed length; None if it has faults that cutting does not remove."""
    return shortened(content, longest) if {_TOO_LONG, _TOO_MANY}.issuperset(faults) else None


def shortened(content: str, longest: int) -> str | None:
    """The first sentences of a text, at most two, within a length; None if the first is too long."""
    parts = sentences(content)[:MOST_SENTENCES]
    while parts and len(" ".join(parts)) > longest:
        parts.pop()
    return " ".join(parts) or None


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    found: list[str] = []
    for part in filter(None, map(str.strip, _SENTENCE_END.split(text))):
        if found and form(_ABBREVIATION).search(found[-1]):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


def summed(*parts: str | None) -> str | None:
    """One summary from those of a session's parts, in their order, in at most two sentences: how it began and how it
    ended. None if no part has one.
    """
    said = [sentence for part in parts if part for sentence in sentences(part)]
    return shortened(" ".join(said if len(said) < 3 else (said[0], said[-1])), _LONGEST_SUMMARY)


def is_nobody(name: str) -> bool:
    """Whether a name is only a word for a speaker: the user, the assistant."""
    return set(terms(name)) <= nobody()


def is_other_language(content: str, cited: str, said: str) -> bool:
    """Whether a statement is in no language of its conversation, judged by scripts and function words."""
    own, theirs = scripts(content), scripts(cited)
    if own and theirs.total() > _TELLING:
        [(main, _)] = own.most_common(1)
        [(usual, _)] = theirs.most_common(1)
        if theirs[main] < theirs.total() / 10 and own[usual] < own.total() / 3:
            return True
    own_language = language(content) if script(content) == "LATIN" else None
    return own_language is not None and not is_spoken(own_language, said)


def is_known_language(said: str) -> bool:
    """Whether the pronouns of the conversation's language are known here, and its capitals are those of names; in other
    languages, other words may look like them. A known function word alone tells nothing where another language is
    clear: *alarmgrenze is neu 88 grad*.
    """
    if script(said) == "CYRILLIC":
        return True
    told, names = by_language("learnt", "telling"), by_language("identification", "name")
    if script(said) == "LATIN" and (spoken := language(said)) is not None:
        return spoken in {names[code] for code, known in told.items() if known}
    found = [fold(word) for word in _WORD.findall(said)]
    is_clear = len(found) >= _TELLING or script(said) != "LATIN"
    return not (is_clear and words("learnt", "telling").isdisjoint(found))


def _has_open_pronoun(content: str) -> bool:
    """Whether a pronoun means somebody who is not in the statement: it is in the first or second person, or no name
    comes before it, nor right after an opening phrase ("At his shop, Dave works").
    """
    is_named = False
    mentioned = [match.span() for match in form(_MENTIONED).finditer(content)]
    for found in _WORD.finditer(content):
        word = fold(found[0])
        if _is_capitals(found[0]) or any(start <= found.start() < end for start, end in mentioned):
            is_named = True
        elif word in words("learnt", "speakers"):
            return True
        elif word in words("learnt", "others"):
            if not is_named and not (
                word in words("learnt", "possessives") and form(_INTRODUCED).match(content, found.end())
            ):
                return True
        elif word not in words("learnt", "when") and not word.isdigit() and terms(word):
            is_named = True
    return False


def _is_capitals(word: str) -> bool:
    """Whether a word is an abbreviation: US is a country, IT a trade."""
    return len(word) > 1 and word.isupper()
