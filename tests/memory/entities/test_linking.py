"""Names of known entities in turns and statements are linked at once, if they are written as known."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.store import entities
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


ANN = (Mention("Ann", "person"),)
WORDS = (*(Mention(name, "person") for name in ("Will", "Hope", "May", "Mark", "May Jones")), Mention("cooking"))
RUSSIANS = (
    *(Mention(name, "person") for name in ("Анна", "Анна Петровна", "Света", "Сергей")),
    Mention("Москва", "place"),
)
LONGER = tuple(map(Mention, ("Ann", "Ann Smith", "Dr. Chen", "University of Oslo", "Oslo", "J. Lee")))
ONCE = {"University of Oslo", "Dr. Chen", "Ann Smith", "J. Lee"}


@pytest.mark.parametrize(
    ("known", "text", "linked"),
    [
        (ANN, "I met Ann yesterday.", {"Ann"}),
        (ANN, "Ann is here.", {"Ann"}),
        (ANN, "Hey Ann, how are you?", {"Ann"}),
        (ANN, "Thanks Ann", {"Ann"}),
        (ANN, "Is it Ann's, or Bert's?", {"Ann"}),
        (ANN, "Is it Ann’s?", {"Ann"}),
        (ANN, "I'll call Ann Monday.", {"Ann"}),
        (ANN, "I told Ann I would come.", {"Ann"}),
        (ANN, "ask @Ann", {"Ann"}),
        (ANN, "(Ann) and others", {"Ann"}),
        (ANN, "It was… Ann!", {"Ann"}),
        (ANN, "Вчера пришла Ann.", {"Ann"}),
        # as it is known, with a capital, and no part of a word or an address
        (ANN, "I met ann yesterday.", set()),
        (ANN, "I MET ANN YESTERDAY.", set()),
        (ANN, "I met Anna.", set()),
        (ANN, "Anns are many.", set()),
        (ANN, "I met Ann-Marie.", set()),
        (ANN, "Look at Ann.txt or /home/Ann/notes.", set()),
        (ANN, "Write to Ann@example.com.", set()),
        # somebody or something else, as far as is known
        (ANN, "I live in Ann Arbor now.", set()),
        (ANN, "I met Ann Smith.", set()),
        (ANN, "We saw Mary Ann.", set()),
        # ordinary words
        (WORDS, "Will you come?", set()),
        (WORDS, "It will rain.", set()),
        (WORDS, "I asked Will about it.", {"Will"}),
        (WORDS, "Hope you are well. May I come in May?", set()),
        (WORDS, "We went with Hope to the lake.", {"Hope"}),
        (WORDS, "I like cooking. Cooking is fun.", set()),
        (WORDS, "Mark my words: Mark is late.", set()),
        (WORDS, "I saw May Jones there.", {"May Jones"}),
        # inflected
        (RUSSIANS, "Вчера был у Анны.", {"Анна"}),
        (RUSSIANS, "Анну видели с Анной Петровной.", {"Анна", "Анна Петровна"}),
        (RUSSIANS, "Видел Аню.", set()),
        (RUSSIANS, "Мы живём в Москве.", {"Москва"}),
        (RUSSIANS, "Света мало в комнате.", set()),
        (RUSSIANS, "Вчера пришла Света.", {"Света"}),
        (RUSSIANS, "Спроси Сергея о рыбе.", {"Сергей"}),
        # each word belongs to one name, the longest
        (LONGER, "At the University of Oslo, Dr. Chen met Ann Smith and J. Lee.", ONCE),
        # ambiguous, and by an alias
        ((Mention("Paris", "person"), Mention("Paris", "place")), "I was in Paris.", set()),
        ((Mention("Robert Meyer", "person", ("Bob",)),), "I saw Bob.", {"Robert Meyer"}),
        # a pasted list of ten thousand names costs as much as one page
        ((*ANN, Mention("Zoe", "person")), f"Ann, {'Somebody Else, ' * 10_000} Zoe", {"Ann"}),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
async def test_a_known_name_is_linked_where_it_is_meant(
    memory: Memory, store: Store, known: Sequence[Mention], text: str, linked: set[str]
) -> None:
    await know(store, *known)
    assert set((await memory.explain(await memory.observe("user", text))).entities) == linked


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
