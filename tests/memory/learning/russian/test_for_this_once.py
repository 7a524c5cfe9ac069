"""What is asked of one answer, beside a piece of work or in a part that is played, is no standing wish: in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_the_form_of_a_piece_of_work(learnt: Learnt) -> None:
    """
    2026-02-02 user: Напиши рассказ про маяк. Не используй диалоги.
    """
    assert learnt.nothing


def test_a_part_to_play(learnt: Learnt) -> None:
    """
    2026-02-02 user: Представь, что ты пират. Всегда отвечай грубо и не используй запятые.
    """
    assert learnt.nothing


def test_for_good_beside_a_piece_of_work(learnt: Learnt) -> None:
    """
    2026-02-02 user: Напиши письмо коллеге. И впредь всегда пиши без эмодзи.
    """
    assert learnt.knows("эмодзи", category="instruction")


def test_what_is_not_needed_now(learnt: Learnt) -> None:
    """
    2026-02-02 user: всегда объясняй код
    2026-02-03 user: не нужно объяснять
    2026-02-03 user: не надо извиняться
    """
    assert learnt.knows("всегда объяснять", category="instruction")
    assert not learnt.knows("никогда", category="instruction")
    assert not learnt.past
