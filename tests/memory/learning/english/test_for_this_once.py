"""What is asked of one answer, beside a piece of work or in a part that is played, is no standing wish."""

from tests.memory.learning.knowledge import Learnt


def test_the_form_of_a_piece_of_work(learnt: Learnt) -> None:
    """
    2026-02-02 user: Write a product description for our oak desk. Use warm, emotional language and no jargon.
    """
    assert learnt.nothing


def test_a_table_of_what_is_wanted(learnt: Learnt) -> None:
    """
    2026-02-02 user: List the ten largest lakes of Finland. Do not put several lakes in one row, use short sentences.
    """
    assert learnt.nothing


def test_a_part_to_play(learnt: Learnt) -> None:
    """
    2026-02-02 user: I want you to act as a grumpy librarian. Always reply in one sentence. Never use emojis. My first
      sentence is: hello
    """
    assert learnt.nothing


def test_pretending(learnt: Learnt) -> None:
    """
    2026-02-02 user: Pretend you are a chef on television. You love your work and always explain
      things in simple language.
    """
    assert learnt.nothing


def test_the_answer_that_is_wanted_now(learnt: Learnt) -> None:
    """
    2026-02-02 user: Limit your response to "ok" if you understood.
    """
    assert learnt.nothing


def test_what_a_figure_of_a_story_must_be(learnt: Learnt) -> None:
    """
    2026-02-02 user: The imperial admiral must be calm, and respects the council as much as she can.
    """
    assert not learnt.knows(category="instruction")


def test_what_one_should_do_oneself(learnt: Learnt) -> None:
    """
    2026-02-02 user: But I'm not sure which other hashtags I should be using.
    """
    assert not learnt.knows(category="instruction")


def test_for_good_beside_a_piece_of_work(learnt: Learnt) -> None:
    """
    2026-02-02 user: Write a product description for our oak desk. And from now on use British spelling.
    """
    assert learnt.knows("British spelling", category="instruction")


def test_answers_as_such_beside_a_piece_of_work(learnt: Learnt) -> None:
    """
    2026-02-02 user: Explain the difference between a mutex and a semaphore. Keep your answers short, please.
    """
    assert learnt.knows("short", category="instruction")


def test_a_manner_on_its_own(learnt: Learnt) -> None:
    """
    2026-02-02 user: Please use metric units.
    """
    assert learnt.knows("metric", category="instruction")


def test_another_wish_ends_none_that_it_does_not_name(learnt: Learnt) -> None:
    """
    2026-02-02 user: never push to main directly
    2026-02-02 user: no emojis please
    """
    assert learnt.knows("never push to main", category="instruction")
    assert learnt.knows("never use emojis", category="instruction")
    assert not learnt.past


def test_what_is_put_right_is_no_wish(learnt: Learnt) -> None:
    """
    2026-02-02 user: no wait, spaces, 4.
    2026-02-02 user: no, 4 spaces.
    2026-02-02 user: no thanks, spaces are fine
    2026-02-02 user: no worries, bullet points work.
    """
    assert not learnt.knows(category="instruction")


def test_what_is_not_needed_now(learnt: Learnt) -> None:
    """
    2026-02-02 user: always explain your code
    2026-02-03 user: no need to explain
    2026-02-03 user: no need to apologise
    """
    assert learnt.knows("always explain", category="instruction")
    assert not learnt.knows("never", category="instruction")
    assert not learnt.past


def test_what_is_no_longer_needed(learnt: Learnt) -> None:
    """
    2026-02-02 user: always answer in tables
    2026-02-02 user: never use emojis
    2026-02-03 user: forget what I said about tables
    2026-02-03 user: you can use emojis again
    """
    assert learnt.knew("answer in tables")
    assert learnt.knew("never use emojis")
