"""The relatives of a speaker, named anywhere in a sentence: *my wife Anna*."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import get_args

from sandbox.extensions.memory.parse.clauses import Segment
from sandbox.extensions.memory.parse.language import Case, Language
from sandbox.extensions.memory.parse.made import Statement, kin_statement
from sandbox.extensions.memory.parse.subjects import People, is_somebody, kin_at, named, unnamed
from sandbox.extensions.memory.parse.tokens import Token
from sandbox.extensions.memory.parse.values import ends, items, written


class Relatives:
    """A sentence with its words, the forms that these may be, and its parts, for the relatives that it names."""

    def __init__(
        self,
        text: str,
        said: Sequence[Token],
        words: Collection[str],
        parts: Sequence[Segment],
        tongue: Language,
        people: People,
    ) -> None:
        self._text = text
        self._said = said
        self._words = words
        self._parts = parts
        self._tongue = tongue
        self._people = people

    def statements(self) -> Iterator[Statement]:
        """The speaker's relatives named anywhere in an asserted sentence: *my wife Anna*."""
        for part in self._parts if self._tongue.speaks_of(("my", "bare_kin"), self._words) else ():
            for at in range(part.start, part.end) if part.is_real else ():
                found = kin_at(self._said, at, self._tongue)
                if found is None or (found[0] - at == 1 and self._is_others(self._said[part.start : at])):
                    continue
                end, noun = found
                if {"/plur", "/sing"} & self._said[end - 1].lemmas == {"/plur"}:
                    continue
                forms = (noun, *sorted(self._said[end - 1].lemmas))
                single = next((each for each in forms if self._is_single(each)), noun)
                kind = "name" if single == noun else "name+"
                end = self._behind_sign(end) if end == part.end else end
                last = next(ends(kind, self._said, end, self._tongue), None) if end != part.end else None
                if (
                    last is None
                    and self._tongue.kin[single].gender != "p"
                    and (single == noun or self._is_sexed(single))
                ):
                    self._people.hear(self._people.by_kin.get(single) or unnamed(single, self._people, self._tongue))
                for name in (
                    items(written(self._said[end:last], self._text, self._tongue), self._tongue) if last else ()
                ):
                    yield from self._named(single, name, _case(self._said[end - 1]))

    def _behind_sign(self, end: int) -> int:
        """The index of a name between two marks: *my wife (Anna)*, *my wife, Anna, ...*."""
        signs = {at: token.text for at, token in enumerate(self._said) if token.text in "(),"}
        last = next((at for at in sorted(signs) if at > end), None)
        return end + 1 if last is not None and signs.get(end, "") + signs[last] in ("()", ",,") else end

    def _is_single(self, noun: str) -> bool:
        return noun in self._tongue.kin and self._tongue.kin[noun].gender != "p"

    def _is_sexed(self, noun: str) -> bool:
        return bool(self._tongue.kin[noun].gender)

    def _is_others(self, before: Sequence[Token]) -> bool:
        """Whether a noun such as *wife* after some words, without *my*, is somebody else's."""
        return self._people.others or any(map(self._is_whose, before))

    def _is_whose(self, token: Token) -> bool:
        """Whether the words after a word are somebody else's: *her husband*."""
        is_others = token.lower == "'s" or "not_mine" in token.kinds
        return is_others or is_somebody(token) or not token.lemmas.isdisjoint(("/name", "/anim"))

    def _named(self, noun: str, name: str, case: Case | None) -> Iterator[Statement]:
        kin, somebody = self._tongue.kin[noun], named(name, self._tongue, case)
        known = self._people.by_name.get(somebody.name.lower())
        self._people.hear(replace(somebody, gender=kin.gender or somebody.gender, kin=noun))
        if known is None or known.kin != noun:
            yield kin_statement(noun, kin.predicate, somebody.name, self._people.speaker, self._tongue)


def _case(noun: Token) -> Case | None:
    """The case of a noun, and so of the name behind it; None if it may be the nominative: *кота Барсика*."""
    return None if "/nom" in noun.lemmas else next((each for each in get_args(Case) if f"/{each}" in noun.lemmas), None)
