"""One user's actions change nothing that another user can read over REST. Every operation of the document is called on
a server that both have used, and on one that only knows the other user.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory_web.app import create_app
from tests.twins import (
    HISTORY,
    NAME,
    NEW,
    SECRETS,
    SESSION,
    USERS,
    WORDS,
    aimed,
    aims,
    everything,
    lived,
    plain,
    without_ids,
)

WHEN = {"since": "2026-01-01T00:00:00Z", "until": "2027-01-01T00:00:00Z"}
TOLD = {"content": NEW, "category": "fact"}

Asked = Sequence[dict[str, Any]]
ONCE: Asked = ({},)
QUESTIONS: Asked = [{"json": {"query": word, "limit": 100, "reinforce": False}} for word in WORDS]
PROMPTS: Asked = [{"json": {"prompt": word, "budget": 3000}} for word in WORDS]

READS: Mapping[str, Asked] = {
    "GET /api/memory/": [
        {"params": each}
        for each in ({"limit": 200}, {"type": "episodic"}, {"subject": NAME}, {"entity": NAME}, {"history": True})
    ],
    "GET /api/memory/{id}": [{}, {"headers": {"If-None-Match": "*"}}],
    "GET /api/memory/{id}/history": ONCE,
    "GET /api/memory/{id}/confidence_over_time": ONCE,
    "POST /api/search": QUESTIONS,
    "POST /api/context": [{"json": {**each["json"], "reinforce": False}} for each in PROMPTS],
    "POST /api/context/explain": PROMPTS,
    "GET /api/context/fixed": [{}, {"params": {"session": SESSION}}],
    "GET /api/entities": ONCE,
    "GET /api/entities/{name}": ONCE,
    "GET /api/entities/{name}/neighbourhood": [{"params": {"hops": 2}}],
    "GET /api/profile": ONCE,
    "GET /api/sessions": ONCE,
    "GET /api/sessions/{session}/turns": [{}, {"params": {"around": "{id}"}}],
    "GET /api/sessions/{session}/passed_over": ONCE,
    "GET /api/changes": ONCE,
    "GET /api/stats": ONCE,
    "GET /api/counts": ONCE,
    "GET /api/export": [{"params": {"format": "markdown"}}],  # JSON Lines hold every user, or are refused
    "GET /api/spending": ONCE,
    "GET /api/nights": ONCE,
    "GET /api/failures": ONCE,
    "GET /api/days": ONCE,
    "GET /api/knowledge_changes": [{"params": WHEN}],
    "GET /api/projects": ONCE,
    "GET /api/proposals": ONCE,
    "GET /api/conflicts": ONCE,
    "GET /api/duplicates": ONCE,
    "GET /api/fading": ONCE,
    "GET /api/contexts": ONCE,
    "GET /api/events": [{"params": {"after": 0}}],
}
WRITES: Mapping[str, Asked] = {
    "PUT /api/memory/{id}": [{"json": {"content": "Nothing is so."}}, {"json": TOLD, "headers": {"If-Match": "*"}}],
    "POST /api/memory/{id}": ONCE,
    "POST /api/memory/{id}/confirm": ONCE,
    "PUT /api/memory/{id}/pin": ONCE,
    "DELETE /api/memory/{id}/pin": ONCE,
    "DELETE /api/memory/{id}/conflicts/{other}": ONCE,
    "PUT /api/memory/{id}/importance": [{"json": {"importance": 5}}],
    "POST /api/memory/{id}/merge": [{"json": {"into": "{id}"}}],
    "DELETE /api/memory/{id}/duplicates/{other}": ONCE,
    "POST /api/proposals/{id}/approve": ONCE,
    "POST /api/proposals/{id}/reject": ONCE,
    "POST /api/entities/{name}/merge": [{"json": {"into": "{name}"}}, {"json": {"into": SECRETS["bob"][0]}}],
    "POST /api/entities/{name}/split": ONCE,
    "PUT /api/contexts/{name}": [{"json": {"priority": 3}}],
    "POST /api/undo": [{"json": {"change": "{change}"}}, {"json": {"session": SESSION}}],
    "DELETE /api/memory/{id}": [{"params": {"erase": True, "dry_run": True}}, {"params": {"erase": True}}, {}],
    "DELETE /api/sessions/{session}": [{"params": {"dry_run": True}}, {}],
    "DELETE /api/entities/{name}": [{"params": {"dry_run": True}}, {}],
    "POST /api/sessions/{session}/learn": ONCE,
    "POST /api/sessions/{session}/turns": [{"json": {"turns": [{"role": "user", "content": "Hello!", "key": "k"}]}}],
    "POST /api/memory/": [
        {"json": {**TOLD, "on_similar": "refuse"}},
        {"json": TOLD, "headers": {"Idempotency-Key": "order-1"}},
    ],
    "DELETE /api/user": [{"params": {"dry_run": True}}],  # without changes the events would not end
}
OF_ALL = {"GET /health", "GET /metrics", "GET /api/checks", "GET /api/troubles"}
"""What the whole server answers, whoever asks."""


class Served:
    """One memory behind the application, without a network."""

    def __init__(self, memory: Memory, home: Scope) -> None:
        self._params = {"user": home.user_id, "project": home.project_id}
        self._stop = asyncio.Event()
        self._app = create_app(memory, "t" * 20, stop=self._stop)

    async def _ending(self, scope: Any, receive: Any, send: Any) -> None:
        """The application; a stream ends after its first event."""

        async def watch(message: Any) -> None:
            if message.get("body", b"").startswith(b"id: "):
                self._stop.set()
            await send(message)

        await self._app(scope, receive, watch)

    async def __call__(self, operation: str, aim: Mapping[str, Any], asked: Mapping[str, Any]) -> Any:
        """The status and the answer, without the differences of two equal files."""
        method, path = operation.split()
        given = aimed(asked, aim)
        params = {**{name: value for name, value in self._params.items() if value}, **given.pop("params", {})}
        self._stop.clear()
        transport = httpx.ASGITransport(self._ending)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            answer = await client.request(method, path.format(**aim), params=params, **given)
        if answer.headers.get("content-type", "").startswith("application/json"):
            return answer.status_code, plain(answer.json())
        text = re.sub(r'(id: |"seq":|"source":|"target":|change )\d+|"batch":"\w+"', "", answer.text)
        return answer.status_code, without_ids(text)


async def test_no_answer_shows_an_effect_of_another_user() -> None:
    """Bob reads, and aims at ann's memories by every name that they have; ann has the same as before."""
    async with lived(HISTORY, USERS) as shared, lived(HISTORY, ("bob",)) as own:
        pairs = await aims(shared, own)
        before = await everything(shared[0])
        for home in (Scope("bob"), Scope("bob", "house")):
            both, alone = Served(shared[0], home), Served(own[0], home)
            for operation, cases in [*READS.items(), *WRITES.items(), *READS.items()]:
                for asked in cases:
                    for aim, same in pairs if "{" in operation + str(asked) else pairs[:1]:
                        answer = await both(operation, aim, asked)
                        assert answer == await alone(operation, same, asked), (operation, asked)
        assert await everything(shared[0]) == before


async def test_every_operation_is_covered(memory: Memory) -> None:
    """Add a new operation to one of the tables."""
    transport = httpx.ASGITransport(create_app(memory, "t" * 20))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        document = (await client.get("/openapi.json")).json()
    operations = {f"{method.upper()} {path}" for path, each in document["paths"].items() for method in each}
    assert operations == {*READS, *WRITES, *OF_ALL}
