"""No file of a home contains a secret that somebody says to a kernel: while it works, after a kill, and afterwards."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from sandbox.errors import SecretInId
from sandbox.kernel import STATE, Kernel
from sandbox.protocols import Context, Reply
from sandbox.testing import FakeClock, Request, ScriptedResponder, call
from tests.kernel.buses import Listener, bus_in
from tests.kernel.test_kernel import assisted, say, working
from tests.terminals import Terminal

SECRET = "Kitten99x"
SAID = f"By the way, my password is {SECRET}, please book a table."
MASKED = "By the way, my password is [secret: password], please book a table."


def holding(home: Path, secret: str = SECRET) -> list[str]:
    """The files of a home that contain a secret."""
    files = [path for path in home.rglob("*") if path.is_file()]
    assert STATE in [path.name for path in files]
    return [path.name for path in files if secret.encode() in path.read_bytes()]


# --- what the kernel keeps --------------------------------------------------------------------------------------------


async def test_only_the_speaker_is_told_of_a_masked_secret(home: Path, clock: FakeClock) -> None:
    async with working(home, clock, "Done.") as kernel:
        context, *_ = await say(kernel.conversation("test"), SAID)
        assert isinstance(context, Context)
        assert (context.said, context.masked) == (MASKED, ("password",))
        assert isinstance(kernel.agent, ScriptedResponder)
        assert kernel.agent.asked[0][0].text == MASKED
    assert holding(home) == []


@pytest.mark.parametrize(
    "turns", [["What is the gate code?", "0451-7736"], ["Ready for the gate code?", "Sure, go ahead.", "0451-7736"]]
)
async def test_an_answer_to_a_question_for_a_secret_is_masked(home: Path, clock: FakeClock, turns: list[str]) -> None:
    """The question and the answer may come from either side."""
    async with working(home, clock, turns[1], "Thanks.") as kernel:
        conversation = kernel.conversation("test")
        *_, reply = await say(conversation, turns[0])
        assert isinstance(reply, Reply)
        for turn in turns[2:]:
            context, *_ = await say(conversation, turn)
            assert isinstance(context, Context)
            assert context.said == "[secret: code]"
        kept = (await kernel.router.checkpoint(str(conversation.session))).conversation
        assert "0451-7736" not in str(kept)
        assert "[secret: code]" in str(kept)
    assert holding(home, "0451-7736") == []


async def test_replies_and_tool_calls_are_stored_without_secrets(home: Path, clock: FakeClock) -> None:
    def asked_again(request: Request) -> str:
        assert SECRET not in str(request.messages[0])
        return f"Noted: the password is {SECRET}."

    script = (
        call("remember_fact", fact=f"The password is {SECRET}.", category="fact"),
        call("search_memory", query=f"password: {SECRET}"),
        call("no_such_tool", password=SECRET),
        asked_again,
        "Which table?",
    )
    async with assisted(home, clock, *script) as (kernel, model):
        conversation = kernel.conversation("test")
        *_, reply = await say(conversation, SAID)
        assert isinstance(reply, Reply)
        assert reply.problem is None
        await say(conversation, "Book it.")
        assert SECRET not in str(model.requests[-1].messages)
        await kernel.settled()
    assert holding(home) == []


async def test_an_undelivered_reply_is_stored_without_secrets(home: Path) -> None:
    async with Kernel.open(home) as kernel:
        turn = await kernel.router.take(SAID, user="ann", channel="test")
        assert not isinstance(turn, Reply)
        await kernel.router.finish(turn, Reply(f"It is password: {SECRET}", SAID), is_heard=False)
    assert holding(home) == []


@dataclass(frozen=True, slots=True)
class Noticed:
    """An event of another extension."""

    topic: ClassVar[str] = "noticed"

    key: str
    session: str
    what: dict[str, Any]
    user: str = "ann"


async def test_every_event_is_stored_without_secrets(home: Path) -> None:
    listener = Listener()
    async with bus_in(home, (Noticed, "test", listener)) as bus:
        what = {"text": [SAID], "login": {"password": SECRET}, "api_key": "9f8e7d6c5b4a3210", "count": 7}
        await bus.publish(Noticed("msg_01XFDUDYJgAACzvnptvVoYEL", f"token={SECRET}7d6c5b4a", what))
        for refused in (Noticed(f"password={SECRET}", "s", {}), Noticed("a", "s", {}, user=f"password={SECRET}")):
            with pytest.raises(SecretInId, match="password"):
                await bus.publish(refused)
        await bus.settled()
    (told,) = listener.heard
    assert (told.key, told.session) == ("msg_01XFDUDYJgAACzvnptvVoYEL", "token=[secret: token]")
    assert (told.what["text"], told.what["count"]) == ([MASKED], 7)
    assert told.what["login"] == {"password": "[secret: password]"}
    assert holding(home) == []


# --- at a terminal ----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize("is_killed", [True, False])
def test_a_secret_typed_at_a_terminal_is_in_no_file(home: Path, is_killed: bool) -> None:
    """Neither a message, nor a line with a command, nor the answer to a question."""
    terminal = Terminal("-m", "sandbox.cli", "chat", MEMORY_HOME=str(home))
    terminal.ask(f"{SAID}\r", "Secrets are neither kept nor sent")
    terminal.ask(f"/memory search password: {SECRET}\r", "")
    terminal.ask("Do you know the gate code?\r", "Remembered.")
    terminal.ask("0451-7736\r", "masked: code")
    terminal.ask(" My bees are well.\r", "Remembered.")
    terminal.prompted()
    if is_killed:
        terminal.kill()
    else:
        terminal.type("\x04")
        assert terminal.end() == 0
    assert holding(home) == []
    assert holding(home, "0451-7736") == []
    typed = (home / "chat_history").read_text()
    assert f"+{MASKED}\n" in typed
    assert "+/memory search password: [secret: password]\n" in typed
    assert "bees" not in typed
    again = Terminal("-m", "sandbox.cli", "chat", MEMORY_HOME=str(home))
    again.prompted()
    again.type("\x1b[A" * 4)
    again.see("[secret: password]")
    again.kill()
    assert holding(home) == []
