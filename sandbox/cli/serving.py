"""`memory run`: the kernel without a person; `memory serve`: the memory over HTTP; `memory ui`: its page."""

import re
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, cast

import typer

from sandbox.cli import collect_as_usual
from sandbox.cli.conversing import troubles
from sandbox.cli.ending import asked_to_stop, keep_alive, run_to_end
from sandbox.cli.invocation import Invocation
from sandbox.cli.registry import TEND, command
from sandbox.support.errors import needing

if TYPE_CHECKING:
    from asyncio import Event
    from collections.abc import AsyncIterator, Callable, Mapping
    from pathlib import Path

    from starlette.types import ASGIApp

    from sandbox.extensions.memory import Memory
    from sandbox.extensions.memory_web.app import Door
    from sandbox.extensions.memory_web.scopes import Scopes
    from sandbox.support.trust import Trust


_LOOK = 1.0  # seconds between looks whether the files of a home are still there
_ROOM = 2**20  # bytes that are free on a disk that is not full
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#\s]+")  # as browsers send it


@command(TEND, without=("user", "project"))
def run(invocation: Invocation) -> None:
    """Keep running, and tidy the memory every night.

    The log goes to stderr, one line for each event; with --json each line is a JSON document. On SIGTERM or Ctrl-C the
    command finishes its work and stops; on a second one it stops at once.

    \b
    memory run
    """
    from sandbox.cli.logs import log_to_stderr

    log_to_stderr(as_json=invocation.as_json)
    run_to_end(_serve(invocation.folder))


@command(TEND)
def serve(
    invocation: Invocation,
    host: str = typer.Option("127.0.0.1", metavar="ADDRESS", help="The address to listen at."),
    port: int = typer.Option(7411, min=0, max=65535, metavar="N", help="The port; 0 takes a free one."),
    require_token: bool = typer.Option(
        False,
        "--require-token",
        help="Ask for the token on this machine too, for example behind a proxy. Other machines always need it.",
    ),
    allow_host: list[str] | None = typer.Option(
        None, metavar="NAME", help="Another host name of this machine; may be repeated."
    ),
    allow_origin: list[str] | None = typer.Option(
        None, metavar="URL", help="Allow web pages of this origin, for example https://example.org; may be repeated."
    ),
    read_only: bool = typer.Option(False, "--read-only", help="Refuse every change of the memory."),
) -> None:
    """Serve the memory over HTTP: REST under /api, MCP at /mcp, a page for people at /ui.

    /openapi.json describes the REST operations; /health and /metrics are for monitoring. Without --host only this
    machine can reach the server. With another address every request needs the token from the file `token` in the home,
    as `Authorization: Bearer TOKEN`. Requests that name no user or project get those of --user and --project. SIGTERM
    or Ctrl-C stop the server.

    \b
    memory serve
    memory serve --host 0.0.0.0 --allow-host memory.example.org
    curl http://127.0.0.1:7411/api/memory/
    """
    from sandbox.cli.logs import log_to_stderr

    for origin in allow_origin or ():
        if not _ORIGIN.fullmatch(origin):
            problem = f"{origin!r} is no origin; give one like https://example.org, without a path."
            raise typer.BadParameter(problem, param_hint="'--allow-origin'")
    if not host:  # it would mean every address of this machine
        raise typer.BadParameter("it is empty; name an address, like 127.0.0.1.", param_hint="'--host'")
    log_to_stderr(as_json=invocation.as_json)
    with needing("`memory serve`", "web"):
        from sandbox.extensions.memory_web.app import Door
    door = Door(host, allow_host or (), require_token, allow_origin or ())
    run_to_end(_serve_http(invocation, door, port, read_only=read_only))


@command(TEND, without=("as_json",))
def ui(
    invocation: Invocation,
    no_browser: bool = typer.Option(False, "--no-browser", help="Only print the address of the page."),
) -> None:
    """Look into the memory in a browser, and correct what is wrong.

    The page shows the context that an assistant gets for a prompt and why, knowledge, conversations, people and
    things. If `memory serve` runs, its page is opened; otherwise this command serves the page until Ctrl-C.

    \b
    memory ui
    """
    open_page(invocation, browser=not no_browser)


def open_page(invocation: Invocation, *, browser: bool) -> None:
    """Show the page of a memory: from a running server, or from one that is started here, until it is stopped."""
    from sandbox.cli import showing
    from sandbox.cli.logs import log_to_stderr

    def show() -> bool:
        where = showing.page_of(invocation.folder, invocation.user, invocation.project)
        if where is not None:
            showing.show(where, browser=browser)
        return where is not None

    if show():
        return
    log_to_stderr(as_json=False)
    with needing("`memory serve`", "web"):
        from sandbox.extensions.memory_web.app import Door
    run_to_end(_serve_http(invocation, Door(), 0, show))


async def _serve_http(
    invocation: Invocation,
    door: "Door",
    port: int,
    at_work: "Callable[[], object] | None" = None,
    *,
    read_only: bool = False,
) -> None:
    """Serve until the process is asked to stop. If the file of the memory is deleted, moved or replaced, open what is
    then there; on a full disk, serve it for reading until there is space.
    """
    import logging
    from asyncio import Event, create_task, to_thread
    from functools import partial

    from sandbox.cli import showing
    from sandbox.cli.opening import opened
    from sandbox.extensions.memory.errors import DatabaseReplaced, DiskFailed, DiskFull
    from sandbox.extensions.memory_hooks.checking import checks, failures
    from sandbox.extensions.memory_web.app import create_app
    from sandbox.extensions.memory_web.inspecting import Agents
    from sandbox.extensions.memory_web.scopes import Scopes
    from sandbox.extensions.memory_web.server import address, listening, serve

    logger, home = logging.getLogger(__name__), invocation.folder
    scopes = Scopes(invocation.user or "default", invocation.project)
    stop, agents = asked_to_stop(), Agents(partial(checks, home), partial(failures, home))

    async def serve_once(*, is_full: bool) -> None:
        token, place = _token(home, door)
        async with opened(home, read_only=read_only or is_full) as memory, _mcp(home, memory, scopes) as mounts:
            end = Event()
            app = create_app(memory, token, door, scopes=scopes, mounts=mounts, agents=agents, stop=end)
            collect_as_usual()
            url, paths = address(door.host, listener), ", ".join(["/api/", *mounts, "/ui/"])
            logger.info("at work in %s: %s at %s (%s)", home, url, paths, place)
            with showing.announced(home, url):
                serving = create_task(serve(app, listener.dup(), end))
                opening = create_task(to_thread(at_work)) if at_work else None  # it asks this server itself
                await _until(lambda: serving.done() or memory.file_problem or (is_full and _has_room(home)), stop)
                end.set()
                await serving
                if opening is not None:
                    await opening

    is_full = False
    with listening(door.host, port) as listener:
        while not stop.is_set():
            was_full, is_full = is_full, False
            try:
                await serve_once(is_full=was_full)
            except DatabaseReplaced as error:
                logger.warning("%s", error)
            except (DiskFailed, DiskFull) as error:
                if was_full or _has_room(home):  # then reading would not help for long
                    raise
                logger.warning("%s Until then the memory is served for reading.", error)
                is_full = True
                continue
            at_work = None
    logger.info("stopped")


def _token(home: "Path", door: "Door") -> tuple[str, str]:
    """The token of a home, and where it is. If it cannot be stored there and nobody needs it, one that nobody knows."""
    import secrets

    from sandbox.extensions.memory.errors import DatabaseReadOnly
    from sandbox.extensions.memory.interfaces.access import TOKEN_FILE, token_of

    try:
        return token_of(home), f"the token is in {home / TOKEN_FILE}"
    except DatabaseReadOnly:
        if door.needs_token:
            raise
        return secrets.token_urlsafe(), "no token can be stored, and none is needed"


@asynccontextmanager
async def _mcp(home: "Path", memory: "Memory", scopes: "Scopes") -> "AsyncIterator[Mapping[str, ASGIApp]]":
    """The MCP applications by path, with the home's settings; none if packages are missing."""
    import logging

    from sandbox.cli.configured import configs
    from sandbox.extensions.memory_mcp.main import check

    chosen = configs(home)[1]["memory_mcp"]
    profile, trust = str(chosen["profile"]), str(chosen["trust"])
    check(profile, trust)
    try:
        from sandbox.extensions.memory_mcp.http import McpApp
        from sandbox.extensions.memory_mcp.server import Who
    except ModuleNotFoundError as error:
        logging.getLogger(__name__).info("MCP is not served: the package %s is not installed", error.name)
        yield {}
        return
    made = McpApp(memory, memory.config, profile=profile, who=Who(scopes.user, scopes.project, cast("Trust", trust)))
    async with made.running():
        yield {"/mcp": made}


async def _until(is_over: "Callable[[], object]", stop: "Event") -> None:
    """Return when it is over, or the process is asked to stop."""
    from asyncio import wait_for

    while not (stop.is_set() or is_over()):
        with suppress(TimeoutError):
            await wait_for(stop.wait(), _LOOK)


def _has_room(home: "Path") -> bool:
    """Whether a file can grow in a home."""
    from tempfile import TemporaryFile

    with suppress(OSError), TemporaryFile(dir=home) as file:
        return file.write(bytes(_ROOM)) == _ROOM
    return False


async def _serve(home: "Path") -> None:
    """Work until the process is asked to stop. If its files are deleted, moved or replaced, open what is there."""
    from asyncio import create_task

    stop, alive = asked_to_stop(), create_task(keep_alive())
    while not stop.is_set():
        await _serve_kernel(home, stop)
    alive.cancel()


async def _serve_kernel(home: "Path", stop: "Event") -> None:
    import logging

    from sandbox.cli.diagnosis import described
    from sandbox.extensions.memory.memory import DATABASE
    from sandbox.kernel import STATE, Kernel
    from sandbox.llm import AGENT
    from sandbox.support.inodes import Inodes

    logger = logging.getLogger(__name__)
    async with Kernel.open(home) as kernel:
        await kernel.work()
        collect_as_usual()
        files = [Inodes(home / name) for name in (STATE, DATABASE) if (home / name).exists()]
        running = ", ".join(each.manifest.id for each in kernel.loaded if each.extension is not None)
        model = kernel.models.model(AGENT)
        logger.info("at work in %s: %s", home, running)
        if not kernel.models.problems:
            logger.info("model: %s", f"{model.name} at {model.place}" if model else "none configured")
        for problem in troubles(kernel):
            logger.warning("%s", problem)
        for run in await kernel.scheduler.last_runs():
            logger.info("%s: %s", run.task, described(run))
        await _until(lambda: any(each.problem() for each in files), stop)
        logger.info("stopping")
    logger.info("stopped")
