"""A pattern as an automaton. Each part of a pattern that takes a character is a position. A link leads from a position
to one that may take the next character, with the conditions of assertions between. Sets of characters are bits over the
letters that the pattern distinguishes. For back-references and long assertions the automaton allows more than the
pattern.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from re import _constants as op, _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

_LETTERS = (
    "aZzAmж ЖёéİıſK中日の한ก\u0301\u05b0👍𗀀\U0010ffff09٣² \t\n\r\x00\x0b\u00a0\u2028_-'.,:;!?/@\"(«`~#*+=<>[{\\|^$%&—…"
)
_ENDLESS = 256  # longer repeats, counting those inside repeats, are treated as endless
_COPIED = 3  # as often is one of fewer written out: two that are behind each other show what more of them would

START = -1
_SINGLE = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
Link = tuple[int, int, int]  # to a position, what must hold of the character before it, and of its own


class Position(NamedTuple):
    """The characters that a position takes, and whether it belongs to a greedy repeat."""

    letters: int
    endless: bool


class _Gap(NamedTuple):
    """A way between two positions: its conditions on the characters before and behind it."""

    before: int
    after: int


@dataclass
class Automaton:
    """``positions``, the ``links`` from each, those from the beginning, and ``safe``: the positions behind which the
    pattern is found whatever follows, so that nothing is tried again from there.
    """

    everything: int
    positions: list[Position] = field(default_factory=list)
    links: dict[int, list[Link]] = field(default_factory=dict)
    safe: set[int] = field(default_factory=set)


class _Part(NamedTuple):
    """A part of a pattern: the ways to its first positions, from its last, and past it."""

    firsts: list[tuple[_Gap, int]]
    lasts: list[tuple[int, _Gap]]
    empty: list[_Gap]


def automaton(pattern: str, flags: int, *, is_whole: bool = False, is_anywhere: bool = True) -> Automaton:
    """``is_whole``: the text has to end with the pattern; ``is_anywhere``: the search begins at every place."""
    return _Builder(pattern, flags).build(is_whole=is_whole, is_anywhere=is_anywhere)


class _Builder:
    def __init__(self, pattern: str, flags: int) -> None:
        self._tree = parser.parse(pattern, flags & ~re.DEBUG)
        self._flags = self._tree.state.flags
        special = {c for c in pattern if ord(c) > 32} | {c.swapcase() for c in pattern if len(c.swapcase()) == 1}
        self._alphabet = sorted(set(_LETTERS) | special)
        self._all = (1 << len(self._alphabet)) - 1
        self._edge = 1 << len(self._alphabet)  # stands for the beginning and the end of a text
        self._made = Automaton(self._all)
        sure = self._edge << 1  # missing if a long assertion may fail
        self._free = _Gap(self._all | self._edge | sure, self._all | self._edge)
        self._unsure = _Gap(self._all | self._edge, self._all | self._edge)
        self._endless = 0
        self._often = 1

    def build(self, *, is_whole: bool, is_anywhere: bool) -> Automaton:
        made = self._made
        part = self._sequence(self._tree, self._flags)
        starts = part.firsts
        made.links[START] = [(to, gap.before, gap.after) for gap, to in starts if gap.before & self._edge]
        if is_anywhere:
            any_ = self._position(self._all, endless=True)
            made.links[any_].append((any_, self._all, self._all))
            made.links[any_] += [(to, gap.before, gap.after) for gap, to in starts]
            made.links[START].append((any_, self._all, self._all))
        if not is_whole:
            made.safe |= self._ends(part.lasts)
        return made

    def _ends(self, lasts: Sequence[tuple[int, _Gap]]) -> set[int]:
        """The positions behind which a pattern is found, whatever follows: it ends there, or repeats what follows."""
        made, ends = self._made, dict[int, int]()
        for at, gap in lasts:
            if gap.before == self._free.before:
                ends[at] = ends.get(at, 0) | gap.after
        for at in ends:
            ends[at] |= _union(made.positions[at].letters & after for to, before, after in made.links[at] if to == at)
        return {at for at, after in ends.items() if after == self._free.after}

    def _position(self, letters: int, *, endless: bool) -> int:
        self._made.positions.append(Position(letters, endless))
        self._made.links[len(self._made.positions) - 1] = []
        return len(self._made.positions) - 1

    def _join(self, lasts: Sequence[tuple[int, _Gap]], firsts: Sequence[tuple[_Gap, int]]) -> None:
        for at, left in lasts:
            for right, to in firsts:
                gap = self._both(left, right)
                if gap is not None and gap.before & self._made.positions[at].letters:
                    self._made.links[at].append((to, gap.before, gap.after))

    def _both(self, one: _Gap, other: _Gap) -> _Gap | None:
        before, after = one.before & other.before, one.after & other.after
        return _Gap(before, after) if before and after else None

    def _sequence(self, items: Any, flags: int) -> _Part:
        whole = _Part([], [], [self._free])
        for code, argument in _in_order(items):
            whole = self._then(whole, self._part(code, argument, flags))
        return whole

    def _then(self, one: _Part, other: _Part) -> _Part:
        self._join(one.lasts, other.firsts)
        past = [gap for left in one.empty for right in other.empty if (gap := self._both(left, right))]
        firsts = one.firsts + [
            (gap, to) for left in one.empty for right, to in other.firsts if (gap := self._both(left, right))
        ]
        lasts = other.lasts + [
            (at, gap) for at, left in one.lasts for right in other.empty if (gap := self._both(left, right))
        ]
        return _Part(firsts, lasts, list(dict.fromkeys(past)))

    def _part(self, code: Any, argument: Any, flags: int) -> _Part:
        if code in _SINGLE:
            return self._single(self._letters(code, argument, flags))
        if code is op.SUBPATTERN:
            _, add, remove, body = argument
            return self._sequence(body, (flags | add) & ~remove)
        if code is op.BRANCH:
            parts = [self._sequence(body, flags) for body in argument[1]]
            return _Part(
                [each for part in parts for each in part.firsts],
                [each for part in parts for each in part.lasts],
                [each for part in parts for each in part.empty],
            )
        if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            return self._repeat(argument, flags, keeps=code is op.POSSESSIVE_REPEAT)
        if code is op.ATOMIC_GROUP:
            return self._sequence(argument, flags)
        if code in (op.ASSERT, op.ASSERT_NOT):
            return self._assertion(argument, flags, is_not=code is op.ASSERT_NOT)
        if code is op.FAILURE:  # (?!), since Python 3.14
            return _Part([], [], [])
        if code is op.AT:
            return _Part([], [], self._at(argument, flags))
        if code in (op.GROUPREF, op.GROUPREF_EXISTS):
            found = self._single(self._all)
            return _Part(found.firsts, found.lasts, [self._free])
        raise NotImplementedError(code)

    def _single(self, letters: int) -> _Part:
        at = self._position(letters, endless=self._endless > 0)
        return _Part([(self._free, at)], [(at, self._free)], [])

    def _repeat(self, argument: Any, flags: int, *, keeps: bool) -> _Part:
        least, most, body = argument
        keeps = keeps and len(body) == 1 and body[0][0] in _SINGLE  # it does not give back what it took
        if not keeps and most is not op.MAXREPEAT and most * self._often <= _ENDLESS:
            whole, often = _Part([], [], [self._free]), self._often
            self._often *= most
            for number in reversed(range(min(most, _COPIED))):
                whole = self._then(self._sequence(body, flags), whole)
                past = whole.empty if number < least else [self._free, *whole.empty]
                whole = whole._replace(empty=list(dict.fromkeys(past)))
            self._often = often
            return whole
        self._endless += 1
        part = self._sequence(body, flags)
        self._endless -= 1
        lasts = part.lasts
        if keeps:
            inside = self._letters(body[0][0], body[0][1], flags)
            lasts = [(at, _Gap(gap.before, gap.after & ~inside)) for at, gap in lasts]
        self._join(part.lasts, part.firsts)
        past = part.empty if least else [self._free, *part.empty]
        return _Part(part.firsts, lasts, list(dict.fromkeys(past)))

    def _assertion(self, argument: Any, flags: int, *, is_not: bool) -> _Part:
        """An assertion about one character is kept; a longer one that looks ahead is examined, and leads nowhere."""
        way, body = argument
        only = self._one_of(body, flags)
        if only is not None:
            letters = self._free.after & ~only if is_not else only
            return _Part([], [], [self._free._replace(**{"before" if way < 0 else "after": letters})])
        if way < 0:
            return _Part([], [], [self._unsure])
        tried = self._sequence(body, flags)
        self._made.safe |= self._ends(tried.lasts)
        return _Part(tried.firsts, [], [self._unsure])

    def _one_of(self, body: Any, flags: int) -> int | None:
        """The characters of a body that takes one of them, or of a choice between such bodies."""
        if len(body) != 1:
            return None
        code, argument = body[0]
        if code is op.SUBPATTERN:
            return self._one_of(argument[3], (flags | argument[1]) & ~argument[2])
        if code is op.BRANCH:
            parts = [self._one_of(each, flags) for each in argument[1]]
            return None if None in parts else _union(part for part in parts if part is not None)
        return self._letters(code, argument, flags) if code in _SINGLE else None

    def _at(self, where: Any, flags: int) -> list[_Gap]:
        newline, word = self._matching("\n"), self._category(op.CATEGORY_WORD, flags)
        if where in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
            many = where is op.AT_BEGINNING and flags & re.MULTILINE
            return [self._free._replace(before=self._edge | newline if many else self._edge)]
        if where in (op.AT_END, op.AT_END_STRING):
            return [self._free._replace(after=self._edge | newline if where is op.AT_END else self._edge)]
        other = self._free.after & ~word
        if where is op.AT_BOUNDARY:
            return [_Gap(word, other), _Gap(other, word)]
        return [_Gap(word, word), _Gap(other, other)]

    def _letters(self, code: Any, argument: Any, flags: int) -> int:
        if code is op.ANY:
            return self._all if flags & re.DOTALL else self._all & ~self._matching("\n")
        if code in (op.LITERAL, op.NOT_LITERAL):
            found = self._literal(chr(argument), flags)
            return found if code is op.LITERAL else self._all & ~found
        if code is op.CATEGORY:
            return self._category(argument, flags)
        found, is_not = 0, False
        for kind, value in argument:
            if kind is op.NEGATE:
                is_not = True
            elif kind is op.RANGE:
                found |= self._range(value[0], value[1], flags)
            else:
                found |= self._letters(kind, value, flags)
        return self._all & ~found if is_not else found

    def _matching(self, letter: str) -> int:
        return 1 << self._alphabet.index(letter) if letter in self._alphabet else 0

    def _literal(self, letter: str, flags: int) -> int:
        if not flags & re.IGNORECASE:
            return self._matching(letter)
        return _union(self._matching(each) for each in {letter, letter.lower(), letter.upper(), letter.swapcase()})

    def _range(self, first: int, last: int, flags: int) -> int:
        def has(letter: str) -> bool:
            forms = {letter, letter.lower(), letter.upper()} if flags & re.IGNORECASE else {letter}
            return any(len(form) == 1 and first <= ord(form) <= last for form in forms)

        return _union(1 << number for number, letter in enumerate(self._alphabet) if has(letter))

    def _category(self, category: Any, flags: int) -> int:
        tests = {
            op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s",
            op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
        }  # fmt: skip
        found = re.compile(tests[category], flags & re.ASCII)
        return _union(1 << number for number, letter in enumerate(self._alphabet) if found.match(letter))


def _in_order(items: Any) -> list[Any]:
    """A condition on the last character, seen from behind it, is checked before the others."""
    found: list[Any] = []
    for code, argument in items:
        behind = code in (op.ASSERT, op.ASSERT_NOT) and argument[0] < 0 and len(argument[1]) > 1
        if behind and argument[1][-1][0] is op.ANY and found:
            at = max(number for number, (each, _) in enumerate(found) if each not in (op.ASSERT, op.ASSERT_NOT))
            found.insert(at, (code, (argument[0], argument[1][:-1])))
        else:
            found.append((code, argument))
    return found


def _union(sets: Iterator[int] | Any) -> int:
    found = 0
    for each in sets:
        found |= each
    return found
