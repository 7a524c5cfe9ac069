"""What an assistant shall always, or never, do, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_always(learnt: Learnt) -> None:
    """
    2026-02-02 user: Всегда отвечай на русском, пожалуйста.
    """
    assert learnt.knows("русск", category="instruction")


def test_from_now_on(learnt: Learnt) -> None:
    """
    2026-02-02 user: слишком длинно. впредь пиши не больше пяти предложений
    """
    assert learnt.knows("пяти предложений", category="instruction")


def test_never(learnt: Learnt) -> None:
    """
    2026-02-02 user: Никогда не пушь напрямую в main.
    """
    wish = learnt.the("main")
    assert wish.category == "instruction"
    assert wish.denies


def test_no_emojis(learnt: Learnt) -> None:
    """
    2026-02-02 user: Спасибо. И больше никогда не используй эмодзи.
    """
    assert learnt.denies("эмодзи")
    assert learnt.knows("эмодзи", category="instruction")


def test_a_request_of_today(learnt: Learnt) -> None:
    """
    2026-02-02 user: на этот раз ответь по-французски
    2026-02-02 user: сделай покороче
    """
    assert not any(fact.category == "instruction" for fact in learnt.facts)
