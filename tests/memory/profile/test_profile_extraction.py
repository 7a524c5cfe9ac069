"""Which statements fill which fields of a profile."""

import pytest

from sandbox.extensions.memory.claims import Claim
from sandbox.extensions.memory.ingest.profile_extraction import fillings
from sandbox.extensions.memory.parse import claims_of
from sandbox.extensions.memory.profile import Field, Filling
from sandbox.testing import NOON


def filling(statement: str) -> Filling | None:
    """The values that one statement fills, by the claims of its words."""
    return next(iter(fillings(statement, claims_of(statement, NOON))), None)


@pytest.mark.parametrize(
    ("statement", "field", "value"),
    [
        ("The user goes by Max.", "preferred_name", "Max"),
        ("The user wants to be called Anna Maria.", "preferred_name", "Anna Maria"),
        ("The user's preferred name is Lea.", "preferred_name", "Lea"),
        ("Пользователь предпочитает имя Аня.", "preferred_name", "Аня"),
        ("The user's pronouns are they/them.", "pronouns", "they/them"),
        ("The user uses she/her pronouns.", "pronouns", "she/her"),
        ("Местоимения пользователя — она/её.", "pronouns", "она/её"),
        ("I live in Porto.", "city", "Porto"),
        ("The user lives in Porto, Portugal.", "city", "Porto"),
        ("The user lives in New York with two cats.", "city", "New York"),
        ("Пользователь живёт в Москве.", "city", "Москва"),
        ("The user lives in Singapore.", "city", "Singapore"),
        ("The user asks to always answer in German.", "language", "German"),
        ("The user prefers to speak French.", "language", "French"),
        ("Пользователь просит всегда отвечать по-английски.", "language", "английский"),
        ("Пользователь просит всегда отвечать на русском языке.", "language", "русский"),
        ("The user asks to always keep the assistant's answers short.", "tone", "always keep your answers short"),
        ("The user asks to never use emoji.", "tone", "never use emoji"),
        ("The user prefers direct answers.", "tone", "direct answers"),
        ("The user wants the assistant to be more direct.", "tone", "always be more direct"),
        ("The user asks to always be brief and friendly.", "tone", "always be brief and friendly"),
        ("The user wants to be answered in Dutch.", "language", "Dutch"),
        ("The user's goal is to run a marathon.", "goals", "run a marathon"),
        ("The user wants to learn Portuguese.", "goals", "learn Portuguese"),
        ("The user is trying to lose 10 kilos.", "goals", "lose 10 kilos"),
        (
            "The user asks to always explain things in simple language.",
            "tone",
            "always explain things in simple language",
        ),
        ("Цель пользователя — пробежать марафон.", "goals", "пробежать марафон"),
    ],
)
def test_a_statement_fills_a_field(statement: str, field: Field, value: str) -> None:
    assert filling(statement) == Filling(field, value)


@pytest.mark.parametrize(
    "statement",
    [
        "The user's brother lives in Porto.",
        "The user's sister goes by Liz.",
        "Ann lives in Porto.",
        "The user lives in Portugal.",
        "The user lives in Berlin on weekdays.",
        "The user lives in Porto and Berlin.",
        "The user lives in a small flat.",
        "The user lived in Porto.",
        "The user no longer lives in Porto.",
        "Пользователь живёт в Москве летом.",
        "The user asks to always answer in JSON.",
        "The user asks to always keep commit messages short.",
        "The user asks to always answer briefly when the user is driving.",
        "The user prefers direct flights.",
        "The user wants to buy milk.",
        "The user wants to learn more about birds.",
        "The user wants to be more patient with the children.",
        "The user asks to always be polite to customers.",
        "The user is trying to find a hotel.",
        "The user asks to always ask students to write a short reflection on care.",
        "The user speaks German.",
        "The user's native language is Russian.",
        "The user uses either/or in code.",
        "",
    ],
)
def test_statements_about_others_or_at_times_fill_nothing(statement: str) -> None:
    assert filling(statement) is None


def test_a_name_is_the_form_of_address() -> None:
    assert filling("The user's name is Maximilian.") == Filling("preferred_name", "Maximilian", is_explicit=False)
    assert filling("Пользователя зовут Анна.") == Filling("preferred_name", "Анна", is_explicit=False)


@pytest.mark.parametrize(
    ("claim", "statement", "value"),
    [
        (Claim("", "home", "Porto"), "The user has moved to Porto in March.", "Porto"),
        (Claim("", "home", "Portugal"), "The user has moved to Portugal.", None),
        (Claim("", "home", "Porto"), "The user is at home in Porto in summer.", None),
        (Claim("", "home", "Porto", modality="plan"), "The user plans a home in Porto.", None),
        (Claim("", "home", "Porto", modality="past"), "Porto was home.", None),
        (Claim("", "home", "Porto", is_affirmed=False), "Porto is not home.", None),
        (Claim("brother", "home", "Porto"), "The user's brother has moved to Porto.", None),
        (Claim("", "pronouns", "They / Them"), "The user wants they/them to be used.", "they/them"),
        (Claim("", "pronouns", "the user"), "The user wants they/them to be used.", None),
        (Claim("", "answer_language", "Klingon"), "The user wants Klingon.", None),
        (
            Claim("", "answer_language", "Brazilian Portuguese"),
            "The user wants Brazilian Portuguese.",
            "Brazilian Portuguese",
        ),
        (Claim("", "goal", "pilot " * 30), "The user wants to become a pilot.", None),
        (
            Claim("", "instruction", "Antworte immer kurz"),
            "Der Nutzer bittet: Antworte immer kurz.",
            "Antworte immer kurz",
        ),
    ],
)
def test_a_claim_needs_a_valid_value_of_the_field(claim: Claim, statement: str, value: str | None) -> None:
    assert [each.value for each in fillings(statement, [claim])] == ([value] if value else [])
