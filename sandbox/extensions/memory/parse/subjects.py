"""The subject of a clause: the speaker, one of their people, a named person, or the last mentioned one."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, get_args

from sandbox.extensions.memory.claims import USER
from sandbox.extensions.memory.parse.kinds import ends, is_capital, may_begin_name
from sandbox.extensions.memory.parse.language import Case, Language, split_case
from sandbox.extensions.memory.parse.tokens import Token
from sandbox.extensions.memory.parse.values import capitalised

Setting = Literal["chat", "told", "talk"]
"""Whether something is said to an assistant, told it on purpose to be remembered, or said to other people."""

# predicates of which a name has one, and "" of the speaker's own name
_FAMILY = frozenset(("", "child", "parent", "sibling", "grandparent", "grandchild", "relative", "pet"))
_REMEMBERED = 3  # turns for which a pronoun means a person who was mentioned


@dataclass(frozen=True, slots=True)
class Subject:
    """``name`` is the form for claims, "" for the user; ``label`` the form for sentences. ``kin`` is the word for the
    relation to the speaker, if the subject is called that, and ``which`` tells one of several: *older*.
    """

    name: str
    label: str
    gender: str = ""
    kin: str = ""
    which: str = ""
    is_named: bool = True
    is_thing: bool = False

    @property
    def is_plural(self) -> bool:
        """Whether it is several people."""
        return self.gender == "p"

    @property
    def is_self(self) -> bool:
        """Whether it is the speaker."""
        return self.name == USER or self.kin == "self"

    def in_case(self, case: Case, language: Language) -> str:
        """The label in a case."""
        cases = language.times.get("self", {})
        if self.is_self and self.label == cases.get("nom"):
            return str(cases.get(case, self.label))
        name, sign, relation = self.label.partition(" (")
        return f"{language.forms.inflect(name, case)}{sign}{relation}"


@dataclass(slots=True)
class People:
    """The people whom one speaker has mentioned so far: names by relation, and those a pronoun may mean."""

    speaker: Subject
    by_kin: dict[tuple[str, str], Subject] = field(default_factory=dict)
    by_name: dict[str, Subject] = field(default_factory=dict)
    turn: int = 0
    heard: list[tuple[int, Subject]] = field(default_factory=list)
    others: bool = False  # whether somebody else was mentioned just before
    last: Token | None = None  # the last word for somebody before a clause
    topic: Subject | None = None  # the subject of the last statement, if that is not the speaker
    relations: dict[str, str] = field(default_factory=dict)  # the first that was told of each name, "" of the speaker's

    def knows(self, name: str) -> bool:
        """Whether a name is that of somebody whom the speaker has told of."""
        return name.lower() in self.by_name or name in self.relations

    def hear(self, subject: Subject) -> None:
        """Note that somebody was mentioned."""
        if subject.is_self or subject.is_thing:
            return
        if subject.is_named:
            self.by_name[subject.name.lower()] = subject
        if subject.kin:
            self.by_kin[subject.kin, subject.which] = subject
        kin = subject.kin, subject.which
        same = {
            subject.name,
            *(each.name for _, each in self.heard if kin == (each.kin, each.which) and not each.is_named),
        }
        self.heard = [(turn, each) for turn, each in self.heard if each.name not in same]
        self.heard.append((self.turn, subject))

    def called(self, kin: str, which: str) -> Subject | None:
        """The relative with a word for the relation. It may be the only one, if no word tells which, or none did."""
        alike = {each: subject for (noun, each), subject in self.by_kin.items() if noun == kin}
        is_only = len(alike) == 1 and "" in (which, *alike)
        return alike.get(which) or (next(iter(alike.values())) if is_only else None)

    def meant(self, gender: str, behind: Collection[str] = ()) -> Subject | None:
        """The person whom a pronoun of a gender means, none with a name among the words ``behind`` it; None if it could
        be two.
        """
        near = [
            each
            for turn, each in self.heard
            if self.turn - turn < _REMEMBERED
            and (not each.gender or not gender or each.gender == gender)
            and not (each.is_named and each.name.lower() in behind)
        ]
        now = [each for turn, each in self.heard if turn == self.turn and each in near]
        found = now or near
        return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence as somebody said it: its words, all words that these may be forms of, the people mentioned so far, and
    when and where it was said.
    """

    text: str
    words: Sequence[Token]
    heard: set[str]
    language: Language
    people: People
    at: datetime
    setting: Setting


def subjects(
    kind: str, said: Sequence[Token], at: int, people: People, language: Language
) -> Iterator[tuple[int, Subject]]:
    """The possible ends of a subject that begins at a word, each with its subject. ``who``: anybody; ``me``: the
    speaker; ``other``: anybody else; ``project``: the speaker's work, or a part of it. ``who/dat`` is one in the
    dative.
    """
    if at >= len(said):
        return
    kind, case = split_case(kind)
    if language.has("dropped", "yes") and not case:
        yield from ((at, each) for each in _dropped(kind, said, at, people, language))
    found = _things(said, at, language) if kind == "project" else _spoken_of(kind, said, at, people, language)
    yield from ((end, each) for end, each in found if is_in(case or "nom", said[at:end]))


def _spoken_of(
    kind: str, said: Sequence[Token], at: int, people: People, language: Language
) -> Iterator[tuple[int, Subject]]:
    if kind != "other" and "self" in said[at].kinds:
        yield at + 1, people.speaker
    is_spoken = kind != "other" and not said[at].kinds.isdisjoint(("self", "me"))
    if is_spoken and at + 2 < len(said) and "and" in said[at + 1].classes:
        yield from ((end, people.speaker) for end, _ in _kin(said, at + 2, people, language))  # *me and my wife moved*
    is_known = not people.by_name.keys().isdisjoint((said[at].lower, *said[at].lemmas))
    if kind == "me" or not (is_known or said[at].kinds & _BEGINNING or may_begin_name(said[at])):
        return
    yield from _kin(said, at, people, language)
    yield from _named(said, at, people, language)
    yield from _meant(said, at, people)


def _meant(said: Sequence[Token], at: int, people: People) -> Iterator[tuple[int, Subject]]:
    behind = {token.lower for token in said[at + 1 :]}
    for gender in ("m", "f"):
        if f"pronoun_{gender}" in said[at].kinds and (meant := people.meant(gender, behind)):
            yield at + 1, meant


_CASES = frozenset(f"/{case}" for case in get_args(Case))
_PRONOUNS = frozenset(("pronoun_f", "pronoun_m"))  # classes of words
_BEGINNING = _PRONOUNS | {"my", "bare_kin"}  # classes of words that may begin a subject


def is_in(case: str, said: Sequence[Token]) -> bool:
    """Whether words may be in a case; words that are not inflected may be in any."""
    return all(f"/{case}" in token.lemmas or _CASES.isdisjoint(token.lemmas) for token in (said[0], said[-1]))


def _dropped(kind: str, said: Sequence[Token], at: int, people: People, language: Language) -> Iterator[Subject]:
    """The subject of a verb that has none: its form shows it, or it was mentioned just before."""
    near = range(at, min(at + _BEFORE_VERB, len(said)))
    verb = next((each for each in near if not _VERBS.isdisjoint(said[each].lemmas)), None)
    if verb is None or any({"/nom", "/anim"} <= token.lemmas for token in said[at:verb]):  # «начальник орал»
        return
    marks = said[verb].lemmas
    is_own = "/1" in marks or ("/past" in marks and not people.others)
    if kind == "project":
        if "/we" in marks:
            yield project(language)
    elif is_own and kind != "other":
        yield people.speaker
    elif kind != "me" and "/3" in marks and (meant := _last_meant(people)):
        yield meant


def _last_meant(people: People) -> Subject | None:
    """The only person whom a verb may mean; nobody if the last word for somebody names another: «у подруги муж»."""
    meant, last = people.meant(""), people.last
    is_noun = last is not None and last.kinds.isdisjoint(_PRONOUNS)
    is_other = meant and last and is_noun and last.lemmas.isdisjoint((meant.kin, *meant.name.lower().split()))
    return None if is_other else meant


def is_somebody(token: Token) -> bool:
    """Whether a word means somebody else than the speaker."""
    if "/anim" in token.lemmas or "/name" in token.lemmas:
        return "/nom" in token.lemmas
    return not token.kinds.isdisjoint(_PRONOUNS)


_BEFORE_VERB = 5  # words that may come before a verb without a subject
_VERBS = frozenset(("/1", "/3", "/past"))


def which_of(said: Iterable[Token], language: Language) -> str:
    """The word that tells which of several relatives is meant, the same for words that mean the same; else empty."""
    every = (each for token in said for each in (token.lower, *sorted(token.lemmas)))
    return next((language.which_kin[each] for each in every if each in language.which_kin), "")


def kin_at(said: Sequence[Token], at: int, language: Language) -> tuple[int, str, str] | None:
    """The end of a phrase like *my older sister*, its noun, and the word that tells which one is meant; None if there
    is none.
    """
    begin = at
    if "my" in said[at].kinds:
        at += 1
        while at < len(said) and "kin_adjective" in said[at].kinds:
            at += 1
    elif "bare_kin" not in said[at].kinds:
        return None
    which = which_of(said[begin:at], language)
    for length in (3, 2, 1):
        word = "_".join(token.lower for token in said[at : at + length])
        if len(said) >= at + length and word in language.kin:
            return at + length, word, which
    if at < len(said):
        word = next((lemma for lemma in sorted(said[at].lemmas) if lemma in language.kin), "")
        if word:
            return at + 1, word, which
    return None


def _kin(said: Sequence[Token], at: int, people: People, language: Language) -> Iterator[tuple[int, Subject]]:
    found = kin_at(said, at, language)
    if found is None:
        return
    end, noun, which = found
    kin = language.kin[noun]
    if end < len(said):
        for last in ends("name", said, end, language):
            written = " ".join(token.text for token in said[end:last])
            if is_whose(written, said[end - 1], kin.gender, language):
                return
            yield last, told_apart(named(written, language), noun, which, people, language)
    known = None if language.has("many_kin", noun) else people.called(noun, which)
    yield end, known if known is not None and known.is_named else unnamed(noun, which, people, language)


def case_of(noun: Token) -> Case | None:
    """The case of a noun, and so of the name behind it; None if it may be the nominative: «кота Барсика»."""
    return None if "/nom" in noun.lemmas else next((each for each in get_args(Case) if f"/{each}" in noun.lemmas), None)


def is_whose(name: str, noun: Token, gender: str, language: Language) -> bool:
    """Whether the name behind a noun for a relative says whose relative that is: «брат Лены», «жену Ивана»."""
    somebody = named(name, language, case_of(noun))
    is_inflected = somebody.name != capitalised(name, language)
    is_apart = "/nom" in noun.lemmas and "/gen" not in noun.lemmas
    return is_inflected and (is_apart or {gender, somebody.gender} == {"f", "m"})


def named(name: str, language: Language, case: Case | None = None) -> Subject:
    """A person with a name, in any spelling; ``case`` is its present case, if known."""
    name = language.forms.base(capitalised(name, language), case)
    return Subject(name, name, language.forms.gender(name))


def unnamed(noun: str, which: str, people: People, language: Language) -> Subject:
    """A relative of the speaker without a known name."""
    whose = people.speaker.in_case("gen", language)
    name, label = (
        language.times["of_user"].format(
            kin=language.forms.base(f"{which} {word}".strip().replace("_", " ")), whose=whose
        )
        for word in (language.same_kin.get(noun, noun), noun)
    )
    return Subject(name, label, language.kin[noun].gender, noun, which, is_named=False)


def is_another(first: str, later: str) -> bool:
    """Whether one name in two relations means two people. A colleague may become a friend or a wife, but no sister."""
    return first != later and not _FAMILY.isdisjoint((first, later))


def told_apart(somebody: Subject, noun: str, which: str, people: People, language: Language) -> Subject:
    """Somebody named by a word for a relation, which is noted; with the relation behind the name, if another person is
    known to have the same: *Anna (the user's colleague)*.
    """
    kin = language.kin[noun]
    first = people.relations.setdefault(somebody.name, kin.predicate)
    label = somebody.label
    if is_another(first, kin.predicate):
        label = f"{label} ({unnamed(noun, which, people, language).label})"
    return replace(somebody, name=label, label=label, gender=kin.gender or somebody.gender, kin=noun, which=which)


def _named(said: Sequence[Token], at: int, people: People, language: Language) -> Iterator[tuple[int, Subject]]:
    for end in ends("name", said, at, language):
        if any("bare" in each.classes for each in said[end : end + 1]):  # *Sounds like*: no single person's verb
            continue
        somebody = named(" ".join(token.text for token in said[at:end]), language)
        yield end, people.by_name.get(somebody.name.lower(), somebody)
    if not is_capital(said[at]):
        for lemma in (said[at].lower, *sorted(said[at].lemmas)):
            if known := people.by_name.get(lemma):
                yield at + 1, known
                return


def _things(said: Sequence[Token], at: int, language: Language) -> Iterator[tuple[int, Subject]]:
    """*We*, *our API*, *the deadline of the report*, *staging*."""
    whole = project(language)
    if "we" in said[at].kinds:
        yield at + 1, whole
    for mine in (0, 1):
        if mine and not ("our" in said[at].kinds and at + 1 < len(said)):
            return
        for end in ends("project_word", said, at + mine, language):
            name = language.forms.base(" ".join(token.text for token in said[at + mine : end]))
            is_whole = name.lower() in (whole.name.lower(), whole.name.lower().partition(" ")[2])
            yield end, whole if is_whole else thing(name, language)


def project(language: Language) -> Subject:
    """The speaker's work as a subject."""
    return Subject(language.times["project"], language.times["project"], is_thing=True)


def thing(name: str, language: Language) -> Subject:
    """A thing as a subject."""
    first, _, rest = name.partition(" ")
    rest = rest if language.has("articles", first.lower()) else ""
    name = rest or name
    is_proper = (name[:1].isupper() and not rest) or language.has("no_article", name.lower())
    label = name if is_proper else language.times.get("thing", "{}").format(name)
    return Subject(name, label, is_thing=True)
