"""A person at a terminal: the input, the output, and the keys."""

import io
import os
import stat
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import example, given, strategies as st
from prompt_toolkit.history import FileHistory
from rich.cells import cell_len

from sandbox.errors import StateFull
from sandbox.extensions.cli_channel.chat import Chat
from sandbox.extensions.cli_channel.flow import Flow, broken
from sandbox.extensions.cli_channel.main import history_of
from sandbox.extensions.cli_channel.reading import Lines
from sandbox.extensions.cli_channel.screen import Screen
from sandbox.kernel import Kernel
from sandbox.protocols import Context, Delta, Reply, ToolUse
from sandbox.support.characters import printable
from sandbox.testing import FakeClock
from tests.kernel.terminal import COMMANDS, Happening, Scripted
from tests.terminals import Terminal

# --- what is shown ----------------------------------------------------------------------------------------------------


class Shown(NamedTuple):
    """The output of a chat."""

    out: str
    err: str


async def run(chat: Chat, typed: str) -> None:
    """Type into a pipe, and close it."""
    source, sink = os.pipe()
    try:
        os.write(sink, typed.encode(errors="surrogateescape"))
        os.close(sink)
        await chat.run(Lines(source))
    finally:
        os.close(source)


async def chat(conversation: Scripted, typed: str, *, is_terminal: bool = False, patience: float = 60) -> Shown:
    """What a chat shows for it, in a pipe or on a terminal."""
    out, err = io.StringIO(), io.StringIO()
    await run(Chat(conversation, Screen(out, err, is_terminal=is_terminal, is_plain=True), patience), typed)
    return Shown(out.getvalue(), err.getvalue())


async def test_only_replies_go_to_the_pipe() -> None:
    turn = (Context("", ("calendar failed (OSError)",)), ToolUse("search"), ToolUse("search", True), Delta("Hi."))
    shown = await chat(Scripted([*turn, Reply("Hi.")]), "hello\n")
    assert shown.out == "Hi.\n"
    assert shown.err == "· not consulted: calendar failed (OSError)\n· search\n"


async def test_a_terminal_shows_a_reply_and_its_tools_in_order() -> None:
    tried = (ToolUse("search"), ToolUse("search", False))
    turn = (Context(""), Delta("Let me see."), *tried, Delta("\n\nHi."), Reply("Hi."))
    shown = await chat(Scripted(turn), "hello\n", is_terminal=True)
    assert shown.out == "Let me see.\n· search\n· search was refused\nHi.\n\n"
    assert shown.err == ""


async def test_an_unstreamed_reply_is_shown_whole() -> None:
    assert (await chat(Scripted([Context(""), Reply("Hello.")]), "hi\n")).out == "Hello.\n"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        *((two, ["a", "b"]) for two in ("a\nb\n", "a\nb", "a\r\n\n   \nb\r\n")),
        ("one\\\ntwo\\\nthree\nfour\\", ["one\ntwo\nthree", "four"]),
        ("//memory is a command\n", ["/memory is a command"]),
    ],
)
async def test_every_line_is_a_message(typed: str, said: list[str]) -> None:
    """A backslash at its end joins it to the next; of two slashes at its beginning one is sent."""
    conversation = Scripted(commands=COMMANDS)
    assert (await chat(conversation, typed)).out == "Hello, Ann.\n" * len(said)
    assert conversation.said == said


async def test_undecodable_bytes_do_not_end_the_chat() -> None:
    conversation = Scripted()
    shown = await chat(conversation, "caf\udcff\ntea\n")
    assert conversation.said == ["tea"]
    assert "it is not UTF-8" in shown.err


async def test_without_a_model_the_context_is_shown() -> None:
    known = Scripted([Context("<memory>Ann likes tea.</memory>"), Reply(None)], model=None)
    shown = await chat(known, "tea?\n")
    assert shown.out == "<memory>Ann likes tea.</memory>\n"
    assert "Remembered. An assistant would be given:" in shown.err
    assert "\n  <memory>Ann likes tea.</memory>\n" in (await chat(known, "tea?\n", is_terminal=True)).out
    unknown = await chat(Scripted([Context(""), Reply(None)], model=None), "tea?\n")
    assert unknown.out == ""
    assert unknown.err == "Remembered. Nothing else that is known bears on it yet.\n"


async def test_a_waiting_person_is_told_how_to_stop() -> None:
    slow = Scripted([Context(""), 0.1, Delta("Hi."), 0.1, Reply("Hi.")])
    shown = await chat(slow, "hello\n", is_terminal=True, patience=0.02)
    assert shown.out == "No answer yet; Ctrl-C stops waiting.\nHi.\n\n"
    assert (await chat(slow, "hello\n", patience=0.02)).err == ""


async def test_a_failing_model_is_reported_in_one_line() -> None:
    failed: Sequence[Happening] = [Context(""), Delta("Well, I"), Reply(None, "gpt at 127.0.0.1:9 cannot be reached.")]
    shown = await chat(Scripted(failed, [Context(""), Reply("Back.")]), "one\ntwo\n")
    assert shown.out == "Well, I\nBack.\n"
    assert shown.err == "gpt at 127.0.0.1:9 cannot be reached; what you said is remembered.\n"


async def test_a_refused_message_is_reported_in_one_line() -> None:
    conversation = Scripted([StateFull(path="/x/kernel.db")], [Context(""), Reply("Back.")])
    shown = await chat(conversation, "one\n\x00\ntwo\n")
    assert shown.out == "Back.\n"
    assert shown.err.startswith("The disk that holds /x/kernel.db is full;")
    assert shown.err.count("\n") == 2


async def test_an_empty_reply_takes_no_line() -> None:
    shown = await chat(Scripted([Context(""), Delta("  \n"), Reply(None, "gpt gave an empty answer.")]), "hi\n")
    assert (shown.out, shown.err) == ("", "gpt gave an empty answer; what you said is remembered.\n")


async def test_missed_replies_come_first() -> None:
    shown = await chat(Scripted(missed=[Reply("It is Friday."), Reply(None, "It was cut off twice")]), "hi\n")
    assert shown.out == "It is Friday.\nHello, Ann.\n"
    assert shown.err == "The reply that was cut off:\nIt was cut off twice; what you said is remembered.\n"


async def test_a_closed_pipe_ends_the_chat() -> None:
    source, sink = os.pipe()
    os.close(source)
    conversation, out = Scripted(), os.fdopen(sink, "w")
    await run(Chat(conversation, Screen(out, io.StringIO(), is_terminal=False)), "one\ntwo\n")
    assert conversation.said == ["one"]
    with pytest.raises(BrokenPipeError):
        out.close()


# --- commands ---------------------------------------------------------------------------------------------------------


async def test_help_lists_every_command() -> None:
    shown = await chat(Scripted(commands=COMMANDS), "/help\n")
    for line in (
        "/memory  what is remembered\n    /memory list\n    /memory delete ID\n",
        "/broken  never works\n",
        "/quit    leave; so do /exit, and at a terminal quit, exit and bye\n",
    ):
        assert line in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("/memory delete  aB3 ", "ann typed 'delete  aB3'\n"),
        ("/memory", "ann typed ''\n"),
        ("/memry list", "There is no command /memry; did you mean /memory?\n"),
        ("/delete k3Xy9aBc", "There is no command /delete; this is near:\n/memory delete ID\n"),
        ("/xyz", "There is no command /xyz; /help lists what there is.\n"),
        ("/", "There is no command /; /help lists what there is.\n"),
    ],
)
async def test_a_command_answers(typed: str, answer: str) -> None:
    conversation = Scripted(commands=COMMANDS)
    assert (await chat(conversation, f"{typed}\n")).out == answer
    assert conversation.said == []


async def test_a_failing_command_is_reported_in_one_line() -> None:
    shown = await chat(Scripted(commands=COMMANDS), "/broken into\\\npieces\nhi\n")
    assert shown.err.count("\n") == 1
    assert shown.out == "Hello, Ann.\n"


async def test_new_begins_a_session_and_quit_leaves() -> None:
    conversation = Scripted()
    for leave in ("/quit", "/exit", "/bye"):
        assert (await chat(Scripted(), f"{leave}\nunheard\n")).out == ""
    assert "Hello" in (await chat(Scripted(), "bye\n")).out  # in a pipe it is what somebody says
    assert (await chat(conversation, "/new\n/quit\nunheard\n")).out.startswith("Another conversation begins.\n")
    assert (conversation.sessions_begun, conversation.said) == (1, [])


# --- lines ------------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.sampled_from("aB,漢字 \n\r\t\x1b\x9b\u202e\x07é👋"), max_size=200)


@given(TEXTS, st.lists(st.integers(0, 200), max_size=10), st.integers(2, 40))
@example("B  ", [2], 2)
def test_a_streamed_text_is_wrapped_like_the_whole(text: str, cuts: list[int], width: int) -> None:
    flow, ends = Flow(width), [*sorted(cuts), len(text)]
    pieces = [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    shown = "".join(map(flow.feed, pieces)) + flow.rest()
    assert shown.split("\n") == broken(text, width)


@given(TEXTS, st.integers(2, 40))
def test_wrapping_loses_no_text_and_passes_no_control_characters(text: str, width: int) -> None:
    lines = broken(text, width)
    assert "".join("".join(lines).split()) == "".join(printable(text).split())
    assert not {"\x1b", "\x9b", "\u202e", "\r", "\x07"} & set("".join(lines))


@given(st.lists(st.text(st.sampled_from("ab漢👋"), min_size=1, max_size=9)), st.integers(20, 40))
def test_lines_fit_the_width(words: Sequence[str], width: int) -> None:
    assert all(cell_len(line.rstrip()) <= width for line in broken(" ".join(words), width))


def test_an_unbreakable_word_stays_whole() -> None:
    address = "https://example.org/" + "x" * 100
    assert broken(f"Look at {address} and on.", 40) == ["Look at ", address, "and on."]
    assert broken("def f():\n    return 1", 40) == ["def f():", "    return 1"]


async def test_a_reply_cannot_steer_the_terminal() -> None:
    deltas = [Delta(text) for text in ("a\x1b", "[2Jb\u202e", "\x9b1m")]
    turn: Sequence[Happening] = [Context(""), *deltas, Reply(None, "\x1b]0;title\x07")]
    shown = await chat(Scripted(turn), "hi\n", is_terminal=True)
    assert not {"\x1b", "\x9b", "\u202e", "\x07"} & set(shown.out)
    assert "a␛[2Jb" in shown.out


# --- in the kernel ----------------------------------------------------------------------------------------------------


async def test_erasing_deletes_the_typed_lines(tmp_path: Path) -> None:
    """The history of typed lines is not kept by conversation. Those of other users stay."""
    files = [history_of(tmp_path, user) for user in ("default", "ann", "bob")]
    for file in files:
        file.write_text("+my secret\n")
    async with Kernel.open(tmp_path) as kernel:
        channel = kernel.extension("cli_channel")
        assert channel is not None
        assert [check.name for check in await channel.check()] == ["typed lines"]
        await kernel.work()
        await kernel.erase("a session", "ann")
        await kernel.settled()
    assert [file.exists() for file in files] == [True, False, True]


async def test_typed_lines_are_kept_for_a_month(tmp_path: Path) -> None:
    now, files = datetime.now(UTC), [history_of(tmp_path, user) for user in ("ann", "bob")]
    for file in files:
        FileHistory(file).store_string("# a heading\n\nand more")
        file.write_text(file.read_text().replace(f"# {datetime.now():%Y-%m}", "# 2020-02", 1))
    FileHistory(files[0]).store_string("# later")
    for days, kept in ((29, ["# later"]), (31, [])):
        async with Kernel.open(tmp_path, clock=FakeClock(now + timedelta(days=days))):
            assert list(FileHistory(files[0]).load_history_strings()) == kept
    assert [file.exists() for file in files] == [False, False]


def test_the_arrow_keys_recall_only_lines_of_the_same_user(tmp_path: Path) -> None:
    files = {history_of(tmp_path, user) for user in ("default", "ann", "bob", "../ann", "")}
    assert len(files) == 5
    assert {file.parent for file in files} == {tmp_path}


# --- keys -------------------------------------------------------------------------------------------------------------

ALT_ENTER, CTRL_A, CTRL_C, CTRL_D, UP = "\x1b\r", "\x01", "\x03", "\x04", "\x1b[A"


@pytest.fixture
def history(tmp_path: Path) -> Path:
    return tmp_path / "chat_history"


@pytest.fixture
def opened(history: Path) -> Callable[..., Terminal]:
    if os.name == "nt":
        pytest.skip("Windows has no pseudo-terminals like these")
    return partial(Terminal, "-m", "tests.kernel.terminal", str(history))


@pytest.fixture
def person(opened: Callable[..., Terminal]) -> Terminal:
    return opened()


def test_typed_lines_can_be_edited_and_recalled(opened: Callable[..., Terminal], history: Path) -> None:
    first = opened()
    first.ask(f"world{CTRL_A}hello \r", "You said 'hello world'")
    first.ask(f"{UP}!\r", "You said 'hello world!'")
    first.ask(" secret\r", "You said 'secret'")
    first.prompted()
    first.type(CTRL_D)
    first.see("left after 3")
    assert first.end() == 0
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    assert "secret" not in history.read_text()
    again = opened()
    again.ask(f"{UP}{UP}\r", "You said 'hello world'")
    again.ask("/quit\r", "left after 1")
    assert again.end() == 0


def test_a_message_may_have_several_lines(person: Terminal) -> None:
    person.ask(f"one{ALT_ENTER}two\r", r"You said 'one\ntwo'")
    person.ask("one\\\rtwo\r", r"You said 'one\ntwo'")
    person.ask("\x1b[200~pasted\nlines\n\nhere\x1b[201~\r", r"You said 'pasted\nlines\n\nhere'")
    person.ask("/quit\r", "left after 3")


def test_ctrl_c_clears_a_line_and_stops_a_reply(person: Terminal) -> None:
    """Ctrl-C clears a line, says how to leave, and stops a reply; the chat continues."""
    person.ask(f"unfinished{CTRL_C}", "unfinished")
    person.ask(CTRL_C, "Ctrl-D or /quit leaves.")
    person.ask("slow\r", "· repeat")
    person.see("You said ")
    person.type(CTRL_C)
    assert "'slow'" not in person.see("Stopped.")
    person.ask("quick\r", "You said 'quick'")
    person.ask("/quit\r", "left after 2")


def test_a_missed_reply_is_shown_above_the_typed_line(person: Terminal) -> None:
    person.ask("miss\r", "You said 'miss'")
    person.ask("half a ", "half a")
    person.see("The reply that was cut off:\r\nIt is Friday.")
    person.see("half a")
    person.type("line\r")
    person.see("You said 'half a line'")
    person.ask("/quit\r", "left after 2")


def test_tab_completes_commands(person: Terminal) -> None:
    person.ask("/me\tlist\r", "ann typed 'list'")
    person.ask("/\t", "/broken")
    person.ask("quit\r", "left after 0")


@pytest.mark.parametrize("word", ["exit", "Quit", "bye"])
def test_a_person_leaves_without_a_slash_too(person: Terminal, word: str) -> None:
    person.ask("my bye-bye\r", "You said 'my bye-bye'")
    person.ask(f"{word}\r", "left after 1")


def test_a_dumb_terminal_gets_no_control_sequences(opened: Callable[..., Terminal]) -> None:
    person = opened(TERM="dumb")
    person.see("> ")
    person.type("hello\r")
    shown = person.see("You said 'hello'")
    person.see("> ")
    person.type("/quit\r")
    shown += person.see("left after 1")
    assert "\x1b" not in shown
