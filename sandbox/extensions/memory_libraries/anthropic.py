"""Anthropic's memory tool over an open memory, for its asynchronous and its synchronous client."""

from collections.abc import Callable

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

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

    async def _do(self, work: Callable[[Files], str]) -> str:
        return await self._at.wait(_done(self._at.memory, self._scope, work))

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file or a folder."""
        return await self._do(lambda files: files.view(command.path, command.view_range))

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Create a file."""
        return await self._do(lambda files: files.create(command.path, command.file_text))

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that occurs in a file once."""
        return await self._do(lambda files: files.str_replace(command.path, command.old_str, command.new_str))

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert a text after a line."""
        return await self._do(lambda files: files.insert(command.path, command.insert_line, command.insert_text))

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a file, or a folder with its content."""
        return await self._do(lambda files: files.delete(command.path))

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder."""
        return await self._do(lambda files: files.rename(command.old_path, command.new_path))

    async def clear_all_memory(self) -> str:
        """Delete every file."""
        return await self._do(Files.clear)


class MemoryTool(BetaAbstractMemoryTool):
    """For ``Anthropic``: the same over what ``blocking(folder)`` gives."""

    def __init__(self, memory: Blocking, *, scope: Scope | None = None) -> None:
        super().__init__()
        self._at, self._scope = memory, scope or Scope()

    def _do(self, work: Callable[[Files], str]) -> str:
        return self._at.run(_done(self._at.memory, self._scope, work))

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file or a folder."""
        return self._do(lambda files: files.view(command.path, command.view_range))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Create a file."""
        return self._do(lambda files: files.create(command.path, command.file_text))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that occurs in a file once."""
        return self._do(lambda files: files.str_replace(command.path, command.old_str, command.new_str))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert a text after a line."""
        return self._do(lambda files: files.insert(command.path, command.insert_line, command.insert_text))

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a file, or a folder with its content."""
        return self._do(lambda files: files.delete(command.path))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder."""
        return self._do(lambda files: files.rename(command.old_path, command.new_path))

    def clear_all_memory(self) -> str:
        """Delete every file."""
        return self._do(Files.clear)


async def _done(memory: Memory, scope: Scope, work: Callable[[Files], str]) -> str:
    """The answer of a command, which does everything or, after a problem, nothing."""
    try:
        return await memory.documents.write(lambda shelf: work(Files(shelf)), scope=scope)
    except (FileProblem, SecretRefused) as error:
        raise ToolError(str(error)) from error
