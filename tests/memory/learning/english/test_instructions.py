"""What an assistant shall always, or never, do."""

from tests.memory.learning.knowledge import Learnt


def test_always(learnt: Learnt) -> None:
    """
    2026-02-02 user: Always answer in British English please.
    """
    assert learnt.knows("British English", category="instruction")


def test_from_now_on(learnt: Learnt) -> None:
    """
    2026-02-02 user: too long. from now on keep your answers under five sentences
    2026-02-02 assistant: Will do.
    """
    assert learnt.knows("five sentences", category="instruction")


def test_never(learnt: Learnt) -> None:
    """
    2026-02-02 user: Never push directly to main.
    """
    wish = learnt.the("main")
    assert wish.category == "instruction"
    assert wish.denies


def test_please_do_not_ever_again(learnt: Learnt) -> None:
    """
    2026-02-02 user: Great, thanks. And please don't use emojis in your replies, ever.
    """
    assert learnt.knows("emoji", category="instruction")
    assert learnt.denies("emoji")


def test_remember_to(learnt: Learnt) -> None:
    """
    2026-02-02 user: Remember that I need invoices in PDF, not Word.
    """
    assert learnt.knows("invoice", "PDF")


def test_whenever(learnt: Learnt) -> None:
    """
    2026-02-02 user: whenever you write SQL for me, use lowercase keywords
    """
    assert learnt.knows("SQL", "lower-?case", category="instruction")


def test_two_wishes_at_once(learnt: Learnt) -> None:
    """
    2026-02-02 user: Two rules for this project: always write type hints, and never use print for logging.
    """
    assert learnt.knows("type hints", category="instruction")
    assert learnt.knows("print", category="instruction")


def test_a_wish_that_is_revoked(learnt: Learnt) -> None:
    """
    2026-02-02 user: Always answer in French.
    2026-03-02 user: You no longer need to answer in French.
    """
    assert not learnt.claims("(?:always|answers?|respond|repl)", "French")
    assert learnt.knew("French")


def test_a_wish_that_takes_the_place_of_another(learnt: Learnt) -> None:
    """
    2026-02-02 user: From now on, use tabs for indentation.
    2026-03-02 user: From now on use spaces for indentation instead of tabs.
    """
    assert learnt.knows("spaces", category="instruction")
    assert not learnt.claims("tabs")


def test_a_request_of_today_is_no_standing_wish(learnt: Learnt) -> None:
    """
    2026-02-02 user: Answer in French this time, the mail goes to Pierre.
    2026-02-02 user: make it shorter
    """
    assert not any(fact.category == "instruction" for fact in learnt.facts)
