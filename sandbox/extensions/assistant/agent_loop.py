"""Model and tools in alternation, by `openai-agents`, which only this module imports, as that takes two seconds."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, cast

import agents
import openai
from agents.exceptions import ModelRefusalError
from agents.tool_context import ToolContext
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import ChoiceDelta
from openai.types.responses import ResponseCreatedEvent, ResponseTextDeltaEvent

from sandbox.database import translated
from sandbox.errors import ModelFailed
from sandbox.extensions.assistant import tools as calls
from sandbox.protocols import Delta, Part, Reply, Tool, ToolUse, Turn
from sandbox.secrets import mask_values
from sandbox.support import private
from sandbox.support.characters import storable
from sandbox.support.openai_server import Model, connect, is_openai, meaning, withheld

MOST_STEPS = 12  # answers of the model in one turn; all but the last call tools
MEANINGS = {
    400: "it does not take such a request; perhaps the conversation is too long for it, or it cannot call tools",
    413: "the conversation is too long for it",
    422: "it does not take such a request; perhaps it cannot call tools",
}
CUT_OFF = {
    "length": "stopped at the most tokens it may write: the answer is cut off",
    "content_filter": "withheld the rest of its answer",
}
_IDS = ("id", "call_id", "name", "type", "role", "status")  # fields of stored items that are not text
_SEPARATOR = "\n\n"  # between the model's texts before and after a call of tools


class AgentLoop:
    """Connections to one model. ``history`` is the file of its sessions."""

    def __init__(self, model: Model, history: Path) -> None:
        self._model = model
        self._history = history
        self._client = connect(model.base_url, model.api_key, timeout=model.timeout, retries=model.max_retries)

    async def answer(
        self, name: str, instructions: str, tools: Sequence[Tool], turn: Turn
    ) -> AsyncGenerator[Part, None]:
        """Answer the turn and store it in the history; the last part is the reply. A caller that leaves earlier, or
        gets an error, leaves nothing running. Raises ``ModelFailed``, ``StateUnusable``, ``StateFull``.
        """
        connection = _Connection(self._model, self._client)
        telling = _Telling(tools, turn)
        agent = agents.Agent[None](
            name=name,
            instructions=storable(instructions),
            tools=telling.functions(),
            model=connection,
            model_settings=_settings(self._model),
        )
        try:
            async with self._running(agent, turn, telling) as events:
                async for event in events:
                    for part in telling.parts(event):
                        yield part
        except sqlite3.Error as error:
            raise translated(error, self._history) from None
        except Exception as error:  # its message may quote the conversation
            raise self._failed(_problem(error, self._model, connection)) from None
        if not telling.text.strip():
            raise self._failed("gave an empty answer")
        cut_off = CUT_OFF.get(connection.finish or "")
        yield Reply(telling.text, str(self._failed(cut_off)) if cut_off else None)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    @asynccontextmanager
    async def _running(
        self, agent: agents.Agent[None], turn: Turn, telling: "_Telling"
    ) -> AsyncIterator[AsyncIterator[agents.StreamEvent]]:
        """The events of a run; the run is over when the block is left, whatever happens."""
        config = agents.RunConfig(
            tracing_disabled=True,  # otherwise conversations are uploaded
            tool_not_found_behavior="return_error_to_model",
            tool_error_formatter=telling.unknown,
        )
        private.make_file(self._history)
        private.narrow(self._history)
        with closing(await asyncio.to_thread(_Kept, turn.session, self._history)) as session:
            run = agents.Runner.run_streamed(
                agent, storable(turn.text), session=session, max_turns=MOST_STEPS, run_config=config
            )
            events = cast("AsyncGenerator[agents.StreamEvent, None]", run.stream_events())
            try:
                yield events
            finally:
                run.cancel()
                await events.aclose()
                if run.run_loop_task is not None:
                    await asyncio.gather(run.run_loop_task, return_exceptions=True)

    def _failed(self, problem: str) -> ModelFailed:
        return ModelFailed(model=self._model.name, place=self._model.place, problem=problem)


class _Kept(agents.SQLiteSession):
    """The stored items of a session: messages, calls of tools and their answers, without secrets."""

    async def add_items(self, items: list[agents.TResponseInputItem]) -> None:
        """Append items in order."""
        await super().add_items([mask_values(item, _IDS) for item in items])


class _Connection(agents.OpenAIChatCompletionsModel):
    """Raises an error for an incomplete answer, and for one that stalls."""

    def __init__(self, model: Model, client: openai.AsyncOpenAI) -> None:
        super().__init__(model.name, client)
        self.finish: str | None = None  # how the last answer ended
        self.has_begun = False
        self._seconds = model.timeout

    async def _fetch_response(self, *arguments: Any, **options: Any) -> Any:
        self.finish, self.has_begun = None, False
        async with asyncio.timeout(self._seconds):  # the package's own limit is for each of its retries
            response, stream = await super()._fetch_response(*arguments, **options)
        return response, self._watched(stream)

    async def _watched(self, stream: openai.AsyncStream[ChatCompletionChunk]) -> AsyncIterator[ChatCompletionChunk]:
        async with stream:
            async for chunk in stream:
                self.has_begun = True
                for choice in chunk.choices or ():
                    self.finish = choice.finish_reason or self.finish
                    _clean(choice.delta)
                yield chunk
        if self.finish is None:
            raise _Unfinished


class _Unfinished(Exception):
    """The stream ended before the answer."""


class _Telling:
    """The parts to show, made from the events of a run."""

    def __init__(self, tools: Sequence[Tool], turn: Turn) -> None:
        self.text = ""
        self._tools = {tool.name: tool for tool in tools}
        self._turn = turn
        self._names: dict[str, str] = {}  # names of tools by the ids of calls
        self._succeeded: set[str] = set()
        self._is_new = False  # whether another answer of the model has begun

    def functions(self) -> list[agents.Tool]:
        """The tools in the form for the package."""
        return [self._function(tool) for tool in self._tools.values()]

    def parts(self, event: agents.StreamEvent) -> Iterator[Delta | ToolUse]:
        """The parts of an event."""
        match event:
            case agents.RawResponsesStreamEvent(data=ResponseCreatedEvent()):
                self._is_new = bool(self.text)
            case agents.RawResponsesStreamEvent(data=ResponseTextDeltaEvent(delta=text)) if text:
                yield self._delta(text)
            case agents.RunItemStreamEvent(name="tool_called", item=agents.ToolCallItem() as item):
                self._names[str(item.call_id)] = str(item.tool_name)
                yield ToolUse(str(item.tool_name))
            case agents.RunItemStreamEvent(name="tool_output", item=agents.ToolCallOutputItem() as item):
                yield ToolUse(self._names.get(str(item.call_id), ""), item.call_id in self._succeeded)

    def unknown(self, problem: agents.ToolErrorFormatterArgs[Any]) -> str | None:
        """The answer to a call of an unknown tool."""
        return _json(calls.unknown(problem.tool_name, self._tools)) if problem.kind == "tool_not_found" else None

    def _delta(self, text: str) -> Delta:
        delta = Delta(f"{_SEPARATOR}{text}" if self._is_new else text)
        self._is_new = False
        self.text += delta.text
        return delta

    def _function(self, tool: Tool) -> agents.FunctionTool:
        async def invoke(context: ToolContext[Any], arguments: str) -> str:
            result = await calls.call(tool, self._turn, arguments)
            if result["ok"]:
                self._succeeded.add(context.tool_call_id)
            return _json(result)

        schema = tool.parameters.model_json_schema()
        return agents.FunctionTool(tool.name, tool.description, schema, invoke, strict_json_schema=False)


def _settings(model: Model) -> agents.ModelSettings:
    return agents.ModelSettings(
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        store=False if is_openai(model.base_url) else None,  # otherwise OpenAI keeps every conversation
        extra_headers=dict(withheld(model.base_url, model.api_key)),
    )


def _problem(error: Exception, model: Model, connection: _Connection) -> str:
    match error:
        case openai.APIStatusError(status_code=status):
            return f"answered with {meaning(status, MEANINGS)}"
        case TimeoutError() | openai.APITimeoutError():
            return f"sent nothing for {model.timeout:g} s"
        case openai.APIConnectionError() | _Unfinished() if connection.has_begun:
            return "broke off in the middle of its answer"
        case openai.APIConnectionError():
            return "cannot be reached"
        case _Unfinished():
            return "does not speak Chat Completions; perhaps `base_url` is wrong"
        case openai.APIError():
            return "reported an error in place of an answer"
        case agents.MaxTurnsExceeded():
            return f"called tools {MOST_STEPS} times without coming to an answer"
        case ModelRefusalError():
            return "declined to answer"
        case agents.ModelBehaviorError() if connection.finish == "length":
            return "wrote as many tokens as it may before it said anything"
    return f"gave an answer that cannot be understood ({type(error).__name__})"


def _clean(delta: ChoiceDelta | None) -> None:
    """Make the model's text and its arguments for tools storable; lone surrogates would break the session."""
    if delta is None:
        return
    delta.content = delta.content and storable(delta.content)
    for call in delta.tool_calls or ():
        if call.function is not None and call.function.arguments:
            call.function.arguments = storable(call.function.arguments)


def _json(result: Mapping[str, Any]) -> str:
    return storable(json.dumps(result, ensure_ascii=False, default=str))
