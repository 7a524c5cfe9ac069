"""The composition root: one home, its extensions, and the parts between people, agents and memory."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sandbox.bus import Bus
from sandbox.database import Database
from sandbox.errors import described
from sandbox.events import Erase
from sandbox.guarded_calls import ended
from sandbox.llm import ModelRouter
from sandbox.loader import Loaded, config_of, installed, playing, started
from sandbox.manifest import Manifest
from sandbox.process_locks import Owner
from sandbox.protocols import Agent, Extension, ExtensionContext, Turn
from sandbox.router import MessageRouter
from sandbox.scheduler import Scheduler, Task
from sandbox.secrets import mask_name
from sandbox.settings import CONFIG, read_settings
from sandbox.support import keys
from sandbox.support.times import Clock, system_clock
from sandbox.turn import Exchange, TurnRunner

logger = logging.getLogger(__name__)

STATE = "kernel.db"
_LAST = 10.0  # seconds for tasks to end when the kernel closes


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """One running home. ``open`` creates it; nothing runs by itself before ``work``."""

    loaded: Sequence[Loaded]
    models: ModelRouter
    bus: Bus
    router: MessageRouter
    scheduler: Scheduler
    agent: Agent | None  # None if no model is configured
    turns: TurnRunner
    _clock: Clock
    _working: set[asyncio.Task[None]] = field(default_factory=set)  # until the kernel closes
    _due: set[asyncio.Task[None]] = field(default_factory=set)
    _unfinished: set[asyncio.Task[None]] = field(default_factory=set)

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        home: Path | str,
        *,
        models: Mapping[str, Any] | None = None,
        responder: Agent | None = None,
        clock: Clock = system_clock,
    ) -> "AsyncIterator[Kernel]":
        """The kernel of a folder, with its extensions started; at the end everything is stopped and on the disk.

        ``models`` replaces that section of ``config.yaml``, ``responder`` the agent over its model. Raises
        ``SandboxError`` for wrong settings, and for a required extension that did not start.
        """
        home = Path(home)
        settings = read_settings(home / CONFIG)
        manifests = installed(settings)
        zone = settings.kernel.timezone
        llms = ModelRouter(settings.models if models is None else models, str(settings.file))
        async with AsyncExitStack() as stack:
            database = await Database.open(home / STATE)
            stack.push_async_callback(database.close)
            owner = Owner(home)
            stack.callback(owner.close)
            bus = Bus(database, owner, clock)

            def context(manifest: Manifest, running: Mapping[str, Extension]) -> ExtensionContext:
                config = config_of(manifest, settings)
                secrets = {name: key for name in manifest.secrets if (key := keys.find(name))}
                return ExtensionContext(manifest.id, home, config, secrets, clock, llms, bus, running, zone)

            loaded = await stack.enter_async_context(started(manifests, context))
            for degraded in (each.manifest.id for each in loaded if each.extension is None):
                bus.unsubscribe(degraded)  # it may have subscribed before it failed
            stack.push_async_callback(bus.close)
            router = MessageRouter(database, bus, owner, clock, timedelta(minutes=settings.kernel.session_idle_minutes))
            scheduler = Scheduler(database, owner, clock, zone, _tasks(loaded))
            agent = responder or _agent(loaded)
            providers = {manifest.id: provider for manifest, provider in playing(loaded, "ContextProvider")}
            turns = TurnRunner(router, providers, settings.kernel.context_seconds, agent)
            kernel = cls(loaded, llms, bus, router, scheduler, agent, turns, clock)
            bus.subscribe(Erase, "kernel", kernel._erase)
            stack.push_async_callback(kernel._close)
            yield kernel

    async def work(self, every: float = 60.0) -> None:
        """Do the work that was left: events, turns that were cut off, missed tasks. Then look again every so many
        seconds; crons have a resolution of a minute.
        """
        await self.bus.start()
        await self.look()
        self._start(self._working, self._work(every), "working")

    async def look(self) -> None:
        """Do what is due: tasks, idle sessions, work of dead kernels. Await ``settled`` for its end."""
        self._start(self._due, self.scheduler.run_due(), "tasks that are due")
        await self.bus.take_over()
        await self.router.end_idle()
        for turn in await self.router.take_over():
            self._start(self._unfinished, self._finish(turn), "a turn that was cut off")

    def extension(self, id: str) -> Extension | None:
        """The extension, if it runs."""
        return next((each.extension for each in self.loaded if each.manifest.id == id), None)

    def conversation(self, channel: str, user: str = "default", speaker: str | None = None) -> Exchange:
        """A conversation for a channel; ``speaker`` is the person's name."""
        commands = [command for _, each in playing(self.loaded, "CommandProvider") for command in each.commands()]
        model = self.agent.model_name if self.agent is not None else None
        return Exchange(self.router, self.turns, channel, user, speaker, model, commands)

    async def settled(self) -> None:
        """Return when the work that was left is done, and every event is delivered."""
        while tasks := self._unfinished | self._due:
            await asyncio.wait(tasks)
        await self.bus.settled()

    async def erase(self, session: str, user: str = "default", project: str | None = None) -> None:
        """Erase every word of a conversation, here and in the extensions. Those in the kernel have no project."""
        await self.bus.publish(Erase(mask_name(session).text, self._clock(), user, project))

    async def erase_remains(self, user: str, session: str = "") -> None:
        """Erase what the kernel still has of a user, before the memory erases: without a ``session``, all
        conversations end, and extensions erase the lines that were typed. Parked events of the user go in any case,
        and the name of an erased ``session`` that the kernel did not have.
        """
        if not session:
            await self.router.end_all(user)
            await self.settled()
            await self.erase("", user)
        await self.settled()
        await self.bus.erase_parked(user, session)

    # --- helpers ------------------------------------------------------------------------------------------------------

    def _start(self, tasks: set[asyncio.Task[None]], call: Awaitable[object], purpose: str) -> None:
        """Start a call in the background; ``tasks`` contains it until it is done."""
        task = asyncio.create_task(_logged(call, purpose), name=purpose)
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def _work(self, every: float) -> None:
        while True:
            await asyncio.sleep(every - time.time() % every)
            await _logged(self.look(), "looking for due tasks")

    async def _finish(self, turn: Turn) -> None:
        """Run a turn again that was cut off; ``missed`` gives its reply."""
        async for _ in self.turns.run(turn, is_heard=False):
            pass

    async def _erase(self, event: Erase) -> None:
        if event.project is None:
            await self.router.erase(event.session, event.user)
            await self.bus.erase(event.session, event.user)

    async def _close(self) -> None:
        await ended([*self._working, *self._unfinished])
        await ended(self._due, _LAST)  # the next kernel repeats what is cut off


def _tasks(loaded: Sequence[Loaded]) -> list[Task]:
    return [
        Task(f"{manifest.id}/{schedule.task}", schedule.cron, partial(provider.execute_task, schedule.task))
        for manifest, provider in playing(loaded, "SchedulerProvider")
        for schedule in manifest.schedules
    ]


def _agent(loaded: Sequence[Loaded]) -> Agent | None:
    providers = [provider for _, provider in playing(loaded, "ToolProvider")]
    tools = [tool for provider in providers for tool in provider.tools()]
    guidance = "\n\n".join(provider.guidance() for provider in providers)
    agents = (provider.agent(tools, guidance) for _, provider in playing(loaded, "AgentProvider"))
    return next((agent for agent in agents if agent is not None), None)


async def _logged(call: Awaitable[object], purpose: str) -> None:
    """Log an error in the background, without content."""
    try:
        await call
    except Exception as error:
        logger.warning("%s failed: %s", purpose, described(error))
