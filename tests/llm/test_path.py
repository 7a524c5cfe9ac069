"""The way from a question to learnt knowledge, through a real server and a real model."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.asking.ask import Prompt, ask
from sandbox.extensions.memory.asking.chat import ChatModel
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.consolidate.extraction import Extraction, Known, Stated, Turn
from sandbox.extensions.memory.consolidate.judging import JUDGE, StatementPair, verdicts
from sandbox.extensions.memory.consolidate.model_extractor import ModelExtractor
from sandbox.extensions.memory.errors import BadAnswer
from sandbox.extensions.memory.ports import Question
from tests.llm.conftest import CONTEXT

pytestmark = pytest.mark.llm

MONDAY = datetime(2026, 3, 9, 9, 30, tzinfo=UTC)
TURN = Turn("turn1", "user", "I moved from Porto to Lisbon last Tuesday.", MONDAY)


class Colour(BaseModel):
    colour: Literal["red", "green", "blue"]


COLOUR = Prompt("colour", __package__, Colour, max_tokens=30)


async def test_the_schema_holds_the_model_to_its_words(model: ChatModel) -> None:
    asked = await ask(model, COLOUR, thing="a leaf")
    assert asked.answer.colour in ("red", "green", "blue")
    assert asked.spent.calls == 1
    assert asked.spent.prompt_tokens > 20
    assert 3 < asked.spent.completion_tokens <= 30


async def test_an_answer_without_room_is_cut_off(model: ChatModel) -> None:
    question = Question("story", "Tell a story.", "A dog.", {"type": "object", "properties": {}}, max_tokens=2)
    answer = await model.ask(question)
    assert answer.finish == "length"
    assert answer.completion_tokens == 2


async def test_a_question_longer_than_its_context_counts_as_cut_off(model: ChatModel) -> None:
    question = Question("story", "Tell a story.", "dog " * 2 * CONTEXT, {"type": "object", "properties": {}})
    answer = await model.ask(question)
    assert (answer.text, answer.finish) == ("", "length")


async def test_reading_a_turn_ends_in_knowledge_or_a_clear_refusal(model: ChatModel) -> None:
    try:
        extraction = await ModelExtractor(model, Config.load()).read([TURN], Known())
    except BadAnswer as error:
        extraction = Extraction(model.model_id, spent=error.details["spent"])
    assert extraction.spent.completion_tokens > 0
    assert all(each.sources == ("turn1",) and len(each.content) <= 280 for each in extraction.proposals)


async def test_judging_a_pair_ends_in_a_verdict_or_a_clear_refusal(model: ChatModel) -> None:
    pair = StatementPair(Stated("The user lives in Lisbon.", MONDAY), Stated("The user lives in Porto.", MONDAY))
    try:
        asked = await ask(model, JUDGE, pairs=[pair])
        spent, judged = asked.spent, verdicts([pair], asked.answer)
    except BadAnswer as error:
        spent, judged = error.details["spent"], [None]
    assert spent.completion_tokens > 0
    assert len(judged) == 1


async def test_any_answer_of_the_model_consolidates_a_session(model: ChatModel, tmp_path: Path) -> None:
    async with Memory.open(tmp_path / "memory", embedder=None, model=model) as memory:
        await memory.observe("user", TURN.text, session="s1")
        report = await memory.consolidate("s1")
    assert report.by in (("smollm2",), ("rules",))
    assert report.spent.completion_tokens > 0
