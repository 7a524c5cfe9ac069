"""Each of the four strategies finds what the others do not."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from sandbox.extensions.memory import Hit, Memory, Message, Scope
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.model import GraphPath
from sandbox.extensions.memory.store import entities
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.testing import FakeClock
from tests.memory.conftest import Join, NodeId
from tests.memory.hits import contents


def leg(hits: Sequence[Hit], content: str) -> dict[str, int]:
    """The strategies that found a memory, with its ranks."""
    return dict(next(hit.legs for hit in hits if hit.content == content))


async def converse(memory: Memory, session: str, *turns: str, asker: str = "Ann", answerer: str = "Bob") -> None:
    """Turns of two people, one after the other."""
    await memory.observe_many(
        Message("user", turn, session, speaker=answerer if index % 2 else asker) for index, turn in enumerate(turns)
    )


# --- words --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("The staging server listens on port 5432.", "which port does the staging server use?"),
        ("Я переехала в Берлин в марте.", "когда ты переехал в Берлин?"),
        ("昨日は東京タワーに行きました。", "東京タワー"),
        ("서울에서 친구를 만났어요.", "서울 친구"),
        ("We renamed getUserName to fetchUser.", "user name function"),
        ("Das Meeting ist in Zürich.", "ZÜRICH"),
        ("Call fetch_user_profile first", "profile of the user"),
        ("ＡＢＣ１２３ is the model", "abc123"),
    ],
)
async def test_words_are_found_in_any_script_and_form(memory: Memory, said: str, asked: str) -> None:
    await memory.observe("user", said)
    await memory.observe("user", "Something else entirely, about gardening.")
    (hit,) = await memory.search(asked)
    assert (hit.content, hit.legs["fts"]) == (said, 1)


# --- vectors ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("a dog destroyed footwear", "The puppy chewed my shoes."),
        ("vehicle problems", "Our car broke down on the motorway."),
        ("musical instrument", "I bought a violin."),
    ],
)
async def test_vectors_find_a_paraphrase_that_shares_no_word(embedded: Memory, question: str, found: str) -> None:
    for content in ("The puppy chewed my shoes.", "Our car broke down on the motorway.", "I bought a violin."):
        await embedded.observe("user", content)
    await embedded.wait_until_embedded()
    hits = await embedded.search(question)
    assert (hits[0].content, hits[0].edges) == (found, ())
    assert leg(hits, found) == {"vector": 1}
    assert {hit.edges for hit in await embedded.search("")} == {()}


async def test_a_frequent_name_does_not_hide_the_answer(embedded: Memory) -> None:
    """Rare words of a question weigh more; only the name is common to the question and the turns."""
    for place in range(40):
        await embedded.observe("user", f"Caroline said hello to number {place}.", session=f"s{place}")
    await embedded.observe("user", "A violin is the instrument.", session="other")
    await embedded.wait_until_embedded()
    hits = await embedded.search("Which music does Caroline play on a cello?", limit=50)
    assert [hit.content for hit in hits if hit.legs.get("vector") == 1] == ["A violin is the instrument."]


# --- the graph ----------------------------------------------------------------------------------------------------


async def test_why_questions_follow_causes(memory: Memory, join: Join) -> None:
    """The night found the second turn to be the cause of the first, and the third to be the cause of the second."""
    effect = await memory.observe("user", "The deployment failed on Friday.")
    cause = await memory.observe("user", "Somebody had rotated the certificates.")
    root = await memory.observe("user", "A disk had filled up.")
    await join(cause, effect, "causal")
    await join(root, cause, "causal")
    hits = await memory.search("why did the deployment fail?")
    assert leg(hits, "Somebody had rotated the certificates.") == {"graph": 1}
    assert leg(hits, "A disk had filled up.") == {"graph": 2}
    assert [hit.edges for hit in hits] == [(), (GraphPath("causal", effect),), (GraphPath("causal", effect, 2),)]
    assert contents(await memory.search("deployment failed")) == ["The deployment failed on Friday."]


async def test_when_questions_follow_neighbouring_turns(memory: Memory) -> None:
    await converse(memory, "s", "We finally booked the ferry.", "Nice, nice.", "Yes indeed.", "And then, tell me.",
                   "It leaves on the second of July.")  # fmt: skip
    date = "It leaves on the second of July."
    assert "graph" in leg(await memory.search("when, and how did we book the ferry? where to?"), date)
    assert date not in contents(await memory.search("booked ferry tickets"))


async def test_edges_to_invisible_memories_are_not_followed(memory: Memory, join: Join) -> None:
    effect = await memory.observe("user", "The deployment failed on Friday.")
    cause = await memory.observe("user", "Somebody had rotated the certificates.")
    await join(cause, effect, "causal")
    await memory.forget(cause)
    hits = await memory.search("why did the deployment fail?")
    assert contents(hits) == ["The deployment failed on Friday."]


async def test_a_named_entity_brings_its_linked_memories(memory: Memory, store: Store, node_id: NodeId) -> None:
    """Learning found that the second turn speaks of her."""
    await memory.observe("user", "Hello there everyone.", speaker="Ann")
    allergy = await node_id(await memory.observe("user", "She is allergic to peanuts."))

    def mention(tx: Transaction) -> None:
        ann = entities.resolve(tx, "Ann", "person", 0, Scope())
        entities.link_all(tx, {ann: {allergy: 0}}, "mentions")

    await store.write(mention)
    hits = await memory.search("what should Ann not eat?")
    assert leg(hits, "She is allergic to peanuts.") == {"entity": 1}
    assert "She is allergic to peanuts." not in contents(await memory.search("Ann, eating"))


# --- evidence flows -----------------------------------------------------------------------------------------------


async def test_a_session_that_matches_as_a_whole_lifts_its_turns(memory: Memory) -> None:
    """Two sessions contain the same turn; all of the second is about Porto."""
    await memory.observe("user", "We liked the bridge.", session="elsewhere")
    await memory.observe("user", "We liked the bridge.", session="porto")
    for turn in ("Porto was warm.", "In Porto we ate fish.", "I miss Porto."):
        await memory.observe("user", turn, session="porto")
    hits = [hit for hit in await memory.search("did we like the bridge in Porto?") if "bridge" in hit.content]
    assert [hit.session for hit in hits] == ["porto", "elsewhere"]


@pytest.mark.parametrize(
    ("speaker", "question"),
    [
        ("Ann", "Ann: the budget"),
        ("Анна", "мнение Анны: budget"),
        ("Jean-Luc", "Jean-Luc: the budget"),
        ("O'Brien", "O'Brien: the budget"),
        ("D'Angelo", "D'Angelo: the budget"),
        ("Will", "Will: the budget"),
        ("李小龙", "李小龙: the budget"),
    ],
)
async def test_naming_a_person_lifts_their_turns(memory: Memory, folder: Path, speaker: str, question: str) -> None:
    """Their turn hardly matches the words; another person's turn matches all of them."""
    await memory.observe("user", f"{'walls, roof, floor, door, ' * 2} budget", speaker=speaker, session="one")
    called = {"李小龙": "李小"}.get(speaker, speaker)  # the whole name has two rare terms
    await memory.observe("user", f"{called} wants a budget.", speaker="Zoe", session="two")
    assert (await memory.search(question))[0].speaker == speaker
    async with Memory.open(folder, embedder=None, config=Config.load(without=["speaker"])) as bare:
        assert (await bare.search(question))[0].speaker == "Zoe"


# --- the answer as a whole ----------------------------------------------------------------------------------------


async def test_a_hit_says_everything_about_a_turn(memory: Memory, clock: FakeClock) -> None:
    when = clock() - timedelta(days=3)
    id = await memory.observe("user", "I moved to Berlin.", session="s1", at=when, speaker="Ann", key="m-1")
    (hit,) = await memory.search("Berlin")
    assert hit == Hit(
        id=id,
        key="m-1",
        content="I moved to Berlin.",
        type="episodic",
        category=None,
        score=hit.score,
        event_time=when,
        confidence=1.0,
        session="s1",
        speaker="Ann",
        legs={"fts": 1},
        role="user",
        valid_from=when,
        terms=("berlin",),
    )
    assert hit.score > 0


async def test_a_hit_says_everything_about_knowledge(memory: Memory, clock: FakeClock) -> None:
    id = await memory.remember(
        "Ann prefers tea.",
        type="opinion",
        category="preference",
        subject="Ann",
        tags=["drinks"],
        source="inferred",
        key="k",
    )
    clock.advance(days=1)
    (hit,) = await memory.search("tea")
    assert (hit.id, hit.key, hit.type, hit.category) == (id, "k", "opinion", "preference")
    assert (hit.subject, hit.tags, hit.version, hit.retired_by) == ("Ann", ("drinks",), 1, None)
    assert hit.confidence == pytest.approx(0.7 * 2.718281828**-0.1)


async def test_the_same_question_gives_the_same_answer(embedded: Memory) -> None:
    for index in range(60):
        await embedded.observe(
            "user", f"We talked about violins, cellos and lesson {index % 7}.", session=f"s{index % 5}"
        )
    await embedded.wait_until_embedded()
    answers = [await embedded.search("which violin lesson?", limit=30, reinforce=False) for _ in range(4)]
    assert all(answer == answers[0] for answer in answers)


async def test_an_empty_memory_finds_nothing(memory: Memory) -> None:
    assert await memory.search("anything at all") == []
    assert await memory.search("") == []
    assert await memory.context("anything at all") is None
