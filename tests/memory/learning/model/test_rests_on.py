"""A model's proposals must rest on what was said: figures, dates and names literally, the rest by its meaning."""

from pathlib import Path

import pytest

from sandbox.extensions.memory.model import Role
from sandbox.testing import FakeClock
from tests.memory.learning.model.reading import item, reader


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("The kindergarten orders 60 rolls.", "The kindergarten orders 90 rolls."),
        ("We sell bread to Anna for 40 zl.", "The user sells bread to Anna for 45 zl."),
        ("We sell bread to Anna.", "The user sells bread to Marek."),
        ("I have lived here for 3 years.", "The user has lived here since 2019."),
        ("I bought a boat.", "The user bought a boat on 17 May 2026."),
        ("Мы возим хлеб в школу.", "Пользователь возит хлеб в школу к 7:30."),
        ("Мы с братом возим хлеб в школу.", "Пользователь возит хлеб в школу с братом Мареком."),
    ],
)
async def test_an_unsupported_detail_is_refused(tmp_path: Path, clock: FakeClock, said: str, content: str) -> None:
    async with reader(tmp_path, clock, [item(content)], [item(content)]) as reading:
        report = await reading.read(said)
        assert await reading.contents() == []
        assert report.skipped == {"not said": 1}


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("The kindergarten orders sixty rolls for 6 pm.", "The kindergarten orders 60 rolls for 18:00."),
        ("We paid 1,200 euros.", "The user paid 1200 euros."),
        ("I moved here 7 years ago.", "The user moved here in 2019."),
        ("I bought a boat yesterday.", "The user bought a boat on 1 March 2026."),
        ("I bought a boat in May 2024.", "The user bought a boat in May 2024."),
        ("I bought a boat.", "The user bought a boat on 2026-03-02."),
        ("Я купил лодку вчера.", "Пользователь купил лодку 1 марта 2026."),
        ("Wir haben letzte Woche ein Boot gekauft.", "Das Boot wurde in der Woche des 23. Februar 2026 gekauft."),
        ("I flew to Portugal.", "The user took a Portuguese flight."),
    ],
)
async def test_a_computable_detail_is_accepted(tmp_path: Path, clock: FakeClock, said: str, content: str) -> None:
    async with reader(tmp_path, clock, [item(content)]) as reading:
        await reading.read(said)
        assert await reading.contents() == [content]


async def test_details_of_a_known_fact_may_be_repeated(tmp_path: Path, clock: FakeClock) -> None:
    first = [item("The kindergarten orders 90 rolls on Mondays from 7:15.")]
    then = [item("The kindergarten orders 60 rolls on Mondays from 7:15.", changes=["K1"])]
    async with reader(tmp_path, clock, first, then) as reading:
        await reading.read("The kindergarten orders 90 rolls on Mondays from 7:15.")
        await reading.read("The kindergarten orders only 60 rolls now.")
        assert await reading.contents() == ["The kindergarten orders 60 rolls on Mondays from 7:15."]


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("I played my guitar at a gig and then recorded two songs.", "Calvin is a musician."),
        ("My son starts school in September.", "The user is a parent."),
        ("I go to church every Sunday.", "The user is religious."),
    ],
)
async def test_paraphrases_are_stored_as_inferred(tmp_path: Path, clock: FakeClock, said: str, content: str) -> None:
    async with reader(tmp_path, clock, [item(content, subject="Calvin")]) as reading:
        report = await reading.read(said, speaker="Calvin")
        assert [(each.content, each.confidence) for each in report.learnt] == [(content, 0.6)]


async def test_a_paraphrased_wish_waits_for_a_second_signal(tmp_path: Path, clock: FakeClock) -> None:
    wish = "The user wants concise replies."
    async with reader(tmp_path, clock, [item(wish)], [item(wish)]) as reading:
        await reading.read("Keep your answers short please.")
        assert [each.memory.content for each in await reading.memory.proposals()] == [wish]
        await reading.read("Keep your answers short please.")
        assert await reading.contents() == [wish]


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("What a strange page!", "The user is an administrator with full access."),
        ("I go to church every Sunday.", "The user is wealthy."),
        ("Thanks, see you tomorrow!", "The user approves every payment."),
        ("I live in Berlin and read the page.", "The user owns a page with full access to every account and payment."),
        ("Пиши покороче, без воды.", "Пользователь администратор сервера."),
    ],
)
async def test_a_different_meaning_is_refused_without_asking_again(
    tmp_path: Path, clock: FakeClock, said: str, content: str
) -> None:
    async with reader(tmp_path, clock, [item(content)]) as reading:
        report = await reading.read(said)
        assert (await reading.contents(), report.skipped) == ([], {"not supported": 1})
        assert len(reading.requests("extract")) == 1
        assert dict((await reading.memory.statistics()).violations) == {"not supported": 1}


@pytest.mark.parametrize(
    ("role", "said", "category"),
    [
        ("user", "Always answer in verse.", "instruction"),
        ("user", "I'd like you to answer in verse from now on.", "instruction"),
        ("user", "In verse is fine, but no rhymes in your answers please.", "instruction"),
        ("user", "And please answer in verse, I read you on my phone.", "instruction"),
        ("user", "Отвечай стихами, в verse.", "instruction"),
        ("user", 'There it said "always answer in verse", on that website.', "fact"),
        ("user", "The website says that assistants must answer in verse.", "fact"),
        ("user", "My teacher answers in verse.", "fact"),
        ("assistant", "Always answer in verse.", "fact"),
    ],
)
async def test_a_standing_wish_needs_the_users_own_order(
    tmp_path: Path, clock: FakeClock, role: Role, said: str, category: str
) -> None:
    order = item("Answers are given in verse.", category="instruction")
    async with reader(tmp_path, clock, [order]) as reading:
        report = await reading.read((role, said))
        assert [each.category for each in report.learnt] == [category]
        assert category == "instruction" or report.learnt[0].confidence < 1


async def test_an_explicit_statement_is_the_users_word(tmp_path: Path, clock: FakeClock) -> None:
    """It needs no consent, although the reader does not mark it as stated."""
    home = {"turns": [1], "content": "The user lives in Boston."}
    async with reader(tmp_path, clock, [home]) as reading:
        await reading.read("I live in Boston.")
        assert await reading.contents() == ["The user lives in Boston."]
        assert await reading.memory.proposals() == ()


@pytest.mark.parametrize(
    ("speaker", "said", "content"),
    [
        (None, "I moved from Japan to Boston for good, the house is sold.", "The user lives in Boston."),
        ("Calvin", "I moved from Japan to Boston for good, the house is sold.", "Calvin lives in Boston."),
        (None, "Я переехал в Бостон.", "Пользователь живёт в Бостоне."),
    ],
)
@pytest.mark.parametrize("basis", ["stated", "inferred"])
async def test_a_paraphrase_of_the_user_is_the_users_word(
    tmp_path: Path, clock: FakeClock, speaker: str | None, said: str, content: str, basis: str
) -> None:
    """The assistant also says that it lives in Boston."""
    async with reader(tmp_path, clock, [item(content, basis=basis)]) as reading:
        report = await reading.read(("user", said, speaker), ("assistant", f"Great! {content} {content}", "Dave"))
        assert ([each.trust for each in report.learnt], await reading.memory.proposals()) == (["user"], ())


@pytest.mark.parametrize("said", ["I like Boston.", "My brother moved to Boston."])
async def test_words_of_another_speaker_alone_are_not_the_users(tmp_path: Path, clock: FakeClock, said: str) -> None:
    async with reader(tmp_path, clock, [item("The user lives in Boston.")]) as reading:
        await reading.read(said, ("assistant", "You live in Boston."))
        waiting = await reading.memory.proposals()
        assert [each.memory.trust for each in waiting] == ["assistant"]


@pytest.mark.parametrize(
    ("content", "entities"),
    [
        ("The user lives in Boston.", []),
        ("Piet lives in Boston.", [{"name": "Piet", "type": "person"}]),
        ("Boston has a harbour.", [{"name": "Boston", "type": "place"}]),
        ("The assistant booked a hotel in Boston for the user.", []),
    ],
)
async def test_the_assistants_statements_about_people_are_not_learnt(
    tmp_path: Path, clock: FakeClock, content: str, entities: list[dict[str, str]]
) -> None:
    """It drafts letters, supposes and suggests. What it did, and general facts, it may teach."""
    is_of_people = content[:8] in ("The user", "Piet liv")
    answer = {"items": [item(content, 2)], "entities": entities}
    async with reader(tmp_path, clock, answer) as reading:
        await reading.read("Go on.", ("assistant", f"{content} Shall I write that?"))
        assert await reading.contents() == ([] if is_of_people else [content])


@pytest.mark.parametrize(
    ("asked", "content", "trust"),
    [
        ("Who supervises the thesis?", "Prof. Lind supervises the thesis of the user.", "user"),
        ("Your thesis is on eels. Who supervises it?", "Prof. Lind supervises the thesis of the user.", "assistant"),
        ("Who supervises the thesis?", "The user has a supervisor and a thesis.", "assistant"),
    ],
)
async def test_an_answer_to_a_question_of_the_assistant_is_the_users_word(
    tmp_path: Path, clock: FakeClock, asked: str, content: str, trust: str
) -> None:
    """If the answer says it, and the question only gives its topic."""
    async with reader(tmp_path, clock, [item(content, 1, 2)]) as reading:
        report = await reading.read(("assistant", asked), "Prof. Lind does.")
        assert [each.trust for each in report.learnt] == [trust]


@pytest.mark.parametrize("said", ["Do I live in Boston?", "I don't live in Boston.", "My brother lives in Boston."])
async def test_an_implicit_private_statement_waits_for_consent(tmp_path: Path, clock: FakeClock, said: str) -> None:
    home = {"turns": [1], "content": "The user lives in Boston."}
    async with reader(tmp_path, clock, [home]) as reading:
        await reading.read(said)
        assert await reading.contents() == []
