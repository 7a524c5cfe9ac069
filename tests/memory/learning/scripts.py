"""The answers of a scripted language model that learns from a conversation."""

from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.extensions.memory.ports import Question
from sandbox.extensions.memory.testing import ScriptedLanguageModel

Answer = Mapping[str, Any]


def learns(*items: Answer, entities: Sequence[Sequence[str]] = ()) -> Answer:
    """An answer with some items, perhaps none."""
    return {"summary": "", "items": list(items), "entities": list(entities)}


def named(name: str, *aliases: str) -> list[str]:
    """A person in the items, with other names."""
    return [name, "person", *aliases]


def item(content: str, *turns: int, **more: Any) -> dict[str, Any]:
    """One item, with the numbers of its turns in the sitting; the first without any."""
    return {"content": content, "turns": list(turns) or [1], "basis": "stated", **more}


def verdict(pair: int, kind: str = "different", **more: Any) -> dict[str, Any]:
    """A verdict on one pair that a model is sure of."""
    return {"pair": pair, "reason": "", "one_value": True, "verdict": kind, "sure": True, **more}


def scripted(*answers: Answer) -> ScriptedLanguageModel:
    """A model that reads each sitting as its answer says, and whose verdicts are all different."""
    left = list(answers)

    def answer(question: Question) -> Answer:
        return left.pop(0) if question.name == "extract" else {"verdicts": []}

    return ScriptedLanguageModel(otherwise=answer)
