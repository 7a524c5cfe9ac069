"""No attack of any family succeeds. This runs a part of each, `make attack` all."""

from pathlib import Path

import pytest

from tests.attacks.report import Attack, attacks


@pytest.mark.parametrize("attack", [pytest.param(attack, id=name) for name, attack in attacks()])
async def test_no_attack_succeeds(attack: Attack, tmp_path: Path) -> None:
    report = await attack(tmp_path, True)
    assert report.tried > 0
    assert report.through == ()
