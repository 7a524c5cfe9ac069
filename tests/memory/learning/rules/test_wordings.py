"""English: the other ways in which people say the same. Each row is what is said, and all that is learnt from it."""

import pytest

from tests.memory.learning.rules.conversations import ended, learnt, reading

SEVERAL: list[tuple[str, list[str]]] = [
    ("I live in Utrecht, how far is the airport?", ["The user lives in Utrecht."]),
    ("I'm a nurse so I work nights a lot. any tips?", ["The user works as a nurse.", "The user works nights."]),
    (
        "my mom is 62 and loves gardening, my brother Tom is a drummer",
        [
            "The user's mom is 62 years old.",
            "The user's mom loves gardening.",
            "The user's brother Tom works as a drummer.",
        ],
    ),
    (
        "I work as a teacher, and on weekends I volunteer at the animal shelter.",
        ["The user works as a teacher.", "The user volunteers at the animal shelter on weekends."],
    ),
    (
        "The feature flags live in config/flags.yaml and the CI runs on self-hosted runners.",
        ["The feature flags live in config/flags.yaml.", "The CI runs on self-hosted runners."],
    ),
    ("I live in Boston with two flatmates.", ["The user lives with two flatmates.", "The user lives in Boston."]),
    ("PHP is overrated imo", ["The user thinks PHP is overrated."]),
    ("im alergic to nuts", ["The user is allergic to nuts."]),
    ("i realy love sushi", ["The user loves sushi."]),
    (
        "My daughter Ella started school. She's allergic to peanuts.",
        ["The user's daughter Ella is allergic to peanuts."],
    ),
    (
        "I got a puppy last week. His name is Biscuit.",
        ["The user got a puppy in the week of 2 March 2026.", "The user's puppy is called Biscuit."],
    ),
    ("I'm a flight attendant", ["The user is a flight attendant."]),
    ("Marcus is our SRE, he's on call until April.", ["Marcus is the user's SRE."]),
    (
        "To deploy, run make build and then make push",
        ["To deploy: 1. Run make build. 2. Make push."],
    ),
]

WISHES = [
    ("please don't use emojis", "The user asks to never use emojis."),
    ("no emojis please", "The user asks to never use emojis."),
    ("stop using bullet points", "The user asks to never use bullet points."),
    ("Keep responses under 100 words", "The user asks to always keep responses under 100 words."),
    ("I want you to answer in short paragraphs", "The user asks to always answer in short paragraphs."),
    ("use British spelling", "The user asks to always use British spelling."),
    ("Can you always include sources?", "The user asks to always include sources."),
    ("Commit messages should always be in English.", "The user asks that commit messages always be in English."),
    ("you can use emojis again", "The user allows the assistant to use emojis."),
    ("You don't have to answer in French anymore", "The user no longer asks to answer in French."),
    ("forget what I said about emojis", "The user no longer asks for emojis."),
    ("I hate it when you repeat my question", "The user asks to never repeat the user's question."),
    ("In every answer, cite a source", "The user asks to always cite a source in every answer."),
    ("That rule about emojis no longer applies", "The user no longer asks for emojis."),
    ("Just Kit is fine", "The user goes by Kit."),
    ("I'm Polish", "The user is Polish."),
    ("you can find me on Mastodon as quietfox", "The user is on Mastodon as quietfox."),
    ("Мои местоимения — она/её", "Местоимения пользователя — она/её."),
    ("My sister hails from Bergen", "The user's sister comes from Bergen."),
    ("I steer clear of gluten", "The user avoids gluten."),
    ("I make a living as a translator", "The user works as a translator."),
    ("I call Bergen home", "The user lives in Bergen."),
    ("I need invoices in PDF, not Word.", "The user needs invoices in PDF, not Word."),
]

REPLACES = [
    (("Actually, my sister's name is Katherine.",), "The user's sister is called."),
    (("Sorry, I meant our budget is 15000 euros.",), "The user's budget is."),
    (("I don't work on Falcon but on Kestrel",), "The user works on Falcon."),
    (("I love TypeScript now",), "The user hates TypeScript."),
    (("Well, I quit my job at Globex.",), "... works at Globex."),
    (("I'm no longer running the Berlin marathon",), "The user plans to run the Berlin marathon."),
    (("You no longer need to answer in French.",), "The user asks to always answer in French."),
    (("From now on use spaces instead of tabs.",), "The user asks to always use tabs."),
    (("My dog is called Rex.", "No, not Rex, Max."), "The user's dog is called Rex."),
]

NAMES = [
    ("My brother Benjamin, we call him Benji, lives in Cork.", "Benjamin", "Benji"),
    ("My colleague Theodora, or Teddy for short, works at Nokia.", "Theodora", "Teddy"),
    ("Liz is short for Elizabeth.", "Elizabeth", "Liz"),
    ("I work for the Northern Freight Company, NFC for short.", "Northern Freight Company", "NFC"),
    ("I'm Alexandra, but call me Sasha.", "the user", "Sasha"),
]

NOTHING = [
    "write a short summary of this article",
    "Answer in French this time",
    "I have a problem with my code.",
    "my code is slow and my tests are failing",
    "I'm looking for a hotel in Rome",
    "the server is down again",
    "Please don't tell my wife about the party",
    "I want two versions",
]


@pytest.mark.parametrize(("said", "expected"), SEVERAL, ids=[said[:40] for said, _ in SEVERAL])
def test_what_is_learnt(said: str, expected: list[str]) -> None:
    assert learnt(said) == expected


@pytest.mark.parametrize(("said", "expected"), WISHES, ids=[said[:40] for said, _ in WISHES])
def test_wishes(said: str, expected: str) -> None:
    assert learnt(said) == [expected]


@pytest.mark.parametrize(("said", "expected"), REPLACES, ids=[said[-1][:40] for said, _ in REPLACES])
def test_what_no_longer_holds(said: tuple[str, ...], expected: str) -> None:
    replaced = [each for proposal in reading(*said).proposals for each in proposal.replaces]
    assert expected in [statement for each in replaced for statement in ended(each)]


@pytest.mark.parametrize(("said", "name", "alias"), NAMES, ids=[alias for *_, alias in NAMES])
def test_other_names(said: str, name: str, alias: str) -> None:
    mentions = [mention for proposal in reading(said).proposals for mention in proposal.mentions]
    assert any(mention.name == name and alias in mention.aliases for mention in mentions)


@pytest.mark.parametrize("said", NOTHING)
def test_what_is_not_learnt(said: str) -> None:
    assert learnt(said) == []
