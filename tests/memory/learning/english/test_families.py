"""Families told in one breath: who they are one by one, how old, and what of it all is kept."""

import pytest

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


async def test_what_matters_most_of_a_long_introduction(learnt: Learnt, memory: Memory) -> None:
    """
    2026-02-03 user: Hello! My name is Dorothea, call me Dot. I own a kayak, I play the oboe and I love chess. I'm based
        in Gdansk with my partner Ilya and our two sons, Milo (9) and Per (12).
    """
    profile = await memory.profile()
    assert profile.preferred_name
    assert profile.preferred_name.value == "Dot"
    assert profile.city
    assert profile.city.value == "Gdansk"
    assert learnt.knows("Dorothea")
    assert len(learnt.known) == 3


def test_health_before_leisure(learnt: Learnt) -> None:
    """
    2026-02-03 user: I collect stamps, I own a kayak, I work at Brill, I'm allergic to latex and I'm vegan.
    """
    assert learnt.claims("allergic to latex")
    assert learnt.claims("vegan")


def test_a_home_with_all_who_live_there(learnt: Learnt) -> None:
    """
    2026-02-03 user: I live in Turku with my husband Aki and our two kids, Saara (8) and Eino (3).
    2026-05-03 user: We moved to Oulu last week.
    """
    assert learnt.claims("lives in Oulu")
    assert not learnt.claims("lives in Turku")
    assert learnt.knew("Turku", "Aki", "Saara", "Eino")


@pytest.mark.parametrize(
    "words", [("kid Saara", "plays the harp"), ("daughter Ida", "allergic to nuts"), ("parent Gro", "lives in Bergen")]
)
def test_each_of_several(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-03 user: Our two kids, Saara (8) and Eino (3), are a handful.
    2026-02-03 user: Saara plays the harp.
    2026-02-04 user: My three daughters are called Ada, Ida and Una.
    2026-02-04 user: Ida is allergic to nuts.
    2026-02-05 user: My parents, Gro and Lars, own a bakery.
    2026-02-05 user: Gro lives in Bergen.
    """
    assert learnt.claims(*words)
    assert not learnt.knows("kids Saara")


def test_what_several_do(learnt: Learnt) -> None:
    """
    2026-02-03 user: My sisters Ana and Eva live in Porto.
    2026-02-03 user: Our twins, Pia and Kai, turn 5 in May.
    """
    assert learnt.claims("sisters Ana and Eva live in Porto")
    assert learnt.claims("twins Pia and Kai turn 5", "May 2026")


def test_how_old_they_are(learnt: Learnt) -> None:
    """
    2026-02-03 user: Our daughters Lina (3) and Maja (5) love dinosaurs.
    2026-02-03 user: My son Tim (9) is colour-blind.
    """
    assert learnt.claims("Lina is 3 years old")
    assert learnt.claims("Maja is 5 years old")
    assert learnt.claims("Tim is 9 years old")
    assert learnt.claims("Tim is colour-blind")


def test_families_that_are_none(learnt: Learnt) -> None:
    """
    2026-02-03 user: What should my kids Ada and Leo wear?
    2026-02-03 user: Imagine my twins Ann and Cid live on Mars.
    2026-02-04 user: If my parents Joe and Sue visit, we could go out.
    2026-02-04 user: The two files, Main (3) and Test (4), are huge.
    2026-02-05 user: My three wives, Ann, Bea and Cleo, live in my pocket lol
    2026-02-05 user: She said: "my daughters Mia and Zoe live in Rome with their two cats and a dog."
    """
    assert learnt.nothing


def test_a_name_and_an_age(learnt: Learnt) -> None:
    """
    2026-02-03 user: Hi, I'm Tilda, 34, and I work at Brill.
    """
    assert learnt.the("name is").content == "The user's name is Tilda."
    assert learnt.claims("34 years old")
    assert learnt.claims("works at Brill")
