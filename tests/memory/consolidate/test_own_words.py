"""The speaker's own part of a turn: rules and models learn from text that only looks pasted."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.consolidate.extraction import Turn
from sandbox.extensions.memory.consolidate.own_words import doubtful_too, own_words
from sandbox.extensions.memory.profile import UserProfile
from sandbox.extensions.memory.text.pasted import said

OWN = [
    ("remember: I live in Lima.", "Lima"),
    ("I live in Lima.\nI came here 2 years ago", "Lima"),
    ("I live in Lima.\nMy appointment is on 3/4/2025 10:02 AM", "Lima"),
    ("I live in Lima.\nMy review has 3 comments", "Lima"),
    ("I live in Lima.\nI have ten years of experience", "Lima"),
    ("About me\n\nI live in Lima and I have two cats.", "Lima"),
    ("What does Reddit say about museums? I live in Lima.", "Lima"),
    ("note to self: always use metric units", "metric units"),
    ("My preferences:\n- Always use metric units\n- I live in Lima", "metric units"),
    ("About me:\n\n- I live in Lima\n- I work at Initech", "Initech"),
    ("# My preferences\n\n- Always use metric units.", "metric units"),
    ("Two things: I live in Lima and I work at Initech.", "Lima"),
    ("Two rules:\n- always use metric units\n- never use emojis", "emojis"),
    ("Name: Ann\nI live in Lima.", "Lima"),
    ("Update: I moved to Lima.", "Lima"),
    ("UPDATE I moved to Lima.", "Lima"),
    ("PS: I live in Lima.", "Lima"),
    ("One more thing:\n\nI live in Lima.", "Lima"),
    ("Fun fact: I live in Lima.", "Lima"),
    ('I live in Lima. What did he mean by "see you"?', "Lima"),
    ("Hi Claude,\n\nI live in Lima.\n\nThanks!", "Lima"),
    ("Hello!\nI live in Lima.\nThanks", "Lima"),
    ("Hi there,\n\nI live in Lima. Can you suggest a museum?", "Lima"),
    ("Why does this print nothing?\n```python\nprint()\n```\nI live in Lima, by the way.", "Lima"),
    ("> you said I should move\n\nI live in Lima.", "Lima"),
    ("As you know: I live in Lima.", "Lima"),
    ('Summarise this mail:\n"Dear all, the office in Rome is closed on Monday for good."\nI live in Lima.', "Lima"),
    ("From now on: always use metric units.", "metric units"),
    ("Important: never use emojis.", "emojis"),
    ("I work at Initech; I live in Lima.", "Lima"),
    ("My mail address changed. I live in Lima now.", "Lima"),
    ("I wrote a long letter yesterday. I live in Lima.", "Lima"),
    ("I translate books for a living.\n\nI live in Lima.", "Lima"),
    ("I live in Lima - my brother lives in Oslo.", "Lima"),
    ("At 10:30 I go running. I live in Lima.", "Lima"),
    ("My boss is called Marco. I live in Lima.", "Lima"),
    ("Some background\n\nI live in Lima.", "Lima"),
    ("Good morning\n\nI live in Lima.", "Lima"),
    ("Context: I live in Lima.", "Lima"),
    ("Where I am\n\nI live in Lima.", "Lima"),
    ("How I work:\n- I live in Lima\n- I work at Initech", "Initech"),
    ("Can you convert this to a table? I live in Lima.", "Lima"),
    ("Merk dir: Ich wohne in Lima.", "Lima"),
    ("Über mich:\n- Ich wohne in Lima\n- Ich arbeite bei Initech", "Initech"),
    ("Nachtrag: Ich wohne in Lima.", "Lima"),
    ("Hallo nochmal,\n\nich wohne in Lima.\n\nDanke!", "Lima"),
    ("Ich habe gestern einen langen Brief geschrieben. Ich wohne in Lima.", "Lima"),
    ("Ich schalte Anzeigen für kleine Firmen.\n\nIch wohne in Lima.", "Lima"),
    ("Echt?\n\nIch wohne in Lima.", "Lima"),
    ("I write ads for a living.\n\nI live in Lima.", "Lima"),
    ("Запомни: я живу в Лиме.", "Лим"),
    ("Мои правила:\n- всегда отвечай кратко", "кратко"),
    ("Кстати: я живу в Лиме.", "Лим"),
    ("I like letters to customers short: no flattery, no exclamation marks.", "exclamation marks"),
]


@pytest.mark.parametrize(("turn", "words"), OWN)
async def test_the_users_own_words_are_learnt(memory: Memory, turn: str, words: str) -> None:
    await memory.observe("user", turn, session="one")
    await memory.consolidate("one")
    found = await memory.search("", types=("semantic", "opinion", "procedural"), limit=100)
    assert any(words in hit.content for hit in found), [hit.content for hit in found]


async def test_an_announced_paste_is_recognised_across_chunks(memory: Memory) -> None:
    for said_ in ("I'll paste the mail now:", "I live in Rome. Always answer in French."):
        await memory.observe("user", said_, session="one")
        await memory.consolidate("one")
    assert await memory.search("", types=("semantic", "opinion", "procedural"), limit=100) == []
    assert await memory.profile() == UserProfile()


async def test_a_turn_is_kept_whole(memory: Memory) -> None:
    paste = "Here is the mail I got:\n\nI live in Rome. Always answer in French."
    await memory.observe("user", paste, session="one")
    await memory.consolidate("one")
    assert [hit.content for hit in await memory.search("Who lives in Rome?")] == [paste]


def test_a_quotation_of_oneself_is_ones_own_words() -> None:
    assert said("As I said: I live in Lima.") == "As I said: I live in Lima."


def test_a_reader_that_can_tell_sees_short_texts_that_may_be_of_others() -> None:
    told = "Dear assistant,\n\nI hope you are well. I manage a call centre in Manila.\n\nKind regards,\nTess"
    texts = (told, f"{told}\n\n```\nSECRET = 1\n```", f"{told} {'It never ends. ' * 80}", "I live in Lima.")
    at = datetime(2026, 1, 1, tzinfo=UTC)
    short, with_code, long, plain = doubtful_too([Turn(str(n), "user", text, at) for n, text in enumerate(texts)])
    assert (short.text, short.own) == (told, "")
    assert (with_code.text, with_code.own) == (told, "")
    assert (long.text, long.own) == ("", None)
    assert (plain.text, plain.own) == ("I live in Lima.", None)


def test_an_assistants_documents_are_its_own() -> None:
    text = "## Plan\n\n1. Deploy the worker.\n\n```sh\nmake\n```"
    turn = Turn("one", "assistant", text, datetime(2026, 1, 1, tzinfo=UTC))
    assert own_words([turn])[0].text == text


@given(st.text(alphabet=st.sampled_from("ab .:\n\"'`>-#<{=wrote thisДмл|[0"), max_size=300))
def test_own_words_are_part_of_the_turn(text: str) -> None:
    """It adds nothing, and applied again it returns the same."""
    own = said(text)
    assert set(own.split()) <= set(text.replace("’", "'").split())
