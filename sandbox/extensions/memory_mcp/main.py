"""The part for the kernel: it checks settings and the package. `memory mcp` serves."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import get_args

from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory_mcp import profiles
from sandbox.protocols import ExtensionContext
from sandbox.support.diagnosis import Check
from sandbox.support.trust import Unconfirmed


class McpExtension:
    """Holds the settings of the servers; it serves nobody itself."""

    async def start(self, context: ExtensionContext) -> None:
        """Check the settings. Raises ``InvalidArgument``."""
        check(str(context.config["profile"]), str(context.config["trust"]))

    async def stop(self) -> None:
        """Do nothing."""

    async def check(self) -> Sequence[Check]:
        """Whether clients can be served."""
        if find_spec("mcp") is None:
            advice = "Run `pip install '.[mcp]'` in the folder of the source, to serve clients of MCP."
            return [Check("mcp", True, "the package mcp is not installed", advice)]
        return []


def check(profile: str, trust: str) -> None:
    """Raise ``InvalidArgument`` for an unknown profile or trust."""
    profiles.check(profile)
    known = get_args(Unconfirmed)
    if trust not in known:
        raise InvalidArgument(argument="trust", value=trust, expected=f"it is one of {', '.join(known)}")
