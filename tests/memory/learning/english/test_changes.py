"""Changes told in other words than what they end."""

from tests.memory.learning.knowledge import Learnt


def test_what_was_dropped_for_another(learnt: Learnt) -> None:
    """
    2026-02-03 user: Our backend uses MySQL.
    2026-03-03 user: We dropped MySQL in favour of Postgres.
    """
    assert learnt.knows("Postgres")
    assert not learnt.claims("uses? MySQL")


def test_a_site_that_moved(learnt: Learnt) -> None:
    """
    2026-02-03 user: The website is hosted on Heroku.
    2026-03-03 user: We've moved the website from Heroku to Render.
    """
    assert learnt.knows("Render")
    assert not learnt.claims("on Heroku")


def test_from_one_tool_to_another(learnt: Learnt) -> None:
    """
    2026-02-03 user: Our project uses Jenkins for CI.
    2026-03-03 user: We migrated from Jenkins to GitHub Actions.
    """
    assert learnt.knows("GitHub Actions")
    assert not learnt.claims("uses? Jenkins")


def test_a_subscription_that_was_cancelled(learnt: Learnt) -> None:
    """
    2026-02-03 user: I use Spotify.
    2026-03-03 user: I cancelled my Spotify subscription last week.
    """
    assert not learnt.claims("uses? Spotify")


def test_a_car_that_was_sold(learnt: Learnt) -> None:
    """
    2026-02-03 user: I drive a Ford Fiesta.
    2026-03-03 user: I sold the Fiesta and bought a Skoda.
    """
    assert learnt.knows("Skoda")
    assert not learnt.claims("drives? .*Fiesta")


def test_one_instead_of_another(learnt: Learnt) -> None:
    """
    2026-02-03 user: We build with Webpack.
    2026-03-03 user: Instead of Webpack we use Vite now.
    """
    assert learnt.knows("Vite")
    assert not learnt.claims("Webpack")


def test_what_was_got_rid_of(learnt: Learnt) -> None:
    """
    2026-02-03 user: I use Dropbox for backups.
    2026-03-03 user: I got rid of Dropbox.
    """
    assert not learnt.claims("uses Dropbox")


def test_what_was_given_away(learnt: Learnt) -> None:
    """
    2026-02-03 user: I own a piano.
    2026-03-03 user: I gave away the piano.
    """
    assert not learnt.claims("owns a piano")


def test_a_relative_who_moved(learnt: Learnt) -> None:
    """
    2026-02-03 user: My brother lives in Prague.
    2026-03-03 user: My brother has relocated to Vienna.
    """
    assert learnt.knows("brother", "Vienna")
    assert not learnt.claims("brother", "Prague")


def test_parents_who_moved(learnt: Learnt) -> None:
    """
    2026-02-03 user: My parents live in Cardiff.
    2026-03-03 user: My parents have moved to Swansea.
    """
    assert learnt.knows("Swansea")
    assert not learnt.claims("Cardiff")


def test_a_move_of_last_month(learnt: Learnt) -> None:
    """
    2026-02-03 user: I live in Turin. I work in Milan.
    2026-03-03 user: I moved to Genoa last month.
    """
    assert learnt.knows("Genoa")
    assert not learnt.claims("lives in Turin")
    assert learnt.claims("Milan")


def test_who_moves_moves_alone(learnt: Learnt) -> None:
    """
    2026-02-03 user: My sister lives in Porto.
    2026-03-03 user: I moved to Berlin.
    """
    assert learnt.claims("sister", "Porto")
    assert learnt.knows("Berlin")


def test_laid_off(learnt: Learnt) -> None:
    """
    2026-02-03 user: I work at IKEA.
    2026-03-03 user: I got laid off from IKEA in February.
    """
    assert not learnt.claims("works? at IKEA")


def test_let_go(learnt: Learnt) -> None:
    """
    2026-02-03 user: I work for Nokia.
    2026-03-03 user: I was let go by Nokia.
    """
    assert not learnt.claims("works (at|for) Nokia")


def test_two_who_broke_up(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm dating Laura.
    2026-03-03 user: Laura and I broke up.
    """
    assert not learnt.claims("dating Laura")


def test_a_break_up_without_a_name(learnt: Learnt) -> None:
    """
    2026-02-03 user: My boyfriend is Tom.
    2026-03-03 user: We broke up.
    """
    assert not learnt.claims("boyfriend is Tom")


def test_what_was_given_up(learnt: Learnt) -> None:
    """
    2026-02-03 user: I play tennis every Sunday.
    2026-03-03 user: I gave up tennis.
    """
    assert not learnt.claims("plays tennis")


def test_what_is_no_longer_learnt(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm learning Dutch.
    2026-03-03 user: I stopped learning Dutch.
    """
    assert not learnt.claims("is learning Dutch")


def test_only_what_was_stopped(learnt: Learnt) -> None:
    """
    2026-02-03 user: I use Spotify and I use Evernote for recipes.
    2026-03-03 user: I stopped using Evernote for work notes.
    """
    assert learnt.claims("Evernote for recipes")


def test_a_thing_that_fell(learnt: Learnt) -> None:
    """
    2026-02-03 user: I use a Pixel phone.
    2026-03-03 user: I dropped my phone yesterday.
    """
    assert learnt.claims("Pixel")


def test_whose_work_it_was(learnt: Learnt) -> None:
    """
    2026-02-03 user: My brother works at Shell. I work at BP.
    2026-03-03 user: My brother quit Shell.
    """
    assert learnt.claims("user works at BP")
    assert not learnt.claims("works at Shell")


def test_not_work_but_a_subscription(learnt: Learnt) -> None:
    """
    2026-02-03 user: I work at Spotify.
    2026-03-03 user: I cancelled Spotify.
    """
    assert learnt.claims("works at Spotify")


def test_what_another_stopped(learnt: Learnt) -> None:
    """
    2026-02-03 user: I go to the gym.
    2026-03-03 user: My trainer stopped going to the gym.
    """
    assert learnt.claims("user goes to the gym")


def test_what_was_abandoned(learnt: Learnt) -> None:
    """
    2026-02-03 user: My team uses Asana.
    2026-03-03 user: We've abandoned Asana.
    """
    assert not learnt.claims("uses Asana")


def test_a_club_that_was_left(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm a member of the rowing club.
    2026-03-03 user: I quit the rowing club.
    """
    assert not learnt.claims("member of the rowing")


def test_one_of_two_languages(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm learning Spanish. I'm learning Greek.
    2026-03-03 user: I gave up on Greek.
    """
    assert learnt.claims("Spanish")
