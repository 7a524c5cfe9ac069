"""How much of the sets in ``data/`` is hidden: of each half, and of the second author's set."""

import random
import re
from collections.abc import Callable, Iterable
from functools import partial

import pytest

from sandbox.extensions.memory import Memory
from tests.secrets.sets import HALVES, Case, known_kinds, lookalikes, made, passwords, read, second_hand


def _share(cases: Iterable[Case], *, hidden: bool) -> tuple[float, list[str]]:
    """The share of the cases that are hidden, or are not, and their names."""
    tried = list(cases)
    found = [f"{case.name}, {case.context}" for case in tried if case.is_hidden() == hidden]
    return len(found) / len(tried), found


def test_the_sets_are_as_large_as_they_have_to_be() -> None:
    assert len({case.name for case in known_kinds()}) >= 150
    assert len({case.text for case in lookalikes()}) >= 300


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize(
    ("cases", "most"), [(known_kinds, 0.03), (partial(passwords, "en"), 0.15), (partial(passwords, "ru"), 0.15)]
)
def test_secrets_are_hidden(cases: Callable[[], Iterable[Case]], most: float, half: str) -> None:
    """Those of known kinds, and passwords in prose."""
    share, left = _share((case for case in cases() if case.half == half), hidden=False)
    assert share <= most, left


@pytest.mark.parametrize("half", HALVES)
def test_harmless_values_are_not_masked(half: str) -> None:
    share, masked = _share((case for case in lookalikes() if case.half == half), hidden=True)
    assert share <= 0.03, masked


# --- by the second author ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "hidden", "most"), [("secrets", False, 0.08), ("lookalikes", True, 0.03)])
def test_few_texts_of_the_second_author_are_misread(name: str, hidden: bool, most: float) -> None:
    share, misread = _share(second_hand(name), hidden=hidden)
    assert share <= most, misread


async def test_a_secret_in_the_turn_after_its_name_is_hidden(memory: Memory) -> None:
    pairs = read("second_hand.yaml")["turns"]
    assert pairs
    for number, (first, shape) in enumerate(pairs):
        before, secret, after = re.split(r"\[\[(.*)\]\]", made(shape, random.Random(shape)))
        for turn in (first, f"{before}{secret}{after}"):
            await memory.observe("user", turn, session=f"{number}")
        kept = await memory.list(session_id=f"{number}")
        assert len(kept.items) == 2
        assert not any(secret in each.memory.content for each in kept.items), (first, shape)
