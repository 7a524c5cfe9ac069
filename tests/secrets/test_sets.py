"""How much of the sets in ``data/`` is hidden, for each half."""

from collections.abc import Iterable

import pytest

from tests.secrets.sets import HALVES, Case, known_kinds, lookalikes, passwords


def _hidden(cases: Iterable[Case], half: str) -> tuple[float, list[str]]:
    """The share that is hidden, and the errors."""
    kept = [case for case in cases if case.half == half]
    left = [f"{case.name}, {case.context}" for case in kept if not case.is_hidden()]
    return 1 - len(left) / len(kept), left


def test_the_sets_are_as_large_as_they_have_to_be() -> None:
    assert len({case.name for case in known_kinds()}) >= 150
    assert len({case.text for case in lookalikes()}) >= 300


@pytest.mark.parametrize("half", HALVES)
def test_secrets_of_known_kinds_are_hidden(half: str) -> None:
    share, left = _hidden(known_kinds(), half)
    assert share >= 0.97, left


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_passwords_in_prose_are_hidden(language: str, half: str) -> None:
    share, left = _hidden(passwords(language), half)
    assert share >= 0.85, left


@pytest.mark.parametrize("half", HALVES)
def test_harmless_values_are_not_masked(half: str) -> None:
    share, _ = _hidden(lookalikes(), half)
    assert share <= 0.03, [case.name for case in lookalikes() if case.half == half and case.is_hidden()]
