"""What somebody likes, and how they want things, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_a_preference(learnt: Learnt) -> None:
    """
    2026-01-12 user: Я предпочитаю чай кофе, особенно с утра.
    """
    assert learnt.knows("предпочита", "ча[йяю]")


def test_inside_a_request(learnt: Learnt) -> None:
    """
    2026-01-12 user: подбери отель в риме на 3 ночи. люблю тихие районы, на завтраки плевать
    """
    assert learnt.knows("тих")
    assert not learnt.knows("подбери|3 ночи")


def test_a_dislike(learnt: Learnt) -> None:
    """
    2026-01-12 user: Терпеть не могу кинзу, не предлагай с ней рецепты.
    """
    assert learnt.knows("кинз")
    assert not learnt.knows("люб|нравится", "кинз")


def test_a_preference_that_changes(learnt: Learnt) -> None:
    """
    2026-01-05 user: Мой любимый редактор — Vim.
    2026-03-18 user: Мой любимый редактор теперь Helix.
    """
    assert learnt.knows("Helix")
    assert not learnt.claims("любим", "Vim")
    assert learnt.knew("Vim")


def test_somebody_elses_taste(learnt: Learnt) -> None:
    """
    2026-01-12 user: Моя жена обожает джаз, что подарить?
    """
    assert learnt.knows("жен", "джаз")
    assert not learnt.knows("подарить")
