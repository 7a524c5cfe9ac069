"""Extract the model's text from an answer of `/v1/chat/completions`, and trust none of the answer. Pure."""

import json
from typing import Any

from sandbox.extensions.memory.ports import Answer
from sandbox.extensions.memory.text.tokens import EstimatedTokens


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
