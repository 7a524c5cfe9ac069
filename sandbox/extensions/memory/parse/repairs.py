"""Find corrections within a sentence: *no wait, Milan*; *not Rome*."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sandbox.extensions.memory.claims.registry import predicate
from sandbox.extensions.memory.parse.clauses import Segment
from sandbox.extensions.memory.parse.kinds import ends
from sandbox.extensions.memory.parse.language import Language, split_case
from sandbox.extensions.memory.parse.pattern import phrase_ends, slots
from sandbox.extensions.memory.parse.statements import Statement, build_statement
from sandbox.extensions.memory.parse.subjects import Spoken
from sandbox.extensions.memory.parse.tokens import Token
from sandbox.extensions.memory.parse.values import written


def put_right(last: Statement, parts: Sequence[Segment], spoken: Spoken) -> tuple[Statement | None, int] | None:
    """The statement after the next parts of its sentence corrected it, and how many of them do. The statement is None
    if they take it back; the result is None if they correct nothing.
    """
    said, text, language, frame = spoken.words, spoken.text, spoken.language, last.frame
    words = _words(said, parts[0])
    if frame is None:
        return None
    behind = next(iter(phrase_ends(language.classes["repair"], words, 0)), 0)
    is_alone = behind == len(words) and tuple(token.lower for token in words) not in language.classes["trail"]
    if "v" not in last.values:
        return (None, 1) if is_alone else None
    kind, _ = split_case(next(node.kind for node in slots(frame.nodes) if node.name == "v"))
    denies = not behind and "not" in words[0].classes
    if behind == 1 and len(words) > 1 and language.has("no_word", words[0].lower) and said[parts[0].start + 1].is_word:
        denies = predicate(frame.predicate).many  # *ruff, no black*; not *ruff, no, black* or *in Rome, no Milan*
    if behind and not denies:
        rest, count = behind_repair(parts, spoken)
        if rest and len(rest) not in ends(kind, rest, 0, language) and rest[0].kinds & {"at_in", "in"}:
            rest = rest[1:]
        if rest and len(rest) in ends(kind, rest, 0, language):
            return _again(last, {**last.values, "v": written(rest, text, language)}, language), count
        return (None, 1) if is_alone else None
    if denies and len(words) > 1 and len(words) in list(ends(kind, words, 1, language)):
        again = _again(last, {**last.values, "old": written(words[1:], text, language)}, language)
        return (again and replace(again, also=last.also)), 1
    return None


def behind_repair(parts: Sequence[Segment], spoken: Spoken) -> tuple[list[Token], int]:
    """The words behind a phrase such as *sorry* that begins the next parts of a sentence, perhaps in a part of their
    own, and how many parts that are; no words if there is no such phrase.
    """
    words = _words(spoken.words, parts[0]) if parts else []
    behind = next(iter(phrase_ends(spoken.language.classes["repair"], words, 0)), 0)
    if behind and behind == len(words) and len(parts) > 1:
        return _words(spoken.words, parts[1]), 2
    return words[behind:] if behind else [], 1


def _words(said: Sequence[Token], part: Segment) -> list[Token]:
    return [token for token in said[part.start : part.end] if token.is_word]


def _again(last: Statement, values: Mapping[str, str], language: Language) -> Statement | None:
    """The statement with other values."""
    assert last.frame is not None
    kinds = {node.name: node.kind for node in slots(last.frame.nodes)}
    values = {name: value for name, value in values.items() if not name.startswith("v:")}
    kinds.setdefault("old", kinds.get("v", "text"))
    return build_statement(last.frame, last.subject, values, kinds, last.times, language)
