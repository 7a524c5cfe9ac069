"""English: each row is what is said in the session, and all that is learnt from it."""

import pytest

from tests.memory.learning.rules.conversations import ended, learnt, reading

LEARNT: list[tuple[tuple[str, ...], list[str]]] = [
    (("Hi, my name is Max and I live in Leeds.",), ["The user's name is Max.", "The user lives in Leeds."]),
    (("call me Max",), ["The user goes by Max."]),
    (
        ("I moved to Berlin last month.",),
        ["The user lives in Berlin.", "The user moved to Berlin in February 2026."],
    ),
    (("I work for Acme as a backend engineer.",), ["The user works as a backend engineer.", "The user works at Acme."]),
    (("I'm a nurse.",), ["The user works as a nurse."]),
    (("i'm 34 years old",), ["The user is 34 years old."]),
    (("I got a new job at Stripe!",), ["The user works at Stripe."]),
    (("I've been working at Initech for 5 years.",), ["The user works at Initech."]),
    (("I've been playing the guitar for three years.",), ["The user has been playing the guitar since 2023."]),
    (
        ("My sister Ana lives in Leeds. She is a dentist.",),
        ["The user's sister Ana lives in Leeds.", "The user's sister Ana works as a dentist."],
    ),
    (("My wife's name is Olga.",), ["The user's wife is called Olga."]),
    (("My parents live in Chile.",), ["The user's parents live in Chile."]),
    (("My manager is Priya.",), ["The user's manager is Priya."]),
    (
        ("I have a dog named Rex. He is a labrador.",),
        ["The user has a dog named Rex.", "The user's dog Rex is a labrador."],
    ),
    (("We have two kids.",), ["The user has two kids."]),
    (("I'm allergic to peanuts, so no satay please.",), ["The user is allergic to peanuts."]),
    (("I don't eat meat.",), ["The user does not eat meat."]),
    (("I can't stand coriander",), ["The user cannot stand coriander."]),
    (("By the way, I really love hiking in the Alps!",), ["The user loves hiking in the Alps."]),
    (("I prefer tabs over spaces",), ["The user prefers tabs over spaces."]),
    (("My favourite colour is green.",), ["The user's favourite colour is green."]),
    (("My birthday is on 3 May.",), ["The user's birthday is on 3 May."]),
    (("I speak German and French.",), ["The user speaks German and French."]),
    (("I'm learning Spanish.",), ["The user is learning Spanish."]),
    (("I think TypeScript is overrated.",), ["The user thinks TypeScript is overrated."]),
    (("I run every morning.",), ["The user runs every morning."]),
    (("I visited Porto last Tuesday.",), ["The user visited Porto on 10 March 2026."]),
    (("Yesterday, I adopted a kitten.",), ["The user adopted a kitten on 11 March 2026."]),
    (("I'm flying to Tokyo next Friday.",), ["The user plans to fly to Tokyo on 13 March 2026."]),
    (("I'm getting married in June.",), ["The user plans to get married in June 2026."]),
    (("My flight to Oslo is on 5 April.",), ["The user's flight to Oslo is scheduled for 5 April 2026."]),
    (("We deploy with Kubernetes.",), ["The user's team deploys with Kubernetes."]),
    (("Our CI runs on GitHub Actions.",), ["The user's CI runs on GitHub Actions."]),
    (("This project uses pnpm.",), ["The project uses pnpm."]),
    (("I have an interview with Google on Monday.",), ["The user has an interview with Google on 16 March 2026."]),
    (("The deadline is 3 May.",), ["The deadline is scheduled for 3 May 2026."]),
    (("I've lived in Berlin since 2015.",), ["The user lives in Berlin."]),
    (("i cant eat gluten",), ["The user cannot eat gluten."]),
    (("I grew up in Toronto but now I live in York.",), ["The user grew up in Toronto.", "The user lives in York."]),
    (
        ("My sister Anna lives in Leeds. My colleague Anna lives in Porto.",),
        ["The user's sister Anna lives in Leeds.", "The user's colleague Anna lives in Porto."],
    ),
    (("When you answer, use metric units.",), ["The user asks to always use metric units when the assistant answers."]),
    (("Ana: I live in Porto.", "Ben: I live in Leeds."), ["Ana lives in Porto.", "Ben lives in Leeds."]),
    (("assistant: Where do you live?", "In Berlin."), ["The user lives in Berlin."]),
    (("assistant: What do you do for a living?", "A nurse."), ["The user works as a nurse."]),
    (("assistant: Do you like coffee?", "No."), ["The user does not like coffee."]),
    (("Always answer in French.",), ["The user asks to always answer in French."]),
    (("Please answer in Russian from now on.",), ["The user asks to always answer in Russian."]),
    (("Never use emojis",), ["The user asks to never use emojis."]),
    (
        ("Please always ask me before pushing to main.",),
        ["The user asks to always ask the user before pushing to main."],
    ),
    (
        ("How to release the app:\n1. Bump the version\n2. Run make test\n3. Tag and push",),
        ["To release the app: 1. Bump the version. 2. Run make test. 3. Tag and push."],
    ),
]


@pytest.mark.parametrize(("said", "expected"), LEARNT, ids=[said[-1][:40] for said, _ in LEARNT])
def test_what_is_learnt(said: tuple[str, ...], expected: list[str]) -> None:
    assert learnt(*said) == expected


ENDED: list[tuple[tuple[str, ...], str, str, str]] = [
    (("I no longer work at Acme.",), "The user no longer works at Acme.", "change", "... works at Acme."),
    (("I don't live in Leeds anymore.",), "The user no longer lives in Leeds.", "change", "... lives in Leeds."),
    (("I'm not vegetarian anymore",), "The user is no longer vegetarian.", "change", "The user is vegetarian."),
    (("I quit smoking in 2019.",), "The user quit smoking in 2019.", "change", "The user smokes ...."),
    (("I used to work at Acme.",), "The user used to work at Acme.", "change", "The user works at Acme."),
    (("I left Acme for Initech.",), "The user left Acme for Initech.", "change", "... works at Acme."),
    (("I moved from Leeds to York.",), "The user lives in York.", "change", "The user lives in Leeds."),
    (("I switched from vim to Helix last week.",), "The user uses Helix.", "change", "... uses vim."),
    (
        ("I'm flying to Rome in May.", "I'm not flying to Rome in May after all."),
        "The user no longer plans to fly to Rome in May 2026.",
        "change",
        "The user plans to fly to Rome in May 2026.",
    ),
    (
        ("We migrated from Jenkins to GitHub Actions last week.",),
        "The user's team uses GitHub Actions.",
        "change",
        "... uses Jenkins.",
    ),
    (("I live in Leeds, not York.",), "The user lives in Leeds.", "correction", "The user lives in York."),
    (
        ("I live in Leeds.", "Actually, I live in York."),
        "The user lives in York.",
        "correction",
        "The user lives in Leeds.",
    ),
    (
        ("My sister's name is Hanna.", "Sorry, I meant Anna."),
        "The user's sister is called Anna.",
        "correction",
        "The user's sister is called Hanna.",
    ),
    (
        ("The meeting is on Friday.", "No wait, it's Monday, not Friday."),
        "The meeting is scheduled for 16 March 2026.",
        "correction",
        "The meeting is scheduled for 13 March 2026.",
    ),
]


@pytest.mark.parametrize(("said", "content", "manner", "wrong"), ENDED, ids=[said[-1] for said, *_ in ENDED])
def test_what_it_puts_an_end_to(said: tuple[str, ...], content: str, manner: str, wrong: str) -> None:
    found = {proposal.content: proposal for proposal in reading(*said).proposals}
    assert {each.manner for each in found[content].replaces} == {manner}
    assert wrong in [each for replaced in found[content].replaces for each in ended(replaced)]


def test_what_a_proposal_says_of_itself() -> None:
    (fact,) = reading("My sister Ana lives in Leeds.").proposals
    assert (fact.category, fact.type, fact.subject, fact.confidence) == ("person", "semantic", "Ana", 0.6)
    assert fact.sources == ("t0",)
    mentions = {mention.name: mention for mention in fact.mentions}
    assert (mentions["Ana"].type, mentions["Ana"].aliases) == ("person", ("the user's sister",))
    assert mentions["Leeds"].type == "place"


@pytest.mark.parametrize(
    ("said", "category", "kind"),
    [
        ("I hate Mondays.", "preference", "opinion"),
        ("Never use emojis.", "instruction", "semantic"),
        ("We deploy with Kubernetes.", "project", "semantic"),
        ("I visited Porto last Tuesday.", "event", "semantic"),
        ("To deploy, first run the tests, then build the image.", "pattern", "procedural"),
    ],
)
def test_categories_and_types(said: str, category: str, kind: str) -> None:
    assert [(each.category, each.type) for each in reading(said).proposals] == [(category, kind)]


def test_when_it_happened() -> None:
    (visit,) = reading("I visited Porto last Tuesday.").proposals
    assert visit.at is not None
    assert visit.at.date().isoformat() == "2026-03-10"


def test_said_twice_rests_on_both_turns() -> None:
    (fact,) = reading("I live in Leeds.", "As I said, I live in Leeds.").proposals
    assert fact.sources == ("t0", "t1")


def test_entities_beside_what_is_learnt() -> None:
    said = "Ask @priya or mail ops@example.org, see https://example.org/wiki, it is tagged #release and runs in Lisbon."
    names = {mention.name: mention.type for mention in reading(said).mentions["t0"]}
    assert {"@priya", "ops@example.org", "https://example.org/wiki", "#release", "Lisbon"} <= names.keys()
    assert names["Lisbon"] == "place"


def test_a_summary_says_what_was_done_or_asked() -> None:
    assert reading("I adopted a kitten yesterday.").summary == "The user adopted a kitten on 11 March 2026."
    assert reading("Can you fix the login page of the shop?").summary == (
        'The user asked: "Can you fix the login page of the shop?".'
    )
    assert reading("Hi!").summary is None
