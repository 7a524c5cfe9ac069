"""Whom a sentence brings up by name beside what it says: ``a gift for my sister Carla``, ``a beagle named Biscuit``,
``two daughters, Mia and Zoe``; and what is told of them there. English. Pure."""

import re
from collections.abc import Iterator, Mapping

from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject
from sandbox.extensions.memory.consolidate.rules.texts import words_in
from sandbox.extensions.memory.consolidate.rules.wordforms import mid
from sandbox.extensions.memory.text.places import size

_BORN_BY = "|".join(sorted(words_of.KIN | words_of.PETS | words_of.PROFESSIONS, key=len, reverse=True))
_NOUN = rf"(?:[a-z][\w-]* ){{0,3}}?(?:{_BORN_BY})"
_NAME = r"(?!(?:I|English|French|German|Spanish|Christmas|Easter)\b|\w+day\b)[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?"
_CALLED = r"(?:named|called|by the name of|who (?:is|we) (?:called|named)|whose name is|that is called)"

_OWN = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur|[Hh]a(?:ve|s) (?:an?|one)) (?P<noun>{_NOUN}),? (?P<name>{_NAME})(?!'s)\b"
    r"(?: \((?P<age>\d{1,2})\))?"
)
_NAMED = re.compile(
    r"\b(?:[Aa]n?|[Oo]ne|[Oo]ur|[Mm]y|[Tt]he|[Aa]nother) "
    rf"(?P<noun>[a-z][\w-]*(?: (?!is\b|are\b|was\b)[a-z][\w-]*){{0,3}}?) {_CALLED} (?P<name>{_NAME})"
)
_AGED = rf"{_NAME}(?: \(\d{{1,2}}\))?"
_SEVERAL = re.compile(
    rf"\b(?:two|three|four|five|\d|[Mm]y|[Oo]ur|have(?= (?:{'|'.join(words_of.PLURAL)})\b)) "
    r"(?P<noun>(?:[a-z][\w-]* ){0,2}?[a-z]+s|(?:[a-z]+ )?children)"
    rf"(?:,|:| -| named| called| are(?: called| named)?)? (?P<names>{_AGED}(?:, {_AGED})*,? (?:and|&) {_AGED})"
)
_AGE = re.compile(r"(?P<name>.+?) \((?P<age>\d{1,2})\)")
_COUNT = re.compile(r"^(?:(?:two|three|four|five|\d) )+")
_APART = re.compile(
    rf"\b(?P<whose>[Aa]n?|[Oo]ne|[Mm]y|[Oo]ur) (?P<noun>{_NOUN}), (?:(?:whom|who) (?:we|I|everyone"
    rf"|they) (?:all )?call )?(?P<name>{_NAME})(?:,(?= )|$)"
)
_NAME_FIRST = re.compile(rf"^(?P<name>{_NAME}), (?P<noun>(?:my|our) {_NOUN}), ")
_WHO = re.compile(
    rf"\b(?P<whom>(?:(?:[Mm]y|[Oo]ur) {_NOUN}(?: {_NAME})?)|(?:[Aa]n?|[Oo]ne|[Tt]he) (?P<noun>[a-z][\w-]*(?: [a-z]"
    rf"[\w-]*){{0,3}}?) {_CALLED} (?P<name>{_NAME})),? who (?P<told>(?!(?:is|are|we|was) (?:called|named)\b)[a-z].+)$"
)
_ANYBODY = frozenset("guy man woman girl boy person lady fellow dude gentleman".split())
_ONCE = re.compile(r"\s+(?:(?:last|this) \w+|yesterday|today)(?=$| and | but |,)")
_GOES_ON = re.compile(r", (?=(?:is|are|was|has|just|will|also|[a-z]+(?:ed|[^s]s))\b)")


def brought_up(sentence: str, speaker: Subject) -> Iterator[Subject]:
    """Those it names with what they are to the speaker."""
    for match in (*_own(sentence), *_named(sentence)):
        if match["noun"] in _ANYBODY:
            yield Subject(match["name"], match["name"])
        elif match["noun"].split()[-1] not in words_of.PLURAL:
            yield named(speaker, match["noun"], match["name"])
    yield from (about for about, _ in _listed(sentence, speaker))


def _own(sentence: str) -> Iterator[re.Match[str]]:
    return iter(()) if words_in(sentence).isdisjoint(("my", "our", "have", "has")) else _OWN.finditer(sentence)


def _named(sentence: str) -> Iterator[re.Match[str]]:
    return iter(()) if words_in(sentence).isdisjoint(("named", "called", "name")) else _NAMED.finditer(sentence)


def _listed(sentence: str, speaker: Subject) -> Iterator[tuple[Subject, str]]:
    """Each of several, and how old they are where that is said: ``our two kids, Jonas (7) and Emmi (4)``."""
    for match in _SEVERAL.finditer(sentence) if " and " in sentence or " & " in sentence else ():
        for each in re.split(r", (?:and )?| and | & ", match["names"]):
            aged = _AGE.fullmatch(each)
            name, age = (aged["name"], aged["age"]) if aged else (each, "")
            yield named(speaker, _singular(_COUNT.sub("", match["noun"])), name), age


def presupposed(sentence: str, speaker: Subject) -> Iterator[Said]:
    """What a sentence takes for granted of those it names."""
    for match in _own(sentence):
        about = named(speaker, match["noun"], match["name"])
        if match["noun"].split()[-1] in words_of.PLURAL:
            continue
        yield _is_who(about, match["age"] or "")
    for about, age in _listed(sentence, speaker):
        if f"{about.aliases[0].split()[-1]}s".replace("childs", "children") in words_of.PLURAL:
            yield _is_who(about, age)


def _is_who(about: Subject, age: str) -> Said:
    if age:
        return Said(about, "is", f"{age} years old", Kind("person", 4))
    return Said(about, "is", about.aliases[0], Kind("person", 4), wording=f"{about.about} is {about.aliases[0]}")


_FIRST = re.compile(rf"^(?:(?:[Mm]y|[Oo]ur) [a-z][\w -]{{1,30}}?,? )?{_AGED}(?:,? (?:(?:and|&) )?{_AGED})*")


def without_ages(clause: str) -> str:
    """A clause without how old those are whom it is about: ``My son Tim (9) plays hockey``."""
    return _FIRST.sub(lambda who: re.sub(r" \(\d{1,2}\)", "", who[0]), clause) if "(" in clause else clause


_ROLE = "friend|roommate|flatmate|colleague|boss|manager|neighbou?r|landlord|landlady|ex"
_DESCRIBED = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) (?P<noun>(?:[a-z][\w-]* ){{0,2}}?(?:{_BORN_BY}|{_ROLE}))\b(?!'s|-)(?: (?P<name>{_NAME}))?"
)
_FIRST_NAME = r"(?P<name>[A-ZÀ-Þ][a-zß-ÿ]+)"
_TOLD_OF = (
    re.compile(rf"^{_FIRST_NAME} and (?:[Mm]y|[A-Z])"),
    re.compile(rf"^(?:(?:[Mm]y|[Oo]ur) [a-z]+(?: [A-Z]\w+)?|[A-Z][a-z]+) and {_FIRST_NAME} [a-z]"),
    re.compile(rf"^{_FIRST_NAME}'s (?P<what>[a-z]+) (?:is|was)\b"),
    re.compile(
        rf"^{_FIRST_NAME} (?:has |just |finally |recently )*(?:says|said|told|tells|thinks|met|wrote|quit|left|got"
        r"|knows|saw|[a-z]+ed)\b"
    ),
    re.compile(
        r"\b(?:(?<!work )(?<!works )(?<!worked )(?<!working )with|meet|met|meets|told|tells|asked|called|calls|saw|sees"
        r"|visited|visits|invited|ask|ping|tell|call|text|email|message|contact|helps|helped|married|dating|know"
        r"|knows|texted|thanked|hired|loves|misses"
        rf"|(?:talk|spoke|speak|wrote|engaged|listen)\w* to) {_FIRST_NAME}(?! ?[A-Z]|['’-])\b"
    ),
)


def mentioned(text: str, speaker: Subject, people: Mapping[str, Subject]) -> list[Subject]:
    """The persons a text names or describes, each once: whom a pronoun behind it may mean."""
    found: dict[str, Subject] = {}
    for match in _DESCRIBED.finditer(text):
        noun, name = match["noun"], match["name"]
        whose = f"{speaker.name}'s {noun}"
        plain = Subject(whose, mid(whose), plural=noun in words_of.PLURAL, pronoun=pronoun_of(noun.split()[-1]))
        known = named(speaker, noun, name) if name else people.get(noun.split()[-1], plain)
        found[known.about] = known
    for match in (match for pattern in _TOLD_OF for match in pattern.finditer(text)):
        name = match["name"]
        if size(name) or name.lower() in _NO_PERSON or match.groupdict().get("what", "birthday") not in _ATTRIBUTES:
            continue
        known = people.get(name, Subject(name, name))
        found.setdefault(known.about, known)
    return list(found.values())


_ATTRIBUTES = words_of.ATTRIBUTES | {"birthday", "job"}
_NO_PERSON = (
    words_of.PRONOUNS
    | words_of.PROFESSIONS
    | words_of.KIN
    | frozenset(
        "everyone everybody someone somebody nobody people turns this that there who what just today yesterday".split()
    )
)
_HAS = re.compile(
    r"\b[Mm]y (?P<noun>wife|husband|girlfriend|boyfriend|fiancée?|son|daughter|sister|brother|kids|children|sons"
    r"|daughters|sisters|brothers|twins|nephew|niece|cousin|roommate|flatmate|fiance|grandson|granddaughter|dog|cat"
    r"|puppy|kitten|dogs|cats)(?![\w-]|,? [A-Z])"
)


_OF_ME = re.compile(r"\b(?:I|[Ww]e)\b|^(?:[Mm]y|[Oo]ur)\b")


def had(sentence: str, speaker: Subject) -> Iterator[Said]:
    """Relatives and animals a sentence takes for granted without a name: ``dinner with my husband``."""
    for match in _HAS.finditer(sentence) if "my" in words_in(sentence) and _OF_ME.search(sentence) else ():
        noun = match["noun"]
        one = noun if noun in words_of.PLURAL else f"a {noun}"
        yield Said(speaker, "has", one, Kind("fact", 3))


_COMPANY = re.compile(
    rf"(?P<one>\bwith (?:my|our) [a-z-]+(?: [A-Z]\w+)?),? and (?:my|our) (?=(?:[a-z-]+ ){{0,2}}?[a-z-]+"
    rf"(?:,? {_AGED}(?:(?:,|,? and) {_AGED})*)?[\s.!]*$)"
)


def at_once(sentence: str) -> str:
    """``a son, Oscar, and a daughter``: with the name as a part of its phrase, ``a son named Oscar and a daughter``;
    no clause begins within ``with my wife and our son``, ``my sisters Ana and Eva``.
    """
    sentence = _COMPANY.sub(r"\g<one> as well as our ", sentence) if " and " in sentence else sentence
    several = _SEVERAL.match(sentence)
    if several and re.match(",? [a-z]", sentence[several.end() :]) and not re.search(r" (?:are|called) ", several[0]):
        sentence = f"{several[0].replace(' and ', ' & ')}{sentence[several.end() :]}"
    if "," not in sentence and ":" not in sentence:
        return sentence
    if ":" in sentence:
        sentence = _SEVERAL.sub(lambda match: match[0].replace(":", ",", 1), sentence)
    if first := _NAME_FIRST.match(sentence):
        sentence = f"{first['noun']} {first['name']} {sentence[first.end() :]}"
    return _APART.sub(_joined, sentence)


def _joined(match: re.Match[str]) -> str:
    is_own = match["whose"].lower() in ("my", "our")
    return f"{match['whose']} {match['noun']} {'' if is_own else 'named '}{match['name']}"


def relative(clause: str) -> tuple[str, str]:
    """A clause without what is told of somebody beside it, and that as a clause of its own; empty where there is none:
    ``a beagle named Biscuit who eats everything``.
    """
    match = _WHO.search(clause) if " who " in clause else None
    if match is None:
        return clause, ""
    told, *rest = _GOES_ON.split(_ONCE.sub("", match["told"]), maxsplit=1)
    whom = f"my {match['noun']} {match['name']}" if match["noun"] else match["whom"]
    whom = match["name"] if match["noun"] in _ANYBODY else whom
    return f"{clause[: match.end('whom')]} {' '.join(rest)}".strip(), f"{whom} {told}"


def _singular(noun: str) -> str:
    return re.sub(r"children$", "child", noun) if noun.endswith("children") else noun.removesuffix("s")


def named(speaker: Subject, noun: str, name: str) -> Subject:
    """``sister`` ``Ana`` of the speaker."""
    whose, name = f"{speaker.name}'s {noun}", name.replace(" .", ".")
    return Subject(f"{whose} {name}", name, pronoun=pronoun_of(noun.split()[-1].lower()), aliases=(mid(whose),))


def pronoun_of(noun: str) -> str:
    """He or she, where a noun tells; else nothing."""
    return "she" if noun in words_of.SHE else "he" if noun in words_of.HE else ""
