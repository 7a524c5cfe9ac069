"""A client of any server with `/v1/chat/completions`. It uses the `openai` package, an extra, imported at the first
question. Requests are written in the format that the server accepts, because one server refuses fields that another
needs; of its answers nothing is trusted.
"""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from sandbox.extensions.memory.asking.ask import prompt_tokens
from sandbox.extensions.memory.errors import ModelUnavailable
from sandbox.extensions.memory.ports import Answer, EstimatedTokens, Question
from sandbox.support.errors import MissingPackage
from sandbox.support.openai_server import OPENAI_URL, connect, is_openai, meaning, withheld

if TYPE_CHECKING:
    from openai import AsyncOpenAI

MEANINGS = dict.fromkeys((400, 422), "it does not take such a request")
_BAD_REQUEST = (400, 422)
_TOO_LONG = ("context_length_exceeded", "exceed_context_size_error")  # OpenAI and vLLM; llama.cpp

_NO_ANSWER = "(no answer)"
_AGAIN = "That cannot be used. {reason}"
_SCHEMA = "Answer with one JSON object that follows this JSON schema, and nothing else:\n{schema}"
_MOST = 3  # failures in a row before a pause
_PAUSE, _LONGEST = 30.0, 3600.0  # seconds


class ChatModel:
    """A ``LanguageModel`` at ``base_url``. It sends a key if there is one.

    ``timeout`` is in seconds, for one request. After a lost connection, or the status 408, 409, 429 or 5xx, the
    `openai` package repeats a request ``max_retries`` times: after 0.5 s, 1 s, ... minus up to a quarter, or after the
    time in Retry-After. All of this ends within the time of all requests together. After three failures in a row nobody
    is asked for a while (``Breaker``, on ``clock``). One request runs at a time. With ``temperature``
    None the server chooses it.

    If a server refuses schemas, it is asked for any JSON, and if it refuses that, for text; the format that worked is
    remembered. Raises ``MissingPackage`` without the extra `openai`.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str = OPENAI_URL,
        api_key: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        temperature: float | None = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if find_spec("openai") is None:
            raise MissingPackage(f"The language model {name}", "openai")
        self._name = name
        self._base_url = base_url
        self._api_key = api_key
        self._timeout = timeout
        self._max_retries = max_retries
        self._temperature = temperature
        self._asking = asyncio.Lock()
        self._breaker = Breaker(clock)
        self._dialect = Dialect()
        self._client: AsyncOpenAI | None = None
        self._is_closed = False

    @property
    def model_id(self) -> str:
        """The model's name."""
        return self._name

    async def ask(self, question: Question) -> Answer:
        """The answer. A question that is too long for the model counts as cut off (``length``). Raises
        ``ModelUnavailable``.
        """
        async with self._asking:
            if self._is_closed:
                raise self._unavailable("it was closed")
            if wait := self._breaker.wait():
                raise self._unavailable(f"it failed several times in a row and is asked again in {wait:.0f} s")
            return await self._ask(question, await self._connection())

    async def close(self) -> None:
        """Close the connections; later questions raise an error."""
        self._is_closed = True
        if self._client is not None:
            await self._client.close()

    async def _ask(self, question: Question, client: "AsyncOpenAI") -> Answer:
        """The answer; the breaker learns of its outcome. The package's errors quote the conversation, so they end
        here.
        """
        import openai

        try:
            async with asyncio.timeout(self._timeout * (self._max_retries + 1)):
                answer = await self._negotiate(question, client)
        except openai.APIStatusError as error:
            if error.status_code not in _BAD_REQUEST:  # these are about this question only
                self._breaker.failed()
            raise self._unavailable(meaning(error.status_code, MEANINGS)) from None
        except (TimeoutError, openai.APITimeoutError):
            problem = f"no answer within {self._timeout:g} s"
        except openai.OpenAIError:
            problem = "it cannot be reached, or breaks off"
        except ValueError as error:
            problem = str(error)
        else:
            self._breaker.succeeded()
            return answer
        self._breaker.failed()
        raise self._unavailable(problem)

    async def _negotiate(self, question: Question, client: "AsyncOpenAI") -> Answer:
        """The answer in the first dialect that the server accepts, which is then kept."""
        import openai

        dialect = self._dialect
        while True:
            try:
                body = await self._post(client, dialect.request(question, self._temperature))
            except openai.APIStatusError as error:
                if error.status_code == 413 or not {error.code, error.type}.isdisjoint(_TOO_LONG):
                    return Answer("", "length", prompt_tokens(question), 0)
                other = dialect.after_refusal(error.param) if error.status_code in _BAD_REQUEST else None
                if other is None:
                    raise
                dialect = other
            else:
                self._dialect = dialect
                return _read_reply(body, prompt_tokens(question))

    async def _post(self, client: "AsyncOpenAI", request: dict[str, Any]) -> bytes:
        from openai import omit

        answer = await client.chat.completions.with_raw_response.create(
            model=self._name,
            store=False if is_openai(self._base_url) else omit,  # otherwise OpenAI keeps every question
            extra_headers=withheld(self._base_url, self._api_key),
            **request,
        )
        content: bytes = answer.content
        return content

    async def _connection(self) -> "AsyncOpenAI":
        if self._client is None:
            await asyncio.to_thread(import_module, "openai")  # the import takes a second
        self._client = self._client or connect(
            self._base_url, self._api_key, timeout=self._timeout, retries=self._max_retries
        )
        return self._client

    def _unavailable(self, problem: str) -> ModelUnavailable:
        return ModelUnavailable(model=self._name, problem=problem)


Shape = Literal["schema", "json", "text"]
Limit = Literal["max_tokens", "max_completion_tokens"]

_NEXT: dict[Shape, Shape] = {"schema": "json", "json": "text"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """The fields of a request beside the messages. ``shape`` says how the answer is restricted: by its schema, to JSON,
    or not at all; ``limit`` is the name of the field for the largest number of tokens.
    """

    shape: Shape = "schema"
    limit: Limit = "max_tokens"
    temperature: bool = True

    def after_refusal(self, parameter: str | None) -> "Dialect | None":
        """The next dialect to try after a bad request; the server may have named a parameter. None if no dialect is
        left.
        """
        if parameter == "temperature" and self.temperature:
            return replace(self, temperature=False)
        if parameter == "max_tokens" == self.limit:
            return replace(self, limit="max_completion_tokens")
        return replace(self, shape=_NEXT[self.shape]) if self.shape in _NEXT else None

    def request(self, question: Question, temperature: float | None) -> dict[str, Any]:
        """The body of a request, without the model."""
        body: dict[str, Any] = {"messages": self.messages(question), self.limit: question.max_tokens}
        if self.temperature and temperature is not None:
            body["temperature"] = temperature
        if self.shape == "schema":
            named = {"name": question.name, "strict": question.strict, "schema": dict(question.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.shape == "json":
            body["response_format"] = {"type": "json_object"}
        return body

    def messages(self, question: Question) -> list[dict[str, str]]:
        """The instructions, the material, and each earlier answer with the reason why it could not be read."""
        system = question.system
        if self.shape != "schema" or question.earlier:  # the server may have ignored the schema
            schema = json.dumps(question.schema, ensure_ascii=False)
            system = f"{system}\n\n{_SCHEMA.format(schema=schema)}"
        messages = [{"role": "system", "content": system}, {"role": "user", "content": question.user}]
        for answer, reason in question.earlier:
            messages.append({"role": "assistant", "content": answer.strip() or _NO_ANSWER})
            messages.append({"role": "user", "content": _AGAIN.format(reason=reason)})
        return messages


def _read_reply(body: bytes, prompt_tokens: int) -> Answer:
    """The model's answer. ``prompt_tokens`` is the estimate to use if the server counts no tokens. Raises
    ``ValueError``, which says what is wrong with the body and quotes nothing of it.
    """
    try:
        parts = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("its answer is not JSON") from None
    choice = _first(_get(parts, "choices"))
    message = _get(choice, "message")
    if not isinstance(message, dict):
        raise ValueError("its answer is no chat completion")
    refusal, text = message.get("refusal"), _text(message.get("content"))
    finish = _get(choice, "finish_reason")
    usage = _get(parts, "usage")
    return Answer(
        text=text,
        finish="refusal" if refusal and not text.strip() else finish if isinstance(finish, str) else "stop",
        prompt_tokens=_count(_get(usage, "prompt_tokens"), prompt_tokens),
        completion_tokens=_count(_get(usage, "completion_tokens"), EstimatedTokens().count_tokens([text])[0]),
    )


def _text(content: Any) -> str:
    """The text of a message; some servers give it in parts."""
    if isinstance(content, list):
        return "".join(_text(_get(part, "text")) for part in content)
    return content if isinstance(content, str) else ""


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else None


def _count(value: Any, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else otherwise


class Breaker:
    """Opens after three failures in a row for 30 seconds; each further failure doubles the pause, up to an hour. After
    a pause it allows one try. ``clock`` gives seconds and never goes back.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failed = 0
        self._closed_from = 0.0

    def wait(self) -> float:
        """Seconds until the next try; 0 means now. A caller that gets 0 has to report success or failure."""
        left = self._closed_from - self._clock()
        if left > 0:
            return left
        if self._failed >= _MOST:
            self._hold()  # the others wait for the result of this try
        return 0.0

    def succeeded(self) -> None:
        """Report a success."""
        self._failed, self._closed_from = 0, self._clock()

    def failed(self) -> None:
        """Report a failure."""
        self._failed += 1
        if self._failed >= _MOST:
            self._hold()

    def _hold(self) -> None:
        doublings = min(self._failed - _MOST, 30)  # more doublings would give a huge number, and no longer pause
        self._closed_from = self._clock() + min(_LONGEST, _PAUSE * 2**doublings)
