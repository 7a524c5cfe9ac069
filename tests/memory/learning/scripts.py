"""What a scripted language model says when it is asked what a conversation teaches."""

from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.extensions.memory.ports import Question
from sandbox.extensions.memory.testing import ScriptedLanguageModel

Answer = Mapping[str, Any]


def learns(*items: Answer, entities: Sequence[Answer] = ()) -> Answer:
    """An answer that finds some things worth knowledge_limit, perhaps none."""
    return {"summary": "", "items": list(items), "entities": list(entities)}


def named(name: str, *aliases: str) -> Answer:
    """Somebody who is named in them, and what else they are called."""
    return {"name": name, "type": "person", "aliases": list(aliases)}


def item(content: str, *turns: int, **more: Any) -> Answer:
    """One of them, resting on turns by their numbers in the sitting."""
    return {"content": content, "turns": list(turns), "basis": "stated", **more}


def scripted(*answers: Answer) -> ScriptedLanguageModel:
    """A model that reads each sitting as its answer says, and finds that what it compares are different things."""
    left = list(answers)

    def answer(question: Question) -> Answer:
        return left.pop(0) if question.name == "extract" else {"verdicts": []}

    return ScriptedLanguageModel(otherwise=answer)
