"""What is said twice, and sessions that go on."""

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


def test_said_twice_is_known_once(learnt: Learnt) -> None:
    """
    2026-01-18 user: I'm allergic to penicillin.
    2026-02-18 user: I'm allergic to penicillin.
    """
    assert len(learnt.the("penicillin").sources) == 2
    assert len(learnt.reports[1].merged) == 1
    assert not learnt.reports[1].learnt


def test_said_twice_in_other_words(learnt: Learnt) -> None:
    """
    2026-01-18 user: I live in Ostrava.
    2026-02-18 user: as you know i live in ostrava, so nothing with beaches
    """
    assert len(learnt.saying("Ostrava")) == 1


def test_said_twice_in_one_session(learnt: Learnt) -> None:
    """
    2026-01-18 user: My wife's name is Ines.
    2026-01-18 assistant: What a lovely name.
    2026-01-18 user: right, my wife's name is Ines
    """
    assert len(learnt.saying("wife", "Ines")) == 1


def test_a_resumed_session_is_read_on(learnt: Learnt) -> None:
    """
    2026-01-18 09:00 [kitchen] user: We have an induction stove.
    2026-01-19 09:00 [garden] user: Our garden is 40 square meters.
    2026-01-20 09:00 [kitchen] user: Our oven is from Bosch.
    """
    assert [len(report.learnt) for report in learnt.reports] == [1, 1, 1]
    assert learnt.knows("induction")
    assert learnt.knows("40")
    assert learnt.knows("Bosch")


async def test_read_again_nothing_is_new(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-18 user: I work at a bakery and my hobby is climbing.
    """
    again = await memory.consolidate("2026-01-18")
    assert (again.learnt, again.merged, again.replaced) == ((), (), ())
    assert learnt.knows("bakery")


def test_the_sources_of_what_is_learnt(learnt: Learnt) -> None:
    """
    2026-01-18 user: Morning! Could you proofread this?
    2026-01-18 assistant: Of course.
    2026-01-18 user: By the way I play the cello in an amateur orchestra.
    2026-01-18 user: Here is the text.
    """
    assert learnt.the("cello").sources == ("By the way I play the cello in an amateur orchestra.",)


def test_alike_and_yet_two(learnt: Learnt) -> None:
    """
    2026-01-18 user: My son plays the violin.
    2026-01-19 user: My daughter plays the violin.
    """
    assert learnt.knows("son", "violin")
    assert learnt.knows("daughter", "violin")
