"""Find corrections of what was just said: *no wait, Milan*; *not Rome*; *sorry, at 4*."""

from collections.abc import Sequence
from dataclasses import replace

from sandbox.extensions.memory.claims.registry import predicate
from sandbox.extensions.memory.parse.clauses import Segment
from sandbox.extensions.memory.parse.kinds import ends, is_capital
from sandbox.extensions.memory.parse.language import Frame, Language, split_case
from sandbox.extensions.memory.parse.pattern import phrase_ends, slots
from sandbox.extensions.memory.parse.statements import Statement, rebuilt, times_of
from sandbox.extensions.memory.parse.subjects import Spoken
from sandbox.extensions.memory.parse.times import Moment, clock, day_of_month, moved
from sandbox.extensions.memory.parse.tokens import Token, tokens
from sandbox.extensions.memory.parse.values import written
from sandbox.extensions.memory.text.places import size

_MOVED = ("home", "employer")  # predicates of where somebody is
_ITEMS = 3  # of a list, each a part of a sentence
_CLOCK = 3  # words of a time of day: *at 4 pm*


def put_right(
    last: Statement, parts: Sequence[Segment], spoken: Spoken, times: Sequence[Moment]
) -> tuple[Statement | None, int] | None:
    """The statement after the next parts of a sentence with some times corrected it, and how many of them do. The
    statement is None if they take it back; the result is None if they correct nothing.
    """
    said, text, language, frame = spoken.words, spoken.text, spoken.language, last.frame
    words = _words(said, parts[0])
    if frame is None:
        return None
    if found := instead(last, parts, spoken, times):
        return replace(found[0], claims=(*found[0].claims, *last.claims)), found[1]
    behind = _behind(words, language)
    is_alone = behind == len(words) and tuple(token.lower for token in words) not in language.classes["trail"]
    denies = not behind and "not" in words[0].classes
    if behind == 1 and len(words) > 1 and language.has("no_word", words[0].lower) and said[parts[0].start + 1].is_word:
        denies = predicate(frame.predicate).many  # *ruff, no black*; not *ruff, no, black* or *in Rome, no Milan*
    if behind and not denies:
        rest, count = behind_repair(parts, spoken)
        if rest and (again := _at_other_time(last, rest, frame, spoken, times)):
            return again, count
        if rest and (value := _other_value(last, rest, frame, spoken)):
            return rebuilt(last, {**last.values, "v": value}, language), count
        return (None, 1) if is_alone else None
    if denies and any(len(words) in ends(kind, words, 1, language) for kind in value_kinds(frame)):
        again = rebuilt(last, {**last.values, "old": written(words[1:], text, language)}, language)
        return (again and replace(again, also=last.also)), 1
    return None


def instead(
    last: Statement, parts: Sequence[Segment], spoken: Spoken, times: Sequence[Moment]
) -> tuple[Statement, int] | None:
    """What the next parts of a sentence say is so in place of what the last statement denies, written alike, and how
    many parts do: *not Paul but Pauli*, *not on 14 March, it is on the 15th*, *left Leeds, I'm in York now*; but not
    *My name isn't Jon, it's annoying*.
    """
    frame, said = last.frame, spoken.words
    if frame is None or (frame.modality == "plan" and last.times):
        return None
    words, old = _words(said, parts[0]), last.values.get("v", "")
    if not last.is_denial:  # *My sister is called Kathrin. Not Kathrin but Katrin.*
        is_denied = "not" in words[0].classes and [each.lower for each in words[1:]] == old.lower().split()
        denial = replace(last, frame=replace(frame, is_affirmed=False))
        found = instead(denial, parts[1:], spoken, times) if is_denied and parts[1:] else None
        return found and (found[0], found[1] + 1)
    affirmed = replace(last, frame=replace(frame, is_affirmed=True))
    named = ("it_is", "i_am_now") if frame.predicate in _MOVED else ("it_is",)
    it_is = max((end for each in named for end in phrase_ends(spoken.language.classes[each], words, 0)), default=0)
    is_but = "but" in words[0].classes
    is_behind = is_but or any("but" in each.classes for each in said[: parts[0].start][-1:])
    is_other = any("self" in each.kinds for each in words[:it_is]) and not last.subject.is_self
    if is_behind == (it_is > 0) or is_other:  # *but it's close*; *my sister left Acme, I'm at Bosch*
        return None
    start = parts[0].start + next(at for at, each in enumerate(said[parts[0].start :]) if each.is_word)
    for count in range(min(len(parts), _ITEMS), 0, -1):
        rest = said[start + (it_is or is_but) : parts[count - 1].end]
        heard = frozenset[str]().union(*(each.classes for each in rest))
        if not rest or not heard.isdisjoint(("bare_kin", "my", "merely")):  # *it's just an intolerance*
            continue
        rest = [each for each in rest if "skip" not in each.classes]
        if again := _at_other_time(affirmed, [each for each in rest if each.is_word], frame, spoken, times):
            return again, count
        value = _other_value(affirmed, rest, frame, spoken)
        is_alike = rest[-1].text[:1].isupper() == old.rpartition(" ")[2][:1].isupper() or "given" in rest[-1].kinds
        values = {**last.values, "v": value}
        if frame.predicate in _MOVED and "at_in" in rest[0].kinds:
            values |= {"p": rest[0].text, "v": spoken.language.forms.base(value, "loc")}
            is_alike = frame.predicate == "home" or (is_capital(rest[-1]) and size(values["v"]) is None)
        if value and is_alike:
            again = rebuilt(affirmed, values, spoken.language)
            return (again, count) if again else None
    return None


def value_kinds(frame: Frame) -> set[str]:
    """The kinds of words that a frame takes for its value."""
    return {split_case(node.kind)[0] for node in slots(frame.nodes) if node.name == "v"}


def _other_value(last: Statement, rest: Sequence[Token], frame: Frame, spoken: Spoken) -> str:
    """The value that some words give a statement, perhaps only another number: *two kids, sorry, three*; else empty."""
    language, kinds = spoken.language, value_kinds(frame)
    old = tokens(last.values.get("v", ""), language)
    if len(old) > 1 == len(rest) and all(any(ends("number", some, 0, language)) for some in (old, rest)):
        return f"{rest[0].text} {last.values['v'].partition(' ')[2]}"
    for some in (rest, rest[1:] if rest[0].kinds & {"at_in", "in", "articles"} else ()):
        if some and any(len(some) in ends(kind, some, 0, language) for kind in kinds):
            return written(some, spoken.text, language)
    return ""


def _at_other_time(
    last: Statement, rest: Sequence[Token], frame: Frame, spoken: Spoken, times: Sequence[Moment]
) -> Statement | None:
    """The statement with the time that some words tell and nothing else: *on Monday, sorry, Tuesday*; the day or the
    time of day stays if they tell only the other.
    """
    timed = [each for each in last.times if each.symbols]
    if not timed:
        return None
    *others, old = timed
    places = {token.start for token in rest}
    said = [(each, {at.start for at in spoken.words[each.start : each.end] if at.is_word}) for each in times]
    days = [each for each, words in said if words <= places]
    at, now = clock(rest), spoken.at
    left = len(places.difference(*(words for each, words in said if each in days)))
    day = day_of_month(rest, days)
    is_time = left == 0 or (bool(at) and left <= _CLOCK) or (day > 0 and not days)
    new = moved(old, next(iter(times_of(frame, days, now)), None), day, at, now) if is_time else None
    if new is None:
        return None
    return rebuilt(last, last.values, spoken.language, (*others, replace(new, clock=new.clock or old.clock)))


def behind_repair(parts: Sequence[Segment], spoken: Spoken) -> tuple[list[Token], int]:
    """The words behind phrases such as *no, wait* that begin the next parts of a sentence, and how many parts that are;
    no words if there is no such phrase.
    """
    for count, part in enumerate(parts, 1):
        words = _words(spoken.words, part)
        behind = _behind(words, spoken.language)
        if behind < len(words):
            return words[behind:] if behind or count > 1 else [], count
    return [], 1


def _behind(words: Sequence[Token], language: Language) -> int:
    """The index behind the phrases of repair that begin some words; *no* alone is one in every language."""
    at = int(len(words) == 1 and language.has("no_word", words[0].lower))
    while end := next(iter(phrase_ends(language.classes["repair"], words, at)), 0):
        at = end
    return at


def _words(said: Sequence[Token], part: Segment) -> list[Token]:
    return [token for token in said[part.start : part.end] if token.is_word]
