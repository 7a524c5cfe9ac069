"""A server of the Model Context Protocol over one memory: it translates messages to a profile, and its answers back."""

import json
import logging
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any, TypeVar

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from sandbox.errors import SandboxError
from sandbox.extensions.memory.call_context import through
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.interfaces.tooling import (
    Call,
    InputTrust,
    InvalidRequest,
    Refusal,
    Tool,
    refusal,
    schema,
)
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory_mcp.connection import LazyMemory
from sandbox.extensions.memory_mcp.resources import FIXED, TEMPLATES, complete, read
from sandbox.extensions.memory_mcp.tooling import Profile, Prompt
from sandbox.support.errors import DocumentedError
from sandbox.support.times import Clock, system_clock
from sandbox.support.trust import Trust

logger = logging.getLogger(__name__)
T = TypeVar("T")

GUIDELINES = "memory_guidelines"
_BROKEN = Refusal("The memory cannot be used now.", "Answer without it, and tell the user that it has a problem.")

Context = Any  # ServerRequestContext, whose type parameters are not needed here


@dataclass(frozen=True, slots=True)
class Who:
    """The user, project and trust of a connection, which its messages cannot change."""

    user: str = "default"
    project: str | None = None
    trust: Trust = "user"

    @property
    def scope(self) -> Scope:
        """The scope for reads and writes: the user's own memories and the project's."""
        return Scope(self.user, self.project)


@dataclass(slots=True)
class MemoryServer:
    """The handlers of one server. ``who`` and ``connection_trust`` give the scope and the trust of a request."""

    opened: LazyMemory
    profile: Profile
    who: Callable[[Context], Who]
    connection_trust: Callable[[Context], InputTrust]
    clock: Clock = system_clock
    _tools: dict[str, Tool] = field(init=False)
    _prompts: dict[str, Prompt] = field(init=False)

    def __post_init__(self) -> None:
        self._tools = {each.name: each for each in self.profile.tools}
        self._prompts = {each.name: each for each in (_guidelines(self.profile), *self.profile.prompts)}

    def server(self) -> "Server[Any]":
        """What the SDK serves."""
        return Server(
            "assistant-memory",
            version=version("assistant-memory"),
            title="Memory",
            instructions=self.profile.guidance,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_completion=self._complete,
        )

    # --- tools --------------------------------------------------------------------------------------------------

    async def _list_tools(self, _: Context, __: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(each) for each in self._tools.values()])

    async def _call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool of that name; there are {', '.join(self._tools)}")
        try:
            arguments = tool.parsed(params.arguments)
            with through("mcp"):
                answer = await tool.run(await self._call(ctx), **dict(arguments))
        except Exception as error:
            await self._note(ctx, tool.name, error)
            refused = self._refused(error, params.name)
            return types.CallToolResult(content=[types.TextContent(text=str(refused))], is_error=True)
        text = json.dumps(answer, ensure_ascii=False)
        is_error = answer.get("ok") is False
        return types.CallToolResult(
            content=[types.TextContent(text=text)], structured_content=dict(answer), is_error=is_error
        )

    async def _note(self, ctx: Context, operation: str, error: Exception) -> None:
        """Count it, and no content of it; where the memory itself cannot be had, the client is told no less."""
        with through("mcp"), suppress(DocumentedError):
            memory = await self.opened.get()
            await memory.note_failure(operation, type(error).__name__, scope=self._scope(ctx))

    def _refused(self, error: Exception, what: str) -> Refusal:
        """The error for a model; of an unexpected one only the kind is logged, because its message may be content."""
        match error:
            case Refusal():
                return error
            case MemoryExtensionError():
                return refusal(error, self.profile.names)
            case SandboxError():
                return Refusal(str(error), "Tell the user.")
        where = "".join(traceback.format_tb(error.__traceback__))  # its message may be content
        logger.error("%s failed: %s\n%s", what, type(error).__name__, where)
        return _BROKEN

    async def _call(self, ctx: Context) -> Call:
        memory, trust = await self.opened.get(), self.connection_trust(ctx)
        at = self.clock()
        at = at.replace(microsecond=at.microsecond // 1000 * 1000)  # in milliseconds, like the times of the memory
        return Call(memory, self._scope(ctx), LocalTime(at), trust.now, trust.lower)

    def _scope(self, ctx: Context) -> Scope:
        who, client = self.who(ctx), ctx.session.client_params
        agent = client.client_info.name[:100] if client else None
        return replace(who.scope, agent_id=agent)

    # --- prompts ------------------------------------------------------------------------------------------------

    async def _list_prompts(self, _: Context, __: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[_shown(each) for each in self._prompts.values()])

    async def _get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        prompt = self._prompts.get(params.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no such prompt; there are {', '.join(self._prompts)}")
        text = await self._guarded(ctx, f"prompts/get {prompt.name}", self._filled(ctx, prompt, params.arguments or {}))
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=prompt.description, messages=[message])

    async def _filled(self, ctx: Context, prompt: Prompt, arguments: Mapping[str, str]) -> str:
        if unknown := set(arguments) - set(prompt.arguments):
            taken = ", ".join(prompt.arguments) or "nothing"
            raise InvalidRequest(f"The prompt takes no {', '.join(sorted(unknown))}.", f"It takes: {taken}.")
        return prompt.text or await prompt.run(await self._call(ctx), arguments)

    async def _guarded(self, ctx: Context, operation: str, question: Awaitable[T]) -> T:
        """The answer; an exception is counted and becomes an error of the protocol."""
        try:
            return await question
        except MCPError:
            raise
        except Exception as error:
            await self._note(ctx, operation, error)
            refused = self._refused(error, operation)
            code = types.INTERNAL_ERROR if refused is _BROKEN else types.INVALID_PARAMS
            raise MCPError(code, str(refused)) from error

    # --- resources ----------------------------------------------------------------------------------------------

    async def _list_resources(self, _: Context, __: object) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=FIXED)

    async def _list_templates(self, _: Context, __: object) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=TEMPLATES)

    async def _read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        call = await self._guarded(ctx, "resources/read", self._call(ctx))
        text = await self._guarded(ctx, "resources/read", read(str(params.uri), call))
        contents = types.TextResourceContents(uri=params.uri, mime_type="application/json", text=text)
        return types.ReadResourceResult(contents=[contents])

    async def _complete(self, ctx: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        call = await self._guarded(ctx, "completion/complete", self._call(ctx))
        completed = complete(params.argument.name, params.argument.value, call)
        values, total = await self._guarded(ctx, "completion/complete", completed)
        return types.CompleteResult(
            completion=types.Completion(values=values, total=total, has_more=total > len(values))
        )


# --- descriptions -----------------------------------------------------------------------------------------------------


def _described(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=tool.reads,
        destructive_hint=tool.destroys,
        idempotent_hint=tool.repeats or tool.reads,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=schema(tool.parameters),
        output_schema=schema(tool.answers),
        annotations=hints,
    )


def _guidelines(of: Profile) -> Prompt:
    about = (
        "Guidelines for using the agent memory system effectively. Include this in your system prompt to enable"
        " cross-session memory."
    )
    return Prompt(GUIDELINES, about, text=of.guidance)


def _shown(prompt: Prompt) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=name, description=about, required=False) for name, about in prompt.arguments.items()
    ]
    return types.Prompt(name=prompt.name, description=prompt.description, arguments=arguments)
