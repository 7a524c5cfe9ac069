"""Statements about who the user is that the user did not make wait for consent."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import NoProposal, NotCurrent, SecretRefused
from sandbox.extensions.memory.profile import UserProfile
from sandbox.testing import FakeClock
from tests.files import bytes_of
from tests.memory.hits import city, text_of
from tests.memory.learning.scripts import item, learns, scripted

CITY = "The user lives in Potsdam."


async def concluded(memory: Memory, content: str = CITY, **more: Any) -> str:
    return await memory.remember(content, **{"source": "inferred", **more})


async def test_a_conclusion_is_believed_once_approved(memory: Memory) -> None:
    berlin = await memory.remember("The user lives in Berlin.")
    id = await concluded(memory)
    (waits,) = await memory.proposals()
    assert (waits.memory.id, waits.memory.content, waits.fields) == (id, CITY, ("city",))
    assert [each.id for each in waits.instead_of] == [berlin]
    assert await city(memory) == "Berlin"
    for history in (False, True):
        assert [hit.content for hit in await memory.search("Potsdam", history=history)] == []
    assert "Potsdam" not in str(await memory.context("Where does the user live?"))
    assert await memory.approve(id) == id
    assert await city(memory) == "Potsdam"
    record = (await memory.explain(id)).memory
    assert (record.trust, record.confidence, record.retired_by) == ("confirmed", 1.0, None)
    assert (await memory.explain(berlin)).memory.valid_until is not None
    happened = [each.event for each in (await memory.explain(id)).changes]
    assert happened[:4] == ["created", "proposed", "approved", "created"]
    assert await memory.proposals() == ()
    with pytest.raises(NoProposal):
        await memory.approve(id)


@pytest.mark.parametrize(
    "content",
    [
        "The user wants to be called Ana.",
        "The user's pronouns are they/them.",
        "The user is allergic to nuts.",
        "The user is Catholic.",
        CITY,
    ],
)
@pytest.mark.parametrize("trust", ["assistant", "tool", "web"])
async def test_words_of_others_about_the_user_wait(memory: Memory, content: str, trust: Any) -> None:
    id = await memory.remember(content, trust=trust)
    assert [each.memory.id for each in await memory.proposals()] == [id]
    assert await memory.search("", history=True) == []
    assert await memory.profile() == UserProfile()


@pytest.mark.parametrize(
    "content",
    ["Ann lives in Potsdam.", "The user owns a boat.", "The user bakes bread on Sundays.", "Bob is allergic to nuts."],
)
async def test_facts_about_others_and_public_facts_do_not_wait(memory: Memory, content: str) -> None:
    id = await concluded(memory, content, trust="assistant")
    assert await memory.proposals() == ()
    assert [hit.id for hit in await memory.search("")] == [id]


async def test_explicit_words_of_the_user_do_not_wait(memory: Memory) -> None:
    await memory.observe("user", "Please call me Ana.", session="s")
    await memory.observe("user", "I live in Potsdam and I am allergic to nuts.", session="s")
    await memory.consolidate("s")
    profile = await memory.profile()
    assert profile.preferred_name is not None
    assert (profile.preferred_name.value, await city(memory)) == ("Ana", "Potsdam")
    assert await memory.proposals() == ()


async def test_a_person_can_edit_a_proposal(memory: Memory) -> None:
    id = await concluded(memory)
    with pytest.raises(SecretRefused):
        await memory.approve(id, content="my password: tomato-Ladder-42")
    await memory.approve(id, content="The user lives in Werder.")
    assert await city(memory) == "Werder"
    assert [hit.content for hit in await memory.search("Werder Potsdam")] == ["The user lives in Werder."]


async def test_a_rejected_proposal_is_not_proposed_again(memory: Memory) -> None:
    id = await concluded(memory)
    await memory.reject(id)
    assert await concluded(memory) == id
    assert await memory.proposals() == ()
    assert await city(memory) is None
    assert await memory.search("Potsdam", history=True) == []
    await memory.remember(CITY)
    assert await city(memory) == "Potsdam"


async def test_only_approval_makes_a_proposal_believed(memory: Memory) -> None:
    id = await concluded(memory)
    for change in (memory.restore, memory.confirm, memory.pin, memory.forget):
        with pytest.raises(NotCurrent, match="only a person approves"):
            await change(id)
    with pytest.raises(NotCurrent, match="only a person approves"):
        await memory.correct(id, "The user lives in Werder.")
    assert await concluded(memory) == id
    assert await city(memory) is None
    assert len(await memory.proposals()) == 1


async def test_an_undecided_proposal_is_deleted_after_a_week(memory: Memory, folder: Path, clock: FakeClock) -> None:
    id = await concluded(memory, "The user lives in Xylograd.")
    clock.advance(days=6)
    await memory.maintain(only=["retain"])
    assert len(await memory.proposals()) == 1
    clock.advance(days=1)
    assert await memory.proposals() == ()
    with pytest.raises(NoProposal):
        await memory.approve(id)
    await memory.maintain(only=["retain"])
    assert b"xylograd" not in bytes_of(folder)


async def test_a_proposal_is_announced_once_without_content(memory: Memory) -> None:
    id = await concluded(memory)
    block = text_of(await memory.context("Hello"))
    assert f"Wait for the user's yes or no: {id}. `memory proposals`" in block
    assert "Potsdam" not in block
    assert await memory.context("Hello") is None


async def test_proposals_are_separate_by_user_and_project(memory: Memory) -> None:
    private = Scope("ann", project_id="site", visibility="project")
    id = await concluded(memory, scope=private)
    assert await memory.proposals() == ()
    assert await memory.proposals(scope=Scope("ann")) == ()
    for scope in (Scope(), Scope("ann"), Scope("bob", project_id="site")):
        with pytest.raises(NoProposal):
            await memory.approve(id, scope=scope)
        with pytest.raises(NoProposal):
            await memory.reject(id, scope=scope)
    assert [each.memory.id for each in await memory.proposals(scope=private)] == [id]
    await memory.approve(id, scope=private)
    assert (await memory.explain(id, scope=private)).memory.retired_by is None
    assert await memory.search("Potsdam", scope=Scope("ann")) == []


async def test_a_form_of_address_is_believed_at_the_second_signal(memory: Memory) -> None:
    tone = "The user prefers short answers."
    id = await concluded(memory, tone, scope=Scope(session_id="one"))
    assert await concluded(memory, tone, scope=Scope(session_id="one")) == id
    assert (await memory.profile()).tone == ()
    assert await memory.context("Hello") is None
    assert await concluded(memory, tone, scope=Scope(session_id="two")) == id
    assert [each.id for each in (await memory.profile()).tone] == [id]
    assert await memory.proposals() == ()


async def test_conclusions_of_a_model_wait(folder: Path, clock: FakeClock) -> None:
    told = item(CITY, 1, category="person", basis="inferred", claims=[["user", "home", "Potsdam"]])
    model = scripted(learns(told))
    async with Memory.open(folder, embedder=None, clock=clock, model=model) as memory:
        await memory.observe("user", "The tram in Potsdam was late again this morning.", session="s")
        report = await memory.consolidate("s")
        assert report.learnt == ()
        assert [each.memory.content for each in await memory.proposals()] == [CITY]


@pytest.mark.parametrize(("category", "told"), [("event", "2022"), ("fact", None)])
async def test_an_approved_event_keeps_its_year(
    folder: Path, clock: FakeClock, category: str, told: str | None
) -> None:
    """Anything else is true from the moment when it is approved."""
    learnt = item("The user was in hospital in 2022.", 1, category=category, basis="inferred", event_date="2022")
    settings = {"consent": {category: "ask"}}
    async with Memory.open(
        folder, config=settings, embedder=None, clock=clock, model=scripted(learns(learnt))
    ) as memory:
        await memory.observe("user", "In 2022 I was in hospital, I think.", session="s")
        await memory.consolidate("s")
        (waits,) = await memory.proposals()
        assert waits.memory.told == "2022"
        record = (await memory.explain(await memory.approve(waits.memory.id))).memory
        assert (record.told, record.event_time.year) == (told, 2022 if told else clock().year)


@pytest.mark.settings(consent={"city": "never", "project": "ask"})
async def test_consent_is_a_setting(memory: Memory) -> None:
    await concluded(memory)
    assert await memory.proposals() == ()
    id = await concluded(memory, "The site runs on port 8080.", category="project")
    assert [each.memory.id for each in await memory.proposals()] == [id]
