"""A client of any server with `/v1/chat/completions`. It uses the `openai` package, an extra, imported at the first
question.
"""

import asyncio
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sandbox.extensions.memory.asking.breaker import Breaker
from sandbox.extensions.memory.asking.dialect import Dialect, read_reply
from sandbox.extensions.memory.asking.question import prompt_tokens
from sandbox.extensions.memory.errors import ModelUnavailable
from sandbox.extensions.memory.ports import Answer, Question
from sandbox.support.errors import MissingPackage
from sandbox.support.openai_server import OPENAI_URL, connect, is_openai, meaning, withheld

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

MEANINGS = dict.fromkeys((400, 422), "it does not take such a request")
_BAD_REQUEST = (400, 422)
_TOO_LONG = ("context_length_exceeded", "exceed_context_size_error")  # OpenAI and vLLM; llama.cpp


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
                if _is_too_long(error):
                    return Answer("", "length", prompt_tokens(question), 0)
                other = dialect.after_refusal(error.param) if error.status_code in _BAD_REQUEST else None
                if other is None:
                    raise
                dialect = other
            else:
                self._dialect = dialect
                return read_reply(body, prompt_tokens(question))

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


def _is_too_long(error: "APIStatusError") -> bool:
    return error.status_code == 413 or error.code in _TOO_LONG or error.type in _TOO_LONG
