"""The input of a hook from Claude Code, Codex, Copilot CLI, Cursor, Gemini CLI and Qwen Code, as values."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.extensions.memory.text.fence import without_hook_context
from sandbox.extensions.memory.text.typed_prompt import typed

STARTS, PROMPT, COMPACTS, STOPS, ENDS = "SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"


class NotUnderstood(Exception):
    """The input does not come from a hook."""


@dataclass(frozen=True, slots=True)
class HookInput:
    """One event. ``folder`` is where the agent was started, ``transcript`` the file of its conversation; ``user`` and
    ``project`` are those of `memory hook`. ``opens``: the agent begins or resumes the conversation. ``is_copilot`` and
    ``is_cursor``: Copilot CLI or Cursor asks.
    """

    event: str
    opens: bool
    session: str | None
    folder: str | None
    transcript: str | None
    prompt: str
    user: str
    project: str | None
    is_copilot: bool
    is_cursor: bool

    @classmethod
    def read(cls, question: Mapping[str, str | None]) -> "HookInput":
        """Parse what `memory hook` asks: the ``event``, the ``input`` from stdin, the folder in the agent's environment
        (``started_in``), the folder of Copilot CLI if that asks (``copilot``), and its options. Raises
        ``NotUnderstood``.
        """
        try:
            values = json.loads(question["input"] or "")
        except (ValueError, RecursionError) as error:
            raise NotUnderstood("what came in is not JSON") from error
        if not isinstance(values, dict):
            raise NotUnderstood("what came in is not a JSON object")
        cursor, copilot = _text(values, "conversation_id"), question.get("copilot")
        session = cursor or _text(values, "session_id")
        transcript = _text(values, "transcript_path")
        if copilot and session and transcript is None:  # it names the file to a few events only
            transcript = str(Path(copilot) / "session-state" / Path(session).name / "events.jsonl")
        return cls(
            question["event"] or "",
            question["event"] == STARTS and values.get("source") != "compact",
            session,
            question.get("started_in") or _text(values, "cwd") or _first_root(values),
            transcript,
            typed(without_hook_context(_text(values, "prompt") or "")),
            question.get("user") or "default",
            question.get("project"),
            copilot is not None,
            cursor is not None,
        )

    def answer(self, text: str) -> str:
        """The answer that shows a text to the agent's model, for stdout; empty if there is no text."""
        if not text:
            return ""
        if self.is_cursor:
            return json.dumps({"continue": True, "additional_context": text}, ensure_ascii=False)
        shown: dict[str, Any] = {"additionalContext": text}
        if not self.is_copilot:
            shown = {"hookSpecificOutput": {"hookEventName": self.event, **shown}}
        return json.dumps(shown, ensure_ascii=False)


def _text(values: dict[str, Any], name: str) -> str | None:
    value = values.get(name)
    return value if isinstance(value, str) and value else None


def _first_root(values: dict[str, Any]) -> str | None:
    """The first folder of Cursor's workspace."""
    roots = values.get("workspace_roots")
    return _text({"root": roots[0]}, "root") if isinstance(roots, list) and roots else None
