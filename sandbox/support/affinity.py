"""The thread, event loop and process in which an open object works; other ones may not use it."""

import asyncio
import os


class Here:
    """The process and the event loop in which it is created."""

    def __init__(self) -> None:
        self._process, self.loop = os.getpid(), asyncio.get_running_loop()

    def elsewhere(self) -> str | None:
        """What differs for the caller: the ``process`` or the ``event loop``; None if neither does."""
        if os.getpid() != self._process:
            return "process"
        return "event loop" if asyncio.get_running_loop() is not self.loop else None
