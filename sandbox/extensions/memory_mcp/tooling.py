"""The parts of a profile: its tools, prompts and instructions.

Nothing here imports the protocol or the memory, so that a list of tools can be sent before either is loaded.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sandbox.extensions.memory.interfaces.tooling import Call, Tool


async def _nothing(_: Call, __: Mapping[str, str]) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text for a person or a client: ``text``, or what ``run`` makes of optional arguments."""

    name: str
    description: str
    text: str = ""
    run: Callable[[Call, Mapping[str, str]], Awaitable[str]] = _nothing
    arguments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Profile:
    """One set of tools, and the instructions on when to use them."""

    name: str
    guidance: str
    tools: Sequence[Tool]
    names: Mapping[str, str]  # of the tools that refusals mention
    prompts: Sequence[Prompt] = ()
