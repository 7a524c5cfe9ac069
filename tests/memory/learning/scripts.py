"""The answers of a scripted language model that learns from a conversation."""

from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.extensions.memory.ports import Question
from sandbox.extensions.memory.testing import ScriptedLanguageModel

Answer = Mapping[str, Any]


def learns(*items: Answer, entities: Sequence[Answer] = ()) -> Answer:
    """An answer with some items, perhaps none."""
    return {"summary": "", "items": list(items), "entities": list(entities)}


def named(name: str, *aliases: str) -> Answer:
    """An entity in the items, with its other names."""
    return {"name": name, "type": "person", "aliases": list(aliases)}


def item(content: str, *turns: int, **more: Any) -> Answer:
    """One item, with the numbers of its turns in the sitting."""
    return {"content": content, "turns": list(turns), "basis": "stated", **more}


def scripted(*answers: Answer) -> ScriptedLanguageModel:
    """A model that reads each sitting as its answer says, and whose verdicts are all different."""
    left = list(answers)

    def answer(question: Question) -> Answer:
        return left.pop(0) if question.name == "extract" else {"verdicts": []}

    return ScriptedLanguageModel(otherwise=answer)
