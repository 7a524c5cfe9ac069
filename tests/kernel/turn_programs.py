"""What other processes do in the tests of turns; each function is one program."""

import sys
from pathlib import Path

from sandbox.errors import StateFull
from sandbox.extensions.memory.main import MemoryExtension
from sandbox.kernel import Kernel
from sandbox.protocols import Conversation, Reply
from sandbox.testing import Request, ScriptedModel
from tests.memory.store.processes import Journal, Switch, program


@program
async def talk_on_a_full_disk(home: Path, full: Path, notes_path: Path) -> None:
    """The disk is full when the model answers, and when another message comes; then there is space again."""
    no_space = Switch(full)
    notes = Journal(notes_path)

    def fill_up(_: Request) -> str:
        no_space.on()
        return "A fine name."

    with ScriptedModel("Hello, Ann.", fill_up, "A very fine name.", "Sunny.") as model:
        models = {"default": {"model": "scripted", "base_url": model.base_url}}
        async with Kernel.open(home, models=models) as kernel:
            await kernel.work()
            conversation = kernel.conversation("test")
            notes.add(await said(conversation, "Hello."))
            notes.add(await said(conversation, "My dog is called Rex."))
            notes.add(await said(conversation, "What is the weather like?"))
            no_space.off()
            await kernel.look()
            await kernel.settled()
            notes.add([[reply.text, reply.problem] for reply in await conversation.missed()])
            notes.add(await said(conversation, "What is the weather like?"))
            await kernel.settled()
            notes.add([message["content"] for message in model.requests[-1].messages])
            memory = kernel.extension("memory")
            assert isinstance(memory, MemoryExtension)
            notes.add([hit.content for hit in reversed(await memory.memory.search("", types=["episodic"], limit=100))])
            notes.add([await kernel.router.unfinished(), await kernel.bus.pending(), len(await kernel.bus.parked())])


async def said(conversation: Conversation, text: str) -> list[str | None]:
    """The reply and its problem, or the kind and the text of the error."""
    try:
        *_, reply = [part async for part in conversation.say(text)]
    except StateFull as error:
        return [type(error).__name__, str(error)]
    assert isinstance(reply, Reply)
    return [reply.text, reply.problem]


if __name__ == "__main__":
    globals()[sys.argv[1]](*map(Path, sys.argv[2:]))
