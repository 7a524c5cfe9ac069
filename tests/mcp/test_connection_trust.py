"""How long text that a tool returned lowers the trust of a connection."""

from sandbox.extensions.memory_mcp.connection import ConnectionTrust
from sandbox.support.trust import Trust


def test_recalled_content_lowers_trust_for_half_an_hour() -> None:
    now = [0.0]
    connection, seen = ConnectionTrust("user", lambda: now[0]), list[Trust]()
    steps: tuple[tuple[float, Trust | None], ...] = (
        (0, "tool"),
        (0, "web"),
        (1_000, "tool"),
        (1_801, None),
        (2_900, None),
    )
    for moment, brought_up in steps:
        now[0] = moment
        if brought_up is not None:
            connection.lower(brought_up)
        seen.append(connection.now)
    assert seen == ["tool", "web", "web", "tool", "user"]


def test_the_trust_of_a_connection_never_rises() -> None:
    connection = ConnectionTrust("assistant")
    connection.lower("confirmed")
    assert connection.now == "assistant"
