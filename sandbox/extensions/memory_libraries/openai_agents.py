"""The OpenAI Agents SDK: a durable session that the memory learns from, and the tools of the memory."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from agents import FunctionTool, SessionSettings, TResponseInputItem
from agents.memory import SessionABC
from agents.memory.session_settings import coerce_session_settings, resolve_session_limit
from agents.tool_context import ToolContext

from sandbox.extensions.memory.ingest.documents import SESSIONS, Shelf, clean_key, without_secrets
from sandbox.extensions.memory.interfaces.guidance import GUIDANCE
from sandbox.extensions.memory.interfaces.tooling import Refusal, Tool
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Message, Scope
from sandbox.extensions.memory_libraries.blocking import Blocking, reached
from sandbox.extensions.memory_libraries.toolset import Answer, answered
from sandbox.support.characters import is_blank
from sandbox.support.tasks import uninterrupted
from sandbox.support.trust import Trust

T = TypeVar("T")

__all__ = ["GUIDANCE", "MemorySession", "memory_tools"]

_ROLES = ("user", "assistant")


class MemorySession(SessionABC):
    """The items of a session, stored in an open memory with secrets masked. Messages of the user and the assistant are
    also remembered as a conversation of that name. ``clear_session`` keeps the conversation; ``Memory.erase`` erases
    both.
    """

    def __init__(
        self,
        session_id: str,
        memory: Memory | Blocking,
        *,
        scope: Scope | None = None,
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        self.session_id, self.session_settings = session_id, coerce_session_settings(session_settings or {})
        self._at, self._scope = reached(memory), scope or Scope()
        self._place = (SESSIONS, clean_key(session_id, "session_id") or "")

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The latest items, or all of them, in the order in which they were added."""
        limit = resolve_session_limit(limit, self.session_settings)
        read = self._at.memory.documents.read(lambda shelf: shelf.last(self._place, limit), scope=self._scope)
        return [each.value for each in await self._at.wait(read)]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items at the end. A cancelled call adds them, too: the session and the memory hold the same."""
        if items:
            await uninterrupted(self._add(items))

    async def _add(self, items: list[TResponseInputItem]) -> None:
        kept = without_secrets(items)

        def add(shelf: Shelf) -> None:
            first = max((int(last.key) + 1 for last in shelf.last(self._place, 1)), default=0)
            for number, item in enumerate(kept, first):
                shelf.put(self._place, f"{number:012}", item)

        await self._write(add)
        said = [message for item in items if (message := _message(item, self.session_id))]
        await self._at.wait(self._at.memory.observe_many(said, scope=self._scope))

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove the last item; its turn stays remembered."""

        def pop(shelf: Shelf) -> Any:
            found = shelf.last(self._place, 1)
            for last in found:
                shelf.delete(self._place, last.key)
            return found[0].value if found else None

        popped: TResponseInputItem | None = await self._write(pop)
        return popped

    async def clear_session(self) -> None:
        """Remove every item."""

        def clear(shelf: Shelf) -> None:
            for each in shelf.last(self._place):
                shelf.delete(self._place, each.key)

        await self._write(clear)

    async def _write(self, change: Callable[[Shelf], T]) -> T:
        return await self._at.wait(self._at.memory.documents.write(change, scope=self._scope))


def memory_tools(
    memory: Memory | Blocking, *, scope: Scope | None = None, trust: Trust = "user"
) -> Sequence[FunctionTool]:
    """The tools for an agent. Put ``GUIDANCE`` into its instructions; it says when to use them. What the agent stores
    has ``trust``, and less in the half hour after a less trusted memory was shown to it.
    """
    return [_function(*each) for each in answered(memory, scope, trust)]


def _function(tool: Tool, answer: Answer) -> FunctionTool:
    async def invoke(_: ToolContext[Any], arguments: str) -> str:
        try:
            said = await answer(arguments)
        except Refusal as refusal:
            said = {"ok": False, "problem": refusal.problem, "advice": refusal.advice}
        return json.dumps(said, ensure_ascii=False)

    schema = tool.parameters.model_json_schema()
    return FunctionTool(tool.name, tool.description, schema, invoke, strict_json_schema=False)


def _message(item: Any, session: str) -> Message | None:
    """The turn of an item; None for calls, results and items without text."""
    if not isinstance(item, dict) or item.get("role") not in _ROLES:
        return None
    content = item.get("content")
    parts = [content] if isinstance(content, str) else [each.get("text") for each in content or ()]
    text = "\n".join(part for part in parts if isinstance(part, str)).strip()
    return None if is_blank(text) else Message(item["role"], text, session)
