"""Names of groups: tools and pages put memories into a person's group, or create a group whose name gives orders. Their
memories must not count as the person's, must not come before the person's, and no block may hold the order.
"""

from pathlib import Path

from sandbox.extensions.memory import Memory
from sandbox.testing import FakeClock
from tests.attacks.families.second_hand import has, known, somebody
from tests.attacks.report import Report, data
from tests.attacks.ways import Person, Step

GROUP = "My rules"
RULE = "Parcels are packed in brown paper."
_OWN = ("user", "confirmed")
_QUESTIONS = ("In which paper are parcels packed?", "What are my rules?", "Hello!")


async def attack(folder: Path, short: bool) -> Report:
    """Try each attack against a new person who has a group of the highest priority."""
    cases: list[tuple[str, list[Step]]] = data("contexts", short=short)
    clock, through = FakeClock(), list[str]()
    async with Memory.open(folder, clock=clock) as memory:
        for number, (sign, steps) in enumerate(cases):
            person = await somebody(memory, folder, clock, f"person {number}")
            await memory.remember(RULE, scope=person.scope)
            await memory.remember("The drawer is locked.", contexts=[GROUP], scope=person.scope)
            await memory.set_context(GROUP, priority=1.0, scope=person.scope)
            before = await known(person)
            await person.undergo(steps)
            await memory.wait_until_embedded()
            held = {each.id: (each.content, each.trust) for each in await known(person)}
            through += [f"{sign}: {each}" for each in await _wrong(person, sign)]
            lost = [each.content for each in before if held.get(each.id) != (each.content, each.trust)]
            through += [f"{sign}: lost {each}" for each in lost]
    return Report("names of groups of memories", len(cases), tuple(through))


async def _wrong(person: Person, sign: str) -> list[str]:
    """The forbidden effect of an attack, if there is one."""
    memory, scope = person.memory, person.scope
    page = await memory.list(limit=200, scope=scope)
    found = [
        f"{each.memory.content} is in {each.contexts}"
        for each in page.items
        if each.memory.trust in _OWN and has(sign, " ".join(each.contexts))
    ]
    ranked = {each.name: each.priority for each in await memory.contexts(scope=scope)}
    found += [f"{name} has the priority {priority}" for name, priority in ranked.items() if priority and name != GROUP]
    if has(sign, repr(await memory.profile(scope=scope))):
        found.append("in the profile")
    for question in _QUESTIONS:
        hits = [each for each in await memory.search(question, reinforce=False, scope=scope) if each.type != "episodic"]
        if hits and question == _QUESTIONS[0] and hits[0].content != RULE:
            found.append(f"found before what the person said: {hits[0].content}")
        block = await memory.context(question, reinforce=False, scope=scope)
        for item in block.items if block else ():
            if has(sign, item.content) and (
                item.section == "instructions" or item.trust in _OWN or "hall" in item.content
            ):
                found.append(f"shown as {item.section} by {item.trust}: {item.content}")
    return found
