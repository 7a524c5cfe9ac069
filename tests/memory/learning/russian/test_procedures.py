"""How something is done, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_steps_in_a_list(learnt: Learnt) -> None:
    """
    2026-02-05 user: Мы релизим так:
        | 1. Поднять версию в pyproject.toml.
        | 2. Поставить тег.
        | 3. Запустить make publish.
    """
    known = " ".join(fact.content for fact in learnt.known if fact.type == "procedural")
    assert "верси" in known
    assert known.index("верси") < known.index("publish")


def test_a_command_for_a_purpose(learnt: Learnt) -> None:
    """
    2026-02-05 user: Чтобы запустить тесты, сначала подними docker compose, а потом вызови make itest.
    """
    steps = learnt.the("docker compose", "make itest")
    assert steps.type == "procedural"
