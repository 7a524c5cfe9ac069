"""`memory run`: the kernel without a person."""

from typing import TYPE_CHECKING

from sandbox.cli.conversing import troubles
from sandbox.cli.ending import STALLED, run_to_end
from sandbox.cli.invocation import Invocation
from sandbox.cli.registry import TEND, command

if TYPE_CHECKING:
    from asyncio import Event
    from pathlib import Path


@command(TEND, without=("user", "project"))
def run(invocation: Invocation) -> None:
    """Keep the memory at work in the background: events are delivered, and every night does its work.

    The log goes to stderr, one line an event; with --json each line is a JSON document. SIGTERM or Ctrl-C stop it when
    what it does is done, a second one at once.

    \b
    memory run
    """
    from sandbox.cli.logs import log_to_stderr

    log_to_stderr(as_json=invocation.as_json)
    run_to_end(_serve(invocation.folder))


async def _serve(home: "Path") -> None:
    import logging
    from asyncio import create_task

    from sandbox.cli.diagnosis import told_of
    from sandbox.kernel import Kernel
    from sandbox.llm import AGENT

    logger = logging.getLogger(__name__)
    stop, alive = _asked_to_stop(), create_task(_keep_alive())
    async with Kernel.open(home) as kernel:
        await kernel.work()
        running = ", ".join(each.manifest.id for each in kernel.loaded if each.extension is not None)
        model = kernel.models.model(AGENT)
        logger.info("at work in %s: %s", home, running)
        if not kernel.models.problems:
            logger.info("model: %s", f"{model.name} at {model.place}" if model else "none configured")
        for problem in troubles(kernel):
            logger.warning("%s", problem)
        for run in await kernel.scheduler.history():
            logger.info("%s: %s", run.task, told_of(run))
        await stop.wait()
        logger.info("stopping")
    alive.cancel()
    logger.info("stopped")


async def _keep_alive() -> None:
    """Have the system end the process where its event loop stands still, whatever holds it: the next one takes up what
    was left, and an event that ends one process after the other is parked.
    """
    import signal
    from asyncio import sleep

    if hasattr(signal, "alarm"):
        try:
            while True:
                signal.alarm(STALLED)
                await sleep(STALLED / 6)
        finally:
            signal.alarm(0)


def _asked_to_stop() -> "Event":
    """Set by SIGTERM and SIGINT; the second of them ends the process at once."""
    import signal
    from asyncio import Event, get_running_loop

    asked, loop = Event(), get_running_loop()

    def ask(*_: object) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        loop.call_soon_threadsafe(asked.set)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, ask)
    return asked
