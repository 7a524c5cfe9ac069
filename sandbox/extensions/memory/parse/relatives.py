"""The relatives of a speaker: those named anywhere in a sentence (*my wife Anna*), and the name of *the user's mum*."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sandbox.extensions.memory.claims import USER, Claim
from sandbox.extensions.memory.parse.clauses import Segment
from sandbox.extensions.memory.parse.kinds import ends
from sandbox.extensions.memory.parse.language import Case, Language
from sandbox.extensions.memory.parse.repairs import behind_repair
from sandbox.extensions.memory.parse.statements import Statement, kin_statement
from sandbox.extensions.memory.parse.subjects import (
    People,
    Spoken,
    Subject,
    case_of,
    is_another,
    is_somebody,
    is_whose,
    kin_at,
    named,
    told_apart,
    unnamed,
)
from sandbox.extensions.memory.parse.tokens import Token
from sandbox.extensions.memory.parse.values import items, written


def relatives(spoken: Spoken, parts: Sequence[Segment]) -> Iterator[Statement]:
    """The speaker's relatives named anywhere in an asserted sentence, of which these are the parts."""
    said, language, people = spoken.words, spoken.language, spoken.people
    places = [(part, at) for part in parts if part.is_real for at in range(part.start, part.end)]
    for part, at in places:
        found = kin_at(said, at, language)
        before = said[part.start : at]
        if found is None or (found[0] - at == 1 and (people.others or any(map(_is_whose, before)) or _is_told(before))):
            continue
        end, noun, which = found
        if {"/plur", "/sing"} & said[end - 1].lemmas == {"/plur"}:
            continue
        known = [each for each in (noun, *sorted(said[end - 1].lemmas)) if each in language.kin]
        single = next((each for each in known if language.kin[each].gender != "p"), noun)
        end = _behind_sign(said, end) if end == part.end else end
        last = next(ends("name" if single == noun else "name+", said, end, language), None) if end != part.end else None
        gender = language.kin[single].gender
        if last is None and gender != "p" and (single == noun or gender):
            people.hear(people.called(single, which) or unnamed(single, which, people, language))
        names = items(written(said[end:last], spoken.text, language), language) if last else []
        if last == part.end:  # *my daughter Lena, sorry, Lina*
            right, _ = behind_repair(parts[parts.index(part) + 1 :], spoken)
            if right and len(right) in ends("name", right, 0, language):
                names = items(written(right, spoken.text, language), language)
        if names and is_whose(names[0], said[found[0] - 1], gender, language):
            continue
        for name in names:
            yield from _named(single, which, name, case_of(said[end - 1]), spoken)


def _behind_sign(said: Sequence[Token], end: int) -> int:
    """The index of a name between two marks: *my wife (Anna)*, *my wife, Anna, ...*."""
    signs = {at: token.text for at, token in enumerate(said) if token.text in "(),"}
    last = next((at for at in signs if at > end), None)
    return end + 1 if last is not None and signs.get(end, "") + signs[last] in ("()", ",,") else end


def _is_whose(token: Token) -> bool:
    """Whether a noun such as *wife* after a word, without *my*, is somebody else's: *her husband*."""
    is_others = token.lower == "'s" or "not_mine" in token.kinds
    return is_others or is_somebody(token) or not token.lemmas.isdisjoint(("/name", "/anim"))


def _is_told(before: Sequence[Token]) -> bool:
    """Whether an adjective before a noun, without *my*, may tell whose it is: «соседская такса»."""
    is_told = bool(before) and "/adj" in before[-1].lemmas and "kin_adjective" not in before[-1].kinds
    return is_told and not any("my" in token.kinds for token in before)


def _named(noun: str, which: str, name: str, case: Case | None, spoken: Spoken) -> Iterator[Statement]:
    kin, somebody = spoken.language.kin[noun], named(name, spoken.language, case)
    known = spoken.people.by_name.get(somebody.name.lower())
    spoken.people.hear(told_apart(somebody, noun, which, spoken.people, spoken.language))
    if known is None or known.kin != noun:
        yield kin_statement(noun, kin.predicate, somebody.name, spoken.people.speaker, spoken.language)


def name_of(
    relative: str, told: Mapping[str, Sequence[Claim]], speakers: Iterable[str], language: Language
) -> str | None:
    """The name of the one who is called *the user's mum*, or the mum of one of the ``speakers``; None if none is
    ``told`` (statements with their claims), or more than one.
    """
    users = [Subject(name, name or language.times["self"]["nom"], kin="self") for name in (USER, *speakers)]
    nouns = [
        (noun, user)
        for user in users
        if relative.replace(user.in_case("gen", language), "", 1) not in ("", relative)  # it names more than the user
        for noun in language.kin
        if not language.has("many_kin", noun) and unnamed(noun, "", People(user), language).name == relative
    ]
    names = {
        claim.value
        for noun, user in nouns
        for statement, claims in told.items()
        for claim in claims
        if claim.predicate == language.kin[noun].predicate
        and kin_statement(noun, claim.predicate, claim.value, user, language).content == statement
    }
    if len(names) != 1:
        return None
    (name,) = names
    first = next(claim.predicate for claims in told.values() for claim in claims if claim.value == name)
    return f"{name} ({relative})" if is_another(first, language.kin[nouns[0][0]].predicate) else name
