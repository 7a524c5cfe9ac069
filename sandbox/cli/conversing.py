"""`memory chat`: the kernel with a person."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import typer

from sandbox.cli.ending import run_to_end
from sandbox.cli.invocation import Invocation, complain
from sandbox.cli.registry import BEGIN, command
from sandbox.errors import SandboxError

if TYPE_CHECKING:
    from pathlib import Path

    from sandbox.kernel import Kernel
    from sandbox.protocols import ChannelProvider

_CHANNEL = "cli_channel"


class UnusableModel(SandboxError):
    """{problem}"""


@command(BEGIN, without=("as_json", "project"))
def chat(
    invocation: Invocation,
    model: str | None = typer.Option(
        None, metavar="NAME", help="The language model that talks and learns in this conversation.", show_default=False
    ),
    base_url: str | None = typer.Option(
        None, metavar="URL", help="The server of the model; any that speaks Chat Completions."
    ),
) -> None:
    """Talk with an assistant that remembers.

    Without a language model you see the memories that a model would be given. You name a model with the options below,
    with the variables MEMORY_MODEL and MEMORY_MODEL_URL, or for good in config.yaml in the folder of the memory:

    \b
    models:
      default:
        model: qwen3
        base_url: http://127.0.0.1:11434/v1

    Without a base URL the model is at OpenAI, with the key from OPENAI_API_KEY. The same model learns from the
    conversation, unless config.yaml names another one under models: memory:. Without any model, rules learn.

    The file chat_history in the folder keeps what you type for 30 days, for the arrow keys; another user's lines have
    a file of their own. Only you can read them, and you may delete them. Lines from a pipe are answered one by one.

    \b
    memory chat
    memory chat --model qwen3 --base-url http://127.0.0.1:11434/v1
    echo "What did I say about the vase?" | memory chat
    """
    run_to_end(_converse(invocation.folder, invocation.user, model, base_url))


async def _converse(home: "Path", user: str | None, model: str | None, base_url: str | None) -> None:
    import asyncio
    import os

    from sandbox.cli.logs import keep_quiet
    from sandbox.errors import RequiredExtensionFailed
    from sandbox.kernel import Kernel
    from sandbox.settings import CONFIG, read_settings

    keep_quiet()
    models = with_agent_model(read_settings(home / CONFIG).models, model, base_url, os.environ)
    if model or base_url:
        _check(models, base_url)
    async with Kernel.open(home, models=models) as kernel:
        for problem in troubles(kernel):
            complain(f"Note: {problem}")
        channel = cast("ChannelProvider | None", kernel.extension(_CHANNEL))
        if channel is None:
            raise RequiredExtensionFailed(id=_CHANNEL, problem="a chat needs it to hear you; `memory doctor` says more")
        if kernel.agent is not None and await kernel.router.unfinished(user or "default"):
            complain("Note: a reply was cut off; what comes of it is shown when it is there.")
        await kernel.work()
        conversation = kernel.conversation(_CHANNEL, user or "default", speaker=user)
        await asyncio.gather(channel.converse(conversation), _preload(kernel))


def _check(models: Mapping[str, Any], base_url: str | None) -> None:
    """Raise ``UnusableModel``, because a person who asks for a model does not want to continue without one."""
    from sandbox.llm import AGENT, DEFAULT, ModelRouter
    from sandbox.support.openai_server import is_address

    if base_url and not is_address(base_url):
        raise typer.BadParameter("it must be an address like http://127.0.0.1:11434/v1.", param_hint="'--base-url'")
    if not any("model" in entry for name in (AGENT, DEFAULT) if isinstance(entry := models.get(name), Mapping)):
        raise typer.BadParameter("it needs --model: which of the models there is meant?", param_hint="'--base-url'")
    router = ModelRouter(models, "the model on the command line")
    if router.model(AGENT) is None:
        raise UnusableModel(problem=" ".join(router.problems))


async def _preload(kernel: "Kernel") -> None:
    """Import while the person reads and types; the first answer reports a missing package."""
    from sandbox.extensions.assistant.agent import preload
    from sandbox.support.errors import MissingPackage

    if kernel.agent is not None:
        with suppress(MissingPackage):
            await preload()


def with_agent_model(
    configured: Mapping[str, Any], model: str | None, base_url: str | None, environment: Mapping[str, str]
) -> Mapping[str, Any]:
    """The section `models` with the options of the command line, for the agent and, if it has no entry of its own, for
    learning. A key stays with its server.
    """
    from sandbox.extensions.memory.opening import LEARNING
    from sandbox.llm import AGENT

    given = {"model": model, "base_url": base_url}
    if (model or base_url) and not configured:
        given = {
            "model": model or environment.get("MEMORY_MODEL"),
            "base_url": base_url or environment.get("MEMORY_MODEL_URL"),
        }
    own = {key: value for key, value in given.items() if value}
    if not own:
        return configured
    before = configured.get(AGENT)
    entry = {**(before if isinstance(before, Mapping) else {}), **own}
    if base_url and isinstance(before, Mapping) and before.get("base_url") not in (None, base_url):
        entry.pop("api_key_env", None)
    return {LEARNING: entry, **configured, AGENT: entry}


def troubles(kernel: "Kernel") -> list[str]:
    """The extensions that do not run, with the reasons."""
    stopped = [
        f"the extension {each.manifest.id} does not run: {each.problem}" for each in kernel.loaded if each.problem
    ]
    return [*stopped, *kernel.models.problems]
