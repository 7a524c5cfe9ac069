"""Wishes for good in few words, without a verb; and requests that are about one answer only."""

import pytest

from tests.memory.learning.knowledge import Learnt


@pytest.mark.parametrize(
    "words",
    [
        ("always", "shorter replies"),
        ("always", "snippets in Kotlin"),
        ("always", "prices in francs"),
        ("always", "less jargon"),
        ("never", "disclaimers"),
        ("always", "more detailed"),
        ("never", "bullet points"),
        ("always", "British spelling"),
    ],
)
def test_wishes_without_a_verb(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-03 user: Shorter replies please, from now on
    2026-02-03 user: And code snippets in Kotlin, not Java.
    2026-02-03 user: prices in francs, please
    2026-02-04 user: less jargon please
    2026-02-04 user: No need for disclaimers.
    2026-02-04 user: more detailed going forward, please
    2026-02-05 user: Would you mind not using bullet points?
    2026-02-05 user: Could you please use British spelling from now on?
    """
    assert learnt.knows(*words, category="instruction")


def test_for_one_answer_only(learnt: Learnt) -> None:
    """
    2026-02-03 user: Can you show me this in Kotlin?
    2026-02-03 user: This reply in French please
    2026-02-03 user: Shorter please
    2026-02-04 user: Temperatures in Oslo please
    2026-02-04 user: No sugar in the dough please
    2026-02-04 user: What about snippets in Kotlin, not Java?
    2026-02-05 user: Examples in the book are wrong
    2026-02-05 user: no problem, thanks
    """
    assert learnt.nothing
