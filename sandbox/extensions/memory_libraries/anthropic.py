"""Anthropic's memory tool over an open memory, for its asynchronous and its synchronous client."""

from collections.abc import Callable
from typing import Any

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.types.beta import BetaMemoryTool20250818Command

from sandbox.extensions.memory.errors import SecretRefused
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory_libraries.blocking import Blocking, reached
from sandbox.extensions.memory_libraries.files import FileProblem, Files


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """For ``AsyncAnthropic``: a tool whose files are in an open memory. A problem with a file is a ``ToolError``."""

    def __init__(self, memory: Memory | Blocking, *, scope: Scope | None = None) -> None:
        super().__init__()
        self._at, self._scope = reached(memory), scope or Scope()

    async def _do(self, command: Any) -> str:
        return await self._at.wait(_done(self._at.memory, self._scope, lambda files: _answer(files, command)))

    view = create = str_replace = insert = delete = rename = _do

    async def clear_all_memory(self) -> str:
        """Delete every file."""
        return await self._at.wait(_done(self._at.memory, self._scope, Files.clear))


class MemoryTool(BetaAbstractMemoryTool):
    """For ``Anthropic``: the same over what ``blocking(folder)`` gives."""

    def __init__(self, memory: Blocking, *, scope: Scope | None = None) -> None:
        super().__init__()
        self._at, self._scope = memory, scope or Scope()

    def _do(self, command: Any) -> str:
        return self._at.run(_done(self._at.memory, self._scope, lambda files: _answer(files, command)))

    view = create = str_replace = insert = delete = rename = _do

    def clear_all_memory(self) -> str:
        """Delete every file."""
        return self._at.run(_done(self._at.memory, self._scope, Files.clear))


async def _done(memory: Memory, scope: Scope, work: Callable[[Files], str]) -> str:
    """The answer of a command, which does everything or, after a problem, nothing."""
    try:
        return await memory.documents.write(lambda shelf: work(Files(shelf)), scope=scope)
    except (FileProblem, SecretRefused) as error:
        raise ToolError(str(error)) from error


def _answer(files: Files, command: BetaMemoryTool20250818Command) -> str:
    match command.command:
        case "view":
            return files.view(command.path, command.view_range)
        case "create":
            return files.create(command.path, command.file_text)
        case "str_replace":
            return files.str_replace(command.path, command.old_str, command.new_str)
        case "insert":
            return files.insert(command.path, command.insert_line, command.insert_text)
        case "delete":
            return files.delete(command.path)
        case "rename":
            return files.rename(command.old_path, command.new_path)
