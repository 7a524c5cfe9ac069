"""What an extension is given when it is started."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import Any, TypeVar

from sandbox.bus import Bus
from sandbox.events import Event
from sandbox.llm import ModelRouter
from sandbox.protocols import Clock, Extension

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class ExtensionContext:
    """The kernel as one extension sees it. ``home`` is shared: name files by the extension's id. ``config`` is the
    manifest's with what the person set over it.
    """

    id: str
    home: Path
    config: Mapping[str, Any]
    agent_config: Mapping[str, Any]
    secrets: Mapping[str, str]  # those of the manifest's `secrets` that could be found
    clock: Clock
    models: ModelRouter
    bus: Bus
    dependencies: Mapping[str, Extension]  # those of `depends_on` that are running
    zone: tzinfo | None = None  # of the person's local times; None: this machine's

    def subscribe(self, event: type[E], handler: Callable[[E], Awaitable[None]]) -> None:
        """Call ``handler`` with every event of the type, in order, at least once, also after a crash. While it raises
        it is tried again, then the event is parked.
        """
        self.bus.subscribe(event, self.id, handler)

    async def publish(self, event: Event) -> None:
        """Tell everybody who subscribed; returns once it is on the disk."""
        await self.bus.publish(event)
