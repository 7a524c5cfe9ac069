"""Conversations end and continue; some of them wait to be learnt from."""

from sandbox.extensions.memory import Memory, Scope


async def ended(memory: Memory, scope: Scope | None = None) -> tuple[int, int, int]:
    """The number of sessions, of those nothing was learnt from yet, and of those of them that are over."""
    found = await memory.statistics(scope=scope or Scope())
    return found.sessions, found.sessions_pending, found.sessions_ended


async def test_a_session_can_be_ended_by_its_user(memory: Memory) -> None:
    """It may be empty or over already."""
    await memory.observe("user", "hello", session="s1", scope=Scope("bob"))
    await memory.end_session("s1")
    assert await ended(memory) == (0, 0, 0)
    await memory.observe("user", "one", session="s1")
    await memory.observe("user", "two", session="s2")
    assert await ended(memory) == (2, 2, 0)
    await memory.end_session("s1")
    assert await ended(memory) == (2, 2, 1)
    await memory.end_session(" s1 ")
    assert await ended(memory) == (2, 2, 1)
    assert await ended(memory, Scope("bob")) == (1, 1, 0)


async def test_a_later_turn_reopens_a_session(memory: Memory) -> None:
    await memory.observe("user", "one", session="s1", key="m-1")
    await memory.end_session("s1")
    await memory.observe("user", "one", session="s1", key="m-1")
    assert await ended(memory) == (1, 1, 1)  # the turn was known, so nothing new was said
    await memory.observe("assistant", "two", session="s1", key="m-2")
    assert await ended(memory) == (1, 1, 0)


async def test_conversations_of_all_projects_are_listed_with_their_projects(memory: Memory) -> None:
    for project in ("shop", "blog", None):
        await memory.observe("user", "Hello.", session="s", scope=Scope(project_id=project))
    listed = await memory.sessions(scope=Scope(all_projects=True))
    assert {(each.id, each.project, each.turns) for each in listed} == {
        ("s", "shop", 1),
        ("s", "blog", 1),
        ("s", None, 1),
    }


async def test_turns_are_counted_once_where_some_are_private(memory: Memory) -> None:
    """A session of that name is listed with the turns that a scope may see, and waits while one of them waits."""
    private = Scope(session_id="s1", visibility="session")
    await memory.observe("user", "one", session="s1")
    await memory.observe("user", "two", scope=private)
    await memory.observe("user", "three", scope=private)
    for scope, turns in ((Scope(), 1), (private, 3)):
        assert [(each.turns, each.waits) for each in await memory.sessions(scope=scope)] == [(turns, True)]
    await memory.consolidate("s1", scope=private)
    await memory.observe("user", "four", session="s1")
    assert [(each.turns, each.waits) for each in await memory.sessions(scope=private)] == [(4, True)]
