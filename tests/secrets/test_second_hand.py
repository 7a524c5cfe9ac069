"""How much of the second author's set is hidden."""

from pathlib import Path

from tests.secrets.second_hand import left_in_turns, lookalikes, secrets


def test_secrets_are_hidden() -> None:
    left = [case.name for case in secrets() if not case.is_hidden()]
    assert len(left) / len(list(secrets())) <= 0.08, left


def test_harmless_text_is_not_masked() -> None:
    hidden = [case.name for case in lookalikes() if case.is_hidden()]
    assert len(hidden) / len(list(lookalikes())) <= 0.03, hidden


async def test_a_secret_in_the_turn_after_its_name_is_hidden(tmp_path: Path) -> None:
    tried, left = await left_in_turns(tmp_path)
    assert tried > 0
    assert left == []
