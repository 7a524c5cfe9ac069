"""How a docstring is read as a conversation."""

from datetime import UTC, datetime

import pytest

from tests.memory.learning.knowledge import Fact, Learnt
from tests.memory.learning.transcript import Sitting, read


def said(sitting: Sitting) -> list[tuple[str, str]]:
    return [(turn.role, turn.content) for turn in sitting.turns]


def test_each_day_is_a_session_and_turns_are_a_minute_apart() -> None:
    first, second = read(
        """
        Ann has a dog.

        2026-01-03 user: I have a dog.
        2026-01-03 assistant: How nice!
        2026-03-09 user: He is called Rex.
        """
    )
    assert (first.session, said(first)) == ("2026-01-03", [("user", "I have a dog."), ("assistant", "How nice!")])
    assert [turn.at for turn in first.turns] == [datetime(2026, 1, 3, 12, minute, tzinfo=UTC) for minute in (0, 1)]
    assert (second.session, second.end) == ("2026-03-09", datetime(2026, 3, 9, 12, tzinfo=UTC))


def test_sessions_have_names_and_are_resumed() -> None:
    sittings = read(
        """
        2026-01-03 09:30 [work] user (Ann): Deploy it.
        2026-01-03 09:31 [home] user (Bob): Tea?
        2026-01-04 08:00 [work] user (Ann): Deployed.
        """
    )
    assert [(each.session, each.turns[0].speaker) for each in sittings] == [
        ("work", "Ann"),
        ("home", "Bob"),
        ("work", "Ann"),
    ]
    assert sittings[0].end == datetime(2026, 1, 3, 9, 30, tzinfo=UTC)


def test_indented_lines_continue_a_turn() -> None:
    (sitting,) = read(
        """
        2026-01-03 user: How we release is
            quite long:
            | 1. Tag: the commit.
            |
            | 2. Push.
        2026-01-03 assistant: Noted.
        """
    )
    release = "How we release is quite long:\n1. Tag: the commit.\n\n2. Push."
    assert said(sitting) == [("user", release), ("assistant", "Noted.")]


@pytest.mark.parametrize(
    "docstring",
    [
        "",
        "Ann has a dog.",
        "2026-01-03 user: Hello.\n2026-01-03 somebody: Hello.",
        "2026-01-03 user: Hello.\nAnd good bye.",
        "2026-13-03 user: Hello.",
    ],
)
def test_what_is_no_conversation_is_refused(docstring: str) -> None:
    with pytest.raises(ValueError, match=r"conversation|month"):
        read(docstring)


def fact(content: str, *, current: bool = True) -> Fact:
    moment = datetime(2026, 1, 3, tzinfo=UTC)
    return Fact(content, "semantic", "fact", None, 0.6, moment, None, (), ("I said so.",), current)


def test_what_is_known_is_asked_by_the_beginnings_of_words() -> None:
    learnt = Learnt((fact("The user's sister Ann lives in Leeds."), fact("The user lives in Porto.", current=False)))
    assert learnt.knows("sister", "leeds|york")
    assert learnt.knows("user", category="fact")
    assert not learnt.knows("user", category="instruction")
    assert not learnt.knows("ister")
    assert not learnt.knows("Porto")
    assert learnt.knew("Porto")
    assert learnt.the("Ann").sources == ("I said so.",)
    with pytest.raises(AssertionError, match="Leeds"):
        learnt.the("Berlin")


@pytest.mark.parametrize(
    "content", ["The user does not eat fish.", "The user doesn't eat fish.", "Fish: the user no longer eats any."]
)
def test_what_is_denied_is_not_claimed(content: str) -> None:
    learnt = Learnt((fact(content),))
    assert learnt.knows("fish")
    assert learnt.denies("fish")
    assert not learnt.claims("fish")
    assert not learnt.nothing
