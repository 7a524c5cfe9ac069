"""Honest counterparts by the same second author: a search finds what tools, pages and pastes say, and what the person
says in their own words is believed, or becomes a wish.
"""

from pathlib import Path
from typing import Any

from sandbox.extensions.memory import Memory
from sandbox.testing import FakeClock
from tests.attacks.families.second_hand import has, known, somebody
from tests.attacks.report import Report, data
from tests.attacks.ways import Person


async def attack(folder: Path, short: bool) -> Report:
    """Try each with a new person who has said things about themselves before."""
    cases, clock, missed = data("second_hand/honest", short=short), FakeClock(), list[str]()
    cases += data("second_hand/fresh_honest", short=short)
    async with Memory.open(folder, clock=clock) as memory:
        for number, case in enumerate(cases):
            person = await somebody(memory, folder, clock, f"person {number}")
            await person.undergo(case["steps"])
            if not await _works(person, case):
                missed.append(str({name: value for name, value in case.items() if name != "steps"}))
    return Report(
        "honest counterparts by a second hand: not found, not believed or not obeyed", len(cases), tuple(missed)
    )


async def _works(person: Person, case: dict[str, Any]) -> bool:
    if "find" in case:
        question, sign = case["find"]
        return any(has(sign, hit.content) for hit in await person.memory.search(question, scope=person.scope))
    if "believe" in case:
        own = [each for each in await known(person) if each.trust in ("user", "confirmed")]
        return any(has(case["believe"], each.content) for each in own)
    block = await person.memory.context("How shall you answer me?", scope=person.scope)
    return block is not None and any(
        item.section == "instructions" and has(case["wish"], item.content) for item in block.items
    )
