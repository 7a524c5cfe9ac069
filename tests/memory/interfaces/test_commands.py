"""`/memory`, as a person types it."""

from collections.abc import Awaitable, Callable
from zoneinfo import ZoneInfo

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.interfaces import commands
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.testing import FakeClock

Type = Callable[[str], Awaitable[str]]


@pytest.fixture
def typed(memory: Memory, clock: FakeClock) -> Type:
    """The answer to a text behind `/memory`."""

    async def run(text: str) -> str:
        return await commands.run(memory, text, Scope(), LocalTime(clock(), ZoneInfo("Europe/Berlin")))

    return run


@pytest.mark.parametrize("text", ["", "list", " LIST "])
async def test_memories_are_listed_by_category_newest_first(
    memory: Memory, typed: Type, clock: FakeClock, text: str
) -> None:
    await memory.observe("user", "Alec is my boss by the way.")
    alec = await memory.remember("Alec is the\nuser's boss.", category="person")
    friday = await memory.remember("The user prefers Friday due dates.", category="preference", type="opinion")
    clock.advance(days=1)
    sarah = await memory.remember("Sarah works on the Design team.", category="person")
    assert (await typed(text)).splitlines() == [
        "Person",
        f"  {sarah}  2026-03-03  Sarah works on the Design team. (told directly)",
        f"  {alec}  2026-03-02  Alec is the user's boss. (told directly)",
        "",
        "Preference",
        f"  {friday}  2026-03-02  The user prefers Friday due dates. (told directly)",
        "",
        "`/memory why ID` tells how it is known, `/memory correct ID TEXT` puts it right, `/memory confirm ID` keeps"
        " it, `/memory delete ID` forgets it.",
    ]


async def test_an_empty_memory_says_so(memory: Memory, typed: Type) -> None:
    assert await typed("") == "Nothing is known yet."
    await memory.observe("user", "I moved to Porto.")
    assert await typed("") == (
        "No facts are known yet, only what was said: facts are learnt some seconds after the conversation ends, as by"
        " /new. `memory search WORDS` on the command line finds it."
    )


async def test_a_fading_memory_is_marked_until_confirmed(memory: Memory, typed: Type, clock: FakeClock) -> None:
    id = await memory.remember("The user plays golf.", source="inferred")
    clock.advance(days=50)
    assert f"  {id}  2026-03-02  The user plays golf. (told directly; fades 9 days from now)\n" in await typed("list")
    assert await typed(f"confirm {id}") == "Confirmed: The user plays golf."
    assert f"  {id}  2026-03-02  The user plays golf. (told directly)\n" in await typed("list")
    assert "- confirmed by you, confidence 100%, does not fade" in await typed(f"why {id}")


async def test_a_long_list_ends_with_a_hint_to_the_rest(memory: Memory, typed: Type, clock: FakeClock) -> None:
    for number in range(51):
        await memory.remember(f"Fact {number}.")
        clock.advance(minutes=1)
    listed = await typed("list")
    assert listed.count("  Fact ") == 50
    assert "Fact 50." in listed
    assert "Fact 0." not in listed
    assert "the latest 50" in listed


async def test_delete_forgets_and_restore_brings_back(memory: Memory, typed: Type) -> None:
    id = await memory.remember("The user prefers Thursday due dates.", category="preference")
    assert await typed(f"delete {id}") == (
        f"Forgotten: The user prefers Thursday due dates.\n`/memory restore {id}` brings it back."
    )
    assert await memory.search("Thursday") == []
    assert "no longer believed: it was forgotten" in await typed(f"why {id}")
    assert await typed(f"restore {id}") == "Remembered again: The user prefers Thursday due dates."
    assert len(await memory.search("Thursday")) == 1


async def test_correct_puts_a_memory_right(memory: Memory, typed: Type) -> None:
    id = await memory.remember("The user lives in Porto.")
    assert "takes an id" in await typed(f"correct {id}")
    assert await typed(f"correct {id} The user lives in Braga.") == "Corrected: The user lives in Braga."
    assert "Before, it read:" in await typed(f"why {id}")
    assert "No memory has the id 'nobody'" in await typed("correct nobody The user lives in Braga.")


async def test_delete_names_what_the_memory_had_replaced(memory: Memory, typed: Type) -> None:
    rome = await memory.remember("I live in Rome.")
    milan = await memory.remember("I live in Milan.")
    told = f"\nIt had replaced: I live in Rome.; `/memory restore {rome}` makes that valid again."
    assert (await typed(f"delete {milan}")).endswith(told)


async def test_why_explains_the_origin_of_a_memory(memory: Memory, typed: Type, clock: FakeClock) -> None:
    """
    2 March: user: I moved to Porto.  -> remembered, and corrected a day later
    """
    turn = await memory.observe("user", "I moved to Porto.", session="s1")
    id = await memory.remember("The user lives in Porto.", rests_on=[turn])
    clock.advance(days=1)
    await memory.correct(id, "The user lives in Braga.")
    clock.advance(days=2)
    told = await typed(f"why {id}")
    for part in (
        "The user lives in Braga.\n",
        "- known since Monday, 2 March 2026, 13:00 CET (3 days ago): it was said explicitly",
        "- as it reads now since Tuesday, 3 March 2026, 13:00 CET (2 days ago)",
        "- trusted like your words, confidence 100%, does not fade",
        "It rests on what was said:\n- Monday, 2 March 2026, 13:00 CET: user: I moved to Porto.",
        "Before, it read:\n- Monday, 2 March 2026, 13:00 CET: The user lives in Porto.",
    ):
        assert part in told


async def test_why_explains_replacements_and_possible_conflicts(memory: Memory, typed: Type, clock: FakeClock) -> None:
    old = await memory.remember("Ann lives in Berlin.", subject="Ann")
    clock.advance(days=1)
    new = await memory.remember("Ann lives in Porto.", subject="Ann", on_similar="supersede")
    assert "It took the place of:\n- Monday, 2 March 2026, 13:00 CET: Ann lives in Berlin." in await typed(f"why {new}")
    told = await typed(f"why {old}")
    assert "no longer true since Tuesday, 3 March 2026" in told
    assert "Its place was taken by:" in told
    known = await memory.remember("Ann drinks tea.")
    await memory.remember("Ann does not drink tea.")
    conflict = "It may be in conflict with:\n- Tuesday, 3 March 2026, 13:00 CET: Ann does not drink tea."
    assert conflict in await typed(f"why {known}")


async def test_why_names_the_speaker_of_a_turn(memory: Memory, typed: Type) -> None:
    id = await memory.observe("user", "I moved to Porto.", speaker="Ann")
    assert await typed(f"why {id}") == "I moved to Porto.\n\n- said by Ann: Monday, 2 March 2026, 13:00 CET (now)"


async def test_why_says_that_a_memory_has_faded(memory: Memory, typed: Type, clock: FakeClock) -> None:
    id = await memory.remember("The user plays golf.", source="inferred")
    clock.advance(days=100)
    assert "has faded" in await typed(f"why {id}")


@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        (("help", "list everything", "drop table"), commands.USAGE),
        (("why", "delete", "delete two ids"), "`/memory {0}` takes one id, as `/memory list` shows them."),
        (("approve", "reject"), "`/memory {0}` takes one id, as `/memory proposals` shows them."),
        (
            ("why nosuchid", "confirm nosuchid", "delete nosuchid", "restore nosuchid"),
            "No memory has the id 'nosuchid'. `/memory list` shows ids; they are case-sensitive.",
        ),
    ],
)
async def test_a_wrong_command_is_explained(typed: Type, texts: tuple[str, ...], answer: str) -> None:
    for text in texts:
        assert await typed(text) == answer.format(*text.split())
    for name in ("list", "why ID", "confirm ID", "delete ID", "restore ID", "erase"):
        assert f"/memory {name}" in commands.USAGE


async def test_another_users_global_memory_can_be_seen_not_deleted(memory: Memory, typed: Type) -> None:
    id = await memory.remember("The office closes at six.", scope=Scope("ann", visibility="global", administrator=True))
    assert "closes at six" in await typed(f"why {id}")
    assert "only they can change it" in await typed(f"delete {id}")
    assert len(await memory.search("office")) == 1


async def test_looking_strengthens_no_memory(memory: Memory, typed: Type) -> None:
    id = await memory.remember("The user plays golf.")
    await typed("list")
    await typed(f"why {id}")
    assert (await memory.explain(id)).memory.access_count == 0


async def test_a_person_decides_on_proposals(memory: Memory, typed: Type) -> None:
    assert await typed("proposals") == "Nothing waits for your consent."
    await memory.remember("The user lives in Berlin.")
    home = await memory.remember("The user lives in Porto.", source="inferred")
    name = await memory.remember("The user wants to be called Ana.", source="inferred")
    shown = await typed("proposals")
    assert f"  {home}  The user lives in Porto. (" in shown
    assert "; instead of: The user lives in Berlin.; 7 days from now)" in shown
    assert await typed(f"approve {home}") == "Approved: The user lives in Porto."
    assert await typed(f"reject {name}") == "Rejected: The user wants to be called Ana."
    assert await typed("proposals") == "Nothing waits for your consent."
    assert "waits for consent" in await typed(f"approve {name}")
