"""The input of a hook from Claude Code, Codex, Gemini CLI and Qwen Code, as values."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sandbox.extensions.memory.text.fence import without_hook_context

STARTS, PROMPT, COMPACTS, STOPS, ENDS = "SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"


class NotUnderstood(Exception):
    """The input does not come from a hook."""


@dataclass(frozen=True, slots=True)
class HookInput:
    """One event. ``folder`` is where the agent was started, ``transcript`` the file of its conversation; ``user`` and
    ``project`` are those of `memory hook`. ``opens``: the agent begins or resumes the conversation.
    """

    event: str
    opens: bool
    session: str | None
    folder: str | None
    transcript: str | None
    prompt: str
    user: str
    project: str | None

    @classmethod
    def read(cls, question: Mapping[str, str | None]) -> "HookInput":
        """Parse what `memory hook` asks: the ``event``, the ``input`` from stdin, the folder in the agent's environment
        (``started_in``), and its options. Raises ``NotUnderstood``.
        """
        try:
            values = json.loads(question["input"] or "")
        except (ValueError, RecursionError) as error:
            raise NotUnderstood("what came in is not JSON") from error
        if not isinstance(values, dict):
            raise NotUnderstood("what came in is not a JSON object")
        return cls(
            question["event"] or "",
            question["event"] == STARTS and values.get("source") != "compact",
            _text(values, "session_id"),
            question.get("started_in") or _text(values, "cwd"),
            _text(values, "transcript_path"),
            without_hook_context(_text(values, "prompt") or ""),
            question.get("user") or "default",
            question.get("project"),
        )


def document(event: str, text: str) -> str:
    """The text for stdout in the form for all of them."""
    if not text:
        return ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}, ensure_ascii=False)


def _text(values: dict[str, Any], name: str) -> str | None:
    value = values.get(name)
    return value if isinstance(value, str) and value else None
