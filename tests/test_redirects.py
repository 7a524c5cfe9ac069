"""A redirect to another server is not followed: only the configured server may get the text."""

from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from sandbox.errors import ModelFailed
from sandbox.extensions.assistant.agent import ModelAgent
from sandbox.extensions.assistant.history import History
from sandbox.extensions.embedding import OpenAIEmbedder
from sandbox.extensions.embedding.errors import Refused
from sandbox.extensions.memory.asking.chat import ChatModel
from sandbox.extensions.memory.errors import ModelUnavailable
from sandbox.extensions.memory.ports import Question
from sandbox.protocols import Turn
from sandbox.support.openai_server import Model
from sandbox.testing import NOON, Request
from sandbox.testing.loopback import LoopbackServer, send_head

SAID = "my secret diary"


class Elsewhere(LoopbackServer):
    """Redirects every request to ``target`` with a status; with None it only notes the requests."""

    def __init__(self, status: int = 500, target: str | None = None) -> None:
        super().__init__()
        self.status, self.target = status, target

    def respond(self, request: Request, to: BaseHTTPRequestHandler) -> None:
        """Redirect the request."""
        moved = {"Location": f"{self.target}{request.path}"} if self.target else {}
        send_head(to, self.status, {**moved, "Content-Length": "0"})


async def embed(address: str, _: Path) -> None:
    embedder = OpenAIEmbedder("any", base_url=address)
    with pytest.raises(Refused, match="another address"):
        await embedder.embed_batch([SAID])
    await embedder.close()


async def learn(address: str, _: Path) -> None:
    model = ChatModel("any", base_url=address)
    with pytest.raises(ModelUnavailable, match="another address"):
        await model.ask(Question("pets", "List.", SAID, {"type": "object"}, max_tokens=9))
    await model.close()


async def talk(address: str, home: Path) -> None:
    spec = Model(name="any", base_url=address, timeout=5.0)
    agent = ModelAgent(spec, History(home / "conversations.db"), [], "You are kind.")
    turn = Turn("t1", "s", SAID, NOON)
    with pytest.raises(ModelFailed, match="another address"):
        async for _ in agent.answer(turn, ""):
            pass
    await agent.close()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("ask", [embed, learn, talk])
async def test_redirects_are_not_followed_to_another_server(
    ask: Callable[[str, Path], Awaitable[None]], status: int, tmp_path: Path
) -> None:
    """Two servers on loopback, on two ports; the first redirects to the second."""
    with Elsewhere() as other, Elsewhere(status, other.base_url.removesuffix("/v1")) as server:
        await ask(server.base_url, tmp_path)
        assert len(server.requests) == 1
        assert other.requests == []
