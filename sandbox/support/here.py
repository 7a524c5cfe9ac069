"""The thread, event loop and process in which an open object works; other ones may not use it."""

import asyncio
import os


class Here:
    """The process and the event loop in which this is made."""

    def __init__(self) -> None:
        self._process, self._loop = os.getpid(), asyncio.get_running_loop()

    def elsewhere(self) -> str | None:
        """In which other place this is asked: a ``process`` or an ``event loop``; None where it is this one."""
        if os.getpid() != self._process:
            return "process"
        return "event loop" if asyncio.get_running_loop() is not self._loop else None
