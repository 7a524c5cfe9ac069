"""How likely a block holds the answer, and when there is no block for that reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.assemble.confidence import Signs

SHARE = st.floats(0, 1)
SIGNS = st.builds(Signs, near=SHARE, shared=SHARE, known=SHARE, named=SHARE, who=st.floats(-1, 1))


async def sure(memory: Memory, question: str) -> float:
    """The confidence of a block."""
    block = await memory.context(question, reinforce=False)
    return 0.0 if block is None else block.confidence


async def converse(memory: Memory, *turns: tuple[str, str]) -> None:
    """Turns of several people, each in a session of its own."""
    await memory.observe_many(
        Message("user", content, f"s{place}", speaker=speaker) for place, (speaker, content) in enumerate(turns)
    )


@given(SIGNS, st.sampled_from(["near", "shared", "known", "named", "who"]), SHARE)
def test_a_stronger_sign_never_lowers_confidence(signs: Signs, name: str, more: float) -> None:
    raised = signs._replace(**{name: min(1.0, getattr(signs, name) + more)})
    assert 0 < signs.confidence <= raised.confidence < 1


async def test_an_answer_has_more_confidence_than_a_guess(memory: Memory) -> None:
    await memory.remember("Ann lives in Berlin.")
    assert await sure(memory, "does Ann own a helicopter company?") < 0.5
    assert await sure(memory, "does Ann live in Berlin?") > 0.7


async def test_an_unknown_name_lowers_confidence(embedded: Memory) -> None:
    await converse(embedded, ("Ann", "I bought an iPhone at the Holiday Market."), ("Ann", "The weather is fine."))
    await embedded.wait_until_embedded()
    said, unsaid = [await sure(embedded, f"Where did I buy my {what}?") for what in ("iPhone", "Kindle")]
    assert unsaid < said


async def test_a_name_missing_from_the_results_lowers_confidence(memory: Memory) -> None:
    """In small letters it is an ordinary word."""
    await memory.remember("Ann lives in Berlin.")
    assert await sure(memory, "does Ann live in Potsdam?") < await sure(memory, "does Ann live in potsdam?")


@pytest.mark.parametrize("is_said", [True, False])
async def test_the_word_of_another_person_lowers_confidence(memory: Memory, *, is_said: bool) -> None:
    told = (("Bob", "Ran the charity race in May."), ("Ann", "Painted the garden wall."))
    if is_said:
        await converse(memory, *told)
    else:
        for person, fact in told:
            await memory.remember(fact, subject=person)
    hers, his = [await sure(memory, f"When did {name} run the charity race?") for name in ("Ann", "Bob")]
    assert hers < 0.5 < his


async def test_a_question_of_stop_words_gives_no_confidence(embedded: Memory) -> None:
    await embedded.observe("user", "What is it?")
    await embedded.wait_until_embedded()
    assert await sure(embedded, "who is it then?") == 0
