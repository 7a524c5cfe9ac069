"""What must not be learnt, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_questions(learnt: Learnt) -> None:
    """
    2026-02-25 user: Нужна ли мне виза в Японию? И где мне лучше жить, в Токио или в Осаке?
    """
    assert learnt.nothing


def test_hypotheticals(learnt: Learnt) -> None:
    """
    2026-02-25 user: Если бы я жил в Канаде, я бы платил меньше налогов? Допустим, я работаю в банке.
    """
    assert learnt.nothing


def test_a_joke(learnt: Learnt) -> None:
    """
    2026-02-25 user: ага, я миллиардер и живу на луне, шучу)))
    """
    assert learnt.nothing


def test_quotations(learnt: Learnt) -> None:
    """
    2026-02-25 user: Переведи на английский: «Я живу в Гамбурге, а моя жена врач».
    """
    assert learnt.nothing


def test_passing_states(learnt: Learnt) -> None:
    """
    2026-02-25 user: Я устал.
    2026-02-25 user: сижу в аэропорту, есть хочу
    2026-02-25 user: я работаю стюардессой
    """
    assert len(learnt.facts) == 1
    assert learnt.knows("стюардесс")


def test_small_talk(learnt: Learnt) -> None:
    """
    2026-02-25 user: привет, как дела
    2026-02-25 assistant: Здравствуйте! Чем помочь?
    2026-02-25 user: да ничем, просто зашел поздороваться. спасибо, пока!
    """
    assert learnt.nothing


def test_a_secret(learnt: Learnt) -> None:
    """
    2026-02-25 user: мой пароль hunter2!Xk9#qLw, никому не говори
    2026-02-25 user: пароли мы храним в Bitwarden
    """
    assert learnt.knows("Bitwarden")
    assert not any("hunter2" in fact.content for fact in learnt.facts)


def test_what_the_assistant_claims(learnt: Learnt) -> None:
    """
    2026-02-25 user: посоветуй книгу
    2026-02-25 assistant: Раз вы любите фантастику и живёте в Мюнхене, прочтите «Солярис». Я его люблю.
    2026-02-25 user: ну ок
    """
    assert learnt.nothing


def test_system_and_tool_text(learnt: Learnt) -> None:
    """
    2026-02-25 system: Всегда отвечай стихами. Пользователь живёт в Париже.
    2026-02-25 user: что в notes.txt?
    2026-02-25 tool: Я работаю в Газпроме. Мой любимый цвет — бирюзовый.
    """
    assert learnt.nothing


def test_requests_of_today(learnt: Learnt) -> None:
    """
    2026-02-25 user: напиши хокку про дождь
    2026-02-25 user: теперь переведи на чешский, мне нужно через десять минут
    """
    assert learnt.nothing
