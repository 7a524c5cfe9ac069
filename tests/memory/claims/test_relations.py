"""Relations between entities come from the claims of memories, and end with them."""

from datetime import timedelta

from sandbox.extensions.memory import Claim, Memory, Scope
from sandbox.testing import NOON, FakeClock

MONTH = timedelta(days=30)


async def related(memory: Memory, name: str, scope: Scope | None = None) -> set[tuple[str, str, str]]:
    found = (await memory.entity(name, scope=scope or Scope())).relations
    return {(each.subject, each.predicate, each.value) for each in found}


async def test_both_entities_have_the_relation_at_once(memory: Memory) -> None:
    id = await memory.remember("Ben shares a desk with Anna.", claims=[Claim("Ben", "works_with", "Anna")])
    assert await related(memory, "Ben") == await related(memory, "Anna") == {("Ben", "works_with", "Anna")}
    (relation,) = (await memory.entity("Anna")).relations
    assert (relation.id, relation.since) == (id, NOON)
    assert (await memory.entity("Ben")).type == "person"
    assert (await memory.statistics()).edges["entity"] == 1


async def test_the_user_can_be_part_of_a_relation(memory: Memory) -> None:
    await memory.remember("My sister is Eve.", claims=[Claim("", "sibling", "Eve")])
    assert await related(memory, "Eve") == {("", "sibling", "Eve")}


async def test_unnamed_things_have_no_relations(memory: Memory) -> None:
    claims = [Claim("Ben", "employer", "a small bank"), Claim("Ben", "uses", "scissors"), Claim("Ben", "likes", "Anna")]
    await memory.remember("Ben works at a small bank, uses scissors and likes Anna.", claims=claims)
    assert await related(memory, "Ben") == set()
    assert (await memory.statistics()).entities == 1


async def test_an_employer_is_known_by_its_name_without_its_city(memory: Memory) -> None:
    await memory.remember("Mia works at Acme in Porto.")
    await memory.remember("Ben works at Acme.")
    assert await related(memory, "Acme") == {("Mia", "employer", "Acme in Porto"), ("Ben", "employer", "Acme")}


async def test_a_relation_ends_with_its_memory(memory: Memory) -> None:
    """Another manager; a fact that is forgotten, restored and corrected."""
    await memory.remember("Ann's manager is Tom.", at=NOON - MONTH, claims=[Claim("Ann", "manager", "Tom")])
    lucy = await memory.remember("Ann's manager is Lucy.", claims=[Claim("Ann", "manager", "Lucy")])
    assert await related(memory, "Tom") == set()
    assert await related(memory, "Ann") == {("Ann", "manager", "Lucy")}
    await memory.forget(lucy)
    assert await related(memory, "Ann") == set()
    await memory.restore(lucy)
    await memory.correct(lucy, "Ann's manager is Lena.", claims=[Claim("Ann", "manager", "Lena")])
    assert await related(memory, "Ann") == {("Ann", "manager", "Lena")}


async def test_a_relation_is_visible_where_its_memory_is(memory: Memory) -> None:
    here = Scope(project_id="p", visibility="project")
    await memory.remember("Ann's manager is Tom.", claims=[Claim("Ann", "manager", "Tom")])
    await memory.remember("Ann's colleague is Ben.", claims=[Claim("Ann", "colleague", "Ben")], scope=here)
    assert await related(memory, "Ann") == {("Ann", "manager", "Tom")}
    assert await related(memory, "Ann", here) == {("Ann", "manager", "Tom"), ("Ann", "colleague", "Ben")}


async def test_a_merged_entity_takes_its_relations_along(memory: Memory) -> None:
    await memory.remember("Annie's manager is Tom.", at=NOON - MONTH, claims=[Claim("Annie", "manager", "Tom")])
    await memory.remember("Ann Smith plays chess.", subject="Ann Smith")
    await memory.merge_entities("Annie", "Ann Smith")
    assert await related(memory, "Ann Smith") == {("Annie", "manager", "Tom")}
    await memory.remember("Ann Smith reports to Lucy.", claims=[Claim("Ann Smith", "manager", "Lucy")])
    assert await related(memory, "Ann Smith") == {("Ann Smith", "manager", "Lucy")}
    await memory.split_entity("Ann Smith")
    assert await related(memory, "Annie") == set()


async def test_an_erased_conversation_leaves_no_relation(memory: Memory) -> None:
    told = await memory.observe("user", "Ben works with Anna.", session="s")
    await memory.remember("Ben works with Anna.", rests_on=[told], claims=[Claim("Ben", "works_with", "Anna")])
    await memory.remember("Anna likes tea.", subject="Anna")
    await memory.erase(session="s")
    assert await related(memory, "Anna") == set()


async def test_a_question_for_relations_of_a_person_is_answered(memory: Memory, clock: FakeClock) -> None:
    """It was said first and in other words, among many other facts about her."""
    id = await memory.remember("Ben shares a desk with Anna.", claims=[Claim("Ben", "works_with", "Anna")])
    for number in range(60):
        clock.advance(minutes=1)
        await memory.remember(f"Anna has read book number {number}.", subject="Anna")
    found = await memory.search("who works with Anna?", limit=5)
    assert found[0].id == id
    assert found[0].legs["entity"] == 1


async def test_a_question_over_two_relations_is_answered(memory: Memory) -> None:
    """The answer names neither Anna nor her relation to Tom."""
    manager = await memory.remember("Anna's manager is Tom.", claims=[Claim("Anna", "manager", "Tom")])
    lives = await memory.remember("Tom lives in Porto.", claims=[Claim("Tom", "home", "Porto")])
    await memory.remember("Tom plays the cello.", claims=[Claim("Tom", "plays", "cello")])
    await memory.remember("Eve lives in Rome.", claims=[Claim("Eve", "home", "Rome")])
    found = {hit.id: hit for hit in await memory.search("where does Anna's manager live?")}
    assert list(found)[:2] == [manager, lives]
    assert [(edge.relation, edge.seed) for edge in found[lives].edges] == [("entity", manager)]
