"""The parts of a tool: typed parameters and answers, the context of one call, and the errors of the memory in words for
an assistant: what was not done, and what to do next. Each error is mapped here, once.

Nothing here imports the memory, so that a list of tools can be sent before it is loaded. Nothing here can raise trust:
the caller sets it, and the text that a tool brings up lowers it.
"""

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from sandbox.extensions.memory import errors
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.extensions.memory.model import KNOWLEDGE, BlockItem, Hit, Message, Record, Scope
from sandbox.support.trust import Trust, least

_GO_ON = "Answer without the memory, and tell the user the problem."
_NOT_SAVED = "Tell the user, and do not say that it was saved."
_AGAIN = "Try once more in a moment. " + _NOT_SAVED
TOOL_NAMES: Mapping[str, str] = {
    "search": "search_memory",
    "remember": "remember_fact",
    "correct": "correct_fact",
    "command": "/memory",
}
"""The names of the assistant's tools, and of the place where a person types."""

# The details of the error fill the braces; none of them contains content that an assistant passed.
_SAID: Mapping[type[MemoryExtensionError], tuple[str, str]] = {
    errors.UnknownMemory: (
        "No memory has the id {id!r}.",
        "Ids come from your context and from {search}: search for the memory first.",
    ),
    errors.UnknownEntity: (
        "Nothing is known under that name.",
        "Try another name, or call {search} with your question.",
    ),
    errors.TooManyFacts: (
        "Nothing was stored: {stored} facts were stored today, and that is the limit.",
        "Store no more today. Tell the user that it was not stored.",
    ),
    errors.SecretRefused: (
        "Nothing was stored: the text holds a secret ({kinds}).",
        "Do not store it, not even in other words. Tell the user that secrets are not remembered, but the place where"
        " one is kept can be.",
    ),
    errors.SimilarMemory: (
        "Nothing was stored: a similar memory is known: {ids}.",
        "Look at it with explain_fact. If it is out of date or wrong, call {correct} with its id. If your fact is"
        " another one, call {remember} again with is_another_fact set to true.",
    ),
    errors.LessTrusted: (
        "Nothing was changed: this change of {id!r} needs the trust {needed!r}, and some text in this turn has only the"
        " trust {trust!r}.",
        "Tell the user both versions and ask which is right. After the answer, try again with the same id, without"
        " searching or fetching anything before; or the user confirms it with `{command} confirm {id}`.",
    ),
    errors.NotAdministrator: (
        "Nothing was changed: the memory is for all users, and only an administrator may change it.",
        "Tell the user so. A memory for this user alone can be stored with {remember}.",
    ),
    errors.NotCurrent: (
        "Nothing was changed: the memory {id!r} is {state}.",
        "If it is still true, store it again with {remember}. If it was forgotten, leave it; the user can restore it"
        " with `{command} restore {id}`.",
    ),
    errors.ChangedMeanwhile: (
        "Nothing was changed: the memory {id!r} was changed meanwhile.",
        "Look at it again with {search}, and try once more if it still has to be changed.",
    ),
    errors.InvalidContent: ("Nothing was stored: the content {problem}.", "Say one fact in a sentence or two."),
    errors.InvalidArgument: ("`{argument}` cannot be used as it is.", "Call again: {expected}."),
    errors.StoreClosed: ("The memory is closed.", _GO_ON),
    errors.DatabaseBusy: ("The memory is locked by another program.", _AGAIN),
    errors.DiskFull: ("The disk is full; nothing was stored.", _NOT_SAVED),
    errors.DiskFailed: ("The disk failed ({problem}).", _NOT_SAVED),
    errors.DatabaseReadOnly: ("The memory can only be read ({problem}).", _NOT_SAVED),
    errors.StoreError: ("The memory cannot be used now: {error}", _GO_ON),
    MemoryExtensionError: ("The memory cannot be used now.", _GO_ON),
}
_PAGE = 1_000  # memories that are read at once
_SEEN = 30 * 60.0  # seconds that a model may still see an answer; sessions are idle for at most as long


class Refusal(Exception):
    """A tool did not do what was asked. ``problem`` says what was wrong, ``advice`` what to do next."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(f"{problem} {advice}")
        self.problem = problem
        self.advice = advice


class InvalidRequest(Refusal):
    """The arguments are not as the tool describes them."""


def refusal(error: MemoryExtensionError, names: Mapping[str, str] = TOOL_NAMES) -> Refusal:
    """The refusal for an error, with the names of the assistant's tools."""
    kind = next(kind for kind in type(error).__mro__ if kind in _SAID)
    problem, advice = _SAID[kind]
    details = {**names, **error.details, "error": _without_folder(error)}
    return Refusal(problem.format(**details), advice.format(**details))


def _without_folder(error: MemoryExtensionError) -> str:
    """What an error says, with the name of the file in place of its path, which does not concern an assistant."""
    path = Path(error.details.get("path", ""))
    return str(error).replace(str(path), path.name) if path.name else str(error)


if TYPE_CHECKING:
    from sandbox.extensions.memory.memory import Memory


@dataclass(frozen=True, slots=True)
class Call:
    """One call: its memory, its scope, the lowest trust of what it may rest on, and its time. ``lower`` notes that the
    answer contains less trusted text; ``message`` is the person's message that is being answered.
    """

    memory: "Memory"
    scope: Scope
    at: LocalTime
    trust: Trust = "user"
    lower: Callable[[Trust], None] = lambda _: None
    message: Message | None = None

    def brings_up(self, found: Iterable[Hit | Record | BlockItem]) -> None:
        """Note the trust of memories that the model now sees. The assistant's own words do not count: they are in every
        turn, and if they rest on less trusted text, their trust shows it.
        """
        self.lower(least("confirmed", *(each.trust for each in found if each.trust != "assistant")))

    async def known(self, *, history: bool = False) -> AsyncIterator[Record]:
        """All knowledge that the call sees, the newest first; with ``history`` also what was replaced or has ended."""
        cursor = None
        while True:
            page = await self.memory.list(
                limit=_PAGE, cursor=cursor, types=KNOWLEDGE, history=history, scope=self.scope
            )
            for each in page.items:
                yield each.memory
            if (cursor := page.next) is None:
                return


@dataclass(slots=True)
class InputTrust:
    """The trust of the input of one client: the configured trust, and less for a while after an answer contained less
    trusted text.
    """

    trust: Trust = "user"
    clock: Callable[[], float] = time.monotonic
    _lowered: dict[Trust, float] = field(default_factory=dict)  # the last time for each trust

    def lower(self, trust: Trust) -> None:
        """Note that an answer contains text of this trust."""
        self._lowered[trust] = self.clock()

    @property
    def now(self) -> Trust:
        """The trust of the next call."""
        oldest = self.clock() - _SEEN
        return least(self.trust, *(trust for trust, at in self._lowered.items() if at > oldest))


Run = Callable[..., Awaitable[Mapping[str, Any]]]
"""What a tool does with the call and its arguments, by name; its values are JSON-ready. It may raise ``Refusal`` or an
error of the memory.
"""


class Arguments(BaseModel):
    """The arguments of a tool; an unknown one is refused."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that an assistant may call. ``reads``: it changes nothing; ``destroys``: it may remove something;
    ``repeats``: a second call changes nothing more.
    """

    name: str
    title: str
    description: str
    parameters: type[BaseModel]
    answers: type[BaseModel]
    run: Run
    reads: bool = False
    destroys: bool = False
    repeats: bool = False

    def parsed(self, arguments: Mapping[str, Any] | str | None) -> BaseModel:
        """The checked arguments, given as values or as JSON. Raises ``InvalidRequest``, which names each wrong one and
        shows no content.
        """
        try:
            given = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments or {}
            return self.parameters.model_validate(self._meant(given) if isinstance(given, dict) else given)
        except ValidationError as error:
            wrong = "; ".join(_described(each) for each in error.errors(include_url=False, include_input=False))
        except (ValueError, RecursionError):
            wrong = "The arguments are no JSON"
        known = ", ".join(f"`{name}`" for name in schema(self.parameters).get("properties", {})) or "none"
        raise InvalidRequest(f"{wrong}.", f"Call {self.name} again; its parameters are: {known}.")

    def _meant(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as some clients mean them: null for nothing, and a text of JSON for a list or an object."""
        meant = {name: value for name, value in arguments.items() if value is not None}
        texts = {name: text for name, text in meant.items() if isinstance(text, str) and text.startswith(("[", "{"))}
        taken = schema(self.parameters)["properties"] if texts else {}
        for name, text in texts.items():
            if taken.get(name, {}).get("type") in ("array", "object"):
                with suppress(ValueError, RecursionError):
                    meant[name] = json.loads(text)
        return meant

    async def answer(self, call: Call, arguments: BaseModel) -> Mapping[str, Any]:
        """Run the tool. Raises ``Refusal`` with advice."""
        try:
            return await self.run(call, **dict(arguments))
        except MemoryExtensionError as error:
            raise refusal(error) from error


def _described(error: Any) -> str:
    place = ".".join(map(str, error["loc"])) or "the arguments"
    what = {"missing": "is missing", "extra_forbidden": "is no parameter"}.get(error["type"])
    return f"`{place}` {what or 'is wrong: ' + error['msg'][:1].lower() + error['msg'][1:]}"


def schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a model, without references and titles; an optional value is left out rather than null."""
    whole = model.model_json_schema()
    flat: dict[str, Any] = _flat(whole, whole.pop("$defs", {}))
    return flat


def _flat(part: Any, known: Mapping[str, Any]) -> Any:
    if isinstance(part, list):
        return [_flat(each, known) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _flat(
            {**known[part["$ref"].rpartition("/")[2]], **{k: v for k, v in part.items() if k != "$ref"}}, known
        )
    if "anyOf" in part and (kinds := [kind for kind in part["anyOf"] if kind != {"type": "null"}]) != part["anyOf"]:
        rest = {key: value for key, value in part.items() if key not in ("anyOf", "default")}
        return _flat({**(kinds[0] if len(kinds) == 1 else {"anyOf": kinds}), **rest}, known)
    return {key: _flat(value, known) for key, value in part.items() if not (key == "title" and isinstance(value, str))}


def tool(
    title: str,
    description: str,
    answers: type[BaseModel],
    *,
    name: str | None = None,
    base: type[BaseModel] = Arguments,
    **traits: Any,
) -> Callable[[Run], Tool]:
    """Make a tool of the function that runs it. The tool has its name, or ``name``, and the arguments after the call as
    parameters, as pydantic would take them for the fields of a model.
    """

    def made(run: Run) -> Tool:
        called = name or run.__name__.removeprefix("_")
        _, *given = signature(run).parameters.values()
        fields: Any = {
            each.name: each.annotation if each.default is each.empty else (each.annotation, each.default)
            for each in given
        }
        parameters = create_model(called, __base__=base, __doc__=f"The arguments of `{called}`.", **fields)
        return Tool(called, title, description, parameters, answers, run, **traits)

    return made
