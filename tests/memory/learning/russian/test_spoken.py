"""The order and the words of talk, in Russian: pronouns behind what they go with, subjects that are left out."""

from tests.memory.learning.knowledge import Learnt


def test_who_does_it_stands_behind_it(learnt: Learnt) -> None:
    """
    2026-03-02 user: Тружусь я наладчиком, а в Псков перебрались мы с братом осенью
    """
    assert learnt.knows("работает|трудится", "наладчиком")
    assert learnt.knows("живёт в Пскове")


def test_whose_it_is_stands_behind_it(learnt: Learnt) -> None:
    """
    2026-03-02 user: Аллергия у меня на пенициллин. Дядя у меня в Елабуге живёт. Муж мой, Тимур, чинит лифты
    """
    assert learnt.knows("у пользователя аллергия на пенициллин")
    assert learnt.knows("дядя пользователя", "Елабуге")
    assert learnt.knows("Тимур", "чинит лифты")


def test_nobody_is_named_and_the_speaker_is_meant(learnt: Learnt) -> None:
    """
    2026-03-02 user: В декрете с января, что почитать?
    2026-03-02 user: Замужем, детей нет. Раздражает жирный шрифт
    2026-03-02 user: ушла из школы, теперь логопед
    """
    assert learnt.knows("пользователь в декрете")
    assert learnt.knows("пользователь замужем")
    assert learnt.knows("у пользователя нет детей")
    assert learnt.knows("пользователя раздражает жирный шрифт")
    assert learnt.knows("логопедом")


def test_a_mood_of_somebody_else_is_not_the_speakers(learnt: Learnt) -> None:
    """
    2026-03-02 user: Рита, которая из отдела, беременна. Врач в отпуске. Знаешь, что я заметил, ветер стих
    """
    assert not learnt.knows("пользователь", "беременна|врач|заметил")


def test_particles_say_nothing(learnt: Learnt) -> None:
    """
    2026-03-02 user: Устроился-таки в Газпром. А кто-то ещё ищет работу
    """
    assert learnt.knows("работает в Газпроме")
    assert not learnt.knows("ищет")


def test_where_one_came_to_live(learnt: Learnt) -> None:
    """
    2026-03-02 user: Нас с сестрой занесло в Архангельск, где тут купить снегоступы?
    2026-03-02 user: А друзья осели в Туапсе
    """
    assert learnt.knows("пользователь живёт в Архангельске")
    assert not learnt.knows("пользователь живёт", "Туапсе")


def test_a_journey_without_a_verb(learnt: Learnt) -> None:
    """
    2026-03-02 user: в июне мы на Камчатку, что брать из одежды?
    2026-03-02 user: В июне на Камчатке снег?
    """
    assert learnt.saying("пользователь едет", "июне 2026", "Камчатку")
    assert len(learnt.facts) == 1


def test_what_one_may_not_have(learnt: Learnt) -> None:
    """
    2026-03-02 user: Солёное мне нельзя. Сижу на кето
    2026-03-02 user: Нашли гастрит, врач запретил цитрусовые
    2026-03-02 user: Сижу на кухне. Мне сегодня нельзя опаздывать
    """
    assert learnt.knows("солёное пользователю нельзя")
    assert learnt.knows("пользователь на кето")
    assert learnt.knows("у пользователя гастрит")
    assert learnt.knows("запретил цитрусовые")
    assert not learnt.knows("кухне|опаздывать")


def test_what_one_always_does(learnt: Learnt) -> None:
    """
    2026-03-02 user: Всегда беру столик на веранде. Беру пиццу
    """
    assert learnt.knows("всегда берёт столик")
    assert not learnt.knows("пиццу")


def test_what_stands_beside_somebody_is_a_name_only_where_it_is_written_like_one(learnt: Learnt) -> None:
    """
    2026-03-02 user: Моя сестра, Оля, живёт в Казани. Мой кот, рыжий, любит рыбу.
    """
    assert learnt.knows("Оля", "Казан")
    assert not learnt.knows("кот", "рыжий любит")
