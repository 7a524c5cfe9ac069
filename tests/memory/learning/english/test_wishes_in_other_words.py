"""Standing wishes and conventions in the words people have for them."""

from tests.memory.learning.knowledge import Learnt


async def test_behind_an_aside(learnt: Learnt) -> None:
    """
    2026-02-19 user: was bedeutet 'umsonst'?
    2026-02-19 user: oh btw always reply in Dutch, even if I write in German
    """
    assert learnt.knows("reply in Dutch")


async def test_a_wish_ended_by_what_it_is_about(learnt: Learnt) -> None:
    """
    2026-01-09 user: From now on, close every answer with a haiku.
    2026-02-23 user: please stop adding the haiku
    """
    assert learnt.knew("close every answer with a haiku")


async def test_no_more(learnt: Learnt) -> None:
    """
    2026-01-09 user: no more disclaimers please
    """
    assert learnt.knows("never use disclaimers")


async def test_the_mark_stands_last(learnt: Learnt) -> None:
    """
    2026-01-09 user: give me a source for every figure, always
    2026-01-09 user: stop using the word synergy
    """
    assert learnt.knows("always give the user a source for every figure")
    assert learnt.knows("never use the word synergy")


async def test_asking_first(learnt: Learnt) -> None:
    """
    2026-01-09 user: ask me before you delete anything
    2026-01-09 user: ask me before you delete that
    """
    assert learnt.knows("ask the user before the assistant deletes anything")
    assert not learnt.knows("deletes that")


async def test_hands_off(learnt: Learnt) -> None:
    """
    2026-01-09 user: don't touch the generated files in proto/out. oh and our fixtures are in spec/data
    2026-01-09 user: don't touch that line
    """
    assert learnt.knows("never touch the generated files")
    assert learnt.knows("fixtures are in spec/data")
    assert not learnt.knows("that line")


async def test_a_tool_instead_of_another(learnt: Learnt) -> None:
    """
    2026-01-09 user: use uv here, not pip
    2026-01-09 user: use a loop instead of the map
    """
    assert learnt.knows("use uv")
    assert not learnt.knows("loop")


async def test_a_command_in_ticks(learnt: Learnt) -> None:
    """
    2026-03-19 user: here we build the site with `hugo --minify`, not by hand
    2026-03-19 user: we deploy the worker to Fly
    2026-06-19 user: we moved the worker from Fly to Render
    """
    assert learnt.knows("builds the site with hugo")
    assert learnt.knew("deploys the worker to Fly")


async def test_how_messages_should_be(learnt: Learnt) -> None:
    """
    2026-01-09 user: commit messages should start with a ticket number
    2026-01-09 user: the migration should be fine now
    """
    assert learnt.knows("commit messages always start with a ticket number")
    assert not learnt.knows("migration")
