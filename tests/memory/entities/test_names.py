"""Which known entity a name means: a function of values."""

import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory.text.names import (
    Decision,
    KnownNames,
    Mention,
    compatible,
    decide,
    is_form_of,
    may_be_form_of,
)
from sandbox.extensions.memory.text.words import name_key

TYPES = ("person", "project", "organization", "place", "concept", "tool")
WORDS = ("Anna", "Ann", "Mei", "Chen", "Petrovna", "Dr.", "Prof.", "Bob", "Robert", "Анна", "Анны", "Александр")

spellings = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
mentions = st.builds(Mention, spellings, st.sampled_from(TYPES), st.lists(spellings, max_size=2).map(tuple))


@st.composite
def communities(draw: st.DrawFn) -> list[KnownNames]:
    """Entities of all types, some with the same name."""
    named = draw(st.lists(st.tuples(st.sampled_from(TYPES), st.lists(spellings, min_size=1, max_size=3)), max_size=6))
    return [
        KnownNames(id, type, name_key(names[0]), frozenset(map(name_key, names)), draw(st.integers(0, 9)))
        for id, (type, names) in enumerate(named, start=1)
    ]


def people(*names: str) -> list[KnownNames]:
    return [
        KnownNames(id, "person", name_key(name), frozenset({name_key(name)})) for id, name in enumerate(names, start=1)
    ]


# --- laws -------------------------------------------------------------------------------------------------------------


@given(mentions, communities(), st.randoms())
def test_the_order_of_candidates_does_not_matter(mention: Mention, known: list[KnownNames], random: object) -> None:
    shuffled = list(known)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert decide(mention, shuffled) == decide(mention, known)


@given(mentions, communities())
def test_a_name_means_no_entity_of_another_type(mention: Mention, known: list[KnownNames]) -> None:
    decision = decide(mention, known)
    types = {each.id: each.type for each in known}
    meant = [decision.entity, *decision.same] if decision.entity is not None else []
    assert all(compatible(mention.type, types[each]) for each in meant if each is not None)
    assert decision.entity not in decision.same


@given(mentions, communities())
def test_the_bearer_of_the_exact_name_comes_first(mention: Mention, known: list[KnownNames]) -> None:
    fitting = [each for each in known if compatible(mention.type, each.type)]
    own = {each.id for each in fitting if name_key(mention.name) == each.name}
    bearers = own or {each.id for each in fitting if name_key(mention.name) in each.names}
    if own or len(bearers) == 1:
        assert decide(mention, known).entity in bearers


@given(mentions, communities())
def test_a_mention_finds_the_entity_made_for_it(mention: Mention, known: list[KnownNames]) -> None:
    if decide(mention, known).entity is None:
        key = name_key(mention.name)
        made = KnownNames(99, mention.type, key, frozenset({key}))
        assert decide(mention, [*known, made]).entity == 99


@given(mentions, communities())
def test_another_namesake_never_resolves_a_doubtful_name(mention: Mention, known: list[KnownNames]) -> None:
    """If a part of a name is ambiguous, one more bearer keeps it ambiguous."""
    if decide(Mention(mention.name, mention.type), known).entity is None:
        other = KnownNames(99, "person", "anna chen", frozenset({"anna chen"}))
        decision = decide(Mention(mention.name, mention.type), [*known, other])
        assert decision.entity in (None, 99)


@given(mentions, communities())
def test_only_aliases_join_two_entities(mention: Mention, known: list[KnownNames]) -> None:
    aliases = set(map(name_key, mention.aliases))
    assert {each.name for each in known if each.id in decide(mention, known).same} <= aliases


# --- people -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("Anna", ["Anna Petrovna"], 1),
        ("Petrovna", ["Anna Petrovna"], 1),
        ("anna", ["Anna Petrovna"], None),  # not written like a name
        ("Ann", ["Anna Petrovna"], None),
        ("Anna", ["Anna Petrovna", "Anna Ivanova"], None),
        ("Anna", ["Anna Petrovna", "Anna"], 2),
        ("Anna (sister)", ["Anna Petrovna"], None),
        ("Anna Petrovna", ["Anna"], None),
        ("Anna Petrovna", ["Anna Ivanova"], None),
        ("Dr. Chen", ["Mei Chen"], 1),
        ("Dr. Chen", ["Mei Chen", "Li Chen"], None),
        ("Dr. Chen", ["Prof. Chen"], None),
        ("Mei Chen", ["Dr. Chen"], 1),
        ("Mei Chen", ["Dr. Chen", "Mr. Chen"], None),
        ("Mrs. Chen", ["Mr. Chen"], None),
        ("Chen", ["Dr. Chen"], 1),
        ("Анну", ["Анна", "Аня"], 1),
        ("Анна Петровна", ["Анны Петровны"], None),
        ("Анны Петровны", ["Анна Петровна"], 1),
        ("Александра", ["Александр"], None),  # she, or of him
        ("Александру", ["Александр"], 1),
        ("Евгения", ["Евгений"], None),
        ("Аня", ["Анна"], None),
        ("Иванов", ["Иван"], None),
    ],
)
def test_a_name_means_the_expected_entity(name: str, known: list[str], meant: int | None) -> None:
    assert decide(Mention(name, "person"), people(*known)).entity == meant


def test_a_part_of_a_name_is_no_alias_of_its_own() -> None:
    """A sister called Anna is known. A reader shortens Anna Petrovna, who is another person, to "Anna"."""
    assert decide(Mention("Anna Petrovna", "person", ("Anna",)), people("Anna")) == Decision(None)


def test_an_alias_or_description_of_two_entities_resolves_nothing() -> None:
    """My sister Anna sings. My sister Maria paints."""
    assert decide(Mention("Robert", "person", ("Bob",)), people("Bob", "Bob")).entity is None
    names = ("anna", "maria")
    two = [KnownNames(id, "person", name, frozenset({name, "the user sister"})) for id, name in enumerate(names, 1)]
    assert decide(Mention("the user's sister", "person"), two).entity is None


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [("concept", "person", True), ("tool", "project", True), ("place", "person", False), ("tool", "person", False)],
)
def test_types_are_compatible_as_expected(one: str, other: str, may: bool) -> None:
    assert compatible(one, other) is compatible(other, one) is may


@pytest.mark.parametrize(
    ("name", "forms", "others"),
    [
        ("анна", "анны анне анну анной", "аня анин ан"),
        ("мария", "марии марию марией", "марина мара"),
        ("александр", "александру александром александре", "александров"),
        ("сергей", "сергея сергею сергеем", "сергеев"),
        ("игорь", "игоря игорю игорем", "игор"),
        ("иванова", "ивановой иванову", "иванов"),
        ("толстой", "толстого толстому толстым", "толст"),
        ("москва", "москвы москве москву", "москвич"),
        ("ann", "", "anna anns"),
    ],
)
def test_forms_of_russian_names_are_recognised(name: str, forms: str, others: str) -> None:
    assert all(may_be_form_of(form, name) for form in forms.split())
    assert not any(may_be_form_of(form, name) for form in others.split())
    assert all(is_form_of(form, name) for form in forms.split())
