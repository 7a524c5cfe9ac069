"""Whom or what a clause is about: the speaker, somebody of theirs, somebody by name, or who was spoken of last."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sandbox.extensions.memory.claims import USER
from sandbox.extensions.memory.parse.language import Language
from sandbox.extensions.memory.parse.tokens import Token
from sandbox.extensions.memory.parse.values import ARTICLES, ends, is_capital

_REMEMBERED = 3  # turns in which a pronoun still means who was spoken of


@dataclass(frozen=True, slots=True)
class Subject:
    """``name`` as claims write it, "" for the user; ``label`` as sentences do. ``kin``: the word for what they are to
    the speaker, where that is how they are called.
    """

    name: str
    label: str
    gender: str = ""
    kin: str = ""
    is_named: bool = True
    is_thing: bool = False

    @property
    def is_plural(self) -> bool:
        """Whether they are several."""
        return self.gender == "p"

    @property
    def is_self(self) -> bool:
        """Whether it is who speaks."""
        return self.name == USER or self.kin == "self"


@dataclass(slots=True)
class People:
    """Who was spoken of so far by one speaker: names by what they are to them, and who a pronoun may mean."""

    speaker: Subject
    by_kin: dict[str, Subject] = field(default_factory=dict)
    by_name: dict[str, Subject] = field(default_factory=dict)
    turn: int = 0
    heard: list[tuple[int, Subject]] = field(default_factory=list)

    def hear(self, subject: Subject) -> None:
        """Somebody is spoken of."""
        if subject.is_self or subject.is_thing:
            return
        if subject.is_named:
            self.by_name[subject.name.lower()] = subject
        if subject.kin:
            self.by_kin[subject.kin] = subject
        self.heard = [(turn, each) for turn, each in self.heard if each.name != subject.name]
        self.heard.append((self.turn, subject))

    def meant(self, gender: str) -> Subject | None:
        """Whom a pronoun of a gender means; nobody where it could be two."""
        near = [
            each
            for turn, each in self.heard
            if self.turn - turn < _REMEMBERED and (not each.gender or not gender or each.gender == gender)
        ]
        return near[0] if len(near) == 1 else None


def subjects(
    kind: str, said: Sequence[Token], at: int, people: People, language: Language
) -> Iterator[tuple[int, Subject]]:
    """Where a subject that begins at a word may end, and who it is. ``who``: anybody; ``me``: the speaker; ``other``:
    anybody else; ``project``: what the speaker's work is about, or a part of it.
    """
    if at >= len(said):
        return
    if kind == "project":
        yield from _things(said, at, language)
        return
    if kind == "whose":
        yield from _meant("possessive", said, at, people, language)
        return
    if kind != "other" and language.has("self", said[at].lower):
        yield at + 1, people.speaker
    if kind != "other" and language.has("dropped", "yes") and _is_first_person(said[at]):
        yield at, people.speaker
    if kind == "me":
        return
    yield from _kin(said, at, people, language)
    yield from _named(said, at, people, language)
    yield from _meant("pronoun", said, at, people, language)


def _meant(
    name: str, said: Sequence[Token], at: int, people: People, language: Language
) -> Iterator[tuple[int, Subject]]:
    for gender in ("m", "f"):
        if language.has(f"{name}_{gender}", said[at].lower) and (meant := people.meant(gender)):
            yield at + 1, meant


def _is_first_person(token: Token) -> bool:
    return "/1" in token.lemmas


def kin_at(said: Sequence[Token], at: int, language: Language) -> tuple[int, str] | None:
    """Where a phrase like *my older sister* ends, and its noun; None where there is none."""
    start = at
    if language.has("my", said[at].lower):
        at += 1
        while at < len(said) and language.has("kin_adjective", said[at].lower):
            at += 1
    elif not language.has("bare_kin", said[at].lower):
        return None
    for length in (3, 2, 1):
        word = "_".join(token.lower for token in said[at : at + length])
        if len(said) >= at + length and word in language.kin:
            return at + length, word
    if at < len(said):
        word = next((lemma for lemma in sorted(said[at].lemmas) if lemma in language.kin), "")
        if word and (at > start or language.has("bare_kin", said[at].lower)):
            return at + 1, word
    return None


def mentioned(said: Sequence[Token], people: People, language: Language) -> Iterator[Subject]:
    """Whom a phrase like *my older sister* means."""
    yield from (subject for _, subject in _kin(said, 0, people, language))


def _kin(said: Sequence[Token], at: int, people: People, language: Language) -> Iterator[tuple[int, Subject]]:
    found = kin_at(said, at, language)
    if found is None:
        return
    end, noun = found
    kin = language.kin[noun]
    if end < len(said):
        for last in ends("name", said, end, language):
            name = language.forms.base(" ".join(_capital(token.text) for token in said[end:last]))
            yield last, Subject(name, name, kin.gender, noun)
    if kin.gender != "p" and _is_bare(said, end, language):
        return
    known = None if language.has("many_kin", noun) else people.by_kin.get(noun)
    if known is not None and known.is_named:
        yield end, known
        return
    label = language.times["of_user"].format(kin=noun.replace("_", " "), whose=people.speaker.label)
    yield end, Subject(label, label, kin.gender, noun, is_named=False)


def _named(said: Sequence[Token], at: int, people: People, language: Language) -> Iterator[tuple[int, Subject]]:
    for end in ends("name", said, at, language):
        if _is_bare(said, end, language):
            continue
        name = language.forms.base(" ".join(_capital(token.text) for token in said[at:end]))
        yield end, people.by_name.get(name.lower(), Subject(name, name))
    if not is_capital(said[at]):
        for lemma in (said[at].lower, *sorted(said[at].lemmas)):
            if known := people.by_name.get(lemma):
                yield at + 1, known
                return


def _is_bare(said: Sequence[Token], at: int, language: Language) -> bool:
    """Whether a verb follows in a form that no single person does: *Sounds like*."""
    return at < len(said) and language.has("bare", said[at].lower)


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _things(said: Sequence[Token], at: int, language: Language) -> Iterator[tuple[int, Subject]]:
    """*We*, *our API*, *the deadline of the report*, *staging*."""
    project = Subject(language.times["project"], language.times["project"], is_thing=True)
    if language.has("we", said[at].lower):
        yield at + 1, project
    for mine in (0, 1):
        if mine and not (language.has("our", said[at].lower) and at + 1 < len(said)):
            return
        for end in ends("project_word", said, at + mine, language):
            name = " ".join(token.text for token in said[at + mine : end])
            yield end, project if f"the {name.lower()}" == project.name else thing(name, language)


def thing(name: str, language: Language) -> Subject:
    """Something as what a clause is about."""
    first, _, rest = name.partition(" ")
    rest = rest if first.lower() in ARTICLES else ""
    name = rest or name
    is_proper = (name[:1].isupper() and not rest) or language.has("no_article", name.lower())
    label = name if is_proper else language.times.get("thing", "{}").format(name)
    return Subject(name, label, is_thing=True)
