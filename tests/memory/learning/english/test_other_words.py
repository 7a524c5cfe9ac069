"""The same things said in other words, typed small, beside something else, or in one breath."""

from datetime import date

import pytest

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


def test_a_name_inside_a_phrase(learnt: Learnt) -> None:
    """
    2026-02-03 user: We foster a whippet called Juniper who howls at sirens.
    """
    assert learnt.claims("whippet", "Juniper")


async def test_whom_a_request_takes_for_granted(learnt: Learnt, memory: Memory) -> None:
    """
    2026-02-03 user: I need a birthday card for my cousin Ottoline, who restores globes.
    """
    assert learnt.claims("Ottoline", "globes")
    assert (await memory.entity("Ottoline")).mentions
    assert not learnt.knows("card")


def test_a_relative_without_a_name(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm picking a restaurant for an evening with my husband.
    """
    assert learnt.claims("husband")


def test_somebody_elses_animal(learnt: Learnt) -> None:
    """
    2026-02-04 user: Gideon's dog Moss is afraid of lifts.
    """
    assert learnt.claims("Gideon", "Moss", "lifts")


def test_a_son_and_a_daughter(learnt: Learnt) -> None:
    """
    2026-02-04 user: I have a son, Anselm, and a daughter, Petra.
    """
    assert learnt.claims("son", "Anselm")
    assert learnt.claims("daughter", "Petra")


def test_steps_in_a_line(learnt: Learnt) -> None:
    """
    2026-02-05 user: To prove the dough: knead it, cover the bowl, then leave it for an hour.
    """
    assert learnt.the("dough", "knead", "cover").type == "procedural"


def test_steps_told_before_what_they_are_for(learnt: Learnt) -> None:
    """
    2026-02-05 user: First we freeze the branch, then run the smoke tests, and finally ship; that's how we release.
    """
    assert learnt.the("release", "freeze", "smoke").type == "procedural"


def test_numbered_steps_in_a_line(learnt: Learnt) -> None:
    """
    2026-02-05 user: Steps to descale the kettle: 1) fill it with vinegar 2) boil it twice 3) rinse it well
    """
    assert learnt.the("kettle", "vinegar", "rinse").type == "procedural"


@pytest.mark.parametrize(
    ("what", "how"),
    [("ferry", "rather"), ("slate", "prefer"), ("ska", "not like"), ("marzipan", "cannot stand|not like")],
)
def test_tastes(learnt: Learnt, what: str, how: str) -> None:
    """
    2026-02-06 user: I'd rather take the ferry than drive. Slate over tin, any day of the week.
    2026-02-06 user: Ska isn't my thing. I can't abide marzipan.
    """
    assert learnt.knows(what, how)


def test_something_one_enjoys(learnt: Learnt) -> None:
    """
    2026-02-06 user: I could listen to fado all night.
    """
    assert learnt.claims("loves?", "fado")


def test_never_liked(learnt: Learnt) -> None:
    """
    2026-02-06 user: I've never cared for opera.
    """
    assert learnt.denies("opera")
    assert not learnt.claims("likes? opera")


def test_how_long_ago(learnt: Learnt) -> None:
    """
    2026-03-20 user: My goddaughter Ines was born four days ago.
    """
    assert learnt.the("Ines", "born").day == date(2026, 3, 16)


def test_since_a_year(learnt: Learnt) -> None:
    """
    2026-03-20 user: I've been married for six years and I haven't smoked since 2019.
    """
    assert learnt.claims("married", "2020")
    assert learnt.denies("smoked", "2019")


def test_living_somewhere_since(learnt: Learnt) -> None:
    """
    2026-03-20 user: I've been living in Tartu since 2014.
    """
    assert learnt.the("Tartu").day.year == 2014


def test_two_words_for_the_same(learnt: Learnt) -> None:
    """
    2026-03-01 user: I'm a diabetic.
    2026-03-05 user: As a diabetic, I always read the labels.
    2026-03-09 user: I am diabetic.
    """
    assert len(learnt.saying("diabetic")) == 1


@pytest.mark.parametrize("address", [r"mila@example\.org", r"\+44 20 7946 0777", "quiet_heron"])
def test_where_to_reach_somebody(learnt: Learnt, address: str) -> None:
    """
    2026-03-01 user: You can reach me at mila@example.org.
    2026-03-02 user: Feel free to text me on +44 20 7946 0777.
    2026-03-03 user: You can find me on GitHub as quiet_heron.
    """
    assert learnt.knows(address)


@pytest.mark.parametrize(
    "words",
    [
        ("runs? a", "cheese"),
        ("CTO",),
        ("freight team",),
        ("law", "living"),
        ("29 years old",),
        ("roof",),
        ("night shifts",),
    ],
)
def test_work(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-03-01 user: I run a small cheese shop in Delft.
    2026-03-02 user: My sister is the CTO of a bank.
    2026-03-03 user: I'm on the freight team.
    2026-03-04 user: I do patent law for a living.
    2026-03-05 user: I'm a 29-year-old roofer from Split.
    2026-03-06 user: My brother works night shifts.
    """
    assert learnt.claims(*words)


def test_a_verb_of_no_table(learnt: Learnt) -> None:
    """
    2026-03-07 user: My uncle Fritz repairs church organs and I engrave glass.
    """
    assert learnt.claims("Fritz", "organs")
    assert learnt.claims("engraves? glass")


def test_a_pronoun_in_the_next_turn(learnt: Learnt) -> None:
    """
    2026-03-08 user: My physio is called Renske.
    2026-03-08 assistant: Noted.
    2026-03-08 user: She works in Haarlem.
    """
    assert learnt.claims("Renske", "Haarlem")


def test_typed_small(learnt: Learnt) -> None:
    """
    2026-03-08 user: my brother piet lives in oslo and i speak dutch
    """
    assert learnt.knows("brother Piet", "Oslo")
    assert learnt.knows("Dutch")


def test_several_facts_in_one_breath(learnt: Learnt) -> None:
    """
    2026-03-09 user: Morning! The train was late again. Anyway, I'm 41, live in Gent and work as a luthier.
    """
    assert learnt.claims("41")
    assert learnt.claims("Gent")
    assert learnt.claims("luthier")
    assert not learnt.knows("train")


def test_what_somebody_is_before_what_they_want(learnt: Learnt) -> None:
    """
    2026-03-09 user: As a vegetarian living in Braga, I'd like some ideas for tonight.
    """
    assert learnt.claims("vegetarian")
    assert learnt.claims("lives in Braga")
    assert not learnt.knows("ideas")


@pytest.mark.parametrize(
    "words",
    [("branch", "stable"), ("backups", "Wasabi"), ("linter", "oxlint"), ("releases", "tagged"), ("two approvals",)],
)
def test_a_project(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-03-10 user: Our default branch is stable. Backups go to Wasabi.
    2026-03-11 user: Our linter is oxlint. Releases are tagged by the bot every Friday.
    2026-03-12 user: Pull requests need two approvals.
    """
    assert learnt.claims(*words)


def test_how_a_project_is_just_now(learnt: Learnt) -> None:
    """
    2026-03-10 user: The build is broken, the tests are failing and the staging server is slow today.
    """
    assert learnt.nothing


@pytest.mark.parametrize(
    "words", [("blunt",), ("never", "disclaimers|skip"), ("prices", "round"), ("never", "flatter"), ("subject line",)]
)
def test_wishes_without_a_word_for_always(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-03-11 user: Be blunt with me.
    2026-03-11 user: Never use disclaimers.
    2026-03-11 user: Round prices to full euros.
    2026-03-11 user: Don't flatter me.
    2026-03-11 user: When you draft a mail, suggest a subject line.
    """
    assert learnt.knows(*words)


def test_wishes_for_once(learnt: Learnt) -> None:
    """
    2026-03-11 user: Don't delete the file. Convert 5 miles to kilometres. Write tests for the parser.
    2026-03-11 user: Explain the second paragraph again, and be careful.
    """
    assert learnt.nothing


def test_what_everyone_calls_somebody(learnt: Learnt) -> None:
    """
    2026-03-12 user: I'm Bartholomew, but everyone calls me Bart.
    """
    assert learnt.claims("Bartholomew")
    assert learnt.claims("goes by|called", "Bart")


async def test_a_grandmother_with_another_name(learnt: Learnt, memory: Memory) -> None:
    """
    2026-03-12 user: We call our grandmother Wilhelmina Mina.
    2026-03-13 user: Mina lives in Bruges.
    """
    assert learnt.claims("Bruges")
    assert (await memory.entity("Wilhelmina")).id == (await memory.entity("Mina")).id


def test_two_of_one_name(learnt: Learnt) -> None:
    """
    2026-03-13 user: My cousin Mats lives in Bergen and Mats from accounting lives in Narvik.
    """
    assert learnt.claims("cousin Mats", "Bergen")
    assert learnt.claims("Mats from accounting", "Narvik")
    assert not learnt.knows("cousin", "Narvik")


def test_two_who_talk_to_each_other(learnt: Learnt) -> None:
    """
    2026-03-14 user (Sanne): I'm so happy to tell you I adopted this cute pony last Saturday!
    2026-03-14 user (Ruben): Lovely! Mine would be jealous, I have an Arabian called Sirocco.
    """
    assert learnt.the("Sanne", "pony").day == date(2026, 3, 7)
    assert learnt.claims("Ruben", "Sirocco")
    assert not learnt.knows("Ruben", "pony")


def test_what_was_done_once(learnt: Learnt) -> None:
    """
    2026-03-14 user (Sanne): I roasted some nuts and shared stories by the fire. I had a quiet evening.
    2026-03-14 user (Ruben): Sounds good. I tidied my shelf and took a walk.
    """
    assert learnt.nothing


def test_the_moment(learnt: Learnt) -> None:
    """
    2026-03-15 user: I keep getting the same error. I feel weird about it, and I need a coffee.
    2026-03-15 user: I just opened the file, pressed save and restarted the editor.
    """
    assert learnt.nothing
