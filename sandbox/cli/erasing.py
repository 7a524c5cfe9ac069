"""`memory erase`: whoever keeps words of a conversation is told to let go of them."""

from pathlib import Path

from sandbox.cli.page import Page
from sandbox.errors import SandboxError
from sandbox.events import Erase
from sandbox.extensions.memory.reports import ErasureReport
from sandbox.kernel import Kernel


class WouldStay(SandboxError):
    """Nothing was erased: {problems}. What does not run cannot let go of what it has of the conversation; mend it, or
    take it out of the settings.
    """


class NotLetGo(SandboxError):
    """Not everything has let go of the conversation yet: {who}. `memory doctor --retry` tells them once more."""


async def erase_everywhere(home: Path, session: str, user: str, project: str | None) -> None:
    """Returns once everybody has let go of it. Raises ``WouldStay``, ``NotLetGo``."""
    async with Kernel.open(home) as kernel:
        if stopped := [f"{each.manifest.id} does not run: {each.problem}" for each in kernel.loaded if each.problem]:
            raise WouldStay(problems="; ".join(stopped).rstrip("."))
        await kernel.bus.start()
        await kernel.erase(session, user, project)
        await kernel.settled()
        parked = [each for each in await kernel.bus.parked() if each.topic == Erase.topic]
    if parked:
        raise NotLetGo(who=", ".join(sorted({f"{each.handler} ({each.problem})" for each in parked})))


def summary(page: Page, report: ErasureReport) -> None:
    """That it is done."""
    page.line("Erased", report.told)
