"""What people put around a sentence neither hides what it claims, nor makes a claim of what is only supposed."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from sandbox.extensions.memory.claims import Claim
from sandbox.extensions.memory.parse import read

_AT = datetime(2026, 3, 2, 10, tzinfo=UTC)
_CARRIERS = yaml.load((Path(__file__).parent / "carriers.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)


def _around(kind: str) -> list[tuple[str, str]]:
    return [(said, around) for rows in _CARRIERS.values() for around in rows[kind] for said in rows["said"]]


def _claims(text: str) -> list[Claim]:
    found, *_ = read([("user", text, _AT)], {"user": ""})
    return [claim for each in found for claim in each.claims]


@pytest.mark.parametrize(("said", "around"), _around("teaches"))
def test_a_sentence_claims_the_same_among_other_words(said: str, around: str) -> None:
    alone = _claims(said)
    assert alone
    assert [claim for claim in _claims(around.format(said)) if claim in alone] == alone


@pytest.mark.parametrize(("said", "around"), _around("doubts"))
def test_what_is_not_meant_claims_nothing(said: str, around: str) -> None:
    assert _claims(around.format(said)) == []
