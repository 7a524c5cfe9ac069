"""A coding agent as a language model: the program that a person uses answers, by their account, without a key."""

import asyncio
import os
import shutil
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox.extensions.memory.asking.ask import prompt_tokens
from sandbox.extensions.memory.asking.chat import Breaker, Dialect
from sandbox.extensions.memory.errors import ModelUnavailable
from sandbox.extensions.memory.ports import Answer, EstimatedTokens, Question
from sandbox.support.paths import expanded

_TEXT, _FILE = "INSTRUCTIONS", "FILE OF INSTRUCTIONS"  # what stands for them among the arguments
# Without tools, so that no text of a conversation can make it act; without hooks, so that it is not remembered itself.
_CLAUDE = ("--print", "--safe-mode", "--tools", "", "--no-session-persistence", "--system-prompt-file", _FILE)
_QWEN = ("--safe-mode", "--bare", "--max-tool-calls", "0", "--chat-recording", "false", "--system-prompt", _TEXT)
_QWEN_TOOLS = "edit,get_goal,notebook_edit,read_file,run_shell_command,update_goal"  # what `--bare` leaves
_PROGRAMS: dict[str, Sequence[str]] = {
    "claude-code": ("claude", *_CLAUDE),
    "qwen": ("qwen", *_QWEN, "--exclude-tools", _QWEN_TOOLS),
}
_FOLDERS = ("~/.local/bin", "~/.claude/local")  # of installers, perhaps not on the PATH of what started this process
_INSIDE = "CLAUDECODE"  # hooks inherit it from Claude Code, which does not start where it is set


class AgentModel:
    """A ``LanguageModel`` that starts the program of a coding agent for each question, one at a time, in a folder of
    its own. With ``model`` None the agent's settings choose. ``timeout`` is in seconds. After three failures in a row
    nobody is asked for a while (``Breaker``).
    """

    def __init__(self, agent: str, model: str | None = None, *, timeout: float = 300.0) -> None:
        self._agent = agent
        self._model = model
        self._timeout = timeout
        self._asking = asyncio.Lock()
        self._breaker = Breaker(time.monotonic)

    @property
    def model_id(self) -> str:
        """The agent, and the model if one is chosen."""
        return f"{self._agent}/{self._model}" if self._model else self._agent

    async def ask(self, question: Question) -> Answer:
        """The answer; its tokens are estimated. Raises ``ModelUnavailable``."""
        async with self._asking:
            if wait := self._breaker.wait():
                raise self._unavailable(f"it failed several times in a row and is asked again in {wait:.0f} s")
            try:
                text = await self._answer(question)
            except ModelUnavailable:
                self._breaker.failed()
                raise
            except OSError as error:  # the file of the program, or a full disk
                self._breaker.failed()
                raise self._unavailable(f"its program could not be started ({type(error).__name__})") from None
            self._breaker.succeeded()
        return Answer(text, "stop", prompt_tokens(question), EstimatedTokens().count_tokens([text])[0])

    async def _answer(self, question: Question) -> str:
        """What the program prints. Its errors may quote the conversation, so they are not told."""
        name, *options = _PROGRAMS[self._agent]
        program = shutil.which(name) or shutil.which(
            name, path=os.pathsep.join(str(expanded(each)) for each in _FOLDERS)
        )
        if program is None:
            raise self._unavailable(f"its program `{name}` is not on the PATH")
        instructions, *said = Dialect("text").messages(question)
        with TemporaryDirectory(prefix="memory-") as folder:
            file = Path(folder) / "instructions.txt"
            file.write_text(instructions["content"], encoding="utf-8")
            given = {_TEXT: instructions["content"], _FILE: str(file)}
            chosen = ["--model", self._model] if self._model else []
            running = await asyncio.create_subprocess_exec(
                *(program, *(given.get(each, each) for each in options), *chosen),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd=folder,
                env={name: value for name, value in os.environ.items() if name != _INSIDE},
                start_new_session=True,
            )
            try:
                async with asyncio.timeout(self._timeout):
                    printed, _ = await running.communicate(_conversation(said).encode())
            except TimeoutError:
                raise self._unavailable(f"no answer within {self._timeout:g} s") from None
            finally:
                if running.returncode is None:
                    with suppress(ProcessLookupError):  # it, and those that it started
                        running.kill() if os.name == "nt" else os.killpg(running.pid, signal.SIGKILL)
                await running.wait()
        if running.returncode:
            raise self._unavailable(f"`{name}` ended with exit code {running.returncode}; try `{name} -p hello`")
        return printed.decode(errors="replace")

    def _unavailable(self, problem: str) -> ModelUnavailable:
        return ModelUnavailable(model=self.model_id, problem=problem)


def _conversation(said: Sequence[dict[str, str]]) -> str:
    """The messages as one text, because the program takes one."""
    material, *again = [message["content"] for message in said]
    tries = (f"Your answer was:\n{answer}\n\n{reason}" for answer, reason in zip(again[::2], again[1::2], strict=True))
    return "\n\n".join([material, *tries])
