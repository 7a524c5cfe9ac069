"""Names of known entities in turns and statements are linked at once, if they are written as known."""

from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.store.entities import entities
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.text.names import Mention
from tests.memory.entities import programs
from tests.memory.store import raw
from tests.memory.store.processes import Journal, kill, running, wait_until


async def know(store: Store, *names: Mention, scope: Scope | None = None) -> None:
    """Make entities with these names known, without any text about them."""

    def add(tx: Transaction) -> None:
        for name in names:
            entities.resolve(tx, name.name, name.type, 0, scope or Scope(), name.aliases)

    await store.write(add)


async def named(memory: Memory, text: str) -> set[str]:
    """The entities with which a turn with this text is linked."""
    return set((await memory.explain(await memory.observe("user", text))).entities)


@pytest.mark.parametrize(
    "text",
    [
        "I met Ann yesterday.",
        "Ann is here.",
        "Hey Ann, how are you?",
        "Thanks Ann",
        "Is it Ann's, or Bert's?",
        "Is it Ann’s?",
        "I'll call Ann Monday.",
        "I told Ann I would come.",
        "ask @Ann",
        "(Ann) and others",
        "It was… Ann!",
        "Вчера пришла Ann.",
    ],
)
async def test_a_name_is_linked(memory: Memory, store: Store, text: str) -> None:
    await know(store, Mention("Ann", "person"))
    assert await named(memory, text) == {"Ann"}


@pytest.mark.parametrize(
    "text",
    [
        "I met ann yesterday.",  # as it is known, with a capital
        "I MET ANN YESTERDAY.",
        "I met Anna.",
        "Anns are many.",
        "I met Ann-Marie.",
        "Look at Ann.txt or /home/Ann/notes.",
        "Write to Ann@example.com.",
        "I live in Ann Arbor now.",
        "I met Ann Smith.",  # somebody else, as far as is known
        "We saw Mary Ann.",
    ],
)
async def test_parts_of_words_and_addresses_are_not_linked(memory: Memory, store: Store, text: str) -> None:
    await know(store, Mention("Ann", "person"))
    assert await named(memory, text) == set()


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("Will you come?", set()),
        ("It will rain.", set()),
        ("I asked Will about it.", {"Will"}),
        ("Hope you are well. May I come in May?", set()),
        ("We went with Hope to the lake.", {"Hope"}),
        ("I like cooking. Cooking is fun.", set()),
        ("Mark my words: Mark is late.", set()),
        ("I saw May Jones there.", {"May Jones"}),
    ],
)
async def test_ordinary_words_are_no_names(memory: Memory, store: Store, text: str, linked: set[str]) -> None:
    words = (Mention(name, "person") for name in ("Will", "Hope", "May", "Mark", "May Jones"))
    await know(store, *words, Mention("cooking"))
    assert await named(memory, text) == linked


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("Вчера был у Анны.", {"Анна"}),
        ("Анну видели с Анной Петровной.", {"Анна", "Анна Петровна"}),
        ("Видел Аню.", set()),
        ("Мы живём в Москве.", {"Москва"}),
        ("Света мало в комнате.", set()),
        ("Вчера пришла Света.", {"Света"}),
        ("Спроси Сергея о рыбе.", {"Сергей"}),
    ],
)
async def test_inflected_russian_names_are_linked(memory: Memory, store: Store, text: str, linked: set[str]) -> None:
    people = (Mention(name, "person") for name in ("Анна", "Анна Петровна", "Света", "Сергей"))
    await know(store, *people, Mention("Москва", "place"))
    assert await named(memory, text) == linked


async def test_longer_names_are_linked_before_shorter_ones(memory: Memory, store: Store) -> None:
    """Each word belongs to one name."""
    names = ("Ann", "Ann Smith", "Dr. Chen", "University of Oslo", "Oslo", "J. Lee")
    await know(store, *(Mention(name) for name in names))
    found = await named(memory, "At the University of Oslo, Dr. Chen met Ann Smith and J. Lee.")
    assert found == {"University of Oslo", "Dr. Chen", "Ann Smith", "J. Lee"}


async def test_an_ambiguous_name_is_not_linked(memory: Memory, store: Store) -> None:
    await know(store, Mention("Paris", "person"), Mention("Paris", "place"))
    assert await named(memory, "I was in Paris.") == set()


async def test_an_alias_is_linked(memory: Memory, store: Store) -> None:
    await know(store, Mention("Robert Meyer", "person", ("Bob",)))
    assert await named(memory, "I saw Bob.") == {"Robert Meyer"}


async def test_speakers_stored_together_are_linked_by_name(memory: Memory) -> None:
    await memory.observe_many([Message("user", "Hello Ben.", speaker="Ann"), Message("user", "Hi Ann.", speaker="Ben")])
    assert (await memory.entity("Ann")).mentions == 2
    assert {turn.content for turn in (await memory.entity("Ben")).timeline} == {"Hello Ben.", "Hi Ann."}


async def test_knowledge_is_linked_too(memory: Memory, store: Store) -> None:
    await know(store, Mention("Berlin", "place"))
    id = await memory.remember("Lives in Berlin.", subject="Ann")
    assert (await memory.explain(id)).entities == ("Ann", "Berlin")
    await memory.correct(id, "Lives in Potsdam, not far from Berlin.")
    assert (await memory.explain(id)).entities == ("Ann", "Berlin")


async def test_a_mention_counts_once(memory: Memory, store: Store) -> None:
    """Her name stands twice in the memory, she is its subject, and she was linked before: this is one mention."""
    await know(store, Mention("Ann", "person"))
    await memory.remember("Ann likes what Ann cooks.", subject="Ann")
    await memory.remember("Ann likes what Ann cooks.", subject="Ann")
    assert (await memory.entity("Ann")).mentions == 1


async def test_entities_are_separate_by_scope(memory: Memory, store: Store) -> None:
    """An entity of one project is no name in another project, nor in global memories."""
    house = Scope("ann", "house", visibility="project")
    await know(store, Mention("Bert", "person"), scope=house)
    inside = await memory.observe("user", "Bert was here.", scope=house)
    outside = await memory.observe("user", "Bert was here.", scope=Scope("ann", "house"))
    elsewhere = await memory.observe("user", "Bert was here.", scope=Scope("bob"))
    assert (await memory.explain(inside, scope=house)).entities == ("Bert",)
    assert (await memory.explain(outside, scope=house)).entities == ()
    assert (await memory.explain(elsewhere, scope=Scope("bob"))).entities == ()


async def test_a_page_of_names_is_linked_in_part(memory: Memory, store: Store) -> None:
    """A pasted list of ten thousand names costs as much as one page."""
    await know(store, Mention("Ann", "person"), Mention("Zoe", "person"))
    assert await named(memory, f"Ann, {'Somebody Else, ' * 10_000} Zoe") == {"Ann"}


async def test_killed_at_any_moment_every_turn_has_its_links(tmp_path: Path) -> None:
    """A turn and its links are stored together: after each kill every turn that names Ann is linked, and counted."""
    folder, journal = tmp_path / "memory", Journal(tmp_path / "journal")
    for run in range(4):
        enough = journal.count() + 5
        with running(programs.name_for_ever, folder, journal.path, run) as process:
            wait_until(lambda: journal.count() >= enough)  # noqa: B023
            kill(process)
        async with Memory.open(folder, embedder=None) as memory:
            assert all(check.ok for check in await memory.check())
        naming = raw.one(folder, "SELECT count(*) FROM nodes WHERE content LIKE '%Ann%'")
        speaking = raw.one(folder, "SELECT count(*) FROM node_entities WHERE role = 'speaker'")
        linked = raw.one(folder, "SELECT count(*) FROM node_entities WHERE role = 'mentions'")
        counted = raw.one(folder, "SELECT mention_count FROM entities WHERE name = 'Ann'")
        assert linked == naming >= 5
        assert counted == linked + speaking


async def test_turns_of_earlier_conversations_are_linked_with_a_name_that_is_learnt_later(memory: Memory) -> None:
    hidden = await memory.observe("user", "Mia has hidden the vet's bill.", session="first")
    others = await memory.observe("user", "Mia has hidden the bill.", session="first", scope=Scope("bob"))
    await memory.observe("user", "My cat is called Mia.", session="second")
    await memory.consolidate("second")
    assert (await memory.explain(hidden)).entities == ("Mia",)
    assert (await memory.explain(others, scope=Scope("bob"))).entities == ()
    profile = await memory.entity("Mia")
    assert hidden in [each.id for each in profile.timeline]
    await memory.consolidate("first")
    assert (await memory.entity("Mia")).mentions == profile.mentions


async def test_turns_are_linked_with_a_name_that_their_session_teaches(memory: Memory) -> None:
    said = ("Mia has hidden the vet's bill.", "My cat is called Mia.", "Mia has to see the vet on Friday.")
    turns = [await memory.observe("user", each, session="first") for each in said]
    await memory.consolidate("first")
    assert ["Mia" in (await memory.explain(each)).entities for each in turns] == [True, True, True]
    before = (await memory.entity("Mia")).mentions
    await memory.consolidate("first")
    assert (await memory.entity("Mia")).mentions == before == 4
