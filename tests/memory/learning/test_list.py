"""The list of what the rules do not get right."""

from importlib import import_module

import pytest

from tests.memory.learning.conftest import NOT_YET


@pytest.mark.parametrize("name", NOT_YET)
def test_every_name_is_a_scenario(name: str) -> None:
    module, _, test = name.partition("::")
    scenarios = import_module(f"tests.memory.learning.{module.replace('/', '.')}")
    assert callable(getattr(scenarios, test.partition("[")[0], None))


def test_reasons_are_given() -> None:
    assert all(NOT_YET.values())
