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
