"""What is known after conversations that a model reads; ``answers.yaml`` holds them."""

from datetime import UTC, datetime
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandbox.extensions.memory.claims import Claim
from sandbox.extensions.memory.profile import FIELDS
from sandbox.extensions.memory.reports import LearningReport
from sandbox.testing import FakeClock
from tests.memory.learning.model.reading import Reader, reader
from tests.memory.learning.scripts import Answer, item, learns, verdict

_CASES = yaml.safe_load(Path(__file__).with_name("answers.yaml").read_text(encoding="utf-8"))


def _filled(part: Any, values: dict[str, Any]) -> Any:
    """A part of a case with the values of a row in place of their names."""
    if isinstance(part, dict):
        return {_filled(key, values): _filled(each, values) for key, each in part.items()}
    if isinstance(part, list):
        return [_filled(each, values) for each in part]
    if part in values or not isinstance(part, str):
        return values.get(part, part)
    return reduce(lambda text, name: text.replace(name, str(values[name])), values, part)


def _rows() -> list[Any]:
    return [
        pytest.param(_filled(case, dict(zip(case.get("with", ()), row, strict=True))), id=f"{case['name']} {number}")
        for case in _CASES
        for number, row in enumerate(case.get("rows", [()]), 1)
    ]


def _answer(found: list[Any], entities: list[Any]) -> Answer:
    """A model's answer; an item is its content, or has the keys of an item."""
    items = [item(each) if isinstance(each, str) else {"turns": [1], "basis": "stated", **each} for each in found]
    return learns(*items, entities=entities)


async def _outcome(reading: Reader, report: LearningReport, why: str) -> dict[str, Any]:
    """Everything that a case may expect."""
    known, profile = await reading.known(), await reading.memory.profile()
    contents = {hit.id: hit.content for hit in known}
    found = await reading.memory.search(why, types=["semantic"]) if why else []
    fields = {field: getattr(profile, field) for field in FIELDS}
    return {
        "known": await reading.contents(),
        "claims": [each for id in contents for each in (await reading.memory.explain(id)).claims],
        "skipped": dict(report.skipped),
        "replaced": [each.content for each in report.replaced],
        "counts": {name: len(getattr(report, name)) for name in ("learnt", "merged", "replaced")},
        "confidence": [each.confidence for each in report.learnt],
        "trust": [each.trust for each in report.learnt],
        "category": [each.category for each in report.learnt],
        "from": [hit.event_time.date().isoformat() for hit in known],
        "until": [hit.valid_until.isoformat() if hit.valid_until else None for hit in known],
        "waits": [[each.memory.content, each.memory.trust] for each in await reading.memory.proposals()],
        "violations": dict((await reading.memory.statistics()).violations),
        "asked": len(reading.requests("extract")),
        "judged": len(reading.requests("judge")),
        "edges": [[hit.content, edge.relation, contents[edge.seed]] for hit in found for edge in hit.edges],
        "profile": {
            field: [each.value for each in value] if isinstance(value, tuple) else value.value
            for field, value in fields.items()
            if value
        },
    }


@pytest.mark.parametrize("case", _rows())
async def test_what_is_known_after_a_model_has_read(folder: Path, clock: FakeClock, case: dict[str, Any]) -> None:
    sessions = case.get("sessions", [case])
    answers = [_answer(each["items"], each.get("entities", [])) for each in sessions if "items" in each]
    verdicts = [verdict(1, case["verdict"])] if "verdict" in case else []
    async with reader(folder, clock, *answers, verdicts=verdicts, **case.get("config", {})) as reading:
        for statement in case.get("remembered", ()):
            await reading.memory.remember(statement)
        await reading.memory.wait_until_embedded()
        for session in sessions:
            said = [each if isinstance(each, str) else tuple(each) for each in session["said"]]
            report = await reading.read(*said, speaker=case.get("speaker"))
        outcome, expected = await _outcome(reading, report, case.get("why", "")), case.get("expect", {})
        if "claims" in expected:
            expected["claims"] = [Claim(*claim) for claim in expected["claims"]]
        assert {key: outcome[key] for key in expected} == expected
        prompts = [(each.system, str(each.messages[0]["content"])) for each in reading.requests("extract")]
        assert [words for words in case.get("shown", ()) if words not in "".join(prompts[-1])] == []
        assert [words for words in case.get("hidden", ()) if any(words in told for _, told in prompts)] == []
        for question, is_shown in case.get("blocks", {}).items():
            block = await reading.memory.context(question)
            assert block is not None
            assert all(content in block.text for content in outcome["known"]) is is_shown
        for moment, known in case.get("later", {}).items():
            clock.moment = datetime.fromisoformat(moment).replace(tzinfo=UTC)
            assert await reading.contents() == known
