"""How scenarios of learning are counted."""

from benchmarks.learning_scenarios import NOT_YET, Outcome, not_yet, table

OUTCOMES = (
    Outcome("english/test_moves::test_a_home", needs_model=False, right=True),
    Outcome("english/test_moves::test_a_move", needs_model=False, right=False),
    Outcome("english/test_jobs::test_irony", needs_model=True, right=False),
    Outcome("russian/test_moves::test_a_home", needs_model=False, right=True),
)


def test_shares_by_topic_and_language() -> None:
    assert list(table(OUTCOMES))[2:] == [
        "| moves | 1 of 2 (50%) | 1 of 1 (100%) |",
        "| **all of these** | 1 of 2 (50%) | 1 of 1 (100%) |",
        "| needs a model | 0 of 1 (0%) |  |",
    ]


def test_the_list_names_what_rules_are_to_get_right() -> None:
    assert NOT_YET.exists()
    assert list(not_yet(OUTCOMES)) == ["english/test_moves::test_a_move"]
    assert all(not_yet(OUTCOMES).values())
