"""Projects, tools and conventions, as told to coding assistants, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_where_it_runs(learnt: Learnt) -> None:
    """
    2026-02-10 user: мы деплоим через Fly, почему падает healthcheck?
    """
    assert learnt.knows("Fly")
    assert not learnt.knows("почему|healthcheck")


def test_a_database_with_its_version(learnt: Learnt) -> None:
    """
    2026-02-10 user: На стейджинге у нас Postgres 16.
    """
    assert learnt.knows("стейдж", "Postgres 16")


def test_a_tool_that_was_given_up(learnt: Learnt) -> None:
    """
    2026-02-10 user: Мы используем Jenkins для CI.
    2026-03-01 user: Мы больше не используем Jenkins, перешли на GitHub Actions.
    """
    assert learnt.knows("GitHub Actions")
    assert not learnt.claims("использ", "Jenkins")


def test_a_stack(learnt: Learnt) -> None:
    """
    2026-02-10 user: Пишу приложение для бронирования, называется Кулик. Бэкенд на Go, фронт на Svelte.
    """
    assert learnt.knows("Кулик")
    assert learnt.knows(r"Go\b")
    assert learnt.knows("Svelte")
