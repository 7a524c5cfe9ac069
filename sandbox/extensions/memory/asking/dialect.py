"""Write requests for `/v1/chat/completions` in the format that a server accepts, because one server refuses fields that
another needs; and read its answers, of which nothing is trusted. Pure.
"""

import json
from dataclasses import dataclass, replace
from typing import Any, Literal

from sandbox.extensions.memory.ports import Answer, EstimatedTokens, Question

Shape = Literal["schema", "json", "text"]
Limit = Literal["max_tokens", "max_completion_tokens"]

_NEXT: dict[Shape, Shape] = {"schema": "json", "json": "text"}
_NO_ANSWER = "(no answer)"
_AGAIN = "That cannot be used. {reason}"
_SCHEMA = "Answer with one JSON object that follows this JSON schema, and nothing else:\n{schema}"


@dataclass(frozen=True, slots=True)
class Dialect:
    """The fields of a request beside the messages. ``shape`` says how the answer is restricted: by its schema, to JSON,
    or not at all; ``limit`` is the name of the field for the largest number of tokens.
    """

    shape: Shape = "schema"
    limit: Limit = "max_tokens"
    temperature: bool = True

    def after_refusal(self, parameter: str | None) -> "Dialect | None":
        """The next dialect to try after a bad request; the server may have named a parameter. None if no dialect is
        left.
        """
        if parameter == "temperature" and self.temperature:
            return replace(self, temperature=False)
        if parameter == "max_tokens" == self.limit:
            return replace(self, limit="max_completion_tokens")
        return replace(self, shape=_NEXT[self.shape]) if self.shape in _NEXT else None

    def request(self, question: Question, temperature: float | None) -> dict[str, Any]:
        """The body of a request, without the model."""
        body: dict[str, Any] = {"messages": self._messages(question), self.limit: question.max_tokens}
        if self.temperature and temperature is not None:
            body["temperature"] = temperature
        if self.shape == "schema":
            named = {"name": question.name, "strict": question.strict, "schema": dict(question.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.shape == "json":
            body["response_format"] = {"type": "json_object"}
        return body

    def _messages(self, question: Question) -> list[dict[str, str]]:
        system = question.system
        passed_over = question.earlier and not question.in_shape  # the server may have ignored the schema
        if self.shape != "schema" or passed_over:
            schema = json.dumps(question.schema, ensure_ascii=False)
            system = f"{system}\n\n{_SCHEMA.format(schema=schema)}"
        messages = [{"role": "system", "content": system}, {"role": "user", "content": question.user}]
        for answer, reason in question.earlier:
            messages.append({"role": "assistant", "content": answer.strip() or _NO_ANSWER})
            messages.append({"role": "user", "content": _AGAIN.format(reason=reason)})
        return messages


def read_reply(body: bytes, prompt_tokens: int) -> Answer:
    """The model's answer. ``prompt_tokens`` is the estimate to use if the server counts no tokens. Raises
    ``ValueError``, which says what is wrong with the body and quotes nothing of it.
    """
    try:
        parts = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("its answer is not JSON") from None
    choice = _first(_get(parts, "choices"))
    message = _get(choice, "message")
    if not isinstance(message, dict):
        raise ValueError("its answer is no chat completion")
    refusal, text = message.get("refusal"), _text(message.get("content"))
    finish = _get(choice, "finish_reason")
    usage = _get(parts, "usage")
    return Answer(
        text=text,
        finish="refusal" if refusal and not text.strip() else finish if isinstance(finish, str) else "stop",
        prompt_tokens=_count(_get(usage, "prompt_tokens"), prompt_tokens),
        completion_tokens=_count(_get(usage, "completion_tokens"), EstimatedTokens().count_tokens([text])[0]),
    )


def _text(content: Any) -> str:
    """The text of a message; some servers give it in parts."""
    if isinstance(content, list):
        return "".join(_text(_get(part, "text")) for part in content)
    return content if isinstance(content, str) else ""


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else None


def _count(value: Any, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else otherwise
