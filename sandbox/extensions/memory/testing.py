"""Fakes for tests of programs that use the memory: a language model that follows a script."""

import json
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from sandbox.extensions.memory.errors import ModelUnavailable
from sandbox.extensions.memory.ports import Answer, Question

Line = Mapping[str, Any] | str | Answer | Exception | Callable[[Question], Any]
"""One answer of a scripted model: a value that is sent as JSON, a text as it is, an ``Answer``, an error to raise, or a
function of the question that returns one of these.
"""


class ScriptedLanguageModel:
    """A ``LanguageModel`` that answers with the next item of ``script``, and afterwards always with ``otherwise``;
    without ``otherwise`` it is then unavailable. ``asked`` are the questions it got, in order.

        model = ScriptedLanguageModel({"verdicts": []}, "I would rather not.")
    """

    model_id = "scripted"

    def __init__(self, *script: Line, otherwise: Line | None = None) -> None:
        self.script = deque(script)
        self.otherwise = otherwise
        self.asked: list[Question] = []

    async def ask(self, question: Question) -> Answer:
        """The next answer. Tokens are counted as words. Raises ``ModelUnavailable`` if no answer is left."""
        self.asked.append(question)
        line = self.script.popleft() if self.script else self.otherwise
        if line is None:
            raise ModelUnavailable(model=self.model_id, problem="the script is over")
        said = line(question) if callable(line) else line
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Answer) else _answer(question, said)


def _answer(question: Question, said: Any) -> Answer:
    text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    earlier = [part for pair in question.earlier for part in pair]
    words = sum(len(part.split()) for part in (question.system, question.user, *earlier))
    return Answer(text, "stop", words, len(text.split()))
