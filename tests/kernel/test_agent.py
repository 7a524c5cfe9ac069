"""The assistant against a real server on loopback that follows a script and can misbehave."""

import asyncio
import json
import logging
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import BaseModel

from sandbox.errors import ModelFailed, ToolRefused
from sandbox.extensions.assistant.agent import ModelAgent
from sandbox.extensions.assistant.history import History
from sandbox.protocols import Delta, Part, Reply, Tool, ToolUse, Turn
from sandbox.support.openai_server import Model
from sandbox.testing import NOON, Answer, Call, ScriptedModel, call
from tests.kernel.test_history import items

KEY = "sk-test-5f1c0a"
DIARY = "my secret diary"
SOON = {"Retry-After": "0.01"}


class Question(BaseModel):
    query: str


async def look(turn: Turn, question: Question) -> Mapping[str, Any]:  # noqa: ARG001
    if question.query == "nobody":
        raise ToolRefused(problem="Nobody is known.", advice="Ask who it is.")
    return {"found": f"{question.query} is a dog, über alles \ud83d"}


class Bench:
    """A scripted model, and agents that use it."""

    def __init__(self, home: Path, model: ScriptedModel) -> None:
        self.model = model
        self.file = home / "conversations.db"
        self.history = History(self.file)
        self.agents: list[ModelAgent] = []
        self.turns = 0
        self.last: dict[str, Turn] = {}

    def agent(self, run: Callable[[Turn, Any], Awaitable[Mapping[str, Any]]] = look, **settings: Any) -> ModelAgent:
        spec = Model(**{"name": "scripted", "base_url": self.model.base_url, "timeout": 5.0, **settings})
        tool = Tool("search_memory", "Searches.", Question, run)
        zone = ZoneInfo("Europe/Berlin")
        self.agents.append(ModelAgent(spec, self.history, [tool], "You are kind.", zone))
        return self.agents[-1]

    def turn(self, text: str = "Hello.", session: str = "s") -> Turn:
        """The next turn of a session, with the notes of the turn before."""
        self.turns += 1
        notes = self.last[session].notes if session in self.last else {}
        self.last[session] = Turn(f"t{self.turns}", session, text, NOON, notes=notes)
        return self.last[session]

    async def ask(self, *script: str | Answer, text: str = "Hello.", **settings: Any) -> list[Part]:
        self.model.script.extend(script)
        agent = self.agent(**settings) if settings or not self.agents else self.agents[-1]
        return await self.answer(agent, self.turn(text))

    async def answer(self, agent: ModelAgent, turn: Turn, context: str = "") -> list[Part]:
        return [part async for part in agent.answer(turn, context)]

    async def failure(self, *script: str | Answer, text: str = "Hello.", **settings: Any) -> str:
        with pytest.raises(ModelFailed) as caught:
            await self.ask(*script, text=text, **settings)
        error = caught.value
        assert error.__cause__ is None
        assert error.__context__ is None or error.__suppress_context__  # a log would show its cause
        return str(error)


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.fixture
async def bench(tmp_path: Path, model: ScriptedModel) -> AsyncIterator[Bench]:
    made = Bench(tmp_path, model)
    yield made
    for agent in made.agents:
        await agent.close()


# --- replies ----------------------------------------------------------------------------------------------------------


async def test_a_reply_is_streamed(bench: Bench) -> None:
    parts = await bench.ask("Rex is your dog.")
    assert parts == [Delta("Rex"), Delta(" is"), Delta(" your"), Delta(" dog."), Reply("Rex is your dog.")]


async def test_the_model_sees_instructions_context_and_what_was_said_before(bench: Bench) -> None:
    """The context belongs to one turn, so that recalled memories do not pile up in the session."""
    bench.model.script.extend(["A dog.", "In Porto."])
    agent = bench.agent()
    for text, context in [("Who is Rex?", "Recalled: Rex barks."), ("Where do I live?", "Recalled: by the river.")]:
        await bench.answer(agent, bench.turn(text), context)
    first, second = bench.model.requests
    instructions = "You are kind.\n\nToday is Monday, 2 March 2026. The user's time zone is Europe/Berlin."
    assert first.system == f"{instructions}\n\nRecalled: Rex barks."
    assert second.system == f"{instructions}\n\nRecalled: by the river."
    assert [message["content"] for message in second.messages] == ["Who is Rex?", "A dog.", "Where do I live?"]
    assert "Recalled" not in json.dumps(await items(bench.file, "s"))
    assert not any(b"Recalled" in file.read_bytes() for file in bench.file.parent.iterdir())


async def test_sessions_are_apart_and_survive_a_restart(bench: Bench) -> None:
    bench.model.script.extend(["Noted.", "Hello.", "A cello."])
    agent = bench.agent()
    for text, session in [("I play the cello.", "a"), ("Hello.", "b")]:
        await bench.answer(agent, bench.turn(text, session))
    await bench.answer(bench.agent(), bench.turn("What do I play?", "a"))
    sent = [message["content"] for message in bench.model.requests[-1].messages]
    assert sent == ["I play the cello.", "Noted.", "What do I play?"]
    assert [await bench.history.size(session) for session in "abc"] == [4, 2, 0]


async def test_settings_reach_the_server(bench: Bench) -> None:
    await bench.ask("Well.", temperature=0.5, max_tokens=99, api_key=KEY)
    body = bench.model.requests[0].body
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("scripted", 0.5, 99)
    assert "store" not in body
    assert bench.model.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_variables_for_openai_are_not_used_for_other_servers(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = {"OPENAI_API_KEY": KEY, "OPENAI_ORG_ID": "org-private", "OPENAI_PROJECT_ID": "proj-private"}
    for name, value in private.items():
        monkeypatch.setenv(name, value)
    await bench.ask("Well.")
    shown = json.dumps(dict(bench.model.requests[0].headers))
    assert not any(value in shown for value in private.values())


async def test_halves_of_characters_do_not_break_the_session(bench: Bench) -> None:
    first = Answer("half \ud83d of it", calls=[Call("search_memory", '{"query": "\ud83d"}')])
    parts = await bench.ask(first, "Well.\x00", text="Hello \udc00.")
    assert parts[-1] == Reply("half \N{REPLACEMENT CHARACTER} of it\n\nWell.\N{REPLACEMENT CHARACTER}")
    assert (await bench.ask("Fine.", text="And now?"))[-1] == Reply("Fine.")


# --- tools ------------------------------------------------------------------------------------------------------------


async def test_a_tool_is_offered_called_and_shown(bench: Bench) -> None:
    agent, turn = bench.agent(), bench.turn("Who is Rex?")
    bench.model.script.extend([call("search_memory", query="Rex"), "Rex is your dog."])
    parts = await bench.answer(agent, turn)
    assert parts[:2] == [ToolUse("search_memory"), ToolUse("search_memory", True)]
    assert parts[-1] == Reply("Rex is your dog.")
    assert turn.trust == "tool"
    offered = bench.model.requests[0].body["tools"][0]["function"]
    assert offered["parameters"]["properties"]["query"]["type"] == "string"
    assert not offered.get("strict")
    told = bench.model.requests[1].messages[-1]
    assert told["role"] == "tool"
    assert json.loads(told["content"]) == {"ok": True, "found": "Rex is a dog, über alles \N{REPLACEMENT CHARACTER}"}
    assert "über" in told["content"]


async def test_text_before_and_after_a_tool_call_is_one_reply(bench: Bench) -> None:
    look_up = Answer("Let me look.", calls=[Call("search_memory", '{"query": "Rex"}')])
    parts = await bench.ask(look_up, look_up, "A dog.")
    assert parts[-1] == Reply("Let me look.\n\nLet me look.\n\nA dog.")
    assert "".join(part.text for part in parts if isinstance(part, Delta)) == "Let me look.\n\nLet me look.\n\nA dog."


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (Call("search_memory", '{"query": "Rex'), "the arguments are no JSON object"),
        (Call("search_memory", '{"name": "Rex"}'), "`query`: Field required"),
        (Call("search_memory", '{"query": "nobody"}'), "Nobody is known."),
        (Call("buy_milk", "{}"), "there is no tool 'buy_milk'"),
        (Call("", ""), "there is no tool ''"),
    ],
)
async def test_a_wrong_call_is_explained_and_the_turn_goes_on(bench: Bench, asked: Call, error: str) -> None:
    parts = await bench.ask(Answer(calls=[asked]), "I cannot say.")
    assert parts[:2] == [ToolUse(asked.name), ToolUse(asked.name, False)]
    assert parts[-1] == Reply("I cannot say.")
    told = json.loads(bench.model.requests[1].messages[-1]["content"])
    assert told["ok"] is False
    assert told["error"].startswith(error)
    assert told["advice"]


async def test_tools_of_one_answer_run_together(bench: Bench) -> None:
    both = asyncio.Barrier(2)

    async def meet(turn: Turn, question: Question) -> Mapping[str, Any]:  # noqa: ARG001
        async with asyncio.timeout(5):
            await both.wait()
        return {}

    calls = [Call("search_memory", '{"query": "a"}'), Call("search_memory", '{"query": "b"}')]
    parts = await bench.ask(Answer(calls=calls), "Well.", run=meet)
    assert [part.ok for part in parts if isinstance(part, ToolUse)] == [None, None, True, True]


async def test_a_tool_without_end_is_an_error_with_a_limit(bench: Bench) -> None:
    bench.model.otherwise = call("search_memory", query="Rex")
    assert "called tools 12 times without coming to an answer" in await bench.failure()
    assert len(bench.model.requests) == 12


# --- failure ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (Answer(status=400), "answered with HTTP status 400: it does not take such a request"),
        (Answer(status=401), "answered with HTTP status 401: the API key is missing or was refused"),
        (Answer(status=403), "answered with HTTP status 403: this API key may not use this model"),
        (Answer(status=404), "answered with HTTP status 404: there is no such model, or `base_url` is wrong"),
        (Answer(status=418), "answered with HTTP status 418: it has a problem of its own"),
        (Answer(body="<html>Welcome</html>"), "does not speak Chat Completions; perhaps `base_url` is wrong"),
        (Answer(body='{"choices": []}'), "does not speak Chat Completions; perhaps `base_url` is wrong"),
        (Answer(body=""), "does not speak Chat Completions; perhaps `base_url` is wrong"),
        (Answer(body="data: <html>\n\n"), "gave an answer that cannot be understood (JSONDecodeError)"),
        (Answer(body="data: [1, 2]\n\n"), "gave an answer that cannot be understood"),
        (Answer(body='data: {"error": {"message": "overloaded"}}\n\n'), "reported an error in place of an answer"),
        (Answer("Half of it.", cut=True), "broke off in the middle of its answer"),
        (Answer("Half of it.", unfinished=True), "broke off in the middle of its answer"),
        (Answer(""), "gave an empty answer"),
        (Answer(" \n"), "gave an empty answer"),
        (Answer(refusal="I will not."), "declined to answer"),
        (Answer("", finish="content_filter"), "declined to answer"),
        (Answer("", finish="length"), "wrote as many tokens as it may before it said anything"),
    ],
)
async def test_a_failure_is_reported_and_the_next_turn_works(bench: Bench, answer: Answer, problem: str) -> None:
    await bench.ask("Well.")
    told = await bench.failure(answer)
    assert told.startswith(f"scripted at 127.0.0.1:{bench.model.base_url.split(':')[2][:-3]} {problem}")
    assert len(bench.model.requests) == 2
    assert (await bench.ask("Back again."))[-1] == Reply("Back again.")
    assert len(bench.model.requests[-1].messages) == 3


@pytest.mark.parametrize(("finish", "why"), [("length", "the answer is cut off"), ("content_filter", "withheld")])
async def test_an_interrupted_answer_is_kept_and_marked(bench: Bench, finish: str, why: str) -> None:
    reply = (await bench.ask(Answer("As far as it", finish=finish)))[-1]
    assert isinstance(reply, Reply)
    assert reply.text == "As far as it"
    assert why in (reply.problem or "")
    assert await bench.history.size("s") == 2


async def test_a_busy_server_is_asked_again(bench: Bench) -> None:
    busy = [Answer(status=429, headers=SOON), Answer(status=503, headers=SOON)]
    assert (await bench.ask(*busy, "Well."))[-1] == Reply("Well.")


@pytest.mark.parametrize(("status", "meaning"), [(429, "too many requests"), (500, "it has a problem of its own")])
async def test_a_server_that_stays_busy_is_given_up(bench: Bench, status: int, meaning: str) -> None:
    assert f"status {status}: {meaning}" in await bench.failure(*[Answer(status=status, headers=SOON)] * 3)
    assert len(bench.model.requests) == 3


@pytest.mark.parametrize(
    "answer",
    [Answer(delay=60), Answer("one two three four", stall=60), Answer(status=429, headers={"Retry-After": "60"})],
)
async def test_a_silent_server_is_given_up_within_a_limit(bench: Bench, answer: Answer) -> None:
    """A server that hangs at once, hangs in the middle of a stream, or asks for a pause of a minute."""
    assert "sent nothing for 0.2 s" in await bench.failure(answer, timeout=0.2)


async def test_a_slow_stream_is_not_given_up(bench: Bench) -> None:
    """The limit is for each pause, not for the whole answer."""
    assert (await bench.ask("Well.", Answer("a b c", delay=0.6, stall=0.6)))[-1] == Reply("Well.")
    assert (await bench.ask(timeout=1.1))[-1] == Reply("a b c")


async def test_an_unreachable_server_is_reported(bench: Bench) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        assert "cannot be reached" in await bench.failure(base_url=address, max_retries=0)


async def test_no_error_and_no_log_shows_a_word_or_a_key(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    """Servers quote both: "Incorrect API key provided: sk-..."."""
    said = Answer(status=400, body=json.dumps({"error": {"message": f"bad key {KEY} for: {DIARY}"}}))
    address = bench.model.base_url.replace("//", f"//ann:{KEY}@")
    lookup = Answer(DIARY, calls=[Call("search_memory", json.dumps({"query": [DIARY]}))])
    with caplog.at_level(logging.DEBUG):
        for script in ([said], [lookup, Answer(DIARY, cut=True)], [Answer(body=f"data: {DIARY}\n\n")]):
            told = await bench.failure(*script, text=DIARY, base_url=address, api_key=KEY)
            assert KEY not in told
            assert DIARY not in told
    assert KEY not in caplog.text
    assert DIARY not in caplog.text


# --- leaving ----------------------------------------------------------------------------------------------------------


async def test_leaving_a_reply_ends_the_request(bench: Bench) -> None:
    bench.model.script.append(Answer("one two three four", stall=60))
    agent = bench.agent()
    async with aclosing(agent.answer(bench.turn(), "")) as parts:
        assert await anext(parts) == Delta("one")
    assert (await bench.ask("Back again."))[-1] == Reply("Back again.")


async def test_a_cancelled_turn_stops_its_tool(bench: Bench) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def sleep(turn: Turn, question: Question) -> Mapping[str, Any]:  # noqa: ARG001
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()
        return {}

    agent = bench.agent(sleep)
    bench.model.script.append(call("search_memory", query="Rex"))
    listening = asyncio.create_task(bench.answer(agent, bench.turn()))
    await began.wait()
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert ended.is_set()
    async with asyncio.timeout(10):
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}, return_exceptions=True)


async def test_sessions_are_answered_at_the_same_time(bench: Bench) -> None:
    bench.model.otherwise = lambda request: f"You said: {request.messages[-1]['content']}"
    agent = bench.agent()

    async def talk(session: str) -> list[str | None]:
        replies = []
        for number in range(3):
            parts = await bench.answer(agent, bench.turn(f"{session}{number}", session))
            replies.append(parts[-1].text if isinstance(parts[-1], Reply) else None)
        return replies

    replies = await asyncio.gather(*(talk(session) for session in "abcd"))
    assert replies == [[f"You said: {session}{number}" for number in range(3)] for session in "abcd"]
    assert [await bench.history.size(session) for session in "abcd"] == [6, 6, 6, 6]


# --- its own memory ---------------------------------------------------------------------------------------------------


async def test_a_repeated_turn_is_in_the_history_once(bench: Bench) -> None:
    """The kernel died during the answer or after it; the turn comes again with the notes of the turn before."""
    await bench.ask("Hello, Ann.")
    first = bench.turn("What do I play?")
    again = replace(first)
    for turn, answer in ((first, "A cello."), (again, "The cello.")):
        bench.model.script.append(answer)
        await bench.answer(bench.agent(), turn)
    sent = [message["content"] for message in bench.model.requests[-1].messages]
    assert sent == ["Hello.", "Hello, Ann.", "What do I play?"]
    assert await bench.history.size("s") == again.notes["items"] == 4


async def test_a_page_lowers_trust_while_the_model_sees_it(bench: Bench) -> None:
    """The model still sees a page of one turn in the next turn of the session, and in no other session."""
    await bench.ask(call("search_memory", query="Rex"), "Rex is a dog.")
    assert bench.last["s"].trust == "tool"
    await bench.ask("You are welcome.", text="Thanks.")
    assert bench.last["s"].trust == "tool"
    bench.model.script.append("Hello.")
    await bench.answer(bench.agents[-1], bench.turn("Hello.", "another"))
    assert bench.last["another"].trust == "user"


# --- alone in a process -----------------------------------------------------------------------------------------------

TALK = """
import asyncio, sys
from pathlib import Path
from sandbox.extensions.assistant.agent import ModelAgent
from sandbox.support.errors import MissingPackage
from sandbox.extensions.assistant.history import History
from sandbox.support.openai_server import Model
from sandbox.protocols import Turn
from sandbox.testing import NOON, ScriptedModel

addresses = []
sys.addaudithook(lambda event, arguments: event == "socket.connect" and addresses.append(arguments[1][0]))

async def main():
    with ScriptedModel("Well.") as model:
        history = History(Path(sys.argv[1]) / "c.db")
        agent = ModelAgent(Model(name="m", base_url=model.base_url), history, [], "Be kind.")
        try:
            print([part async for part in agent.answer(Turn("t", "s", "Hello.", NOON), "")][-1].text)
        except MissingPackage as error:
            print(error)
        await agent.close()
"""


def run(program: str, home: Path) -> str:
    environment = {**os.environ, "OPENAI_API_KEY": KEY}
    command = [sys.executable, "-W", "error", "-c", dedent(program), str(home)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_an_agent_connects_to_the_model_alone(tmp_path: Path) -> None:
    """With a key for OpenAI in the environment, the package would upload traces at the end of the process."""
    last_word = "import atexit\natexit.register(lambda: print(set(addresses)))\n"
    assert run(f"{last_word}{TALK}\nasyncio.run(main())", tmp_path) == "Well.\n{'127.0.0.1'}\n"


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    told = run(f"import sys\nsys.modules['agents'] = None\n{TALK}\nasyncio.run(main())", tmp_path)
    assert told == (
        f"The model that answers needs openai-agents, which is not installed. Run `{sys.executable} -m pip install "
        "'.[agents]'` in the folder of the source, or `pipx inject assistant-memory openai-agents`.\n"
    )


WITHOUT_A_MODEL = """
import asyncio, sys
from pathlib import Path
from sandbox.kernel import Kernel

async def main():
    async with Kernel.open(Path(sys.argv[1])) as kernel:
        await kernel.work()
        print(kernel.agent, [type(part).__name__ async for part in kernel.conversation("test").say("Hello.")])
        await kernel.settled()
    print({"agents", "openai"} & set(sys.modules))

asyncio.run(main())
"""


def test_without_a_model_the_framework_is_not_imported(tmp_path: Path) -> None:
    assert run(WITHOUT_A_MODEL, tmp_path) == "None ['Context', 'Reply']\nset()\n"
