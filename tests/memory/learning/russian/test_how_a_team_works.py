"""Tools, ways and orders as a team writes them: without capitals, with what is meant first."""

import pytest

from tests.memory.learning.knowledge import Learnt


def test_a_tool_and_how_it_is_run(learnt: Learnt) -> None:
    """
    2026-03-02 user: у нас форматтер prettier, а не biome. запускаем его через npm run fmt
    """
    assert learnt.claims("(?:.*)форматтер prettier")
    assert learnt.claims("Команда пользователя запускает prettier через npm run fmt")
    assert not learnt.claims("(?:.*)biome")


@pytest.mark.parametrize("tool", ["pytest", "pnpm", "alembic", "ArgoCD", "Zustand", "python 3.12"])
def test_tools_in_lower_case(learnt: Learnt, tool: str) -> None:
    """
    2026-03-02 user: у нас тесты на pytest, а не на unittest
    2026-03-02 user: менеджер пакетов pnpm, а не npm
    2026-03-02 user: миграции делаем через alembic
    2026-03-02 user: деплой через ArgoCD, не через Jenkins
    2026-03-02 user: мы отказались от Redux, теперь Zustand
    2026-03-02 user: у нас python 3.12
    """
    assert learnt.claims(f"(?:.*){tool}")
    assert not learnt.claims("(?:.*)(?:unittest|Jenkins|(?<!p)npm)")


def test_what_a_team_never_does(learnt: Learnt) -> None:
    """
    2026-03-02 user: точки с запятой не ставим
    2026-03-02 user: логи не понимаем
    2026-03-02 user: делаем ремонт на даче
    """
    assert learnt.denies("Команда пользователя", "(?:.*)точки с запятой")
    assert not learnt.knows("(?:.*)(?:ремонт|понима)")


def test_orders_with_their_object_first(learnt: Learnt) -> None:
    """
    2026-03-02 user: цены указывай в рублях
    2026-03-02 user: сообщения коммитов пиши на английском
    2026-03-02 user: хоррор не предлагай
    2026-03-02 user: ответы давай списком
    2026-03-02 user: если я прошу перевод, давай примеры
    """
    assert learnt.knows("(?:.*)указывать цены в рублях", category="instruction")
    assert learnt.claims("(?:.*)писать сообщения коммитов на английском")
    assert learnt.denies("(?:.*)предлагать хоррор")
    assert learnt.claims("(?:.*)давать ответы списком")
    assert learnt.claims("(?:.*)давать примеры, когда")


def test_orders_for_once(learnt: Learnt) -> None:
    """
    2026-03-02 user: письмо отправь завтра
    2026-03-02 user: код проверь
    2026-03-02 user: билет забронируй на пятницу
    2026-03-02 user: посуду помой
    """
    assert not learnt.facts


def test_another_place_the_same_trade(learnt: Learnt) -> None:
    """
    2026-01-03 user: я работаю логопедом в детской поликлинике
    2026-03-09 user: ушла я из этой поликлиники
    2026-03-09 user: теперь работаю в лицее, тоже логопедом
    """
    assert learnt.claims("Пользователь работает логопедом")
    assert learnt.claims("Пользователь работает в лицее")
    assert not learnt.claims("(?:.*)работает в детской поликлинике")
