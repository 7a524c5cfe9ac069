"""What was planned is off, or at another time, told in passing; and homes and names as people put them right."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


def test_a_trip_that_is_off(learnt: Learnt) -> None:
    """
    2026-02-03 user: We're planning a trip to Malta in June.
    2026-02-04 user: We're going to Crete in August.
    2026-03-03 user: The Malta trip is off, we'll go to Sicily instead, around Noto.
    """
    assert learnt.claims("go to Sicily")
    assert learnt.claims("go to Crete")
    assert not learnt.claims("planning a trip to Malta")


def test_a_place_that_is_off(learnt: Learnt) -> None:
    """
    2026-02-03 user: We're flying to Lisbon in May.
    2026-03-03 user: Lisbon's off, sadly.
    """
    assert not learnt.claims("fly to Lisbon")


def test_the_dentist_called(learnt: Learnt) -> None:
    """
    2026-02-03 user: My dentist appointment is on 12 February at 10.
    2026-02-03 user: I have a vet appointment on 13 February.
    2026-02-10 user: Dentist called, it's moved to 19 February.
    2026-02-11 user: the vet is on 20 February now
    """
    assert learnt.the("dentist appointment", "19 February").day == date(2026, 2, 19)
    assert learnt.the("vet appointment", "20 February").day == date(2026, 2, 20)
    assert not learnt.claims("12 February")
    assert not learnt.claims("13 February")


def test_a_launch_that_was_pushed(learnt: Learnt) -> None:
    """
    2026-02-03 user: We plan to launch the app in March. My interview is on 3 March.
    2026-02-10 user: pushed the launch to May
    2026-02-10 user: The interview got moved to the 10th
    """
    assert learnt.claims("launch", "May 2026")
    assert not learnt.claims("March 2026", "launch")
    assert learnt.claims("interview", "10 February|10 March")


def test_what_is_off_but_was_not_planned(learnt: Learnt) -> None:
    """
    2026-02-03 user: We're flying to Lisbon in May. My dentist appointment is on 12 February.
    2026-02-04 user: the light is off
    2026-02-04 user: the meeting is off topic
    2026-02-04 user: My sister said she might call off the wedding
    2026-02-04 user: Is the Lisbon trip off?
    2026-02-04 user: My mom called, it's moved me to tears
    2026-02-04 user: if the dentist is on Friday now I'll cry
    """
    assert learnt.claims("fly to Lisbon")
    assert learnt.claims("dentist", "12 February")
    assert not learnt.knows("cancelled")
    assert not learnt.knows("tears")


def test_a_new_place(learnt: Learnt) -> None:
    """
    2026-01-08 user: I live in Leipzig.
    2026-02-08 user: we moved! new place is in Trier, Pallien. the old flat is gone
    """
    assert learnt.claims("lives in Trier")
    assert not learnt.claims("lives in Leipzig")


def test_back_at_the_parents(learnt: Learnt) -> None:
    """
    2026-01-08 user: I live in Leipzig.
    2026-02-08 user: moved back to my parents' in Husum
    """
    assert learnt.claims("lives in Husum")
    assert not learnt.claims("lives in Leipzig")


def test_moved_and_there_now(learnt: Learnt) -> None:
    """
    2026-01-08 user: I live in Leipzig.
    2026-02-08 user: Finally moved, we're in Hamburg now
    """
    assert learnt.claims("lives in Hamburg")
    assert not learnt.claims("lives in Leipzig")


def test_where_nobody_moved(learnt: Learnt) -> None:
    """
    2026-01-08 user: I live in Leipzig.
    2026-02-08 user: the new office is in Berlin
    2026-02-08 user: I'm in Munich now for a conference
    2026-02-08 user: my sister's new place is in Rome
    2026-02-08 user: We might move to Oslo
    2026-02-08 user: We moved the couch to the attic
    """
    assert learnt.claims("user lives in Leipzig")
    assert not learnt.claims("user lives in (?!Leipzig)")


def test_how_a_name_is_spelled(learnt: Learnt) -> None:
    """
    2026-01-08 user: My name is Stefan.
    2026-02-08 user: Actually my name is spelled Stephan, with ph
    """
    assert learnt.claims("name is Stephan")
    assert not learnt.knows("Stefan")


def test_who_has_the_allergy(learnt: Learnt) -> None:
    """
    2026-01-08 user: no wait, Jonas has the hazelnut allergy, I have a shellfish one.
    """
    assert learnt.claims("Jonas", "allergic to hazelnut")
    assert learnt.claims("user is allergic to shellfish")


def test_not_the_speaker_but_another(learnt: Learnt) -> None:
    """
    2026-01-08 user: I'm allergic to hazelnuts.
    2026-02-08 user: wait no, my son is allergic to hazelnuts, not me
    """
    assert learnt.claims("son is allergic to hazelnuts")
    assert not learnt.claims("user is allergic")


def test_a_name_without_a_letter(learnt: Learnt) -> None:
    """
    2026-01-08 user: My name is Kathrin.
    2026-01-08 user: It's Katrin without h
    """
    assert learnt.claims("name is Katrin")
    assert not learnt.knows("Kathrin")


def test_who_is_ill_does_not_put_right_who_is_away(learnt: Learnt) -> None:
    """
    2026-01-08 user: I'm on vacation from the 14th to the 21st of January.
    2026-01-08 user: no wait, Lena has the walnut allergy, I have a lobster one.
    """
    assert learnt.claims("user is allergic to lobster")
    assert learnt.claims("on vacation", "21 January 2026")
