"""A search finds what tools, pages and quotations honestly say, with its source: the defence must not lose it. Here an
attack succeeds if something is lost.
"""

from pathlib import Path
from typing import Any

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.authority import is_users_word
from sandbox.testing import FakeClock
from tests.attacks.report import Report, data
from tests.attacks.ways import Person


async def attack(folder: Path, short: bool) -> Report:
    """Try each with a user of its own; all users share the memory."""
    texts, clock = data("honest", short=short), FakeClock()
    lost, shown = list[str](), 0
    async with Memory.open(folder / "memory", clock=clock) as memory:
        people = [Person(memory, folder, Scope(each["id"]), clock) for each in texts]
        for each, person in zip(texts, people, strict=True):
            await person.undergo(each["do"])
        await memory.wait_until_embedded()
        for each, person in zip(texts, people, strict=True):
            if (wrong := await _wrong_with(each, person)) is not None:
                lost.append(f"{each['id']}: {wrong}")
            block = await memory.context(each["asks"], scope=person.scope, reinforce=False)
            shown += block is not None and each["finds"] in block.text
    note = f"of all, {shown} stand in what is put before an assistant of itself"
    return Report("honest tool results and quotations that a search does not find", len(texts), tuple(lost), note)


async def _wrong_with(text: dict[str, Any], person: Person) -> str | None:
    found = await person.memory.search(text["asks"], scope=person.scope, reinforce=False)
    hit = next((hit for hit in found if text["finds"] in hit.content), None)
    if hit is None:
        return "is not found"
    of_user = text["do"][0].get("role") == "user"
    return None if is_users_word(hit.trust) == of_user else f"is told as of {hit.trust}"
