"""The profiles: each a module with one set of tools, imported when it is chosen."""

from importlib import import_module

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory_mcp.tooling import Profile

NAMES = ("agent", "orchestrator", "simple", "supervisor", "builtin", "graph")


def check(name: str) -> None:
    """Raise ``InvalidArgument`` for an unknown profile."""
    if name not in NAMES:
        raise InvalidArgument(argument="profile", value=name, expected=f"it is one of {', '.join(NAMES)}")


def profile(name: str, config: Config) -> Profile:
    """The profile with this name; settings limit its parameters. Raises ``InvalidArgument``."""
    check(name)
    made: Profile = import_module(f"{__name__}.{name}").profile(config)
    return made
