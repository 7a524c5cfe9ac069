"""The parts of a tool: typed parameters and answers, and the context of one call.

Nothing here imports the memory, so that a list of tools can be sent before it is loaded. Nothing here can raise trust:
the caller sets it, and the text that a tool brings up lowers it.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.interfaces.refusals import refusal
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.extensions.memory.model import KNOWLEDGE, BlockItem, Hit, Message, Record, Scope
from sandbox.support.times import system_clock
from sandbox.support.trust import Trust, least

if TYPE_CHECKING:
    from sandbox.extensions.memory.memory import Memory

_PAGE = 1_000  # memories that are read at once


@dataclass(frozen=True, slots=True)
class Call:
    """One call: its memory, its scope, the lowest trust of what it may rest on, and its time. ``lower`` notes that the
    answer contains less trusted text; ``message`` is the person's message that is being answered.
    """

    memory: "Memory"
    scope: Scope
    at: LocalTime = field(default_factory=lambda: LocalTime(system_clock()))
    trust: Trust = "user"
    lower: Callable[[Trust], None] = lambda _: None
    message: Message | None = None

    def brings_up(self, found: Iterable[Hit | Record | BlockItem]) -> None:
        """Note the trust of memories that the model now sees. The assistant's own words do not count: they are in every
        turn, and if they rest on less trusted text, their trust shows it.
        """
        self.lower(least("confirmed", *(each.trust for each in found if each.trust != "assistant")))

    async def known(self, *, history: bool = False) -> AsyncIterator[Record]:
        """All knowledge that the call sees, the newest first; with ``history`` also what was replaced or has ended."""
        cursor = None
        while True:
            page = await self.memory.list(
                limit=_PAGE, cursor=cursor, types=KNOWLEDGE, history=history, scope=self.scope
            )
            for each in page.items:
                yield each.memory
            if (cursor := page.next) is None:
                return


Run = Callable[[Call, Any], Awaitable[Mapping[str, Any]]]
"""What a tool does with the call and its arguments; its values are JSON-ready. It may raise ``Refusal`` or an error of
the memory.
"""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that an assistant may call. ``reads``: it changes nothing; ``destroys``: it may remove something;
    ``repeats``: a second call changes nothing more.
    """

    name: str
    title: str
    description: str
    parameters: type[BaseModel]
    answers: type[BaseModel]
    run: Run
    reads: bool = False
    destroys: bool = False
    repeats: bool = False

    async def answer(self, call: Call, arguments: BaseModel) -> Mapping[str, Any]:
        """Run the tool. Raises ``Refusal`` with advice."""
        try:
            return await self.run(call, arguments)
        except MemoryExtensionError as error:
            raise refusal(error) from error


def tool(title: str, description: str, answers: type[BaseModel], **traits: Any) -> Callable[[Run], Tool]:
    """Make a tool of the function that runs it: its name is the tool's, and its second argument has the parameters."""

    def made(run: Run) -> Tool:
        _, parameters, _ = run.__annotations__.values()
        return Tool(run.__name__.removeprefix("_"), title, description, parameters, answers, run, **traits)

    return made
