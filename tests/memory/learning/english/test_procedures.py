"""How something is done."""

from tests.memory.learning.knowledge import Learnt


def test_steps_in_a_list(learnt: Learnt) -> None:
    """
    2026-02-05 user: This is how we release:
        | 1. Bump the version in pyproject.toml.
        | 2. Tag the commit.
        | 3. Run make publish.
    """
    known = " ".join(fact.content.lower() for fact in learnt.known if fact.type == "procedural")
    assert "version" in known
    assert "publish" in known
    assert known.index("version") < known.index("tag") < known.index("publish")


def test_a_command_for_a_purpose(learnt: Learnt) -> None:
    """
    2026-02-05 user: To run the integration tests you have to start docker compose first and then call make itest.
    """
    steps = learnt.the("docker compose")
    assert steps.says("make itest")
    assert steps.type == "procedural"


def test_first_then_finally(learnt: Learnt) -> None:
    """
    2026-02-05 user: To reset the router: first unplug it, then wait ten seconds, and finally hold the WPS button.
    """
    assert learnt.knows("router", "unplug", "WPS")


def test_steps_of_the_assistant_are_its_own(learnt: Learnt) -> None:
    """
    2026-02-05 user: How do I descale a kettle?
    2026-02-05 assistant: 1. Fill it with water and vinegar.
        | 2. Boil it.
        | 3. Rinse it twice.
    2026-02-05 user: thanks, that worked
    """
    assert learnt.nothing
