"""Secrets that are said, used as names, typed or passed to tools; then every byte of the home is searched for them."""

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sandbox.errors import SecretInId
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import SecretRefused
from sandbox.kernel import Kernel
from sandbox.testing import ScriptedModel, ScriptedResponder, call
from tests.attacks.report import Report, data

_FILLERS = "I walk along the river on Sundays."


async def attack(folder: Path, short: bool) -> Report:
    """Try each secret in each way; an attack succeeds if a file of the home contains a part of it."""
    tried, through = 0, list[str]()
    for number, each in enumerate(data("secrets_at_rest", short=short)):
        for way, go in WAYS.items():
            if way not in each.get("ways", WAYS):
                continue
            tried += 1
            home = folder / f"{number}-{way}"
            await go(home, each)
            through += [f"{way}: {each['text']!r} in {name}" for name in _holding(home, each["secret"])]
    return Report("secrets at rest", tried, tuple(through), "each through chat, replies, tools and names")


def _holding(home: Path, secret: str) -> list[str]:
    forms = {form.encode() for form in (secret, secret.lower(), json.dumps(secret)[1:-1])}
    files = [path for path in home.rglob("*") if path.is_file()]
    return [path.name for path in files if any(form in path.read_bytes() for form in forms)]


async def _say(kernel: Kernel, *texts: str, **options: Any) -> None:
    conversation = kernel.conversation("test", **options)
    for text in texts:
        async for _ in conversation.say(text):
            pass
    await kernel.settled()


async def _chat(home: Path, each: Mapping[str, Any]) -> None:
    """Say it to an assistant, which repeats it."""
    before = each.get("before", [])
    replies = [*["Go ahead."] * len(before), f"Thanks. {each['text']}" if not before else "Thanks.", "Yes."]
    async with Kernel.open(home, responder=ScriptedResponder(replies)) as kernel:
        await kernel.work()
        await _say(kernel, *before, each["text"], _FILLERS)


async def _tools(home: Path, each: Mapping[str, Any]) -> None:
    """A model passes it to tools, and repeats it afterwards."""
    text = each["text"]
    script = (
        call("remember_fact", fact=text, category="fact"),
        call("search_memory", query=text),
        call("no_such_tool", value=[text], login={"note": text}),
        text,
    )
    with ScriptedModel(*script) as model:
        models = {"default": {"model": "scripted", "base_url": model.base_url}}
        async with Kernel.open(home, models=models) as kernel:
            await kernel.work()
            await _say(kernel, _FILLERS)


async def _names(home: Path, each: Mapping[str, Any]) -> None:
    """Use it as any name: of a session, a speaker, a source, a tag, a subject, a file."""
    text = each["text"]
    file = home.parent / f"{home.name}-files" / f"{text.replace('/', '_').replace(chr(10), ' ')[:80]}.jsonl"
    file.parent.mkdir()
    file.write_text(json.dumps({"role": "user", "content": _FILLERS}))
    async with Memory.open(home, embedder=None) as memory:
        await memory.observe("user", _FILLERS, session=text, speaker=text, source=text)
        await memory.import_file(file)
        scope = Scope(agent_id=text, actor_id=text, session_id=text)
        await memory.forget(await memory.remember("Ann has a cat.", scope=scope), scope=scope)
        for refused in ({"subject": text}, {"tags": [text]}, {"content": text}):
            with contextlib.suppress(SecretRefused):
                await memory.remember(**{"content": "Ann has a dog.", **refused})
        await memory.end_session(text)
        await memory.consolidate(text)


async def _ids(home: Path, each: Mapping[str, Any]) -> None:
    """Use it as an id, with and without a kernel; both refuse it."""
    text = each["text"]
    async with Kernel.open(home) as kernel:
        await kernel.work()
        for options in ({"user": text}, {"speaker": text}):
            with contextlib.suppress(SecretInId):
                await _say(kernel, _FILLERS, **options)
        try:
            async for _ in kernel.conversation("test").say(_FILLERS, key=text):
                pass
        except SecretInId:
            pass
        await kernel.settled()
    async with Memory.open(home, embedder=None) as memory:
        for go in (
            lambda: memory.observe_many([Message("user", _FILLERS, key=text)]),
            lambda: memory.remember("Ann has a cat.", key=text),
            lambda: memory.observe("user", _FILLERS, scope=Scope(text)),
            lambda: memory.observe("user", _FILLERS, scope=Scope(project_id=text, visibility="project")),
        ):
            with contextlib.suppress(SecretRefused):
                await go()


WAYS = {"chat": _chat, "tools": _tools, "names": _names, "ids": _ids}
